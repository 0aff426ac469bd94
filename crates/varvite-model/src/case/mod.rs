//! A conformance case: a text with the content of a graph, questions about it, and the expected answers.
//!
//! `conformance/README.md` describes the form. A [`Case`] has plans and rows as texts, since the program that
//! runs the case reads the plan and compares the rows. A graph becomes a [`ModelGraph`](crate::ModelGraph).

pub(crate) mod error;
pub(crate) mod folder;
pub(crate) mod graph;
mod line;

use error::CaseError;
use graph::CaseGraph;

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// The rule that the case shows, from the comment at its beginning.
    pub purpose: String,
    /// The graph or file that the questions are about.
    pub source: Source,
    /// Columns that the graph's file must have, each given by its name and its encoding.
    pub columns: Vec<(String, String)>,
    /// The questions with their answers.
    pub asks: Vec<Ask>,
}

/// The graph or file that the questions of a case are about.
#[derive(Clone, Debug)]
pub enum Source {
    /// A graph that the case contains.
    Graph {
        /// The graph.
        graph: Box<CaseGraph>,
        /// The words after `graph`, which determine how the file is written: `direct`, `compact`, `archive`,
        /// `zstd`, `indexed`.
        words: Vec<String>,
    },
    /// A golden file, by its name in `conformance/files`.
    File {
        /// The name of the file.
        name: String,
        /// Whether the file is opened in the mode that checks every checksum.
        is_buffered: bool,
    },
}

/// A question, and its expected result.
#[derive(Clone, Debug, Default)]
pub struct Ask {
    /// The line of the question, from 1.
    pub line: usize,
    /// The words of the question, or `plan`.
    pub question: String,
    /// The plan, if the question is `plan`.
    pub plan: String,
    /// The values of the plan's parameters, by name.
    pub params: Vec<(String, String)>,
    /// The number of bytes of memory that the run may hold.
    pub memory: Option<u64>,
    /// The name of the `side` step whose rows are compared instead of the run's rows, if there is one.
    pub side: Option<String>,
    /// The expected answer.
    pub answer: Answer,
}

/// The expected answer of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// These rows, each as JSON.
    Rows(Vec<String>),
    /// An error.
    Error {
        /// The number of the error.
        number: i32,
        /// The name of the error, without the prefix that it has in C.
        name: String,
        /// Texts that the error's message must contain.
        says: Vec<String>,
    },
}

impl Default for Answer {
    fn default() -> Self {
        Self::Rows(Vec::new())
    }
}

/// A keyword with the rest of its line and the indented lines below it.
struct Section<'t> {
    line: usize,
    keyword: &'t str,
    words: &'t str,
    body: Vec<(usize, &'t str)>,
}

impl Section<'_> {
    fn wrong(&self, what: impl Into<String>) -> CaseError {
        CaseError { line: self.line, what: what.into() }
    }

    /// The rest of the line with the keyword, and the lines below it.
    fn lines(&self) -> Vec<String> {
        let first = Some(self.words).filter(|words| !words.is_empty());
        first.into_iter().chain(self.body.iter().map(|(_, text)| *text)).map(str::to_owned).collect()
    }
}

impl Case {
    /// Reads a case from its text.
    ///
    /// # Errors
    /// Returns an error at the first line that is not valid in a case.
    pub fn parse(text: &str) -> Result<Self, CaseError> {
        let (purpose, sections) = sections(text)?;
        let (mut source, mut columns, mut asks) = (None, Vec::new(), Vec::<Ask>::new());
        for section in &sections {
            match section.keyword {
                "graph" | "file" if source.is_some() => return Err(section.wrong("a second graph or file")),
                "graph" | "file" => source = Some(source_of(section)?),
                "column" => columns.push(column_of(section)?),
                "ask" => asks.push(ask_of(section)?),
                _ => {
                    let ask = asks.last_mut().ok_or_else(|| section.wrong("an `ask` comes first"))?;
                    add_to(ask, section)?;
                }
            }
        }
        let end = CaseError {
            line: text.lines().count(),
            what: "no graph, no file, no question or no purpose".to_owned(),
        };
        let source = source.filter(|_| !asks.is_empty() && !purpose.is_empty()).ok_or(end)?;
        Ok(Self { purpose, source, columns, asks })
    }
}

