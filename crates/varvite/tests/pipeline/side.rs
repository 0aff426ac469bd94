//! Tests that `side` gives the caller the rows that pass this step, and does not change the results.

use varvite::pipeline::{ALL, Key, Options, Pipeline, PipelineError, Step, gt, it, nodes};
use varvite::{Graph, Profile, Task};
use varvite_model::RandomGraph;
use varvite_testing::draft::Draft;

use super::{row_text, rows_of};

fn random() -> Graph {
    let options = RandomGraph { nodes: 600, edges: 2400, ..RandomGraph::new(3) };
    Draft::of(&options.build().in_canonical_order()).open(Profile::Compact)
}

fn pipelines() -> Vec<Pipeline> {
    vec![
        nodes("METHOD").out(ALL).in_("AST").values("NAME").dedup(),
        nodes(ALL).out_edges(ALL).has_label(["AST", "CFG"]).target().group_count(Key::Label),
        nodes(ALL).both(ALL).columns([Key::Itself, Key::from("STRING_LIST")]).order_by(Key::column("node")),
        nodes(ALL).repeat(it().out("CFG"), |walk| walk.times(3).emit().dedup()).path().count(),
        nodes(ALL).where_(it().out(ALL).count().is(gt(2))).union([it().out("AST"), it().in_("CFG")]),
        nodes(ALL).out(ALL).simple_path().out(ALL).limit(40),
        nodes("CALL").out_edges(ALL).skip(3).limit(30).target(),
        nodes("CALL").out("AST").sample(0, 1),
    ]
}

/// The rows of a run, and its side results.
fn rows_and_side(graph: &Graph, pipeline: &Pipeline, options: Options) -> (Vec<String>, Vec<String>) {
    let mut run = pipeline.compile(graph).unwrap().run(options);
    let (mut rows, mut side) = (Vec::new(), Vec::new());
    loop {
        let batch = run.next().unwrap();
        let is_over = batch.is_none();
        rows.extend(batch.iter().flat_map(|batch| (0..batch.len()).map(|row| row_text(graph, *batch, row))));
        let passed = run.side("here").unwrap();
        side.extend((0..passed.len()).map(|row| row_text(graph, passed, row)));
        assert_eq!(run.side_arrow("here").unwrap().len(), passed.len());
        if is_over {
            return (rows, side);
        }
    }
}

#[test]
fn sides_hold_what_passes_and_change_nothing() {
    let graph = random();
    for pipeline in pipelines() {
        let expected = rows_of(&graph, &pipeline);
        for place in 1..=pipeline.steps().len() {
            let (before, after) = pipeline.steps().split_at(place);
            let begun = before.iter().cloned().fold(Pipeline::default(), Pipeline::then);
            let passes = rows_of(&graph, &begun);
            let with_side = after.iter().cloned().fold(begun.side("here"), Pipeline::then);
            let stops_early = after.iter().any(|step| matches!(step, Step::Limit { .. }));
            for (threads, batch_rows) in [(1, 1), (1, 7), (1, 2048), (3, 256)] {
                let options =
                    Options { task: Task::new().threads(threads), batch_rows, ..Options::default() };
                let (rows, side) = rows_and_side(&graph, &with_side, options);
                assert_eq!(rows, expected, "{} with a side at {place}", pipeline.to_json());
                assert!(passes.starts_with(&side) && (stops_early || side == passes), "{place}: {side:?}");
            }
        }
    }
}

#[test]
fn a_side_that_is_larger_than_the_budget_names_its_step() {
    let graph = random();
    let pipeline = nodes(ALL).both(ALL).side("all").count();
    let options = Options::from(Task::new().memory(4000));
    let error = pipeline.compile(&graph).unwrap().run(options).next().unwrap_err();
    let PipelineError::OverBudget { at, limit: 4000, .. } = error else { panic!("{error}") };
    assert_eq!(at.to_string(), "step 3 (side)");
}

#[test]
fn a_name_that_no_step_has_gives_nothing() {
    let graph = random();
    let mut run = nodes(ALL).side("a").compile(&graph).unwrap().run(Options::default());
    assert!(run.next().unwrap().is_some());
    assert!(run.side("b").is_none() && run.side_arrow("b").is_none());
    assert_eq!(run.side("a").unwrap().len(), run.rows().unwrap().len());
}
