//! Compares the ten questions and the steps of `varvite-cpg` with plain loops over plain lists, on real
//! graphs: that of zlib, which is in the repository, and that of SQLite, if it is next to the checkout.

mod cursors;
mod loops;
mod plain;
mod steps;

use std::path::{Path, PathBuf};

use varvite::{Graph, Task};
use varvite_cpg::queries::{self, Query};
use varvite_import::Import;

use plain::Plain;

/// A graph, both in the engine and as plain lists.
struct Subject {
    graph: Graph,
    plain: Plain,
    _folder: tempfile::TempDir,
}

impl Subject {
    fn import(source: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("graph.varvite");
        Import::new(source).task(Task::new().threads(2)).write_to(&file).unwrap();
        let graph = Graph::open(&file).unwrap();
        Self { plain: Plain::of(&graph), graph, _folder: folder }
    }
}

fn zlib() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/zlib.cpg.bin")
}

/// Checks all ten questions. Returns the number of answers to each.
fn check(subject: &Subject) -> Vec<(&'static str, usize)> {
    queries::ALL.iter().map(|query| (query.name, check_one(subject, query))).collect()
}

fn check_one(subject: &Subject, query: &Query) -> usize {
    let mut question = (query.prepare)(&subject.graph).unwrap();
    let answer = question().unwrap();
    assert_eq!(answer, question().unwrap(), "{} answers alike when asked again", query.name);
    let expected = loops::answer(query.name, &subject.plain);
    assert_eq!(in_order(query.name, answer), in_order(query.name, expected.clone()), "{}", query.name);
    expected.len()
}

/// The answers as rows, in ascending order. A row is a node or a pair of nodes.
fn in_order(query: &str, nodes: Vec<u32>) -> Vec<Vec<u32>> {
    let width = if query == "tainted_arguments" { 2 } else { 1 };
    let mut rows: Vec<Vec<u32>> = nodes.chunks(width).map(<[u32]>::to_vec).collect();
    rows.sort_unstable();
    rows
}

#[test]
fn ten_queries_on_zlib_answer_as_plain_loops_do() {
    let found = check(&Subject::import(&zlib()));
    let with_answers = found.iter().filter(|(_, count)| *count > 0).count();
    assert!(with_answers >= 7, "{found:?}");
}

#[test]
fn ten_queries_on_sqlite_answer_as_plain_loops_do() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/sqlite.cpg.bin");
    if !source.exists() {
        varvite_model::skip("ten queries on sqlite", "there is no ../shared/data/sqlite.cpg.bin");
        return;
    }
    let found = check(&Subject::import(&source));
    let with_answers = found.iter().filter(|(_, count)| *count > 0).count();
    assert!(with_answers >= 7, "{found:?}");
}

/// Checks that the stored answers for zlib are those of the plain loops. Tests in other languages, which have
/// no such loops, use the stored answers. `BLESS=1` rewrites the stored answers.
#[test]
fn other_languages_are_held_against_the_answers_of_plain_loops() {
    let plain = Subject::import(&zlib()).plain;
    let answers: serde_json::Map<String, serde_json::Value> = queries::ALL
        .iter()
        .map(|query| (query.name.into(), in_order(query.name, loops::answer(query.name, &plain)).into()))
        .collect();
    let text = format!("{}\n", serde_json::Value::Object(answers));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases/zlib-queries.json");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}
