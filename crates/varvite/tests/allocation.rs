//! A run that is in its stride allocates nothing.
#![allow(clippy::unwrap_used)] // Everything here is a test.

#[path = "draft.rs"]
#[allow(dead_code, reason = "shared with the other tests, which use more of it")]
mod draft;

use varvite::pipeline::{ALL, Options, Pipeline, contains, gt, it, nodes, regex};
use varvite::{Graph, Profile};
use varvite_model::RandomGraph;

#[test]
fn a_batch_allocates_nothing_in_steady_state() {
    let options = RandomGraph { nodes: 12_000, edges: 40_000, ..RandomGraph::new(7) };
    let draft = draft::Draft::of(&options.build().in_canonical_order());
    // Long texts, such as CODE, are decoded by block when they are read, whatever reads them; they are left out.
    for profile in [Profile::Direct, Profile::Compact] {
        let graph = draft.open(profile);
        for pipeline in pipelines() {
            check(&graph, &pipeline);
        }
    }
}

fn pipelines() -> [Pipeline; 12] {
    [
        nodes(ALL),
        nodes(ALL).out("AST"),
        nodes(["CALL", "METHOD"]).both(["CALL", "AST"]).has("ORDER", gt(3)),
        nodes(ALL).has("NAME", regex("[a-m].*")).values("NAME"),
        nodes(ALL).out(ALL).has_not("NAME", contains("a")).where_(it().in_("AST")).values("ORDER"),
        nodes(ALL).out_edges(ALL).target().dedup(),
        nodes(ALL).descendants(),
        nodes(ALL).ancestors().has_label("METHOD"),
        nodes("IDENTIFIER").nearest_ancestor("METHOD"),
        nodes(ALL).repeat(it().out("CFG"), |repeat| repeat.times(3).emit().dedup()),
        nodes(ALL).union([it().out("AST").has_label("CALL"), it().in_("AST")]),
        nodes(ALL).where_(it().out("AST").count().is(gt(1))).out("CFG").path(),
    ]
}

/// The first half of the batches gives every buffer the size that it needs; the second half allocates nothing.
fn check(graph: &Graph, pipeline: &Pipeline) {
    let options = Options { batch_rows: 8, ..Options::default() };
    let plan = pipeline.compile(graph).unwrap();
    let mut run = plan.run(options.clone());
    let mut batches = 0;
    while run.next().unwrap().is_some() {
        batches += 1;
    }
    assert!(batches >= 50, "{}: {batches} batches", pipeline.to_json());
    let mut run = plan.run(options);
    (0..batches / 2).for_each(|_| assert!(run.next().unwrap().is_some()));
    let measured = allocation_counter::measure(|| while run.next().unwrap().is_some() {});
    assert_eq!(measured.count_total, 0, "{}", pipeline.to_json());
}
