//! Compares answers of Joern with those of Varvite: `judge FOLDER NAME=GRAPH ..`. `cargo xtask test-joern
//! --text` writes the folder: `queries.jsonl` with the queries, and `NAME.jsonl` with Joern's answers about
//! each graph. With `BLESS=1` the answers to the queries of this project are kept in `answers.csv`.
#![allow(clippy::unwrap_used)] // A tool of development.

mod answering;
mod conformance;
mod digest;
mod nodes;
mod tally;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;

use answering::{Answering, Outcome};
use conformance::{GRAPHS, import, path, queries};
use digest::{Answer, promises_order};
use tally::{Difference, Tally, Verdict};

/// A line of `queries.jsonl`.
struct Query {
    id: String,
    source: String,
    class: String,
    text: String,
}

/// A line of `NAME.jsonl`: the rows of an answer, or the exception that Joern threw.
struct Joern {
    id: String,
    rows: Result<Vec<String>, String>,
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().expect("usage: judge FOLDER NAME=GRAPH .."));
    let queries: Vec<Query> = lines(&folder.join("queries.jsonl")).map(|line| Query::of(&line)).collect();
    let mut judge = Judge { queries, answers: BTreeMap::new(), tally: Tally::default() };
    for graph in words {
        let (name, cpg) = graph.split_once('=').expect("a graph is NAME=PATH");
        judge.judge(name, Path::new(cpg), &folder);
    }
    judge.tally.print(&judge.queries);
    if std::env::var_os("BLESS").is_some() {
        judge.bless();
    }
    if judge.tally.differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The comparison so far.
struct Judge {
    queries: Vec<Query>,
    /// Joern's answers by graph and query. `None` if Joern threw an exception.
    answers: BTreeMap<(String, String), Option<Answer>>,
    tally: Tally,
}

impl Judge {
    fn judge(&mut self, name: &str, cpg: &Path, folder: &Path) {
        let graph = import(name, cpg, folder);
        let answering = Answering::new(&graph);
        let texts: BTreeMap<&str, &str> =
            self.queries.iter().map(|query| (query.id.as_str(), query.text.as_str())).collect();
        for joern in lines(&folder.join(format!("{name}.jsonl"))).map(|line| Joern::of(&line)) {
            let text = texts[joern.id.as_str()];
            let answer = joern.rows.as_ref().ok().map(|rows| Answer::of(text, rows));
            self.answers.insert((name.to_owned(), joern.id.clone()), answer);
            let verdict = verdict(name, text, &joern, answering.ask(text));
            self.tally.count(&joern.id, verdict);
        }
    }

    /// Keeps Joern's answers to the queries of this project.
    fn bless(&self) {
        let mut table = csv::Writer::from_path(path("conformance/joern-text/answers.csv")).unwrap();
        table.write_record(["graph", "id", "rows", "digest", "failed"]).unwrap();
        for ((name, _), (id, _)) in
            GRAPHS.iter().flat_map(|graph| queries().into_iter().map(move |query| (graph, query)))
        {
            let key = ((*name).to_owned(), id.clone());
            let answer =
                self.answers.get(&key).unwrap_or_else(|| panic!("Joern was not asked {id} about {name}"));
            let rows = answer.as_ref().map(|answer| answer.rows.to_string()).unwrap_or_default();
            let digest = answer.as_ref().map_or("", |answer| &answer.digest);
            let failed = if answer.is_none() { "failed" } else { "" };
            table.write_record([*name, &id, &rows, digest, failed]).unwrap();
        }
        table.flush().unwrap();
    }
}

/// Compares two answers.
fn verdict(graph: &str, text: &str, joern: &Joern, ours: Outcome) -> Verdict {
    let difference = |ours| Verdict::Differs(Difference::new(graph, text, joern.rows.clone(), ours));
    match (ours, &joern.rows) {
        (Outcome::Refused(reason, message), _) => Verdict::Refused(format!("{reason:?}: {message}")),
        (Outcome::Failed(message), _) => Verdict::NotRun(format!("{graph}: {message}")),
        (Outcome::NoRow, Err(_)) => Verdict::Agrees,
        (Outcome::NoRow, Ok(_)) => difference(Err("no row".to_owned())),
        (Outcome::Rows(ours), Ok(rows)) if Answer::of(text, &ours) == Answer::of(text, rows) => {
            Verdict::Agrees
        }
        (Outcome::Rows(ours), _) => difference(Ok(ours)),
    }
}

/// The lines of a file, each of which is JSON.
fn lines(path: &Path) -> impl Iterator<Item = Value> + use<> {
    let file = File::open(path).unwrap_or_else(|error| panic!("cannot open {}: {error}", path.display()));
    BufReader::new(file).lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

impl Query {
    fn of(line: &Value) -> Self {
        let text = |name: &str| line[name].as_str().unwrap().to_owned();
        Self { id: text("id"), source: text("source"), class: text("class"), text: text("text") }
    }
}

impl Joern {
    fn of(line: &Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let rows = line["rows"].as_array().map(|rows| rows.iter().map(text).collect());
        Self { id: text(&line["id"]), rows: rows.ok_or_else(|| text(&line["failed"])) }
    }
}
