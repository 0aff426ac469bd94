//! Tests steps on several threads. The rows, their order and the errors must be the same as on one thread,
//! and no thread may hold anything of a run afterwards.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use varvite::Cancel;
use varvite::pipeline::{
    ALL, Key, Options, Pipeline, PipelineError, Run, eq, gt, ids, it, lt, nodes, one_of, regex,
};
use varvite::{Graph, Profile, Task};
use varvite_model::{ModelGraph, RandomGraph};
use varvite_testing::draft::Draft;

use super::{rows_of, rows_with};

fn random() -> Graph {
    draft(8000).open(Profile::Compact)
}

fn random_indexed() -> Graph {
    draft(8000).indexed().open(Profile::Compact)
}

fn draft(nodes: usize) -> Draft {
    let options = RandomGraph { nodes, edges: 3 * nodes, ..RandomGraph::new(11) };
    Draft::of(&options.build().in_canonical_order())
}

/// Pipelines with steps that several threads run, both alone and between other steps, and with conditions
/// that walk along many kinds of edges.
fn pipelines() -> Vec<Pipeline> {
    let below = || it().descendants().has_label("CALL");
    let up = || it().repeat(it().in_("CFG"), |walk| walk.emit_all_but_first().dedup());
    vec![
        nodes(ALL).out(ALL).in_(ALL).count(),
        nodes(ALL).out("AST").both(ALL).values("NAME"),
        nodes(ALL).out_edges(ALL).target().has("NAME", regex("[a-m].*")).columns([Key::Itself, Key::Label]),
        nodes(ALL).ancestors().dedup().out("AST"),
        nodes(ALL).repeat(it().out("CFG"), |walk| walk.times(3).emit().dedup()).depth(),
        nodes(ALL).union([it().out("AST"), it().in_("CFG").limit(2)]).skip(50).limit(3000),
        nodes(ALL).choose(it().values("ORDER"), [(gt(3), it().out(ALL))], Some(it().in_(ALL))),
        nodes(ALL).where_(below().count().is(gt(2))),
        nodes(ALL).where_(below()).where_not(up().has("NAME", regex("[a-f].*"))),
        nodes(ALL).or([it().out("CFG").count().is(eq(0)), up().count().is(lt(2))]),
        nodes(ALL).where_(it().ancestors().count().is(one_of([2, 4]))).out("AST").order_by("NAME").limit(100),
        nodes(ALL).out(ALL).where_(it().subtree().has("ORDER", gt(5)).out("CFG")).group_count("NAME"),
        nodes(ALL).out(ALL).out(ALL).path(),
        nodes(ALL).out_edges("AST").target().both_edges(ALL).source().path(),
        nodes(ALL).repeat(it().out("CFG"), |walk| walk.times(3).emit().dedup()).path(),
        nodes(ALL).out(ALL).dedup().repeat(it().in_(ALL).simple_path(), |walk| walk.times(3)).values("NAME"),
        nodes(ALL).both(ALL).both(ALL).simple_path().in_("AST").has("ORDER", gt(2)).dedup().out("CFG"),
        nodes(ALL).both(ALL).simple_path().order_by("NAME").limit(500).path(),
        nodes(ALL).union([it().out("AST").simple_path(), it().in_(ALL)]).both(ALL).count(),
        // Conditions that walk, with further steps after them.
        nodes(ALL).where_(up().count().is(gt(3))).has("ORDER", gt(2)).dedup(),
        nodes("CALL").where_(up().has("NAME", regex("[a-f].*"))).has("ORDER", gt(1)).dedup().both(ALL).path(),
        nodes("CALL")
            .has("NAME", regex("[a-m].*"))
            .where_(up().has("ORDER", gt(4)))
            .has_label("CALL")
            .limit(700),
        nodes("CALL").descendants().group_count(Key::Label),
    ]
}

#[test]
fn rows_come_in_the_same_order_on_any_number_of_threads() {
    let graph = draft(4000).open(Profile::Compact);
    for pipeline in pipelines() {
        assert_threads_give_the_same(&graph, &pipeline);
    }
}

