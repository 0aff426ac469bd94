//! The comparison of all answers with the tables of `conformance/joern-text`.

use std::collections::BTreeMap;
use std::path::Path;

use csv::StringRecord;

use crate::answering::{Answering, Outcome};
use crate::conformance::{GRAPHS, import, path, queries, table};
use crate::digest::Answer;

/// The columns of `answers.csv` after graph and id, and those of `differences.csv`.
const ROWS: usize = 2;
const DIGEST: usize = 3;
const FAILED: usize = 4;
const OURS: usize = 2;
/// The columns of `refused.csv` after the id.
const REASON: usize = 1;

#[test]
fn every_answer_is_joerns_or_a_known_difference() {
    let (answers, known) = (by_query("answers.csv"), by_query("differences.csv"));
    let refused: BTreeMap<String, StringRecord> =
        table("refused.csv").into_iter().map(|row| (row[0].to_owned(), row)).collect();
    let mut faults = Vec::new();
    for (name, cpg) in GRAPHS {
        let graph = import(name, &path(cpg), Path::new(env!("CARGO_TARGET_TMPDIR")));
        let answering = Answering::new(&graph);
        for (id, text) in queries().into_iter().filter(|(id, _)| !refused.contains_key(id)) {
            let key = (name.to_owned(), id);
            let joern = &answers[&key];
            let fault = fault(&seen(&text, answering.ask(&text)), &expected(joern), known.get(&key));
            faults.extend(fault.map(|fault| format!("{name} {}: {fault}", key.1)));
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A table whose rows belong to a query on a graph: the first two columns are graph and id.
fn by_query(name: &str) -> BTreeMap<(String, String), StringRecord> {
    let rows = table(name).into_iter();
    rows.map(|row| ((row[0].to_owned(), row[1].to_owned()), row)).collect()
}

/// An answer in a word: the number of its rows and the begin of its digest, or why there are no rows.
fn seen(text: &str, outcome: Outcome) -> String {
    match outcome {
        Outcome::Rows(rows) => {
            let answer = Answer::of(text, &rows);
            in_short(&answer.rows.to_string(), &answer.digest)
        }
        Outcome::NoRow => "failed".to_owned(),
        Outcome::Refused(reason, message) => format!("refused: {reason:?}: {message}"),
        Outcome::Failed(message) => format!("not run: {message}"),
    }
}

fn in_short(rows: &str, digest: &str) -> String {
    format!("{rows} rows, {}", &digest[..8])
}

/// Joern's answer in a word.
fn expected(joern: &StringRecord) -> String {
    match &joern[FAILED] {
        "" => in_short(&joern[ROWS], &joern[DIGEST]),
        _ => "failed".to_owned(),
    }
}

/// The fault of an answer, if it has one. A known difference must be there, and must be the known one.
fn fault(ours: &str, joern: &str, known: Option<&StringRecord>) -> Option<String> {
    match known {
        None => (ours != joern).then(|| format!("Joern: {joern}; ours: {ours}")),
        Some(_) if ours == joern => Some("agrees with Joern: remove it from differences.csv".to_owned()),
        Some(row) if ours.starts_with(&row[OURS]) => None,
        Some(row) => Some(format!("ours is known as {:?}: {ours}", &row[OURS])),
    }
}

#[test]
fn queries_are_refused_for_the_reason_in_the_table() {
    let refused = table("refused.csv");
    let texts: BTreeMap<_, _> = queries().into_iter().collect();
    for row in &refused {
        let reason = varvite_text::translate(&texts[&row[0]]).map_err(|error| format!("{:?}", error.reason));
        assert_eq!(reason.map(drop), Err(row[REASON].to_owned()), "{}", &row[0]);
    }
}

#[test]
fn tables_name_queries_that_are_asked() {
    let asked: Vec<String> = queries().into_iter().map(|(id, _)| id).collect();
    let is_asked = |id: &str| asked.iter().any(|known| known == id);
    let of_answers = by_query("answers.csv").into_keys().chain(by_query("differences.csv").into_keys());
    of_answers.for_each(|(graph, id)| assert!(is_asked(&id), "{graph} {id}"));
    assert_eq!(by_query("answers.csv").len(), asked.len() * GRAPHS.len());
}
