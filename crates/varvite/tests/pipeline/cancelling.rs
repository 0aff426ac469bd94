//! Tests that a run notices the cancel flag soon, in every operator. The tests count steps and checks of the
//! flag, because no test can rely on a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite::Cancel;
use varvite::pipeline::{
    ALL, Key, Options, Pipeline, PipelineError, Summary, contains, edges, eq, gt, ids, it, nodes, one_of,
    regex,
};
use varvite::{Graph, Profile, Task};
use varvite_model::{AST, ModelGraph, NodeId, RandomGraph, Value};
use varvite_testing::draft::Draft;

/// A flag that counts how often it is checked, and cancels from the `last`-th check on.
fn counting(last: usize) -> (Cancel, Arc<AtomicUsize>) {
    let looks = Arc::new(AtomicUsize::new(0));
    let counted = looks.clone();
    (Cancel::when(move || counted.fetch_add(1, Ordering::Relaxed) + 1 >= last), looks)
}

/// Runs a pipeline to its end, or to the first error. Returns the outcome, and the number of checks of the
/// flag.
fn run(
    graph: &Graph,
    pipeline: &Pipeline,
    last: usize,
    batch_rows: usize,
) -> (Result<(), PipelineError>, usize) {
    run_on(2, graph, pipeline, last, batch_rows)
}

fn run_on(
    threads: usize,
    graph: &Graph,
    pipeline: &Pipeline,
    last: usize,
    batch_rows: usize,
) -> (Result<(), PipelineError>, usize) {
    let (cancel, looks) = counting(last);
    let options =
        Options { task: Task::new().cancel(&cancel).threads(threads), batch_rows, ..Options::default() };
    let mut run = pipeline.compile(graph).unwrap().run(options);
    let outcome = loop {
        match run.next() {
            Ok(Some(_)) => {}
            Ok(None) => break Ok(()),
            Err(error) => break Err(error),
        }
    };
    (outcome, looks.load(Ordering::Relaxed))
}

/// One pipeline for each kind of operator.
fn pipelines() -> Vec<Pipeline> {
    let named = || it().has("NAME", regex("[a-m].*"));
    vec![
        nodes(ALL),
        nodes(["CALL", "METHOD"]),
        nodes(ALL).has("ORDER", gt(3)),
        nodes(ALL).has("CODE", regex("[a-m].*")),
        nodes(ALL).has("CODE", contains("a")).has("NAME", contains("b")),
        edges(ALL),
        nodes(ALL).both(ALL),
        nodes(ALL).in_edges(ALL).source(),
        nodes(ALL).out(ALL).has("CODE", regex("[a-m].*")),
        nodes(ALL).values("CODE").has_any_text(),
        nodes(ALL).where_(named().out("AST").count().is(gt(1))),
        nodes(ALL).union([it().out("AST"), it().in_("AST").limit(1)]),
        nodes(ALL).coalesce([it().out("CFG"), it().out("AST")]),
        nodes(ALL).choose(it().values("ORDER"), [(gt(3), it().out("AST"))], Some(it())),
        nodes(ALL).descendants(),
        nodes(ALL).ancestors(),
        nodes(ALL).nearest_ancestor("METHOD"),
        nodes(ALL).descendants().group_count(Key::Label),
        nodes(ALL).repeat(it().out("CFG"), |repeat| repeat.times(3).emit().dedup()),
        nodes(ALL).repeat(it().out("CFG").dedup(), |repeat| repeat.times(3).emit().breadth_first()),
        nodes(ALL).out(ALL).dedup(),
        nodes(ALL).out(ALL).order_by("CODE"),
        nodes(ALL).out(ALL).order_by("ORDER").limit(10),
        nodes(ALL).out(ALL).sample(5000, 1),
        nodes(ALL).out(ALL).skip(5000).limit(5000),
        nodes(ALL).out(ALL).path(),
        nodes(ALL).out(ALL).out(ALL).simple_path(),
        nodes(ALL).out(ALL).columns([Key::Itself, Key::from("CODE")]),
        nodes(ALL).out(ALL).group_count("ORDER"),
        nodes(ALL).out(ALL).summarize("NAME", [Summary::Count, Summary::max("ORDER")]),
        nodes(ALL).summarize("NAME", [Summary::Count, Summary::max("ORDER")]),
        nodes(ALL).order_by("ORDER").limit(10),
        nodes(ALL).out(ALL).group("NAME"),
        nodes(ALL).out(ALL).group_count("NAME").order_by_descending(Key::column("count")).limit(5),
        nodes(ALL).out(ALL).count(),
        nodes(ALL).out(ALL).values("ORDER").sum(),
    ]
}

