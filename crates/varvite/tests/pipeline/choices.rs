//! Tests the choices of the planner, as `explain` shows them.

use varvite::pipeline::{
    ALL, Key, Options, Pipeline, Step, between, contains, eq, gt, it, nodes, one_of, regex,
};
use varvite::{Graph, Profile, Task};
use varvite_model::{AstShape, ModelGraph, RandomGraph, Value};
use varvite_testing::draft::Draft;

use super::rows_of;

fn draft(ast: AstShape) -> Draft {
    let options = RandomGraph { nodes: 3000, edges: 3000, ast, ..RandomGraph::new(5) };
    Draft::of(&options.build().in_canonical_order())
}

fn graph() -> Graph {
    draft(AstShape::Forest).open(Profile::Direct)
}

#[track_caller]
fn check(graph: &Graph, pipeline: Pipeline, lines: &[&str]) {
    let explanation = pipeline.compile(graph).unwrap().explain();
    let found = explanation.lines.iter().map(|line| format!("{}: {}", line.name(), line.operator));
    assert_eq!(found.collect::<Vec<_>>(), lines);
}

#[test]
fn a_rare_value_is_searched_in_its_column() {
    let some_name = nodes(ALL).has("NAME", eq("main"));
    check(&graph(), some_name, &["1-2 nodes, has: column scan on NAME (equal)"]);
    let with_label = nodes("METHOD").has("ORDER", gt(3));
    let found = with_label.compile(&graph()).unwrap().explain().lines[0].operator.clone();
    assert!(found.contains("label METHOD") || found.starts_with("bitmap scan on METHOD"), "{found}");
}

#[test]
fn an_index_is_used_where_the_file_has_one() {
    let graph = draft(AstShape::Forest).indexed().open(Profile::Direct);
    check(&graph, nodes("CALL").has("NAME", eq("main")), &["1-2 nodes, has: index lookup on NAME"]);
    check(
        &graph,
        nodes(ALL).has("ORDER", gt(3)).has("NAME", one_of(["main", "free"])),
        &["1-3 nodes, has, has: index lookup on NAME, filter ORDER (range)"],
    );
    let first_line =
        |pipeline: Pipeline| pipeline.compile(&graph).unwrap().explain().lines[0].operator.clone();
    let has_choice = |pipeline| first_line(pipeline).ends_with(" texts), or index lookup if few texts match");
    assert!(has_choice(nodes(ALL).has("NAME", contains("ma"))));
    assert!(
        !first_line(nodes("CALL").has("NAME", regex("[a-m]*"))).contains("index"),
        "it can't be searched for"
    );
}

/// Tests that a union of conditions on one property begins with a look-up of all their values, and gives the
/// same rows as without an index.
#[test]
fn the_names_of_all_branches_are_looked_up() {
    let draft = draft(AstShape::Forest).indexed();
    let graph = draft.open(Profile::Direct);
    let named = |name: &str| it().has("NAME", eq(name));
    let nested = it().union([named("free").out(ALL), it().has("NAME", one_of(["main", "a"])).in_(ALL)]);
    let all = nodes("CALL").union([named("main"), nested]);
    let first = |pipeline: &Pipeline| pipeline.compile(&graph).unwrap().explain().lines[0].operator.clone();
    assert_eq!(first(&all), "index lookup on NAME");
    // A `dedup` between the scan and the union keeps all rows, but prevents the lookup.
    let union = |before: Pipeline| before.union([named("main"), it().union([named("free").out(ALL)])]);
    let scanned = union(nodes("CALL").dedup());
    assert!(first(&scanned).starts_with("bitmap scan on CALL"), "{}", first(&scanned));
    assert_eq!(rows_of(&graph, &union(nodes("CALL"))), rows_of(&graph, &scanned));
    let other = nodes("CALL").union([named("main"), it().has("ORDER", gt(3))]);
    assert!(first(&other).starts_with("bitmap scan on CALL"), "{}", first(&other));
}

