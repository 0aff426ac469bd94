//! Tests that a run's memory stays within its budget, and that a cancelled run ends soon. The tests count
//! bytes and checks of the flag, and do not measure time.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod counted;
mod wide_graph;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use varvite::Cancel;
use varvite::change::{Diff, NewValue};
use varvite::pipeline::{
    ALL, Key, Options, Pipeline, PipelineError, STEPS, Summary, contains, edges, gt, ids, it, nodes, regex,
};
use varvite::walk::{
    Arena, Hop, Order, PathEdges, PathOptions, ShortestPaths, Uniqueness, Walk, WalkError, Within,
};
use varvite::{Budget, Graph, OpenOptions, Task};

const MIB: usize = 1 << 20;

/// The number of bytes by which the memory of a run may exceed its budget; batches, for example, are not
/// charged to it.
fn beyond(budget: usize) -> usize {
    (budget / 10).max(4 * MIB)
}

/// Edge labels whose lists are long, but still short enough to be read completely.
const FEW: [&str; 2] = ["SPOKE", "CFG"];

/// Pipelines that need a lot of memory, each with the step that needs it.
fn cases() -> Vec<(&'static str, Pipeline)> {
    let hub = || ids([0, 1]);
    let all = || nodes(ALL).out("SPOKE");
    let columns = || [Key::Itself, Key::from("NAME"), Key::from("NUMBERS")];
    let walk = |body: Pipeline| ids([0]).repeat(body, |repeat| repeat.emit());
    let visit = |body: Pipeline| ids([0]).repeat(body, |repeat| repeat.emit().dedup());
    vec![
        ("nodes", nodes(ALL)),
        ("nodes", nodes(ALL).has("NAME", regex("n.*[135]$"))),
        ("nodes", nodes("METHOD").has("NAME", contains("1"))),
        ("ids", ids(0..100_000)),
        ("edges", edges("SPOKE")),
        ("has", all().has("NUMBERS", gt(1_000_000))),
        ("has_not", all().has_not("NAME", contains("7"))),
        ("has_label", all().has_label("METHOD")),
        ("has_id", all().has_id(0..100)),
        ("is", all().values("ORDER").is(gt(5))),
        ("where", hub().where_(it().out("SPOKE").dedup().order_by("NAME"))),
        (
            "filter",
            all().filter(Key::test(Key::concat([Key::from("NAME"), Key::from("WIDE")]), contains("7"))),
        ),
        ("filter", nodes(ALL).columns(columns()).filter(Key::less(Key::column("NUMBERS"), Key::constant(3)))),
        ("as", hub().union([it().as_("hub").out("SPOKE").order_by("NAME")])),
        ("select", hub().union([it().as_("hub").out("SPOKE").select("hub")])),
        ("map", all().map(Key::concat([Key::from("WIDE"), Key::constant("-"), Key::from("NAME")]))),
        ("map", nodes(ALL).map(Key::add(Key::length("NAME"), Key::first_of(vec![Key::constant(1); 100])))),
        ("dedup", nodes(ALL).dedup_by(Key::lower(Key::concat([Key::from("NAME"), Key::from("ORDER")])))),
        ("order", nodes(ALL).order_by(Key::concat([Key::from("NAME"), Key::from("ORDER")]))),
        ("group_count", nodes(ALL).group_count(Key::concat([Key::from("NAME"), Key::from("ORDER")]))),
        (
            "where",
            hub().where_(it().repeat(it().both("SPOKE"), |repeat| repeat.emit().dedup()).has_label("NEVER")),
        ),
        ("where_not", hub().where_not(it().out("SPOKE").group("NAME"))),
        ("and", hub().and([it().out("SPOKE").dedup(), it().out("CFG")])),
        ("or", hub().or([it().out("SPOKE").order_by("ORDER").has_id([7]), it().out("CFG")])),
        ("out", hub().out("SPOKE")),
        ("in", hub().out("SPOKE").in_("SPOKE")),
        ("both", ids([0]).both(FEW).both("CFG")),
        ("out_edges", hub().out_edges("SPOKE").target().out_edges("CFG")),
        ("in_edges", hub().out("SPOKE").in_edges("SPOKE")),
        ("both_edges", hub().both_edges(FEW)),
        ("source", edges("SPOKE").source()),
        ("target", edges("SPOKE").target()),
        ("descendants", ids([0]).descendants()),
        ("ancestors", nodes(ALL).limit(2000).ancestors()),
        ("nearest_ancestor", nodes(ALL).nearest_ancestor("METHOD")),
        ("union", hub().union([it().out("SPOKE").dedup(), it().out("SPOKE").order_by("NAME")])),
        ("union", hub().union([it().out(FEW).dedup()])),
        ("union", hub().union([it().out("SPOKE").limit(500_000)])),
        ("coalesce", hub().coalesce([it().out("SPOKE").sample(500_000, 1).has_id([7]), it().out("SPOKE")])),
        (
            "choose",
            hub().choose(it().values("ORDER"), [(gt(0), it().out("SPOKE").dedup())], Some(it().out("SPOKE"))),
        ),
        ("repeat", walk(it().out("SPOKE"))),
        ("repeat", walk(it().both(FEW))),
        ("repeat", visit(it().both(FEW))),
        ("repeat", visit(it().both(FEW).has_any("NAME"))),
        ("repeat", ids([0]).repeat(it().both(FEW), |repeat| repeat.emit().breadth_first())),
        ("repeat", ids([0]).repeat(it().both(FEW), |repeat| repeat.emit().dedup().breadth_first())),
        ("dedup", all().dedup()),
        ("dedup", all().dedup_by("WIDE")),
        ("order", all().order_by("ORDER")),
        ("order", all().order_by("NAME")),
        ("order", all().order_by_descending("WIDE").limit(100_000)),
        ("order", nodes(ALL).columns(columns()).order_by(Key::column("NUMBERS"))),
        ("sample", all().sample(800_000, 1)),
        ("simple_path", visit(it().both("CFG")).limit(4000).simple_path()),
        ("side", all().side("all").count()),
        ("values", all().values("NUMBERS")),
        ("values", nodes(ALL).values("NUMBERS")),
        ("depth", visit(it().both(FEW)).depth()),
        ("path", visit(it().both("CFG")).limit(8000).path()),
        ("path", hub().out("SPOKE").in_edges("SPOKE").path()),
        ("columns", all().columns(columns())),
        ("columns", hub().columns(columns())),
        ("group_count", all().group_count("NAME")),
        ("group_count", nodes(ALL).group_count("WIDE")),
        ("group_count", nodes(ALL).descendants().group_count(Key::Label)),
        (
            "summarize",
            all().summarize("WIDE", [Summary::Count, Summary::max("ORDER"), Summary::sum("ORDER")]),
        ),
        ("summarize", nodes(ALL).summarize("WIDE", [Summary::mean("ORDER")])),
        ("summarize", nodes(ALL).summarize(Key::Label, [Summary::min("ORDER")])),
        ("group", all().group("WIDE")),
        ("group", all().group("FEW")),
    ]
}

