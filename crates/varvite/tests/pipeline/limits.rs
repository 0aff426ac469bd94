//! Tests budgets, walks that never end, and cancelling.

use std::time::Duration;

use varvite::Cancel;
use varvite::pipeline::{ALL, Key, Options, Pipeline, PipelineError, Summary, gt, it, nodes};
use varvite::{Graph, Profile, Task};
use varvite_model::{ModelGraph, NodeId, RandomGraph};
use varvite_testing::draft::Draft;

fn random() -> Graph {
    let options = RandomGraph { nodes: 3000, edges: 9000, ..RandomGraph::new(5) };
    Draft::of(&options.build().in_canonical_order()).open(Profile::Direct)
}

/// A graph of levels that have two nodes each. Each node has edges to both nodes of the next level, so each
/// level doubles the number of paths.
fn ladder(levels: usize) -> Graph {
    let mut model = ModelGraph::default();
    for _ in 0..2 * levels {
        model.add_node(&["BLOCK"]);
    }
    for node in 0..2 * (levels - 1) {
        let next = node / 2 * 2 + 2;
        model.add_edge(NodeId(node), "CFG", NodeId(next), None);
        model.add_edge(NodeId(node), "CFG", NodeId(next + 1), None);
    }
    Draft::of(&model.in_canonical_order()).open(Profile::Direct)
}

fn run(graph: &Graph, pipeline: &Pipeline, options: Options) -> Result<u64, PipelineError> {
    let mut run = pipeline.compile(graph)?.run(options);
    let mut rows = 0;
    while let Some(batch) = run.next()? {
        rows += batch.len() as u64;
    }
    Ok(rows)
}

fn walk_all() -> Pipeline {
    nodes(ALL).limit(1).repeat(it().out("CFG"), |repeat| repeat.emit())
}

#[test]
fn what_needs_more_than_the_budget_names_the_step() {
    let graph = random();
    let check_within = |memory_bytes: usize, pipeline: Pipeline, step: &str| {
        assert!(run(&graph, &pipeline, Options::default()).is_ok());
        match run(&graph, &pipeline, Options::from(Task::new().memory(memory_bytes))) {
            Err(PipelineError::OverBudget { at, limit, needed }) => {
                assert!(limit == memory_bytes && needed > limit);
                assert_eq!(at.to_string(), step);
            }
            other => panic!("{step}: {other:?}"),
        }
    };
    let check = |pipeline, step| check_within(2000, pipeline, step);
    // The steps that `check_set` tests keep a bit for each node.
    let check_set = |pipeline, step| check_within(100, pipeline, step);
    check(nodes(ALL).out(ALL).order_by("NAME"), "step 3 (order)");
    check_set(nodes(ALL).out(ALL).dedup(), "step 3 (dedup)");
    check(nodes(ALL).out(ALL).group_count(Key::Itself), "step 3 (group_count)");
    check(nodes(ALL).out(ALL).group("I64"), "step 3 (group)");
    check(nodes(ALL).out(ALL).summarize(Key::Itself, [Summary::Count]), "step 3 (summarize)");
    check(nodes(ALL).order_by("ORDER").limit(1000), "step 2 (order)");
    check(nodes(ALL).out(ALL).sample(2000, 1), "step 3 (sample)");
    check(nodes(ALL).out(ALL).path(), "step 1 (nodes)");
    let body = it().out(ALL).out(ALL).dedup();
    check_set(nodes(ALL).union([body]), "step 2.1.3 (dedup)");
    let each_once = it().both(ALL).dedup();
    check_set(nodes(ALL).union([each_once]), "step 2 (union)");
    check_set(nodes(ALL).repeat(it().both(ALL), |repeat| repeat.dedup().emit()), "step 2 (repeat)");
}

#[test]
fn the_first_rows_of_an_order_take_no_more_than_they_need() {
    let graph = random();
    let options = || Options { task: Task::new().memory(120_000), batch_rows: 100, ..Options::default() };
    let sorted = || nodes(ALL).out(ALL).in_(ALL).order_by("ORDER");
    let error = run(&graph, &sorted(), options()).unwrap_err();
    assert!(matches!(error, PipelineError::OverBudget { .. }), "{error}");
    assert_eq!(run(&graph, &sorted().skip(5).limit(20), options()).unwrap(), 20);
    let columns = || {
        let columns = [Key::Itself, Key::from("NAME"), Key::from("STRING_LIST")];
        nodes(ALL).out(ALL).in_(ALL).columns(columns).order_by_descending(Key::column("STRING_LIST"))
    };
    assert!(run(&graph, &columns(), options()).is_err());
    assert_eq!(run(&graph, &columns().limit(20), options()).unwrap(), 20);
}

