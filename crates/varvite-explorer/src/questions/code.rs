//! The question `code`: the command and the programs that ask the same as the page.
//!
//! The question is a text that a user pastes into a shell or a source file. So it stands in a literal of the
//! language, in which each invisible character is an escape.

use std::fmt::Write;

use axum::http::StatusCode;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use varvite::pipeline::Pipeline;
use varvite_cpg::WayRound;
use varvite_text::Answer;

use super::paths::labels_of;
use crate::fault::{Fault, Result};
use crate::limits::Work;
use crate::shared::Shared;

/// Asks for programs. The question is one of a text in the language of Joern, a plan, a node, a path, a
/// drawing, and a run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Code {
    #[serde(default)]
    file: usize,
    text: Option<String>,
    plan: Option<Json>,
    node: Option<u32>,
    path: Option<PathCode>,
    drawing: Option<DrawingCode>,
    run: Option<RunCode>,
}

/// A search for paths, as in the question `paths`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PathCode {
    from: String,
    to: String,
    along: Option<Vec<String>>,
    #[serde(default)]
    direction: WayRound,
    #[serde(default)]
    flow: bool,
    limit: Option<usize>,
}

/// A drawing, as in the question `drawing`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DrawingCode {
    node: u32,
    view: String,
    limit: usize,
}

/// A view of a layer, as in the questions `flame`, `timeline` and `compare`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RunCode {
    show: RunView,
    layer: String,
    measure: Option<String>,
    /// The file and the layer to compare with.
    #[serde(default)]
    second_file: usize,
    second: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RunView {
    Flame,
    Timeline,
    Compare,
}

impl Code {
    pub(super) fn answer(&self, shared: &Shared, work: &Work) -> Result<Json> {
        let path = path_of(shared, self.file)?;
        let Self { text, plan, node, path: way, drawing, run, .. } = self;
        match (text, plan, node, way, drawing, run) {
            (Some(text), None, None, None, None, None) => of_text(path, text),
            (None, Some(plan), None, None, None, None) => {
                let plan = Pipeline::from_json_within(&plan.to_string(), &work.budget())?;
                Ok(of_plan(path, &plan.to_json()))
            }
            (None, None, Some(node), None, None, None) => {
                let plan = json!({ "version": 1, "steps": [{ "step": "ids", "ids": [node] }] });
                Ok(of_plan(path, &plan.to_string()))
            }
            (None, None, None, Some(way), None, None) => Ok(command_of(&way.words(path))),
            (None, None, None, None, Some(drawing), None) => Ok(command_of(&drawing.words(path))),
            (None, None, None, None, None, Some(run)) => {
                Ok(command_of(&run.words(path, path_of(shared, run.second_file)?)))
            }
            _ => Err(Fault::bad_question("code takes one of text, plan, node, path, drawing and run")),
        }
    }
}

/// The path of a file, for a program.
fn path_of(shared: &Shared, file: usize) -> Result<&str> {
    shared.graphs.file(file)?.path.to_str().ok_or_else(|| {
        let message = "the path of the file is not UTF-8, so no program can name it";
        Fault::new(StatusCode::BAD_REQUEST, "bad_question", message)
    })
}

/// An answer that has only a command.
fn command_of(words: &[String]) -> Json {
    let words: Vec<String> = words.iter().map(|word| shell(word)).collect();
    json!({ "command": format!("varvite {}", words.join(" ")) })
}

impl PathCode {
    fn words(&self, path: &str) -> Vec<String> {
        let along = labels_of(self.along.as_deref(), self.flow).join(",");
        let mut words = ["path", path, &self.from, &self.to].map(str::to_owned).to_vec();
        // Without labels, a path follows all of them.
        if !along.is_empty() {
            words.extend(["--along".to_owned(), along]);
        }
        let direction = self.direction.name();
        if !self.flow && direction != WayRound::default().name() {
            words.extend(["--direction", direction].map(str::to_owned));
        }
        if let Some(limit) = self.limit {
            words.extend(["--limit".to_owned(), limit.to_string()]);
        }
        words
    }
}

impl DrawingCode {
    fn words(&self, path: &str) -> Vec<String> {
        let (node, limit) = (self.node.to_string(), self.limit.to_string());
        ["draw", path, &node, "--view", &self.view, "--limit", &limit].map(str::to_owned).to_vec()
    }
}

