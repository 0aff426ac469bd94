//! Asks every question of every damaged file. The answer must be the same as for the undamaged file, or the
//! error for damage.

use std::path::Path;

use serde_json::Value as Json;
use varvite::compare::Digest;
use varvite::pipeline::{Options, Pipeline};
use varvite::walk::{Hop, PathEdges, PathOptions, ShortestPaths, WalkError};
use varvite::{Graph, OpenMode, OpenOptions, Task, arrow};
use varvite_cpg::Facts;
use varvite_format::ErrorCode;

use super::{folder, read_json, text};
use crate::pipeline::batch_texts;

/// The steps that follow the first step, `nodes`.
const STEPS: [&str; 50] = [
    "",
    r#"{"step": "has", "property": "NAME"}"#,
    r#"{"step": "has", "property": "NAME", "is": {"regex": ".*"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"regex": ".*am.*"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"contains": "na"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"suffix": "e"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"prefix": "nam"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"eq": "n"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"eq": "na"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"eq": "nam"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"eq": "name"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"ne": "name"}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"one_of": ["n", "name"]}}"#,
    r#"{"step": "has", "property": "NAME", "is": {"none_of": ["n", "name"]}}"#,
    r#"{"step": "has_not", "property": "NAME", "is": {"regex": "n.*"}}"#,
    r#"{"step": "has", "property": "ORDER", "is": {"eq": 9}}"#,
    r#"{"step": "has", "property": "ORDER", "is": {"gt": 5}}"#,
    r#"{"step": "values", "property": "NAME"}"#,
    r#"{"step": "values", "property": "NAME"}, {"step": "dedup"}"#,
    r#"{"step": "values", "property": "NAME"}, {"step": "is", "is": {"contains": "m"}}"#,
    r#"{"step": "values", "property": "ORDER"}, {"step": "sum"}"#,
    r#"{"step": "values", "property": "ORDER"}, {"step": "max"}"#,
    r#"{"step": "dedup", "by": {"property": "NAME"}}"#,
    r#"{"step": "order", "by": {"property": "NAME"}}"#,
    r#"{"step": "order", "by": {"property": "NAME"}, "descending": true}, {"step": "limit", "count": 3}"#,
    r#"{"step": "group", "by": {"property": "NAME"}}"#,
    r#"{"step": "group_count", "by": {"property": "NAME"}}"#,
    r#"{"step": "summarize", "by": {"property": "NAME"}, "columns": ["count", {"max": "ORDER"}]}"#,
    r#"{"step": "summarize", "by": "label", "columns": [{"sum": "ORDER"}, {"mean": "ORDER"}]}"#,
    r#"{"step": "has_not", "property": "ORDER", "is": {"eq": 1}}, {"step": "count"}"#,
    r#"{"step": "order", "by": {"property": "ORDER"}}, {"step": "limit", "count": 3}"#,
    r#"{"step": "group", "by": "label"}"#,
    r#"{"step": "group_count", "by": "label"}"#,
    r#"{"step": "label"}"#,
    r#"{"step": "has_label", "labels": ["METHOD"]}"#,
    r#"{"step": "columns", "columns": ["itself", "label", {"property": "NAME"}, {"property": "ORDER"}]}"#,
    r#"{"step": "out", "labels": ["REF"]}"#,
    r#"{"step": "in", "labels": ["REF"]}"#,
    r#"{"step": "both"}"#,
    r#"{"step": "out_edges", "labels": ["REF"]}"#,
    r#"{"step": "in_edges"}, {"step": "source"}"#,
    r#"{"step": "out"}, {"step": "count"}"#,
    r#"{"step": "where", "pipeline": [{"step": "out", "labels": ["REF"]}, {"step": "has", "property": "NAME", "is": {"regex": "n"}}]}"#,
    r#"{"step": "descendants"}, {"step": "count"}"#,
    r#"{"step": "descendants", "with_self": true}, {"step": "group_count", "by": "label"}"#,
    r#"{"step": "ancestors"}, {"step": "values", "property": "NAME"}"#,
    r#"{"step": "nearest_ancestor", "labels": ["METHOD"]}"#,
    r#"{"step": "repeat", "body": [{"step": "out", "labels": ["REF"]}], "emit": "all", "dedup": true}, {"step": "path"}"#,
    r#"{"step": "union", "branches": [[{"step": "out", "labels": ["REF"]}], [{"step": "has", "property": "NAME", "is": {"eq": "n"}}]]}"#,
    r#"{"step": "sample", "count": 5, "seed": 3}, {"step": "columns", "columns": [{"property": "NAME"}]}"#,
];

/// An answer as text, or the error.
type Answer = varvite::Result<String>;

fn open(path: &Path, mode: OpenMode) -> varvite::Result<Graph> {
    OpenOptions::new().mode(mode).open(path)
}