#[test]
fn memory_is_given_back_from_start_to_start() {
    // The set of nodes that the walk from one start visits is kept only until this walk ends, so many starts
    // need no more memory than one.
    let options = Options::from(Task::new().memory(1 << 20));
    let walk = nodes(ALL).repeat(it().both("CFG"), |repeat| repeat.dedup().emit()).count();
    assert_eq!(run(&random(), &walk, options).unwrap(), 1);
}

#[test]
fn paths_of_rows_that_are_gone_take_nothing() {
    let graph = random();
    let paths = nodes(ALL).out(ALL).in_(ALL).out(ALL).path();
    let options = Options { task: Task::new().memory(1 << 20), batch_rows: 16, ..Options::default() };
    assert!(run(&graph, &paths, options).unwrap() > 100_000);
}

#[test]
fn a_walk_that_cannot_end_is_an_error() {
    let mut model = ModelGraph::default();
    let nodes = [0, 1, 2].map(|_| model.add_node(&["BLOCK"]));
    for (source, target) in [(0, 1), (1, 2), (2, 0)] {
        model.add_edge(nodes[source], "CFG", nodes[target], None);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    let error = run(&graph, &walk_all(), Options::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "step 3 (repeat): a path of 100000 nodes visits a node twice and would never end: add times, until or dedup"
    );
    // Each turn of this walk doubles the size of its queue, until the queue exceeds the budget.
    let options = Options::from(Task::new().memory(1 << 16));
    let wide = varvite::pipeline::nodes(ALL).limit(1);
    let wide = wide.repeat(it().out("CFG"), |repeat| repeat.emit().breadth_first());
    let error = run(&ladder(60), &wide, options).unwrap_err();
    assert!(matches!(error, PipelineError::OverBudget { .. }), "{error}");
}

#[test]
fn a_run_is_cancelled_from_another_thread() {
    // There are 2^60 paths, so without the flag the run would not end in the lifetime of the machine.
    let graph = ladder(60);
    let up = it().nearest_ancestor(ALL);
    let slow: [Pipeline; 3] = [
        walk_all().count(),
        nodes(ALL)
            .limit(1)
            .where_(it().repeat(it().out("CFG"), |repeat| repeat.until(it().has_label("BLOCK").where_(up)))),
        nodes(ALL).limit(1).union([it().repeat(it().out("CFG").has_label("BLOCK"), |repeat| repeat)]),
    ];
    for pipeline in slow {
        let cancel = Cancel::default();
        let options = Options::from(Task::new().cancel(&cancel));
        let outcome = std::thread::scope(|scope| {
            let running = scope.spawn(|| run(&graph, &pipeline, options));
            std::thread::sleep(Duration::from_millis(20));
            cancel.cancel();
            running.join().unwrap()
        });
        assert!(matches!(outcome, Err(PipelineError::Cancelled { .. })), "{outcome:?}");
    }
}

#[test]
fn one_plan_runs_on_many_threads_at_once() {
    let graph = random();
    let plan = nodes(ALL).where_(it().out("AST").count().is(gt(1))).out(ALL).order_by("ORDER");
    let plan = plan.compile(&graph).unwrap();
    let rows = || {
        let mut run = plan.run(Options::default());
        let mut all = Vec::new();
        while let Some(rows) = run.next().unwrap() {
            all.extend_from_slice(rows.nodes().unwrap());
        }
        all
    };
    let expected = rows();
    std::thread::scope(|scope| {
        let runs = [(); 3].map(|()| scope.spawn(rows));
        runs.into_iter().for_each(|run| assert_eq!(run.join().unwrap(), expected));
    });
}

#[test]
fn a_cancelled_run_does_not_begin() {
    let options = Options::default();
    options.task.flag().cancel();
    let outcome = run(&random(), &nodes(ALL), options);
    assert_eq!(outcome.unwrap_err().to_string(), "step 1 (nodes): cancelled");
}

#[test]
fn a_run_ends_with_the_time_of_its_task_on_every_thread() {
    for threads in [1, 2] {
        let task = Task::new().threads(threads).time_max(Duration::ZERO);
        let options = Options { eager_threads: threads > 1, ..Options::from(task) };
        let outcome = run(&random(), &nodes(ALL), options);
        assert_eq!(outcome.unwrap_err().to_string(), "step 1 (nodes): cancelled");
        let task = Task::new().threads(threads).time_max(Duration::from_secs(3600));
        let options = Options { eager_threads: threads > 1, ..Options::from(task) };
        run(&random(), &nodes(ALL), options).unwrap();
    }
}

#[test]
fn after_an_error_a_run_is_over() {
    let graph = random();
    let options = Options::from(Task::new().memory(100));
    let mut run = nodes(ALL).dedup().compile(&graph).unwrap().run(options);
    assert!(run.next().is_err());
    assert!(run.next().unwrap().is_none());
}
