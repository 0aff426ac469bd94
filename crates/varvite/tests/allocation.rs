//! Tests that a run allocates nothing after its first batches.
#![allow(clippy::unwrap_used)] // Everything here is a test.

use std::sync::{Mutex, PoisonError};

use varvite::pipeline::{ALL, Key, Options, Pipeline, contains, edges, gt, ids, it, ne, nodes, regex};
use varvite::walk::{Arena, Evaluation, Evaluator, Guide, Hop, Order, Uniqueness, Visit, Walk, Within};
use varvite::{Graph, Profile, Task};
use varvite_model::RandomGraph;
use varvite_testing::draft::Draft;

/// Lets only one test run at a time: in a run with threads, the size of batches depends on the other work of
/// the machine.
static ALONE: Mutex<()> = Mutex::new(());

#[test]
fn a_batch_allocates_nothing_in_steady_state() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let options = RandomGraph { nodes: 12_000, edges: 40_000, ..RandomGraph::new(7) };
    let draft = Draft::of(&options.build().in_canonical_order());
    // Long texts, such as CODE, are decoded block by block each time they are read, so no pipeline here reads
    // them.
    for profile in [Profile::Direct, Profile::Compact] {
        let graph = draft.open(profile);
        pipelines().iter().for_each(|pipeline| check(&graph, pipeline));
    }
}

/// One pipeline for each operator that gives results batch by batch. Operators that compute one answer from
/// all rows (`order`, `group`, `sample`, `count`) allocate their memory before their first batch.
fn pipelines() -> Vec<Pipeline> {
    vec![
        nodes(ALL),
        nodes(ALL).out("AST"),
        nodes(["CALL", "METHOD"]).both(["CALL", "AST"]).has("ORDER", gt(3)),
        nodes(ALL).has("NAME", regex("[a-m].*")).values("NAME"),
        nodes(ALL).out(ALL).has_not("NAME", contains("a")).where_(it().in_("AST")).values("ORDER"),
        nodes(ALL).out_edges(ALL).target().dedup(),
        nodes(ALL).filter(Key::or([Key::less("ORDER", "I8"), Key::equal(Key::lower("NAME"), "NAME")])),
        nodes(ALL).map(Key::first_of([Key::upper("NAME"), Key::constant("none")])),
        nodes(ALL).out("AST").map(Key::multiply(Key::length("NAME"), Key::constant(2))),
        nodes(ALL).union([it().as_("above").out("AST").select("above")]),
        nodes(ALL).descendants(),
        nodes(ALL).ancestors().has_label("METHOD"),
        nodes("IDENTIFIER").nearest_ancestor("METHOD"),
        nodes(ALL).repeat(it().out("CFG"), |repeat| repeat.times(3).emit().dedup()),
        nodes(ALL).union([it().out("AST").has_label("CALL"), it().in_("AST")]),
        nodes(ALL).where_(it().out("AST").count().is(gt(1))).out("CFG").path(),
        nodes(ALL).order_by("ORDER"),
        nodes(ALL).order_by("NAME").limit(2000),
        nodes(ALL).sample(5000, 1),
        nodes(ALL).group_count(Key::Itself),
        nodes(ALL).group_count(Key::Itself).order_by_descending(Key::column("count")).skip(10),
        nodes(ALL).group("I64"),
        ids(0..12_000).out("AST"),
        edges(ALL).source(),
        edges("REACHING_DEF").has("VARIABLE", ne("a")).values("VARIABLE"),
        nodes(ALL).in_edges(ALL).label(),
        nodes(ALL).both_edges("CALL").columns([Key::Itself, Key::Label]),
        nodes(ALL).columns([Key::Itself, Key::Label, Key::from("NAME"), Key::from("STRING_LIST")]),
        nodes(ALL).coalesce([it().out("CFG"), it().out("AST").limit(1), it()]),
        nodes(ALL).choose(it().values("ORDER"), [(gt(3), it().out("AST"))], Some(it())),
        nodes(ALL).and([it().out("AST"), it().in_("AST")]).or([it().out("CFG"), it().in_("CFG")]),
        nodes(ALL).where_not(it().out("CFG").dedup().limit(1)),
        nodes(ALL).repeat(it().out("CFG"), |repeat| repeat.times(2).emit().breadth_first()).depth(),
        nodes(ALL).repeat(it().out("CFG").has_any("NAME"), |repeat| repeat.times(2).dedup()),
        nodes(ALL).repeat(it().in_("AST"), |repeat| repeat.until(it().has_label("METHOD")).emit()),
        nodes(ALL).both("CFG").both("CFG").simple_path(),
        nodes(ALL).side("all").out("AST").columns([Key::Itself, Key::from("NAME")]).side("below"),
        nodes(ALL).nearest_ancestor_where("METHOD", it().has_any("NAME")),
        nodes(ALL).skip(104).limit(8000).has_not("ORDER", gt(1_000_000)),
    ]
}

