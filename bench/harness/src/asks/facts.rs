//! [`Fact`]: a question, and the answer that an independent tool found in the sources or in the graph.
//!
//! A file of facts has a fact on each line, as JSON. Names, lines and parameters were read from ctags,
//! callers from a search for names with ctags, and counts from flatgraph.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;

/// A fact about a graph and its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// A function begins at a line.
    Defined { name: String, file: String, line: u64 },
    /// A line is in a function.
    Around { name: String, file: String, line: u64 },
    /// All functions that call a function.
    Callers { name: String, callers: Vec<String> },
    /// The functions on the only shortest way from a function to another.
    Way { from: String, to: String, via: Vec<String> },
    /// The names of a function's parameters.
    Parameters { name: String, parameters: Vec<String> },
    /// The number that answers a query.
    Count { what: String, query: String, number: u64 },
    /// A name that no function has, and the nearest one.
    Misspelt { name: String, nearest: String },
}

/// The words that an answer has if it is right.
pub(super) type Words = Vec<String>;

/// Reads a file of facts.
pub(super) fn read(path: &Path) -> Result<Vec<Fact>, Failure> {
    let cannot = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| cannot(&error))?;
    let numbered = text.lines().enumerate();
    numbered
        .map(|(index, line)| of_line(line).ok_or_else(|| cannot(&format!("line {} is no fact", index + 1))))
        .collect()
}

fn of_line(line: &str) -> Option<Fact> {
    let line: Value = serde_json::from_str(line).ok()?;
    let text = |name: &str| line[name].as_str().map(str::to_owned);
    let number = |name: &str| line[name].as_u64();
    let list = |name: &str| {
        line[name].as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>()
    };
    Some(match line["kind"].as_str()? {
        "defined" => Fact::Defined { name: text("name")?, file: text("file")?, line: number("line")? },
        "around" => Fact::Around { name: text("name")?, file: text("file")?, line: number("line")? },
        "callers" => Fact::Callers { name: text("name")?, callers: list("callers")? },
        "way" => Fact::Way { from: text("from")?, to: text("to")?, via: list("via")? },
        "parameters" => Fact::Parameters { name: text("name")?, parameters: list("parameters")? },
        "count" => Fact::Count { what: text("what")?, query: text("query")?, number: number("number")? },
        "misspelt" => Fact::Misspelt { name: text("name")?, nearest: text("nearest")? },
        _ => return None,
    })
}

impl Fact {
    /// The question in English.
    pub(super) fn question(&self) -> String {
        match self {
            Self::Defined { name, .. } => format!("Where is {name} defined?"),
            Self::Around { file, line, .. } => format!("Which function is around {file}:{line}?"),
            Self::Callers { name, .. } => format!("Which functions call {name}?"),
            Self::Way { from, to, .. } => format!("How does {from} get to {to}?"),
            Self::Parameters { name, .. } => format!("What are the parameters of {name}?"),
            Self::Count { what, .. } => format!("How many {what} are there?"),
            Self::Misspelt { name, .. } => format!("Where is {name}?"),
        }
    }

    /// The tool of `varvite mcp`, its arguments, and the words of a right answer.
    pub(super) fn call(&self) -> (&'static str, Value, Words) {
        match self {
            Self::Defined { name, file, line } => {
                ("explore", json!({"symbol": name}), vec![format!("METHOD {name}  {file}:{line}\n")])
            }
            Self::Around { name, file, line } => {
                ("explore", json!({"symbol": format!("{file}:{line}")}), vec![format!(" METHOD {name}  ")])
            }
            Self::Callers { name, callers } => {
                let words = callers.iter().map(|caller| format!(" in {caller}  ")).collect();
                ("explore", json!({"symbol": name}), words)
            }
            Self::Way { from, to, via } => {
                let words = via.iter().chain([to]).map(|name| format!("METHOD {name} ")).collect();
                ("paths", json!({"from": from, "to": to}), words)
            }
            Self::Parameters { name, parameters } => {
                let text = format!("cpg.method.nameExact(\"{name}\").parameter.name.l");
                ("query", json!({"text": text}), vec![format!("NAME\n{}\n", parameters.join("\n"))])
            }
            Self::Count { query, number, .. } => {
                ("query", json!({"text": query}), vec![format!("{number}\n")])
            }
            Self::Misspelt { name, nearest } => {
                ("explore", json!({"symbol": name}), vec![format!("\"{nearest}\"")])
            }
        }
    }

    /// The word to look for with grep, and the words of a right answer. `None` if no line of the sources
    /// answers the question.
    pub(super) fn grep(&self) -> Option<(&str, Words)> {
        Some(match self {
            Self::Defined { name, file, line } => (name, vec![format!("{file}:{line}:")]),
            Self::Callers { name, callers } => (name, callers.clone()),
            Self::Parameters { name, parameters } => (name, parameters.clone()),
            Self::Misspelt { name, nearest } => (name, vec![nearest.clone()]),
            Self::Around { .. } | Self::Way { .. } | Self::Count { .. } => return None,
        })
    }

    /// The test for lines of ctags' list that an agent reads, and the words of a right answer. `None` if the
    /// list does not answer the question.
    pub(super) fn ctags(&self) -> Option<(String, Words)> {
        Some(match self {
            Self::Defined { name, line, .. } => (format!("{name}\t"), vec![format!("\tline:{line}")]),
            // All functions of the file. The agent takes the one whose range has the line.
            Self::Around { name, file, .. } => (format!("\t{file}\t"), vec![format!("{name}\t")]),
            Self::Parameters { name, parameters } => (format!("{name}\t"), parameters.clone()),
            Self::Misspelt { name, nearest } => (format!("{name}\t"), vec![nearest.clone()]),
            Self::Callers { .. } | Self::Way { .. } | Self::Count { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fact_has_its_question_and_the_words_of_its_answer() {
        let line = r#"{"kind": "callers", "name": "f", "callers": ["g", "h"]}"#;
        let fact = of_line(line).unwrap();
        assert_eq!(fact.question(), "Which functions call f?");
        assert_eq!(fact.call().2, [" in g  ", " in h  "]);
        assert_eq!(fact.grep(), Some(("f", vec!["g".to_owned(), "h".to_owned()])));
        assert_eq!(fact.ctags(), None);
    }

    #[test]
    fn a_line_that_is_no_fact_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("facts.jsonl");
        let good = r#"{"kind": "misspelt", "name": "mian", "nearest": "main"}"#;
        for bad in ["", r#"{"kind": "misspelt"}"#, r#"{"kind": "guess", "name": "f"}"#] {
            fs::write(&path, format!("{good}\n{bad}\n")).unwrap();
            assert!(read(&path).unwrap_err().0.ends_with("facts.jsonl: line 2 is no fact"));
        }
        fs::write(&path, good).unwrap();
        assert_eq!(read(&path).unwrap().len(), 1);
    }
}