fn sections(text: &str) -> Result<(String, Vec<Section<'_>>), CaseError> {
    let (mut purpose, mut sections) = (Vec::new(), Vec::<Section<'_>>::new());
    for (line, text) in (1..).zip(text.lines()) {
        match (text.strip_prefix("  "), text.strip_prefix('#')) {
            _ if text.trim().is_empty() => {}
            (Some(body), _) => {
                let wrong = || CaseError { line, what: "an indented line belongs to no keyword".to_owned() };
                sections.last_mut().ok_or_else(wrong)?.body.push((line, body));
            }
            (None, Some(comment)) if sections.is_empty() => purpose.push(comment.trim()),
            (None, Some(_)) => {}
            (None, None) => {
                let (keyword, words) = text.split_once(' ').unwrap_or((text, ""));
                sections.push(Section { line, keyword, words: words.trim(), body: Vec::new() });
            }
        }
    }
    Ok((purpose.join(" "), sections))
}

fn source_of(section: &Section<'_>) -> Result<Source, CaseError> {
    let mut words = section.words.split_whitespace().map(str::to_owned);
    if section.keyword == "graph" {
        let graph = Box::new(CaseGraph::parse(&section.body)?);
        return Ok(Source::Graph { graph, words: words.collect() });
    }
    let name = words.next().ok_or_else(|| section.wrong("a file has a name"))?;
    match (words.next().as_deref(), words.next()) {
        (None, _) => Ok(Source::File { name, is_buffered: false }),
        (Some("buffered"), None) => Ok(Source::File { name, is_buffered: true }),
        _ => Err(section.wrong("only `buffered` stands behind the name of a file")),
    }
}

fn column_of(section: &Section<'_>) -> Result<(String, String), CaseError> {
    let (name, encoding) =
        section.words.split_once(": ").ok_or_else(|| section.wrong("a column is `NAME: ENCODING`"))?;
    Ok((name.to_owned(), encoding.to_owned()))
}

fn ask_of(section: &Section<'_>) -> Result<Ask, CaseError> {
    let plan: Vec<&str> = section.body.iter().map(|(_, text)| *text).collect();
    match (section.words, plan.is_empty()) {
        ("", _) => Err(section.wrong("`ask plan` with the plan below, or a named question")),
        ("plan", true) => Err(section.wrong("the plan stands below, indented")),
        ("plan", false) => Ok(Ask {
            line: section.line,
            question: "plan".to_owned(),
            plan: plan.join("\n"),
            ..Ask::default()
        }),
        (_, false) => Err(section.wrong("only a plan stands below a question")),
        (question, true) => Ok(Ask { line: section.line, question: question.to_owned(), ..Ask::default() }),
    }
}

fn add_to(ask: &mut Ask, section: &Section<'_>) -> Result<(), CaseError> {
    match section.keyword {
        "memory" => {
            let bytes = section.words.parse().map_err(|_| section.wrong("`memory` is a number of bytes"))?;
            ask.memory = Some(bytes);
        }
        "param" => {
            let pair = section.words.split_once('=');
            let (name, value) = pair.ok_or_else(|| section.wrong("`param` is followed by NAME=VALUE"))?;
            ask.params.push((name.to_owned(), value.to_owned()));
        }
        "side" => ask.side = Some(section.words.to_owned()),
        "expect" => ask.answer = Answer::Rows(section.lines()),
        "error" => {
            let (number, name) = section.words.split_once(' ').unwrap_or_default();
            let number = number.parse().map_err(|_| section.wrong("an error is its number and its name"))?;
            ask.answer = Answer::Error { number, name: name.to_owned(), says: Vec::new() };
        }
        "says" => match &mut ask.answer {
            Answer::Error { says, .. } => says.push(section.words.to_owned()),
            Answer::Rows(_) => return Err(section.wrong("only an error says something")),
        },
        keyword => return Err(section.wrong(format!("{keyword:?} is no keyword of a case"))),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_has_a_purpose_a_source_and_questions_with_answers() {
        let text = "# A rule,\n# in two lines.\n\ngraph compact\n  a: METHOD\n\nask plan\n  {\"version\": 1,\n   \"steps\": []}\nmemory 10\nerror -34 PLAN\nsays no start\n\nask nodes METHOD\nexpect [0]\n";
        let case = Case::parse(text).unwrap();
        assert_eq!(case.purpose, "A rule, in two lines.");
        assert!(matches!(&case.source, Source::Graph { words, .. } if *words == ["compact"]));
        assert_eq!((case.asks[0].line, case.asks[0].memory), (7, Some(10)));
        assert_eq!(case.asks[0].plan, "{\"version\": 1,\n \"steps\": []}");
        let says = vec!["no start".to_owned()];
        assert_eq!(case.asks[0].answer, Answer::Error { number: -34, name: "PLAN".to_owned(), says });
        assert_eq!(case.asks[1].answer, Answer::Rows(vec!["[0]".to_owned()]));
    }

    #[test]
    fn what_is_no_case_is_refused_by_its_line() {
        for (text, line, words) in [
            ("  a: METHOD\n", 1, "no keyword"),
            ("# Why.\nfile a\nfile b\nask labels\n", 3, "a second"),
            ("# Why.\nfile a twice\nask labels\n", 2, "buffered"),
            ("# Why.\nfile a\nexpect 1\n", 3, "comes first"),
            ("# Why.\nfile a\nask\n", 3, "ask plan"),
            ("# Why.\nfile a\nask plan\n", 3, "below"),
            ("# Why.\nfile a\nask labels\nsays x\n", 4, "only an error"),
            ("# Why.\nfile a\nask labels\nerror DAMAGED\n", 4, "number"),
            ("# Why.\nfile a\nask labels\nexpects 1\n", 4, "\"expects\" is no keyword"),
            ("# Why.\nfile a\n", 2, "no question"),
            ("file a\nask labels\n", 2, "no purpose"),
        ] {
            let error = Case::parse(text).unwrap_err();
            assert!(error.line == line && error.what.contains(words), "{text}: {error}");
        }
    }
}