impl RunCode {
    fn words(&self, path: &str, second_path: &str) -> Vec<String> {
        let show = match self.show {
            RunView::Flame => "flame",
            RunView::Timeline => "timeline",
            RunView::Compare => "diff",
        };
        let mut words = vec!["heap".to_owned(), show.to_owned(), path.to_owned()];
        if let (RunView::Compare, Some(second)) = (self.show, &self.second) {
            words.extend([second_path, "--name", &self.layer, "--to", second].map(str::to_owned));
        } else {
            words.extend(["--name", &self.layer].map(str::to_owned));
        }
        let measure = self.measure.as_deref().filter(|_| !matches!(self.show, RunView::Timeline));
        if let Some(measure) = measure {
            words.extend(["--sort", measure].map(str::to_owned));
        }
        words
    }
}

fn of_text(path: &str, text: &str) -> Result<Json> {
    let query = varvite_text::translate(text).map_err(|error| Fault::of_text(text, &error))?;
    // Other answers are computed from rows, which no plan alone gives.
    let (mut answer, is_rows) = match &query.answer {
        Answer::Rows(plan) => (of_plan(path, &plan.to_json()), true),
        _ => (json!({}), false),
    };
    answer["command"] = format!("varvite ask {} {}", shell(path), shell(text)).into();
    let (graph, asked) = (python(path), format!("graph.ask({})", python(text)));
    let shown = match is_rows {
        true => format!("for row in {asked}:\n    print(row)\n"),
        false => format!("print({asked})\n"),
    };
    answer["python"] = format!("import varvite\n\ngraph = varvite.open({graph})\n{shown}").into();
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
             let plan = Pipeline::from_json(\n        \
                 {plan:?},\n    \
             )?;\n    \
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
        "import java.nio.file.Path;\nimport java.util.stream.Collectors;\nimport java.util.stream.IntStream;\n\
         import varvite.ffi.NativeGraph;\nimport varvite.ffi.NativeRun;\n\n\
         public final class Ask {{\n    \
             public static void main(String[] args) {{\n        \
                 try (NativeGraph graph = NativeGraph.open(Path.of({path}), false);\n                \
                         NativeRun run = graph.run({plan})) {{\n            \
                     while (run.next()) {{\n                \
                         for (int row = 0; row < run.rows(); row++) {{\n                    \
                             System.out.println(shown(run, row));\n                \
                         }}\n            \
                     }}\n        \
                 }}\n    \
             }}\n\n    \
             private static String shown(NativeRun run, int row) {{\n        \
                 return switch (run.kind()) {{\n            \
                     case NODES -> String.valueOf(run.nodeId(row));\n            \
                     case EDGES -> run.source(row) + \" -> \" + run.target(row);\n            \
                     default -> IntStream.range(0, run.columns())\n                    \
                         .mapToObj(column -> String.valueOf(run.text(column, row)))\n                    \
                         .collect(Collectors.joining(\"\\t\"));\n        \
                 }};\n    \
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
    use std::path::Path;

    use super::*;

    const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    /// The query of the programs that other tests run, and their files.
    const QUERY: &str = "cpg.method.name(\"inflate(Init|Reset).*\").name.l";
    const PROGRAMS: [(&str, &str, &str); 3] = [
        (
            "rust",
            "examples/rust/src/bin/copied_in_rust.rs",
            "//! The program that the explorer copies for Rust.\n\n",
        ),
        (
            "java",
            "examples/java/src/main/java/Ask.java",
            "// The program that the explorer copies for Java.\n",
        ),
        (
            "python",
            "bindings/python/tests/data/copied.py",
            "# The program that the explorer copies for Python.\n",
        ),
    ];

    /// `cargo xtask examples` and the tests of the Python package run these files.
    #[test]
    fn the_programs_that_other_tests_run_are_those_that_are_copied() {
        let programs = of_text("zlib.varvite", QUERY).unwrap();
        for (language, file, head) in PROGRAMS {
            let text = format!("{head}{}", programs[language].as_str().unwrap());
            let path = Path::new(ROOT).join(file);
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "{file}: run with BLESS=1");
        }
    }

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