/// Checks that a run allocates nothing for the last quarter of its rows. By then, every buffer has grown to
/// the size that it needs. The check counts rows, since the number of rows in a batch may differ from run to
/// run. It uses one thread, because with several threads the scheduler decides how many batches, and
/// therefore buffers, exist at the same time.
fn check(graph: &Graph, pipeline: &Pipeline) {
    let options = Options { task: Task::new().threads(1), batch_rows: 8, ..Options::default() };
    let plan = pipeline.compile(graph).unwrap();
    let mut run = plan.run(options.clone());
    let (mut batches, mut rows) = (0, 0);
    while let Some(batch) = run.next().unwrap() {
        batches += 1;
        rows += batch.len();
    }
    assert!(batches >= 50, "{:.500}: {batches} batches", pipeline.to_json());
    let mut run = plan.run(options);
    let mut seen = 0;
    while 4 * seen < 3 * rows {
        seen += run.next().unwrap().expect("as many rows as before").len();
    }
    let measured = allocation_counter::measure(|| while run.next().unwrap().is_some() {});
    assert_eq!(measured.count_total, 0, "{:.500}", pipeline.to_json());
}

/// A guide (the callbacks of a walk) whose state is the depth of a branch.
struct Depths;

impl Guide for Depths {
    type State = u32;

    fn state(&mut self, visit: &Visit<'_>, before: &u32) -> u32 {
        if visit.parent().is_some() { before + 1 } else { 0 }
    }

    fn evaluate(&mut self, visit: &Visit<'_>, state: &u32) -> Evaluation {
        assert_eq!(*state, visit.depth());
        Evaluation::of(state.is_multiple_of(2), true)
    }
}

/// Runs walks in every order and with every uniqueness, with a guide that has a state. Each walk reuses the
/// buffers that the walk before it has grown.
#[test]
fn a_walk_allocates_nothing_after_another_like_it() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let options = RandomGraph { nodes: 2000, edges: 9000, ..RandomGraph::new(8) };
    let draft = Draft::of(&options.build().in_canonical_order());
    let scopes = [Within::Walk, Within::Path, Within::Recent(50), Within::Depth];
    let levels = scopes.map(Uniqueness::Nodes).into_iter().chain(scopes.map(Uniqueness::Edges));
    let orders = [
        Order::DepthFirst,
        Order::DepthFirstPost,
        Order::BreadthFirst,
        Order::BreadthFirstPost,
        Order::BestFirst,
    ];
    for profile in [Profile::Direct, Profile::Compact] {
        let graph = draft.open(profile);
        for uniqueness in levels.clone().chain([Uniqueness::None]) {
            for order in orders {
                let walk = Walk::in_order(order).unique(uniqueness).skip_arriving_edge();
                let walk = walk.hop(Hop::both(["CFG", "REF", "AST"])).evaluator(Evaluator::to_depth(6));
                let plan = walk.limit(20_000).compile(&graph).unwrap();
                let (mut arena, mut path) = (Arena::new(256 << 20), Vec::with_capacity(64));
                let mut go = || {
                    let mut run = plan.run_guided(&mut arena, &[0, 700, 1900], Depths).unwrap();
                    run.for_each(|visit| visit.path(&mut path)).unwrap();
                    run.counts().results
                };
                let results = go();
                let mut again = 0;
                let measured = allocation_counter::measure(|| again = go());
                assert_eq!(again, results);
                assert!(results > 10, "{results}: {order:?}, {uniqueness:?}");
                assert_eq!(measured.count_total, 0, "{order:?}, {uniqueness:?}");
            }
        }
    }
}
