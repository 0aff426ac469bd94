//! Varvite's side of the line protocol for queries: `run ID ROUNDS without-gc`, and `quit`.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::Graph;

use super::prepared::Prepared;
use super::queries::{self, Query};
use crate::Failure;
use crate::peers::session::answer_lines;

/// The time for which a query runs before its first sample.
const WARMUP: Duration = Duration::from_millis(200);

/// Answers commands about a graph until `quit` or the end of the input.
///
/// # Errors
/// The graph or the queries cannot be read, or input or output breaks off. For every other failure the
/// process answers `{"error": ".."}` and continues.
pub fn serve(file: &Path, asked: &Path, input: impl BufRead, mut output: impl Write) -> Result<(), Failure> {
    let graph = Graph::open(file)?;
    let queries = queries::read(asked)?;
    let mut session = Session { graph: &graph, queries: &queries, prepared: BTreeMap::new() };
    answer_lines(input, &mut output, |words| session.answer(words))
}

struct Session<'a> {
    graph: &'a Graph,
    queries: &'a [Query],
    prepared: BTreeMap<&'a str, Prepared>,
}

impl Session<'_> {
    fn answer(&mut self, words: &[&str]) -> Result<Value, Failure> {
        match words {
            ["run", id, rounds, "without-gc"] => self.run(id, rounds.parse()?),
            ["quit"] => Ok(json!({"command": "quit"})),
            _ => Err(Failure(format!("no command '{}': expected run or quit", words.join(" ")))),
        }
    }

    fn run(&mut self, id: &str, rounds: u32) -> Result<Value, Failure> {
        let mut line = json!({});
        let known = self.queries.iter().find(|query| query.id == id);
        let query = known.ok_or_else(|| Failure(format!("no query has the id {id}")))?;
        if !self.prepared.contains_key(id) {
            let begin = Instant::now();
            let prepared = Prepared::compile(&query.text, self.graph)?;
            line["compile_ns"] = json!(begin.elapsed().as_nanos() as u64);
            warm_up(&prepared)?;
            self.prepared.insert(&query.id, prepared);
        }
        let prepared = &self.prepared[id];
        let (mut samples, mut rows) = (Vec::new(), 0);
        for _ in 0..rounds {
            let begin = Instant::now();
            rows = prepared.run()?;
            samples.push(begin.elapsed().as_nanos() as u64);
        }
        line["answer"] = json!(rows);
        line["samples"] = json!(samples);
        Ok(line)
    }
}

fn warm_up(prepared: &Prepared) -> Result<(), Failure> {
    let begin = Instant::now();
    while begin.elapsed() < WARMUP {
        prepared.run()?;
    }
    Ok(())
}