/// Guards against an earlier bug, in which each thread searched all nodes of the graph again.
#[test]
fn nodes_that_an_index_knows_are_shared_out_once() {
    let graph = random_indexed();
    for source in [nodes(ALL), nodes("CALL")] {
        let found = || source.clone().has("NAME", regex("<operator>.(a.*|c.*|i.*)"));
        let walk = found().repeat(it().out(ALL), |walk| walk.times(2).emit());
        let hops = found().out(ALL).in_(ALL).where_(it().out("CFG"));
        assert!(
            walk.compile(&graph)
                .unwrap()
                .explain()
                .to_string()
                .contains("or index lookup if few texts match")
        );
        [walk, hops].iter().for_each(|pipeline| assert_threads_give_the_same(&graph, pipeline));
    }
}

fn assert_threads_give_the_same(graph: &Graph, pipeline: &Pipeline) {
    let with = |threads, eager_threads| {
        rows_with(
            graph,
            pipeline,
            Options { task: Task::new().threads(threads), eager_threads, ..Options::default() },
        )
    };
    let alone = with(1, false);
    assert!(!alone.is_empty(), "{}", pipeline.to_json());
    for (threads, eager_threads) in [(2, false), (3, false), (8, false), (2, true), (3, true)] {
        let same = with(threads, eager_threads) == alone;
        assert!(same, "{threads} threads, eager {eager_threads}: {}", pipeline.to_json());
    }
}

/// A flag that never cancels, and the set of threads that have checked it.
fn noting() -> (Cancel, Arc<Mutex<HashSet<ThreadId>>>) {
    let seen = Arc::new(Mutex::new(HashSet::new()));
    let noted = seen.clone();
    let note = move || {
        noted.lock().unwrap().insert(std::thread::current().id());
        false
    };
    (Cancel::when(note), seen)
}

/// Reads at least 200 batches of a run, and more until other threads have worked, which may take a while on a
/// busy machine.
fn until_others_work(run: &mut Run, seen: &Mutex<HashSet<ThreadId>>) {
    let mut batches = 0;
    while batches < 200 || seen.lock().unwrap().len() < 2 {
        assert!(run.next().unwrap().is_some(), "no other thread has worked");
        batches += 1;
    }
}

fn long() -> Pipeline {
    nodes(ALL).out(ALL).both(ALL).both(ALL).repeat(it().both(ALL), |walk| walk.times(1))
}

#[test]
fn threads_join_a_long_run_and_are_gone_after_it() {
    let graph = random();
    let (cancel, seen) = noting();
    let plan = long().compile(&graph).unwrap();
    let mut run = plan.run(Task::new().cancel(&cancel).threads(3));
    until_others_work(&mut run, &seen);
    drop((run, cancel));
    assert_eq!(Arc::strong_count(&seen), 1, "no thread holds the flag any more");
}

#[test]
fn threads_join_a_walk_that_keeps_paths() {
    let graph = random();
    let (cancel, seen) = noting();
    let walk = nodes(ALL).repeat(it().both(ALL), |walk| walk.times(4).emit().dedup()).path();
    let mut run = walk.compile(&graph).unwrap().run(Task::new().cancel(&cancel).threads(3));
    until_others_work(&mut run, &seen);
}

#[test]
fn long_paths_travel_to_threads_few_at_a_time() {
    let mut model = ModelGraph::default();
    let chain: Vec<_> = (0..400).map(|_| model.add_node(&["CALL"])).collect();
    chain.windows(2).for_each(|pair| model.add_edge(pair[0], "CFG", pair[1], None));
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Compact);
    let walk = ids([0]).repeat(it().out("CFG"), |walk| walk.emit()).dedup();
    let paths = walk.both("CFG").both("CFG").path();
    let with = |threads| rows_with(&graph, &paths, Options::from(Task::new().threads(threads)));
    let alone = with(1);
    assert!(alone.len() > 3 * chain.len());
    assert!(with(3) == alone);
}

