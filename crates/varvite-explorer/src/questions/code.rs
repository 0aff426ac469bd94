//! The question `code`: the command and the programs that ask the same as the page.
//!
//! The question is a text that a user pastes into a shell or a source file. So it stands in a literal of the
//! language, in which each invisible character is an escape.

use std::fmt::Write;

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::pipeline::Pipeline;

use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::shared::Shared;

/// Asks for programs. The question is one of a text in the language of Joern, a plan, and a node.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Code {
    #[serde(default)]
    file: usize,
    text: Option<String>,
    plan: Option<Json>,
    node: Option<u32>,
}

impl Code {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let path = shared.graphs.file(self.file)?.path.to_str();
        let path = path.ok_or_else(|| {
            let message = "the path of the file is not UTF-8, so no program can name it";
            Fault::new(StatusCode::BAD_REQUEST, "bad_question", message)
        })?;
        match (&self.text, &self.plan, self.node) {
            (Some(text), None, None) => of_text(path, text),
            (None, Some(plan), None) => {
                let plan = Pipeline::from_json_within(&plan.to_string(), &work.budget())?;
                Ok(of_plan(path, &plan.to_json()))
            }
            (None, None, Some(node)) => {
                let plan = json!({ "version": 1, "steps": [{ "step": "ids", "ids": [node] }] });
                Ok(of_plan(path, &plan.to_string()))
            }
            _ => Err(Fault::bad_question("code takes one of text, plan and node")),
        }
    }
}

fn of_text(path: &str, text: &str) -> Result<Json> {
    let query = varvite_text::translate(text).map_err(|error| Fault::of_text(text, &error))?;
    let plans = query.plans();
    let mut answer = plans.first().map_or_else(|| json!({}), |plan| of_plan(path, &plan.to_json()));
    answer["command"] = format!("varvite ask {} {}", shell(path), shell(text)).into();
    answer["python"] = format!(
        "import varvite\n\ngraph = varvite.open({})\nprint(graph.ask({}))\n",
        python(path),
        python(text)
    )
    .into();
    Ok(answer)
}

fn of_plan(path: &str, plan: &str) -> Json {
    json!({
        "command": format!("varvite query {} {}", shell(path), shell(plan)),
        "rust": rust_program(path, plan),
        "java": java_program(path, plan),
        "python": format!(
            "import varvite\n\ngraph = varvite.open({})\nfor row in graph.query({}):\n    print(row)\n",
            python(path),
            python(plan)
        ),
    })
}

fn rust_program(path: &str, plan: &str) -> String {
    format!(
        "use varvite::Graph;\nuse varvite::pipeline::{{Options, Pipeline}};\n\n\
         fn main() -> Result<(), Box<dyn std::error::Error>> {{\n    \
             let graph = Graph::open({path:?})?;\n    \
             let plan = Pipeline::from_json({plan:?})?;\n    \
             let mut run = plan.compile(&graph)?.run(Options::default());\n    \
             while let Some(rows) = run.next()? {{\n        \
                 for row in 0..rows.len() {{\n            \
                     println!(\"{{:?}}\", rows.columns().map(|column| column.get(row)).collect::<Vec<_>>());\n        \
                 }}\n    \
             }}\n    \
             Ok(graph.check()?)\n\
         }}\n"
    )
}

fn java_program(path: &str, plan: &str) -> String {
    let (path, plan) = (java(path), java(plan));
    format!(
        "import java.nio.file.Path;\nimport varvite.ffi.NativeGraph;\nimport varvite.ffi.NativeRun;\n\n\
         public final class Ask {{\n    \
             public static void main(String[] args) {{\n        \
                 try (NativeGraph graph = NativeGraph.open(Path.of({path}), false);\n                \
                         NativeRun run = graph.run({plan})) {{\n            \
                     while (run.next()) {{\n                \
                         System.out.println(run.rows() + \" rows\");\n            \
                     }}\n        \
                 }}\n    \
             }}\n\
         }}\n"
    )
}

/// A word of a shell.
fn shell(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+,:@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        return text.to_owned();
    }
    if text.chars().all(is_visible) {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    // Only this form has escapes; bash, zsh and ksh know it.
    let mut word = String::from("$'");
    for character in text.chars() {
        match character {
            '\'' | '\\' => word.extend(['\\', character]),
            _ if is_visible(character) => word.push(character),
            _ => _ = write!(word, "\\U{:08x}", u32::from(character)),
        }
    }
    word + "'"
}

/// A literal of Python.
fn python(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            _ if is_visible(character) => literal.push(character),
            _ => _ = write!(literal, "\\U{:08x}", u32::from(character)),
        }
    }
    literal + "\""
}

/// A literal of Java. A Unicode escape of a control character would be read as that character before the
/// literal is, so control characters are octal.
fn java(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => literal.extend(['\\', character]),
            '\0'..='\u{1f}' => _ = write!(literal, "\\{:03o}", u32::from(character)),
            _ if is_visible(character) => literal.push(character),
            _ => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    _ = write!(literal, "\\u{unit:04x}");
                }
            }
        }
    }
    literal + "\""
}

/// Whether a character is shown as itself: ASCII, or a letter.
fn is_visible(character: char) -> bool {
    matches!(character, ' '..='~') || !character.is_ascii() && character.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_stays_one_literal_in_each_language() {
        for (text, in_shell, in_python, in_java) in [
            ("zlib.varvite", "zlib.varvite", "\"zlib.varvite\"", "\"zlib.varvite\""),
            ("", "''", "\"\"", "\"\""),
            (
                "it's $(x) \\u0022",
                "'it'\\''s $(x) \\u0022'",
                "\"it's $(x) \\\\u0022\"",
                "\"it's $(x) \\\\u0022\"",
            ),
            ("a\"\n", "$'a\"\\U0000000a'", "\"a\\\"\\U0000000a\"", "\"a\\\"\\012\""),
            ("\u{202e}'", "$'\\U0000202e\\''", "\"\\U0000202e'\"", "\"\\u202e'\""),
            ("größe", "'größe'", "\"größe\"", "\"größe\""),
        ] {
            assert_eq!((&*shell(text), &*python(text), &*java(text)), (in_shell, in_python, in_java));
        }
    }
}