trait AnyText {
    fn has_any_text(self) -> Self;
}

impl AnyText for Pipeline {
    fn has_any_text(self) -> Self {
        self.is(regex(".*"))
    }
}

#[test]
fn a_run_ends_where_it_looks_at_the_flag() {
    let options = RandomGraph { nodes: 5000, edges: 20_000, ..RandomGraph::new(5) };
    let draft = Draft::of(&options.build().in_canonical_order());
    for profile in [Profile::Direct, Profile::Archive] {
        let graph = draft.open(profile);
        for pipeline in pipelines() {
            check_ends(1, &graph, &pipeline, 8);
            // The division of rows among threads differs from run to run, and so does the number of checks.
            check_ends(2, &graph, &pipeline, 32);
        }
    }
}

/// Runs the pipeline several times, and cancels each run at a later point than the run before. Checks that
/// each run ends soon after it is cancelled.
fn check_ends(threads: usize, graph: &Graph, pipeline: &Pipeline, parts: usize) {
    // A thread that waits for another one looks at the flag more often: the run with fewest checks counts.
    let runs = (0..2 * threads - 1).map(|_| run_on(threads, graph, pipeline, usize::MAX, 256));
    let (outcome, looks) = runs.min_by_key(|(_, looks)| *looks).expect("there is a run");
    assert!(outcome.is_ok() && looks > 3, "{}: {outcome:?}, {looks}", pipeline.to_json());
    for part in 0..8 {
        let last = 1 + looks * part / parts;
        let (outcome, seen) = run_on(threads, graph, pipeline, last, 256);
        let is_cancelled = matches!(outcome, Err(PipelineError::Cancelled { .. }));
        assert!(is_cancelled, "{} at {last}: {outcome:?}", pipeline.to_json());
        // Another thread may check the flag once more before it ends.
        assert!(seen <= last + 3, "{} went on: {last}, {seen}", pipeline.to_json());
    }
}

/// The maximum number of iterations of a loop between two checks of the cancel flag.
const TURNS: usize = 2048;

/// Runs a pipeline whose loops iterate `turns` times, with large batches, and asserts that it checks the
/// cancel flag at least once in [`TURNS`] iterations.
#[track_caller]
fn check_looks(graph: &Graph, pipeline: &Pipeline, turns: usize) {
    let (outcome, looks) = run(graph, pipeline, usize::MAX, 1 << 20);
    outcome.unwrap();
    assert!(looks >= turns / TURNS, "{}: {looks} looks at {turns} turns", pipeline.to_json());
}

#[test]
fn steps_that_work_on_all_rows_look_while_they_do() {
    let options = RandomGraph { nodes: 20_000, edges: 10_000, ..RandomGraph::new(5) };
    let count = options.nodes;
    let graph = Draft::of(&options.build().in_canonical_order()).open(Profile::Compact);
    check_looks(&graph, &nodes(ALL).order_by("ORDER"), 2 * count);
    check_looks(&graph, &nodes(ALL).order_by("CODE"), 64 * count);
    check_looks(&graph, &nodes(ALL).order_by("ORDER").limit(9_000), count);
    check_looks(&graph, &nodes(ALL).group(Key::Itself), 2 * count);
    check_looks(&graph, &nodes(ALL).sample(18_000, 1), 18_000);
    check_looks(&graph, &nodes(ALL).descendants().group_count(Key::Label), count);
    check_looks(&graph, &nodes(ALL).repeat(it().both(ALL), |repeat| repeat.times(1)), count);
    // Here each text is tested on its own, and may have to be decoded.
    check_looks(&graph, &nodes(ALL).limit(5000).has("CODE", regex("[a-m].*")), 64 * 4000);
}

/// A graph whose nodes form a chain along an edge label.
fn chain(label: &str, count: usize) -> Graph {
    let mut model = ModelGraph::default();
    for node in 0..count {
        model.add_node(&[if node == 0 { "METHOD" } else { "BLOCK" }]);
    }
    (1..count).for_each(|node| model.add_edge(NodeId(node - 1), label, NodeId(node), None));
    Draft::of(&model.in_canonical_order()).open(Profile::Direct)
}

#[test]
fn long_ways_up_a_tree_are_interrupted() {
    let count = 20_000;
    let graph = chain(AST, count);
    let bottom = || ids((0..100).flat_map(|step| [count as u32 - 1 - step, 1000 + step]));
    // With one label, the run walks at most one path to the root between two checks of the flag.
    check_looks(&graph, &bottom().nearest_ancestor("METHOD"), 100 * TURNS);
    check_looks(&graph, &bottom().nearest_ancestor(["METHOD", "METHOD"]), 100 * count / 2);
}