#[test]
fn the_neighbors_of_one_node_are_shared_out() {
    let mut model = ModelGraph::default();
    let hub = model.add_node(&["METHOD"]);
    for _ in 0..20_000 {
        let caller = model.add_node(&["CALL"]);
        model.add_edge(caller, "CALL", hub, None);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Compact);
    let (cancel, seen) = noting();
    let callers = nodes("METHOD").in_("CALL").where_(it().repeat(it().both(ALL), |walk| walk.times(2)));
    let options = Options::from(Task::new().cancel(&cancel).threads(2));
    assert_eq!(rows_with(&graph, &callers, options).len(), 20_000);
    assert_eq!(seen.lock().unwrap().len(), 2);
}

/// No node passes, so even a caller that wants only one row has to wait until all nodes have been tested.
#[test]
fn threads_share_the_nodes_of_a_scan_that_finds_nothing() {
    let graph = random();
    let (cancel, seen) = noting();
    let around = it().repeat(it().both(ALL), |walk| walk.times(3));
    let none = nodes(ALL).where_(around.count().is(gt(1_000_000))).has("ORDER", gt(-1)).limit(1);
    let options = Options::from(Task::new().cancel(&cancel).threads(2));
    assert!(rows_with(&graph, &none, options).is_empty());
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[test]
fn a_consumer_of_few_rows_wakes_nobody() {
    let graph = random();
    let (cancel, seen) = noting();
    let options = Options::from(Task::new().cancel(&cancel).threads(3));
    assert_eq!(rows_with(&graph, &long().limit(20), options).len(), 20);
    assert_eq!(seen.lock().unwrap().len(), 1);
}

#[test]
fn what_a_thread_can_not_do_names_its_step() {
    let graph = random();
    let pipeline = nodes(ALL)
        .both(ALL)
        .both(ALL)
        .where_(it().repeat(it().both(ALL), |walk| walk.emit_all_but_first().dedup()).has("ORDER", eq(-1)));
    for threads in [1, 2, 3] {
        let options = Options::from(Task::new().threads(threads).memory(1000));
        let mut run = pipeline.compile(&graph).unwrap().run(options);
        let error = loop {
            match run.next() {
                Ok(rows) => assert!(rows.is_some(), "the budget is too small"),
                Err(error) => break error,
            }
        };
        let PipelineError::OverBudget { at, limit: 1000, .. } = error else { panic!("{error}") };
        assert_eq!(at.to_string(), "step 4 (where)");
    }
}

#[test]
fn a_profile_counts_the_rows_of_all_threads() {
    let graph = random();
    let pipeline = nodes(ALL).out(ALL).both(ALL).both(ALL).count();
    let rows_of_steps = |threads| {
        let options = Options { task: Task::new().threads(threads), profile: true, ..Options::default() };
        let mut run = pipeline.compile(&graph).unwrap().run(options);
        while run.next().unwrap().is_some() {}
        let measured = run.profile().lines.into_iter().map(|line| line.measured.unwrap());
        measured.map(|measured| measured.rows).collect::<Vec<u64>>()
    };
    let alone = rows_of_steps(1);
    assert_eq!(alone.len(), 5);
    assert_eq!(rows_of_steps(3), alone);
    assert_eq!(rows_of(&graph, &pipeline), [alone[3].to_string()]);
}

/// Guards against an earlier bug: if a limit followed a sort, the steps before the sort worked in batches of
/// the limit's size, which were too small for threads.
#[test]
fn what_needs_all_rows_asks_for_whole_batches_whatever_a_limit_takes() {
    let graph = random();
    let walk = || nodes(ALL).repeat(it().out("CFG"), |walk| walk.times(2).emit());
    for pipeline in [walk().order_by(Key::Depth).limit(3), walk().group("NAME").limit(3)] {
        let plan = pipeline.compile(&graph).unwrap();
        let mut run = plan.run(Options { task: Task::new().threads(1), profile: true, ..Options::default() });
        while run.next().unwrap().is_some() {}
        let profile = run.profile();
        let walked = profile.lines.iter().find(|line| line.operator.starts_with("repeat")).unwrap();
        let measured = walked.measured.as_ref().unwrap();
        assert!(measured.batches * 100 < measured.rows, "{measured:?}");
    }
}