/// A case for each step for which [`cases`] has none, so that a new step is tested automatically. In the
/// case, the step comes after steps that give many rows, and has fields that it accepts.
fn plain_cases(graph: &Graph) -> Vec<(&'static str, Pipeline)> {
    let with_case: BTreeSet<&str> = cases().iter().map(|(step, _)| *step).collect();
    let without = STEPS.into_iter().filter(|step| !with_case.contains(step));
    without.map(|step| (step, plain_case(graph, step))).collect()
}

/// The first of several plans with this step that compiles.
fn plain_case(graph: &Graph, step: &str) -> Pipeline {
    let nodes = r#"{"step": "nodes"}, {"step": "out", "labels": ["SPOKE"]}"#;
    let values = format!(r#"{nodes}, {{"step": "values", "property": "ORDER"}}"#);
    let rows = [nodes, &values, r#"{"step": "edges", "labels": ["SPOKE"]}"#];
    let fields = ["", r#", "count": 500000"#, r#", "labels": ["SPOKE"]"#, r#", "property": "NAME""#];
    let plans = rows.iter().flat_map(|rows| {
        fields.map(|fields| format!(r#"{{"version": 1, "steps": [{rows}, {{"step": "{step}"{fields}}}]}}"#))
    });
    let mut pipelines = plans.filter_map(|plan| Pipeline::from_json(&plan).ok());
    let compiles = |pipeline: &Pipeline| pipeline.compile(graph).is_ok();
    pipelines
        .find(compiles)
        .unwrap_or_else(|| panic!("{step} needs fields that no plain case has: give it one"))
}

/// Runs a pipeline until it ends or its budget is exhausted. Returns whether the budget was exhausted.
fn run(graph: &Graph, pipeline: &Pipeline, options: Options) -> bool {
    let mut run = pipeline.compile(graph).unwrap().run(options);
    loop {
        match run.next() {
            Ok(Some(_)) => {}
            Ok(None) => return false,
            Err(PipelineError::OverBudget { .. }) => return true,
            Err(error) => panic!("{error}"),
        }
    }
}

/// This is a single test, because it counts the bytes that the whole program allocates.
#[test]
fn budgets_and_cancelling_hold() {
    cases_have_the_step_that_they_name();
    bytes_of_a_diff_cost_in_proportion_to_them();
    a_plan_holds_no_more_than_its_budget();
    let folder = tempfile::tempdir().unwrap();
    let graph = wide_graph::open(folder.path());
    a_run_holds_no_more_than_its_budget(&graph);
    a_search_for_paths_holds_no_more_than_its_budget(&graph);
    a_walk_holds_no_more_than_its_budget(&graph);
    two_hubs_are_sorted_once(&graph);
    a_look_at_the_flag_comes_every_hundred_thousand_steps(&graph);
    drop(graph);
    a_graph_that_was_closed_leaves_nothing(&folder.path().join(wide_graph::FILE));
}

fn cases_have_the_step_that_they_name() {
    for (step, pipeline) in cases() {
        assert!(pipeline.to_json().contains(&format!("\"{step}\"")), "{step}");
    }
}

/// Large plans. Each has very many of one kind of element.
fn large_plans() -> Vec<(&'static str, String)> {
    let plan = |steps: String| format!(r#"{{"version": 1, "steps": [{{"step": "nodes"}}, {steps}]}}"#);
    let many = |item: &str, count: usize| vec![item; count].join(",");
    let branches = |step: &str, branch: &str, count| {
        format!(r#"{{"step": "{step}", "branches": [{}]}}"#, many(branch, count))
    };
    let has =
        |property: &str, is: String| format!(r#"{{"step": "has", "property": "{property}", "is": {is}}}"#);
    let texts: Vec<String> = (0..100_000).map(|number| format!("\"text {number}\"")).collect();
    let case = r#"{"is": {"eq": 1}, "then": []}"#;
    let choose = |cases| {
        format!(
            r#"{{"step": "choose", "on": [{{"step": "values", "property": "ORDER"}}], "cases": [{}]}}"#,
            many(case, cases)
        )
    };
    vec![
        ("a million empty branches", plan(branches("union", "[]", 1_000_000))),
        ("empty branches", plan(branches("union", "[]", 30_000))),
        ("branches of coalesce", plan(branches("coalesce", r#"[{"step": "out"}]"#, 10_000))),
        (
            "branches of or",
            plan(branches("or", r#"[{"step": "out"}, {"step": "limit", "count": 1}]"#, 10_000)),
        ),
        ("branches of and", plan(branches("and", r#"[{"step": "has", "property": "NAME"}]"#, 10_000))),
        ("cases", plan(choose(5000))),
        ("steps", plan(many(r#"{"step": "skip", "count": 0}"#, 20_000))),
        ("hops", plan(many(r#"{"step": "where", "pipeline": [{"step": "both"}]}"#, 5000))),
        ("texts", plan(has("NAME", format!(r#"{{"none_of": [{}]}}"#, texts.join(","))))),
        ("numbers", plan(has("ORDER", format!(r#"{{"none_of": [{}]}}"#, many("7.5, 8", 100_000))))),
        ("ids", plan(format!(r#"{{"step": "has_id", "ids": [{}]}}"#, many("7", 300_000)))),
        ("labels", plan(format!(r#"{{"step": "has_label", "labels": [{}]}}"#, many("\"METHOD\"", 200_000)))),
        ("edge labels", plan(format!(r#"{{"step": "out", "labels": [{}]}}"#, many("\"CFG\"", 50_000)))),
        (
            "columns",
            plan(format!(
                r#"{{"step": "columns", "columns": [{}]}}"#,
                many(r#"{"property": "NAME"}"#, 20_000)
            )),
        ),
        (
            "operands",
            plan(format!(
                r#"{{"step": "map", "by": {{"concat": [{}]}}}}"#,
                many(r#"{"property": "NAME"}"#, 20_000)
            )),
        ),
        ("words", plan(format!(r#"{{"step": "map", "by": {{"concat": [{}]}}}}"#, many("\"label\"", 99_000)))),
        (
            "expressions of keys",
            plan(format!(
                r#"{{"step": "filter", "by": {{"or": [{}]}}}}"#,
                many(
                    r#"{"eq": [{"match": {"property": "NAME"}, "regex": "n[0-9]+x?y", "group": 0}, "label"]}"#,
                    300
                )
            )),
        ),
        (
            "patterns",
            plan(branches("or", &format!("[{}]", has("NAME", r#"{"regex": "n[0-9]+x?y"}"#.to_owned())), 300)),
        ),
        ("a long pattern", plan(has("NAME", format!(r#"{{"regex": "{}"}}"#, r"\\w".repeat(50_000))))),
        ("a long text", plan(has("NAME", format!(r#"{{"contains": "{}"}}"#, "x".repeat(3_000_000))))),
    ]
}

fn a_plan_holds_no_more_than_its_budget() {
    let folder = tempfile::tempdir().unwrap();
    let graph = wide_graph::open(folder.path());
    let (mut wrong, mut stopped, mut answered) = (Vec::new(), 0, 0);
    for (what, text) in large_plans() {
        for limit in [4 * MIB, 32 * MIB, 128 * MIB] {
            let mut ended = None;
            let most = counted::most_during(|| ended = Some(answer_within(&graph, &text, limit)));
            if most > limit + beyond(limit) {
                wrong.push(format!("{limit} bytes: {most} by {what}: {ended:?}"));
            }
            match ended.unwrap() {
                Ok(()) => answered += 1,
                Err(PipelineError::PlanOverBudget { .. } | PipelineError::OverBudget { .. }) => stopped += 1,
                Err(PipelineError::RegexTooLarge { .. }) => {}
                Err(error) => panic!("{what}: {error:.300}"),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(stopped > 10 && answered > 10, "{stopped} stopped, {answered} answered");
}

/// Reads a plan, compiles it and begins to run it, all within one budget.
fn answer_within(graph: &Graph, text: &str, limit: usize) -> Result<(), PipelineError> {
    let budget = Budget::new(limit);
    let plan =
        Pipeline::from_json_within(text, &budget)?.compile_within(graph, &Cancel::default(), &budget)?;
    plan.run(Task::new().memory(limit).threads(2)).next()?;
    Ok(())
}

fn a_run_holds_no_more_than_its_budget(graph: &Graph) {
    let (mut stopped, mut wrong) = (BTreeSet::new(), Vec::new());
    for (step, pipeline) in cases().into_iter().chain(plain_cases(graph)) {
        for (memory_bytes, threads) in [(MIB, 1), (MIB, 2), (8 * MIB, 1), (8 * MIB, 2)] {
            let options = Options::from(Task::new().memory(memory_bytes).threads(threads));
            let mut is_over = false;
            let most = counted::most_during(|| is_over = run(graph, &pipeline, options));
            if most > memory_bytes + beyond(memory_bytes) {
                let json = pipeline.to_json();
                wrong.push(format!("{memory_bytes} bytes, {threads} threads: {most} by {json:.300}"));
            }
            stopped.extend(is_over.then_some(step));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Steps that keep rows or values would have to keep more than the budget allows.
    for step in
        ["order", "group", "group_count", "summarize", "dedup", "sample", "side", "repeat", "path", "where"]
    {
        assert!(stopped.contains(step), "{step} fits into every budget: it needs a larger case");
    }
}

fn a_search_for_paths_holds_no_more_than_its_budget(graph: &Graph) {
    for memory_bytes in [MIB, 2 * MIB, 8 * MIB] {
        let hops = [Hop::out(["SPOKE", "CFG", "AST"]), Hop::in_(["SPOKE", "CFG"])];
        let edges = PathEdges::compile(graph, hops).unwrap();
        let options = PathOptions::from(Task::new().memory(memory_bytes));
        let most = counted::most_during(|| {
            let found = ShortestPaths::find(&edges, &[0], &[graph.node_count() - 1], &options);
            let outcome =
                found.and_then(|mut paths| paths.by_ref().take(1000).try_for_each(|path| path.map(drop)));
            assert!(matches!(outcome, Ok(()) | Err(WalkError::OverBudget { .. })), "{outcome:?}");
        });
        assert!(most <= memory_bytes + beyond(memory_bytes), "{memory_bytes}: {most}");
    }
}

fn a_walk_holds_no_more_than_its_budget(graph: &Graph) {
    let (mut stopped, mut whole) = (0, 0);
    let within = [Within::Walk, Within::Path, Within::Recent(100_000), Within::Depth];
    for order in [Order::DepthFirst, Order::BreadthFirst, Order::BestFirst] {
        for uniqueness in within.map(Uniqueness::Nodes).into_iter().chain(within.map(Uniqueness::Edges)) {
            let walk = Walk::in_order(order).unique(uniqueness).limit(200_000);
            let plan = walk.hop(Hop::out(["SPOKE", "CFG"])).compile(graph).unwrap();
            for memory_bytes in [MIB, 64 * MIB] {
                let mut outcome = Ok(0);
                let most = counted::most_during(|| {
                    let mut arena = Arena::new(memory_bytes);
                    outcome = plan.run(&mut arena, &[0]).and_then(|mut run| run.count());
                });
                assert!(most <= memory_bytes + beyond(memory_bytes), "{order:?}, {uniqueness:?}: {most}");
                match outcome {
                    Ok(_) => whole += 1,
                    Err(WalkError::OverBudget { .. }) => stopped += 1,
                    Err(error) => panic!("{error}"),
                }
            }
        }
    }
    assert!(stopped > 10 && whole > 10, "{stopped} {whole}");
}

/// The number of times that a run checks the cancel flag.
fn looks(graph: &Graph, pipeline: &Pipeline, memory_bytes: usize) -> usize {
    let looks = Arc::new(AtomicUsize::new(0));
    let counter = looks.clone();
    let cancel = Cancel::when(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    });
    run(graph, pipeline, Options::from(Task::new().memory(memory_bytes).cancel(&cancel).threads(1)));
    looks.load(Ordering::Relaxed)
}

/// For each target, the lists of both hubs are searched for the edges that lead to it. Tests that a hub's
/// list is sorted only once for all targets.
fn two_hubs_are_sorted_once(graph: &Graph) {
    let rows = |count: u32| ids(2..2 + count).in_edges("SPOKE");
    let (few, many) = (looks(graph, &rows(10), usize::MAX), looks(graph, &rows(1000), usize::MAX));
    assert!(many < 2 * few, "{few} looks for 10 nodes, {many} for 1000");
}

/// The maximum number of elementary steps (rows, neighbours, values) between two checks of the flag.
const STEPS_MAX: usize = 100_000;

fn a_look_at_the_flag_comes_every_hundred_thousand_steps(graph: &Graph) {
    let hub = || ids([0]);
    let list = wide_graph::HUB as usize;
    let values = wide_graph::VALUES as usize;
    for (steps, pipeline) in [
        (list, hub().out("HUB").count()),
        (list, hub().where_(it().out("HUB").has_label("NEVER"))),
        (list, hub().union([it().out("HUB").dedup()]).count()),
        (list, hub().union([it().out("HUB").limit(u64::MAX)]).count()),
        (list, hub().out_edges("HUB").count()),
        (list, ids([5]).in_edges("HUB").count()),
        (list, hub().repeat(it().out("HUB"), |repeat| repeat.times(1)).limit(1)),
        (list, hub().repeat(it().out("HUB"), |repeat| repeat.times(1).breadth_first()).limit(1)),
        (list, hub().repeat(it().out("HUB"), |repeat| repeat.times(1).dedup()).count()),
        (list, hub().out("HUB").order_by("ORDER").limit(1)),
        (list, hub().out("HUB").group_count("WIDE").count()),
        (values, hub().values("NUMBERS").count()),
        (values, hub().columns([Key::from("NUMBERS")]).count()),
        (values, hub().has("NUMBERS", gt(i64::from(wide_graph::VALUES) + 1))),
        (values, nodes(ALL).has("NUMBERS", gt(i64::from(wide_graph::VALUES) + 1))),
    ] {
        let looks = looks(graph, &pipeline, usize::MAX);
        assert!(looks >= steps / STEPS_MAX, "{looks} looks at {steps} steps: {:.300}", pipeline.to_json());
    }
}

/// Tests that opening, querying, evicting, querying again and closing a graph leaves exactly as many bytes
/// allocated as before.
fn a_graph_that_was_closed_leaves_nothing(path: &Path) {
    let limit = 64 * MIB as u64;
    let cycle = || {
        let graph = OpenOptions::new().memory_max(limit).process_max(limit).open(path).unwrap();
        for pipeline in [ids(0..1000).out("CFG").dedup(), nodes(ALL).has("NAME", contains("7")).limit(10)] {
            run(&graph, &pipeline, Options::from(Task::new().threads(1)));
            graph.release();
        }
        assert!(graph.ledger().anonymous() > 0);
    };
    // The first cycle makes tables that the process keeps until it ends.
    cycle();
    let before = counted::now();
    (0..20).for_each(|_| cycle());
    assert_eq!(counted::now(), before);
}

/// Reading a diff may take at most this many bytes of memory for each byte of the diff.
const OF_A_BYTE: usize = 48;

/// Tests diffs that need the most memory relative to their size: many nulls, many names, or many sets of
/// labels. Also tests that operations that a diff claims to have but does not contain need no memory.
fn bytes_of_a_diff_cost_in_proportion_to_them() {
    let (mut nulls, mut names, mut sets) = (Diff::new(), Diff::new(), Diff::new());
    nulls.set(0, "A", (0..1 << 20).map(|_| NewValue::Null));
    let all: Vec<String> = (0..1 << 17).map(|name| format!("{name:x}")).collect();
    all.iter().for_each(|name| names.declare_label(name));
    for set in all.windows(2) {
        sets.add_node(&[&set[0], &set[1]]);
    }
    for diff in [nulls, names, sets] {
        let mut bytes = diff.to_bytes().unwrap();
        let most = counted::most_during(|| drop(Diff::from_bytes(&bytes).unwrap()));
        assert!(most < OF_A_BYTE * bytes.len(), "{most} bytes of memory for {} of a diff", bytes.len());
        bytes[8..12].fill(u8::MAX);
        let most = counted::most_during(|| drop(Diff::from_bytes(&bytes).unwrap_err()));
        assert!(most < 1 << 10, "{most} bytes of memory for what is not there");
    }
}
