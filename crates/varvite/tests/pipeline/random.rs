//! Tests that random pipelines on random graphs give the rows that plain loops give.

use std::collections::BTreeSet;

use varvite::pipeline::{Options, Pipeline, PipelineError, Step};
use varvite::{Profile, Task};
use varvite_model::{ModelGraph, RandomGraph};
use varvite_testing::draft::Draft;

use super::generator::Generator;
use super::{oracle, rows_with};

/// The number of graphs, and the number of pipelines on each graph.
const GRAPHS: u64 = 150;
const PIPELINES: u64 = 40;
/// The number of graphs for large pipelines, and the number of large pipelines, which have hundreds of steps,
/// on each graph.
const LARGE_GRAPHS: u64 = 20;
const LARGE_PIPELINES: u64 = 15;

#[test]
fn pipelines_give_what_plain_loops_give() {
    let (mut compared, mut with_rows, mut refused) = (0, 0, 0);
    for seed in 0..GRAPHS {
        let model = RandomGraph::any(seed).build().in_canonical_order();
        let profile = Profile::ALL[seed as usize % Profile::ALL.len()];
        let draft = Draft::of(&model);
        let graph = if seed % 2 == 0 { draft.indexed() } else { draft }.open(profile);
        for number in 0..PIPELINES {
            let pipeline = Generator::new(seed * 1000 + number, &model).pipeline();
            let Ok(expected) = oracle::rows_of(&model, &pipeline) else { continue };
            let is_empty = model.node_count() == 0;
            if matches!(pipeline.compile(&graph), Err(PipelineError::BadStep { .. })) && is_empty {
                continue; // There are no ids to ask for.
            }
            if let Err(PipelineError::NotOfLabel { property, labels, owners, .. }) = pipeline.compile(&graph)
            {
                assert_eq!(owners_of(&model, &labels, &property), [""; 0], "{}", pipeline.to_json());
                assert_eq!(owners_of(&model, &[], &property), owners, "{}", pipeline.to_json());
                refused += 1;
                continue;
            }
            for (batch_rows, threads) in [(2048, 1), (1, 1), (7, 1), (7, 3)] {
                let options = Options {
                    task: Task::new().threads(threads),
                    batch_rows,
                    eager_threads: threads > 1,
                    ..Options::default()
                };
                let found = rows_with(&graph, &pipeline, options);
                let what = || {
                    format!(
                        "graph {seed}, {}, batches of {batch_rows}, {threads} threads",
                        pipeline.to_json()
                    )
                };
                assert_eq!(in_order(&pipeline, found), in_order(&pipeline, expected.clone()), "{}", what());
            }
            compared += 1;
            with_rows += u32::from(!expected.is_empty());
        }
    }
    assert!(compared > 5000 && with_rows > 2500, "{compared} compared, {with_rows} with rows");
    assert!(refused > 10, "{refused} refused");
}

/// Tests plans of hundreds of steps, which are in sequence, in branches, or nested.
#[test]
fn large_pipelines_give_what_plain_loops_give() {
    let mut with_rows = 0;
    for seed in 0..LARGE_GRAPHS {
        let model = RandomGraph { nodes: 25, edges: 50, ..RandomGraph::any(seed) };
        let model = RandomGraph { holes: 3, ..model }.build().in_canonical_order();
        let graph = Draft::of(&model).open(Profile::ALL[seed as usize % Profile::ALL.len()]);
        for number in 0..LARGE_PIPELINES {
            let pipeline = Generator::new(seed * 1000 + number, &model).large_pipeline();
            let Some(expected) = on_a_large_stack(|| oracle::rows_of(&model, &pipeline).ok()) else {
                continue;
            };
            let options = Options { batch_rows: [1, 2048][number as usize % 2], ..Options::default() };
            assert_eq!(rows_with(&graph, &pipeline, options), expected, "{}", pipeline.to_json());
            with_rows += u32::from(!expected.is_empty());
        }
    }
    assert!(with_rows > 100, "{with_rows} with rows");
}

/// Runs a test on a large stack, since the oracle recurses once for each level of nested steps.
fn on_a_large_stack<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    const STACK_BYTES: usize = 256 << 20;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

/// The labels of those nodes that have a property. Only nodes with one of `labels` count, or all nodes if
/// `labels` is empty.
fn owners_of(model: &ModelGraph, labels: &[String], property: &str) -> Vec<String> {
    let is_asked = |node| labels.is_empty() || labels.iter().any(|label| model.has_label(node, label));
    let owners =
        model.nodes().into_iter().filter(|node| is_asked(*node) && !model.values(*node, property).is_empty());
    let found: BTreeSet<String> = owners.flat_map(|node| model.labels(node).clone()).collect();
    found.into_iter().collect()
}

#[test]
fn plans_come_back_from_json() {
    let model = RandomGraph::any(1).build().in_canonical_order();
    for seed in 0..500 {
        let pipeline = Generator::new(seed, &model).pipeline();
        assert_eq!(Pipeline::from_json(&pipeline.to_json()).unwrap(), pipeline);
    }
}

/// Sorts rows that are groups, since the order of groups depends on the file.
pub(crate) fn in_order(pipeline: &Pipeline, mut rows: Vec<String>) -> Vec<String> {
    if matches!(pipeline.steps().last(), Some(Step::GroupCount { .. } | Step::Group { .. })) {
        rows.sort();
    }
    rows
}
