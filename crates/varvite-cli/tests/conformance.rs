//! Runs the cases of `conformance/cases` through the command. Both plans and named questions are run by
//! `varvite query`.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value as Json, json};
use varvite_model::{Answer as Expected, Ask, Case, Skips, Source, cases_in};

use crate::command::{Answer, send, varvite};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance");

#[test]
fn cases_are_answered() {
    let skips = std::fs::read_to_string(format!("{FOLDER}/skipped.txt")).unwrap();
    let skips = Skips::of("command", &skips);
    let (mut asked, mut left_out, mut wrong) = (0, 0, Vec::new());
    for (name, case) in cases_in(Path::new(&format!("{FOLDER}/cases"))).unwrap() {
        for ask in &case.asks {
            if skips.has(&name, &ask.question) {
                left_out += 1;
                continue;
            }
            asked += 1;
            let found = difference(ask, answer(&name, &case, ask));
            wrong.extend(found.map(|what| format!("{name}.case:{}: {what}", ask.line)));
        }
    }
    println!("conformance by the command: {asked} questions asked, {left_out} left out");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Describes how an answer differs from the expected one; `None` if they are equal.
fn difference(ask: &Ask, found: Result<Vec<Json>, (i32, String)>) -> Option<String> {
    match (&ask.answer, found) {
        (Expected::Rows(rows), Ok(found)) => {
            let expected: Vec<Json> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
            let found = shortened(&expected, found);
            (expected != found).then(|| format!("answered {}", json!(found)))
        }
        (Expected::Error { name, says, .. }, Err((code, message))) => {
            let lacks = says.iter().find(|words| !message.contains(*words));
            let is_right = exit_codes(name).contains(&code) && lacks.is_none();
            (!is_right).then(|| format!("exit code {code}: {message}"))
        }
        (Expected::Rows(_), Err((code, message))) => Some(format!("exit code {code}: {message}")),
        (Expected::Error { .. }, Ok(found)) => Some(format!("answered {}", json!(found))),
    }
}

/// Reduces rows to the fields that the case expects. For nodes, edges and paths, the command shows more
/// fields; for a value, it also shows the name of the column.
fn shortened(expected: &[Json], found: Vec<Json>) -> Vec<Json> {
    let Some(first) = expected.first() else { return found };
    let keys: BTreeSet<&str> = first.as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
    let shorten = |row: Json| match row {
        Json::Object(cells) if keys.is_empty() && cells.len() == 1 => cells.into_values().next().unwrap(),
        Json::Object(mut cells) if !keys.is_empty() => {
            cells.retain(|key, _| keys.contains(key.as_str()));
            cells.into()
        }
        row => row,
    };
    found.into_iter().map(shorten).collect()
}

/// The exit codes that `varvite --help` documents for an error code.
fn exit_codes(name: &str) -> &'static [i32] {
    match name {
        "IO" | "NOT_A_FILE" | "TRUNCATED" | "NOT_VARVITE" | "NEWER_FORMAT" | "UNKNOWN_FEATURE"
        | "DAMAGED" => &[3],
        "UNKNOWN" | "NO_SUCH_NODE" => &[4],
        "WRONG_TYPE" => &[2],
        // The plan is invalid, or the run was stopped.
        "PLAN" => &[2, 6],
        "OVER_BUDGET" => &[6],
        _ => panic!("the command has no exit code for {name}"),
    }
}

/// A graph file, and the options for reading it.
struct Asked {
    file: String,
    more: Vec<String>,
}

type Rows = Result<Vec<Json>, (i32, String)>;

fn answer(name: &str, case: &Case, ask: &Ask) -> Rows {
    let (file, is_buffered) = match &case.source {
        Source::Graph { .. } => (format!("{name}.varvite"), false),
        Source::File { name, is_buffered } => (name.clone(), *is_buffered),
    };
    let mut more = Vec::new();
    more.extend(is_buffered.then(|| "--buffered".to_owned()));
    let asked = Asked { file: format!("{FOLDER}/files/{file}"), more };
    if ask.question != "plan" {
        return asked.named(&ask.question).map(|answer| vec![answer]);
    }
    let memory = ask.memory.map(|bytes| vec!["--memory".to_owned(), bytes.to_string()]);
    let side = ask.side.as_ref().map(|name| vec!["--side".to_owned(), name.clone()]);
    let params = ask.params.iter().map(|(name, value)| vec!["--param".to_owned(), format!("{name}={value}")]);
    asked.run(&ask.plan, memory.into_iter().chain(side).chain(params).flatten().collect())
}