#[test]
fn long_paths_are_interrupted() {
    let count = 2000;
    let graph = chain("CFG", count);
    let walk = || ids([0]).repeat(it().out("CFG"), |repeat| repeat.emit());
    check_looks(&graph, &walk().path(), count * count / 2);
    check_looks(&graph, &walk().simple_path(), count * count / 2);
}

/// Measures the work by the number of checks. Once a path contains an element twice, a run must not search
/// the path again at each further step.
#[test]
fn paths_round_a_cycle_are_dropped_at_a_step_each() {
    let mut model = ModelGraph::default();
    let nodes = [0, 1, 2].map(|_| model.add_node(&["BLOCK"]));
    for (source, target) in [(0, 1), (1, 2), (2, 0)] {
        model.add_edge(nodes[source], "CFG", nodes[target], None);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    let walk = ids([0]).repeat(it().out("CFG"), |repeat| repeat.emit()).simple_path();
    let (outcome, looks) = run(&graph, &walk, usize::MAX, 256);
    assert!(matches!(outcome, Err(PipelineError::Endless { depth: 100_000, .. })), "{outcome:?}");
    assert!(looks < 10_000, "{looks} looks for 100,000 paths");
}

#[test]
fn many_edges_of_one_node_are_interrupted() {
    let count = 3000;
    let mut model = ModelGraph::default();
    for _ in 0..=count {
        model.add_node(&["BLOCK"]);
    }
    (1..=count).for_each(|node| model.add_edge(NodeId(node), "CFG", NodeId(0), None));
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    check_looks(&graph, &ids([0]).in_edges("CFG"), count);
    check_looks(&graph, &ids([0]).repeat(it().in_("CFG"), |repeat| repeat.emit().dedup()), count);
}

#[test]
fn hops_along_many_edge_labels_are_interrupted() {
    let (count, labels) = (5000, 100);
    let mut model = ModelGraph::default();
    for _ in 0..count {
        model.add_node(&["BLOCK"]);
    }
    // Each label has an edge, and nearly all lists are empty.
    (0..labels).for_each(|label| model.add_edge(NodeId(label), &format!("E{label}"), NodeId(0), None));
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    for pipeline in [
        nodes(ALL).out(ALL),
        nodes(ALL).out_edges(ALL),
        nodes(ALL).union([it().out(ALL).limit(2)]),
        nodes(ALL).union([it().out(ALL).dedup()]),
        nodes(ALL).where_(it().out(ALL)),
        nodes(ALL).where_(it().out(ALL).has_label("BLOCK")),
        nodes(ALL).where_(it().out(ALL).count().is(gt(5))),
    ] {
        check_looks(&graph, &pipeline, count * labels);
    }
}

#[test]
fn long_texts_are_interrupted() {
    let (count, length) = (64, 256 << 10);
    let mut model = ModelGraph::default();
    for number in 0..count {
        let node = model.add_node(&["BLOCK"]);
        model.set_property(node, "NAME", vec![Value::string(&format!("{number}{}", "x".repeat(length)))]);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    let megabytes = (count * length) >> 20;
    for pipeline in [nodes(ALL).has("NAME", regex(".*y")), nodes(ALL).has("NAME", contains("xy"))] {
        check_looks(&graph, &pipeline, megabytes * TURNS);
    }
}

/// If there is no index and the codes are not sorted, the engine searches all texts before a run begins.
#[test]
fn a_text_among_many_is_looked_for_until_cancelled() {
    let (count, parent) = (5000, "0123456789".repeat(10));
    let mut model = ModelGraph::default();
    for number in 0..count {
        let node = model.add_node(&["BLOCK"]);
        // Texts that are slices of a few long texts are stored as slices, and are not sorted.
        let text = format!("{}{}", number / 100, parent);
        model.set_property(node, "NAME", vec![Value::string(&text[number % 100..])]);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Compact);
    let texts = graph.property("NAME").unwrap().strings().unwrap().clone();
    assert!(!texts.is_sorted());
    for pipeline in [nodes(ALL).has("NAME", eq("none")), nodes(ALL).has("NAME", one_of(["none", "any"]))] {
        let (cancel, looks) = counting(usize::MAX);
        pipeline.compile_with(&graph, &cancel).unwrap();
        assert!(looks.load(Ordering::Relaxed) >= texts.len() as usize / TURNS);
        for last in 1..=looks.load(Ordering::Relaxed) {
            let error = pipeline.compile_with(&graph, &counting(last).0).unwrap_err();
            assert!(matches!(error, PipelineError::Cancelled { .. }), "{error}");
        }
    }
}