#[test]
fn an_expression_of_a_few_texts_is_looked_up() {
    let graph = draft(AstShape::Forest).indexed().open(Profile::Direct);
    let few = nodes("CALL").has("NAME", regex("ma(in|lloc)"));
    check(&graph, few.clone(), &["1-2 nodes, has: index lookup on NAME"]);
    let same = nodes("CALL").has("NAME", one_of(["main", "malloc"]));
    assert_eq!(rows_of(&graph, &few), rows_of(&graph, &same));
}

#[test]
fn texts_that_pass_are_looked_up_or_not_with_the_same_rows() {
    let options = RandomGraph { nodes: 4000, edges: 8000, ..RandomGraph::new(3) };
    let model = options.build().in_canonical_order();
    let [plain, indexed] =
        [Draft::of(&model), Draft::of(&model).indexed()].map(|draft| draft.open(Profile::Compact));
    // Some words occur in few names and some in many. The searches start from one label, several labels, or
    // all labels.
    for word in ["abc", "ma", "a", "e", "no such text"] {
        for predicate in [contains(word), regex(format!(".*{word}.*")), regex(format!("(?i).*{word}"))] {
            for start in [nodes(ALL), nodes("CALL"), nodes(["METHOD", "CALL", "IDENTIFIER"])] {
                let pipeline = start.has("NAME", predicate.clone()).has("ORDER", gt(0));
                assert!(rows_of(&plain, &pipeline) == rows_of(&indexed, &pipeline), "{}", pipeline.to_json());
            }
        }
    }
}

#[test]
fn the_tree_is_ranges_where_there_is_an_index_of_it() {
    let down = || nodes("METHOD").repeat(it().out("AST"), |repeat| repeat.emit());
    let up = || nodes("CALL").repeat(it().in_("AST"), |repeat| repeat.until(it().has_label("METHOD")));
    let by_label = || nodes("METHOD").descendants().group_count(Key::Label);
    let first = "1 nodes: bitmap scan on METHOD";
    check(&graph(), down(), &[first, "2 repeat: subtree range"]);
    let calls = "1 nodes: bitmap scan on CALL";
    check(&graph(), up(), &[calls, "2 repeat: merge with subtree ranges of the label"]);
    check(
        &graph(),
        by_label(),
        &[first, "2-3 descendants, group_count: group count of labels over merged subtree ranges"],
    );

    let without = draft(AstShape::SharedChildren).open(Profile::Direct);
    let walk = "repeat depth first, expand out AST, emit all";
    check(&without, down(), &[first, &format!("2 repeat: {walk}")]);
    let walk = format!("2 descendants: {walk} but the first, each node once");
    check(&without, by_label(), &[first, &walk, "3 group_count: group count by label"]);
}

#[test]
fn the_first_ancestor_with_a_label_is_searched_like_the_nearest() {
    let first = it().then(Step::Ancestors { with_self: true }).has_label("METHOD").limit(1);
    let lines = nodes("CALL").map(Key::first(first)).compile(&graph()).unwrap().explain().lines;
    assert_eq!(lines[2].operator, "merge with subtree ranges of the label");
    assert_eq!(lines[2].name(), "2.1-2.3 ancestors, has_label, limit");
}

#[test]
fn keys_that_look_for_the_same_node_share_the_search() {
    let of_method = |property: &str| Key::first(it().nearest_ancestor("METHOD").values(property));
    let name = || Key::first_of([of_method("NAME"), Key::constant("none")]);
    let keys = [name(), of_method("ORDER"), Key::from("ORDER")];
    let operators = |keys: &[Key]| {
        let lines = nodes("CALL").columns(keys.to_vec()).compile(&graph()).unwrap().explain().lines;
        lines.into_iter().skip(1).map(|line| line.operator).collect::<Vec<_>>()
    };
    let shared = "compute node for several keys, first_of, first result";
    let search = "merge with subtree ranges of the label";
    assert_eq!(operators(&keys), [shared, search, "project first_of, first, ORDER"]);
    let alone = operators(&keys[1..]);
    assert_eq!(alone[..2], ["compute first result", search]);
    let neighbor = |property: &str| Key::first(it().out("CALL").values(property));
    let several = operators(&[neighbor("NAME"), neighbor("ORDER")]);
    assert_eq!(several[0], "compute first result, first result");
}