impl Asked {
    fn named(&self, question: &str) -> Result<Json, (i32, String)> {
        let words: Vec<&str> = question.split(' ').collect();
        let after_nodes =
            |steps: &str, column: &str| self.steps(&format!(r#"{{"step": "nodes"}}, {steps}"#), column);
        let itself = r#"{"step": "columns", "columns": ["itself"]}"#;
        match words[..] {
            ["open"] => Ok(self.ask(&["info", &self.file])?[0]["nodes"].clone()),
            ["labels"] => {
                let rows = after_nodes(r#"{"step": "columns", "columns": ["label"]}"#, "label")?;
                Ok(rows.iter().map(labels).collect())
            }
            ["nodes", label] => {
                let start = format!(r#"{{"step": "nodes", "labels": ["{label}"]}}, {itself}"#);
                Ok(column(self.steps(&start, "node")?, "node").collect())
            }
            [step @ ("out" | "in"), label] => self.lists(step, label),
            ["values", name] => {
                let steps = format!(r#"{{"step": "columns", "columns": [{{"property": "{name}"}}]}}"#);
                Ok(column(after_nodes(&steps, name)?, name).map(list).collect())
            }
            ["edge-values", label, name] => {
                let start = format!(
                    r#"{{"step": "edges", "labels": ["{label}"]}}, {{"step": "columns", "columns": [{{"property": "{name}"}}]}}"#
                );
                Ok(column(self.steps(&start, name)?, name).map(list).collect())
            }
            ["sites"] => {
                let site = |row: Json| json!([row["file"], row["line"], row["method"]]);
                Ok(self.steps(r#"{"step": "nodes"}"#, "file,line,method")?.into_iter().map(site).collect())
            }
            ["calls-of", method] => Ok(column(self.ask(&["callers", &self.file, method])?, "node").collect()),
            ["callees-of", method] => {
                let callee = |row: Json| json!([row["node"], row["calls"]]);
                let rows = self.ask(&["callees", &self.file, method, "--operators"])?;
                Ok(rows.into_iter().map(callee).collect())
            }
            _ => panic!("{question} is no question"),
        }
    }

    /// The rows in a command's answer.
    fn ask(&self, words: &[&str]) -> Rows {
        rows_of(varvite(&[words, &["--format", "jsonl"], &self.more()[..]].concat()))
    }

    /// For each node, the nodes at the other ends of its edges. There is one query per node: a single query
    /// would have to return paths, which the command shows with more than ids.
    fn lists(&self, step: &str, label: &str) -> Result<Json, (i32, String)> {
        let itself = r#"{"step": "columns", "columns": ["itself"]}"#;
        let nodes = self.steps(&format!(r#"{{"step": "nodes"}}, {itself}"#), "node")?.len();
        let list = |node: usize| {
            let hop = format!(
                r#"{{"step": "ids", "ids": [{node}]}}, {{"step": "{step}", "labels": ["{label}"]}}, {itself}"#
            );
            Ok(Json::from_iter(column(self.steps(&hop, "node")?, "node")))
        };
        (0..nodes).map(list).collect()
    }

    /// One column of the result of a plan with these steps. The default columns are not shown, since they
    /// would read columns of the file that the case does not need.
    fn steps(&self, steps: &str, column: &str) -> Rows {
        let plan = format!(r#"{{"version": 1, "steps": [{steps}]}}"#);
        self.run(&plan, vec!["--columns".to_owned(), column.to_owned()])
    }

    fn run(&self, plan: &str, options: Vec<String>) -> Rows {
        let options: Vec<&str> = options.iter().map(String::as_str).collect();
        rows_of(send(
            plan,
            &[&["query", &self.file, "-", "--format", "jsonl"], &self.more()[..], &options].concat(),
        ))
    }

    fn more(&self) -> Vec<&str> {
        self.more.iter().map(String::as_str).collect()
    }
}

fn rows_of(answer: Answer) -> Rows {
    let message = answer.errors();
    match answer.status_and_output() {
        (Some(0), output) => {
            let text = String::from_utf8(output).unwrap();
            Ok(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
        }
        (code, _) => Err((code.unwrap(), message)),
    }
}

fn column(rows: Vec<Json>, name: &str) -> impl Iterator<Item = Json> {
    rows.into_iter().map(move |row| row[name].clone())
}

fn labels(row: &Json) -> Json {
    row["label"].as_str().unwrap().split('&').collect::<BTreeSet<_>>().into_iter().collect()
}

/// The values of a cell as a list. An empty cell means that the property has no value.
fn list(cell: Json) -> Json {
    match cell {
        Json::Null => json!([]),
        Json::Array(_) => cell,
        value => json!([value]),
    }
}