/// The answers to all questions. Each question is asked of a newly opened graph, so that no question reports
/// damage that another question met.
fn answers(path: &Path, mode: OpenMode) -> Vec<Result<String, ErrorCode>> {
    let starts = [r#"{"step": "nodes", "labels": ["METHOD"]}"#, r#"{"step": "nodes"}"#];
    let mut answers = Vec::new();
    for (start, steps) in starts.iter().flat_map(|start| STEPS.map(|steps| (start, steps))) {
        let comma = if steps.is_empty() { "" } else { ", " };
        let plan = format!(r#"{{"version": 1, "steps": [{start}{comma}{steps}]}}"#);
        let pipeline = Pipeline::from_json(&plan).unwrap();
        for options in [
            Options::from(Task::new().threads(1)),
            Options { task: Task::new().threads(2), batch_rows: 2, ..Options::default() },
        ] {
            answers.push(rows_of(path, mode, &pipeline, options.clone()));
            answers.push(batches_of(path, mode, &pipeline, options));
        }
    }
    let others: [fn(&Graph) -> Answer; 6] =
        [digest, facts, paths, tables, |graph| edges(graph, "AST"), |graph| edges(graph, "REF")];
    answers.extend(
        others.map(|ask| open(path, mode).and_then(|graph| ask(&graph)).map_err(|error| error.code())),
    );
    answers
}

fn rows_of(path: &Path, mode: OpenMode, pipeline: &Pipeline, options: Options) -> Result<String, ErrorCode> {
    let graph = open(path, mode).map_err(|error| error.code())?;
    let plan = pipeline.compile(&graph).map_err(|error| error.code())?;
    let (mut run, mut all) = (plan.run(options), Vec::new());
    while let Some(rows) = run.next().map_err(|error| error.code())? {
        all.extend(batch_texts(&graph, rows));
    }
    Ok(all.join("\n"))
}

fn batches_of(
    path: &Path,
    mode: OpenMode,
    pipeline: &Pipeline,
    options: Options,
) -> Result<String, ErrorCode> {
    let graph = open(path, mode).map_err(|error| error.code())?;
    let plan = pipeline.compile(&graph).map_err(|error| error.code())?;
    let batches: Result<Vec<_>, _> = plan.run_arrow(options).collect();
    Ok(format!("{:?}", batches.map_err(|error| error.code())?))
}

fn digest(graph: &Graph) -> Answer {
    Ok(Digest::of(graph, &Task::new().threads(1))?.to_json())
}

fn facts(graph: &Graph) -> Answer {
    Ok(Facts::of(graph, &Task::new())?.to_json())
}

fn tables(graph: &Graph) -> Answer {
    let mut all = format!("{:?}", arrow::labels(graph)?);
    for property in graph.property_ids() {
        all += &format!("{:?}", arrow::property(graph, property)?);
    }
    Ok(all)
}

fn edges(graph: &Graph, label: &str) -> Answer {
    let label = graph.edge_label(label)?;
    Ok(format!("{:?}", arrow::edges(graph, label)?))
}

fn paths(graph: &Graph) -> Answer {
    let found = PathEdges::compile(graph, [Hop::in_("REF"), Hop::out("AST")])
        .and_then(|edges| ShortestPaths::find(&edges, &[0], &[11], &PathOptions::default()));
    match found {
        Ok(paths) => {
            let all = format!("{:?}", paths.collect::<Vec<_>>());
            graph.check().map(|()| all)
        }
        Err(WalkError::Graph(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn is_damage(code: ErrorCode) -> bool {
    use ErrorCode::{Damaged, NewerFormat, NotVarvite, Truncated, UnknownFeature};
    matches!(code, Damaged | NewerFormat | NotVarvite | Truncated | UnknownFeature)
}

/// The number of questions that ended with an error on a file. Panics if an answer is wrong.
fn refusals(row: &Json, whole: &[Result<String, ErrorCode>], mode: OpenMode) -> usize {
    let file = text(row, "file");
    let found = answers(&folder("files").join(file), mode);
    for (number, (expected, found)) in whole.iter().zip(&found).enumerate() {
        match found {
            Ok(answer) => assert_eq!(Ok(answer), expected.as_ref(), "{file}, question {number}"),
            Err(code) => assert!(is_damage(*code), "{file}, question {number}: {code:?}"),
        }
    }
    found.iter().filter(|found| found.is_err()).count()
}

#[test]
fn no_damaged_file_answers_any_question_wrongly() {
    let catalogue = read_json("files/catalogue.json");
    let whole = answers(&folder("files/whole.varvite"), OpenMode::Mapped);
    assert!(whole.iter().all(Result::is_ok), "{whole:?}");
    for mode in [OpenMode::Mapped, OpenMode::Buffered] {
        for row in catalogue["damaged"].as_array().unwrap() {
            assert!(refusals(row, &whole, mode) > 0, "{}", text(row, "file"));
        }
    }
    for row in catalogue["checked"].as_array().unwrap() {
        assert!(refusals(row, &whole, OpenMode::Buffered) > 0, "{}", text(row, "file"));
    }
}