#[test]
fn the_nearest_ancestor_or_the_node_itself_is_one_search() {
    let either = |label: &str| [it().has_label("METHOD"), it().nearest_ancestor(label)];
    let calls = "1 nodes: bitmap scan on CALL";
    let line = "2 coalesce: merge with subtree ranges of the label";
    check(&graph(), nodes("CALL").coalesce(either("METHOD")), &[calls, line]);
    let other = nodes("CALL").coalesce(either("BLOCK")).compile(&graph()).unwrap().explain();
    assert_eq!(other.lines[1].operator, "coalesce of 2 branches");
}

#[test]
fn a_branch_of_one_hop_is_a_hop() {
    let calls = "1 nodes: bitmap scan on CALL";
    let some = |branch: Pipeline| nodes("CALL").union([branch]);
    let first = "2 union: expand in CALL, limit 2 for each row";
    check(&graph(), some(it().in_("CALL").limit(2)), &[calls, first]);
    let once = "2 union: expand in CALL, distinct for each row";
    check(&graph(), some(it().in_("CALL").dedup()), &[calls, once]);
}

#[test]
fn of_two_tests_of_labels_the_stronger_is_made() {
    let both = it().out("CALL").has_label(["CALL", "METHOD"]).has_label("METHOD");
    let line = "2 where: filter exists out CALL with label METHOD";
    check(&graph(), nodes("CALL").where_(both), &["1 nodes: bitmap scan on CALL", line]);
}

#[test]
fn a_sort_knows_how_many_rows_are_taken() {
    let by_count = || nodes("CALL").out("CALL").group_count("NAME").order_by_descending(Key::column("count"));
    let words = |pipeline: Pipeline| {
        let lines = pipeline.compile(&graph()).unwrap().explain().lines;
        lines
            .iter()
            .find(|line| line.steps.iter().any(|step| step.name() == "order"))
            .unwrap()
            .operator
            .clone()
    };
    assert_eq!(words(by_count()), "sort by count descending");
    assert_eq!(words(by_count().limit(20)), "top 20 by count descending");
    assert_eq!(words(by_count().skip(5).skip(1).limit(20)), "top 26 by count descending");
    assert_eq!(words(nodes(ALL).order_by("NAME").dedup().limit(20)), "sort by NAME");
}

#[test]
fn a_range_reads_only_blocks_that_may_hold_it() {
    // The values rise slowly and vary a little, so that blocks have different bounds, and no exceptions. (The
    // bounds of a block with exceptions are unknown until it is read.)
    let mut model = ModelGraph::default();
    for number in 0..50_000i64 {
        let node = model.add_node(&["BLOCK"]);
        model.set_property(node, "I64", vec![Value::I64(number * 3 + number * 7919 % 4)]);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Compact);
    let some = nodes(ALL).has("I64", between(75_000, 75_300));
    let plan = some.compile(&graph).unwrap();
    assert_eq!(plan.explain().lines[0].operator, "column scan on I64 (range)");
    for threads in [1, 2] {
        let mut run =
            plan.run(Options { task: Task::new().threads(threads), profile: true, ..Options::default() });
        let mut found = Vec::new();
        while let Some(rows) = run.next().unwrap() {
            found.extend_from_slice(rows.nodes().unwrap());
        }
        let is_wanted = |number: &u32| (75_000..75_300).contains(&(number * 3 + number * 7919 % 4));
        assert_eq!(found, (0..50_000).filter(is_wanted).collect::<Vec<u32>>());
        let read = run.profile().lines[0].measured.unwrap().values_read;
        assert!(read >= found.len() as u64 && read <= 1024, "{read} of 50000 values read");
    }
}

#[test]
fn a_profile_has_what_each_step_gave() {
    let pipeline = nodes("METHOD").out("AST").count();
    let mut run = pipeline.compile(&graph()).unwrap().run(Options { profile: true, ..Options::default() });
    let rows = run.next().unwrap().unwrap().numbers().unwrap()[0] as u64;
    assert!(run.next().unwrap().is_none());
    let measured = run.profile().lines.iter().map(|line| line.measured.unwrap().rows).collect::<Vec<_>>();
    assert_eq!(measured[1..], [rows, 1]);
    let shown = run.profile().to_string();
    assert!(shown.contains("ms") && shown.lines().count() == 4, "{shown}");
}
