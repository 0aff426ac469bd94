//! Tests the semantics of each step, case by case. A step that flatgraph has too must have flatgraph's
//! semantics.

use varvite::pipeline::{
    ALL, Key, Literal, Options, Pipeline, Repeat, between, contains, edges, eq, gt, gte, ids, inside, it, lt,
    lte, ne, nodes, none_of, one_of, outside, prefix, regex, suffix,
};
use varvite::{Graph, Profile};
use varvite_model::{ModelGraph, NodeId, RandomGraph, Value};
use varvite_testing::draft::Draft;

use super::{rows_of, rows_with};

/// A node in the middle, with a chain of three nodes to its left and a chain of five nodes to its right.
///
/// ```text
/// L3 <- L2 <- L1 <- C -> R1 -> R2 -> R3 -> R4 -> R5
/// ```
fn chains() -> Graph {
    let names = ["C", "L1", "L2", "L3", "R1", "R2", "R3", "R4", "R5"];
    graph(&names, &[(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (6, 7), (7, 8)])
}

/// A graph of nodes with CFG edges. Each node has a NAME, and its number as ORDER.
fn graph(names: &[&str], edges: &[(usize, usize)]) -> Graph {
    let mut model = ModelGraph::default();
    for (number, name) in (0..).zip(names) {
        let node = model.add_node(&[if number == 0 { "METHOD" } else { "BLOCK" }]);
        model.set_property(node, "NAME", vec![Value::string(name)]);
        model.set_property(node, "ORDER", vec![Value::I32(number)]);
    }
    for (source, target) in edges {
        model.add_edge(NodeId(*source), "CFG", NodeId(*target), None);
    }
    Draft::of(&model.in_canonical_order()).open(Profile::Compact)
}

/// Checks the names of the nodes that a pipeline gives.
#[track_caller]
fn check(graph: &Graph, pipeline: Pipeline, names: &str) {
    let found: Vec<String> = rows_of(graph, &pipeline.values("NAME"))
        .iter()
        .map(|name| name.trim_matches('"').to_owned())
        .collect();
    assert_eq!(found.join(" "), names);
}

fn center() -> Pipeline {
    nodes("METHOD")
}

fn flow() -> Pipeline {
    it().out("CFG")
}

/// Tests that a run for many rows, which ends at a row with many results, leaves no row out. All edges of the
/// graph lead to one node.
#[test]
fn rows_behind_a_row_with_many_results_have_results_too() {
    let edges: Vec<_> = (1..=40).map(|leaf| (leaf, 0)).collect();
    let (star, options) = (graph(&["a"; 41], &edges), || Options { batch_rows: 20, ..Options::default() });
    let incoming = || it().in_("CFG");
    let firsts = |starts: Pipeline| rows_with(&star, &starts.map(Key::first(incoming())), options());
    assert_eq!(firsts(nodes("BLOCK").out("CFG")), vec!["#1"; 40]);
    assert_eq!(firsts(nodes(ALL)), ["#1"]);
    let asked = incoming().dedup();
    assert_eq!(rows_with(&star, &nodes(ALL).where_(asked.clone()), options()), ["#0"]);
    let leaves: Vec<String> = (1..=40).map(|leaf| format!("#{leaf}")).collect();
    assert_eq!(rows_with(&star, &nodes(ALL).where_not(asked), options()), leaves);
}

/// Tests a branch of a `coalesce` that gives more results than are held for a run for many rows: each of
/// three nodes has 7,000 incoming edges.
#[test]
fn a_branch_with_many_results_runs_for_fewer_rows() {
    let edges: Vec<_> = (3..21_003).map(|leaf| (leaf, leaf % 3)).collect();
    let star = graph(&["a"; 21_003], &edges);
    let either = || [it().in_("CFG"), it().out("CFG")];
    let leaves = (0..3).flat_map(|hub| (3..21_003).filter(move |leaf| leaf % 3 == hub));
    let expected: Vec<String> =
        leaves.chain(edges.iter().map(|edge| edge.1)).map(|node| format!("#{node}")).collect();
    for batch_rows in [1, 100, 1024] {
        let options = Options { batch_rows, ..Options::default() };
        assert!(rows_with(&star, &nodes(ALL).coalesce(either()), options) == expected, "{batch_rows}");
    }
    let hubs = nodes("BLOCK").has("ORDER", between(3, 303)).out("CFG");
    assert_eq!(rows_of(&star, &hubs.coalesce(either()).count()), ["2100000"]);
}

/// Tests that a constant for nodes without a text is one text with an equal text of the property, and that
/// groups of both come in the order of their bytes.
#[test]
fn a_constant_for_absent_texts_is_one_of_the_texts() {
    let graph = graph_of_texts(&["b", "", "c", "a", "", "b"]);
    let filled = |text: &str| Key::first_of([Key::from("NAME"), Key::constant(text)]);
    let name = |text: &str| nodes(ALL).map(filled(text));
    for (text, rows, distinct, groups) in [
        ("b", "b b c a b b", "b c a", "a 1 b 4 c 1"),
        ("aa", "b aa c a aa b", "b aa c a", "a 1 aa 2 b 2 c 1"),
    ] {
        let given = |pipeline: &Pipeline| {
            let rows = rows_of(&graph, pipeline).join(" ").replace(['"', '[', ']', '|'], "");
            rows.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let equal = rows.split(' ').filter(|row| *row == text).count().to_string();
        assert_eq!(given(&name(text)), rows);
        assert_eq!(given(&name(text).dedup()), distinct);
        assert_eq!(given(&nodes(ALL).dedup_by(filled(text)).map(filled(text))), distinct);
        assert_eq!(given(&nodes(ALL).group_count(filled(text))), groups);
        assert_eq!(given(&name(text).group_count(Key::Itself)), groups);
        assert_eq!(given(&name(text).is(eq(text)).count()), equal);
    }
    let both = [it().map(filled("x")), it().map(Key::first_of([Key::from("CODE"), Key::constant("x")]))];
    assert_eq!(rows_of(&graph, &nodes(ALL).union(both).dedup().count()), ["4"]);
}

/// A graph of nodes without edges, whose NAMEs are given; an empty one stands for none. One has a CODE.
fn graph_of_texts(names: &[&str]) -> Graph {
    let mut model = ModelGraph::default();
    for name in names {
        let node = model.add_node(&["BLOCK"]);
        if name.starts_with('c') {
            model.set_property(node, "CODE", vec![Value::string("b")]);
        }
        if !name.is_empty() {
            model.set_property(node, "NAME", vec![Value::string(name)]);
        }
    }
    Draft::of(&model.in_canonical_order()).open(Profile::Compact)
}

/// Tests that, in every comparison, a 32-bit float counts as the 64-bit float with the same value, and a
/// whole number is compared exactly.
#[test]
fn numbers_are_compared_exactly() {
    let mut model = ModelGraph::default();
    let node = model.add_node(&["LITERAL"]);
    model.set_property(node, "F32", vec![Value::F32(0.1)]);
    model.set_property(node, "F64", vec![Value::F64(9_007_199_254_740_992.0)]);
    model.set_property(node, "I64", vec![Value::I64(9_007_199_254_740_993)]);
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Direct);
    let passing = |property: &str, value: Literal, (low, high): (Literal, Literal)| {
        let all = [
            ("lt", lt(value.clone())),
            ("lte", lte(value.clone())),
            ("eq", eq(value.clone())),
            ("one_of", one_of([value.clone(), 7.into()])),
            ("gte", gte(value.clone())),
            ("gt", gt(value.clone())),
            ("ne", ne(value.clone())),
            ("none_of", none_of([value.clone()])),
            ("between", between(value.clone(), high)),
            ("inside", inside(low, value.clone())),
            ("outside", outside(value.clone(), value)),
        ];
        let passes = |is| !rows_of(&graph, &nodes(ALL).has(property, is)).is_empty();
        all.into_iter()
            .filter(|(_, is)| passes(is.clone()))
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let greater = "gte gt ne none_of between outside";
    let (equal, less) = ("lte eq one_of gte between", "lt lte ne none_of inside outside");
    let small = || (Literal::from(0.0), Literal::from(1.0));
    assert_eq!(passing("F32", 0.1.into(), small()), greater);
    assert_eq!(passing("F32", f64::from(0.1f32).into(), small()), equal);
    assert_eq!(passing("F32", 0.100_000_01.into(), small()), less);
    // The value is 2^53; no float is equal to 2^53 + 1.
    let large = || (Literal::from(0), Literal::from(u64::MAX));
    assert_eq!(passing("F64", 9_007_199_254_740_991_i64.into(), large()), greater);
    assert_eq!(passing("F64", 9_007_199_254_740_992_i64.into(), large()), equal);
    assert_eq!(passing("F64", 9_007_199_254_740_993_i64.into(), large()), less);
    assert_eq!(passing("I64", 9_007_199_254_740_992.0.into(), large()), greater);
    assert_eq!(passing("I64", 9_007_199_254_740_993_i64.into(), large()), equal);
}

#[test]
fn repeat_without_more_walks_everything_and_gives_nothing() {
    check(&chains(), center().repeat(flow(), |repeat| repeat), "");
}

#[test]
fn repeat_times_gives_what_is_reached_at_exactly_that_depth() {
    check(&chains(), center().repeat(flow(), |repeat| repeat.times(0)), "C");
    check(&chains(), center().repeat(flow(), |repeat| repeat.times(2)), "L2 R2");
    check(&chains(), center().repeat(flow(), |repeat| repeat.times(4)), "R4");
    check(&chains(), center().repeat(flow(), |repeat| repeat.times(6)), "");
}

#[test]
fn emit_gives_nodes_in_pre_order_the_start_included() {
    check(&chains(), center().repeat(flow(), |repeat| repeat.emit()), "C L1 L2 L3 R1 R2 R3 R4 R5");
    check(
        &chains(),
        center().repeat(flow(), |repeat| repeat.emit_all_but_first()),
        "L1 L2 L3 R1 R2 R3 R4 R5",
    );
    let right = it().has("NAME", prefix("R"));
    check(&chains(), center().repeat(flow(), |repeat| repeat.emit_where(right)), "R1 R2 R3 R4 R5");
}

#[test]
fn breadth_first_is_level_by_level() {
    let wide = center().repeat(flow(), |repeat| repeat.emit().breadth_first());
    check(&chains(), wide, "C L1 R1 L2 R2 L3 R3 R4 R5");
}

#[test]
fn nodes_at_the_last_depth_come_out_whatever_emit_says() {
    let left = it().has("NAME", prefix("L"));
    check(&chains(), center().repeat(flow(), |repeat| repeat.emit().times(2)), "C L1 L2 R1 R2");
    check(&chains(), center().repeat(flow(), |repeat| repeat.emit_where(left).times(2)), "L1 L2 R2");
}

#[test]
fn until_gives_what_it_finds_and_does_not_go_on() {
    let named = |name: &str| it().has("NAME", eq(name));
    check(&chains(), center().repeat(flow(), |repeat| repeat.until(named("R2"))), "R2");
    check(&chains(), center().repeat(flow(), |repeat| repeat.until(named("R2")).emit()), "C L1 L2 L3 R1 R2");
    // The condition `until` is not tested at the start.
    check(&chains(), center().repeat(flow(), |repeat| repeat.until(it())), "L1 R1");
}

#[test]
fn whilst_asks_the_start_too_and_gives_the_first_that_fails() {
    let not = |name: &str| it().has("NAME", ne(name));
    check(&chains(), center().repeat(flow(), |repeat| repeat.whilst(not("C"))), "C");
    check(&chains(), center().repeat(flow(), |repeat| repeat.whilst(not("L2"))), "L2");
    check(
        &chains(),
        center().repeat(flow(), |repeat| repeat.whilst(not("L2")).emit()),
        "C L1 L2 R1 R2 R3 R4 R5",
    );
}

#[test]
fn dedup_inside_repeat_is_for_each_start() {
    // Two starts reach the same node, one of them twice.
    let graph = graph(&["A", "B", "X", "Y"], &[(0, 2), (1, 2), (0, 3), (3, 2)]);
    let walk = |repeat: Repeat| repeat.emit_all_but_first();
    check(&graph, ids([0, 1]).repeat(flow(), walk), "X Y X X");
    check(&graph, ids([0, 1]).repeat(flow(), |repeat| walk(repeat).dedup()), "X Y X");
    check(&graph, ids([0, 1]).repeat(flow(), |repeat| walk(repeat).dedup()).dedup(), "X Y");
}

#[test]
fn dedup_ends_a_walk_on_a_cycle() {
    let graph = graph(&["A", "B", "C"], &[(0, 1), (1, 2), (2, 0)]);
    for order in [std::convert::identity, Repeat::breadth_first] {
        check(&graph, center().repeat(flow(), |repeat| order(repeat.dedup().emit())), "A B C");
        check(&graph, center().repeat(flow(), |repeat| order(repeat.dedup().emit_all_but_first())), "B C");
    }
}

#[test]
fn a_walk_may_be_as_deep_as_the_graph() {
    let count = 20_000;
    let names = vec!["N"; count];
    let edges: Vec<(usize, usize)> = (1..count).map(|node| (node - 1, node)).collect();
    let graph = graph(&names, &edges);
    for order in [std::convert::identity, Repeat::breadth_first] {
        let walk = center().repeat(flow(), |repeat| order(repeat.emit())).count();
        assert_eq!(rows_of(&graph, &walk), [count.to_string()]);
        let steps = center().repeat(flow().has("NAME", eq("N")), |repeat| order(repeat.emit())).count();
        assert_eq!(rows_of(&graph, &steps), [count.to_string()]);
    }
}

#[test]
fn depth_counts_the_turns() {
    let walk = center().repeat(flow(), |repeat| repeat.emit());
    assert_eq!(rows_of(&chains(), &walk.depth()), ["0", "1", "2", "3", "1", "2", "3", "4", "5"]);
}

#[test]
fn a_path_has_everything_from_the_start() {
    let hops = center().out("CFG").out("CFG").path();
    assert_eq!(rows_of(&chains(), &hops), ["[#0 #1 #2]", "[#0 #4 #5]"]);
    let walk = center().repeat(flow(), |repeat| repeat.times(3)).path();
    assert_eq!(rows_of(&chains(), &walk), ["[#0 #1 #2 #3]", "[#0 #4 #5 #6]"]);
    let with_edges = center().out_edges("CFG").limit(1).target().path();
    assert_eq!(rows_of(&chains(), &with_edges), ["[#0 CFG 0>1 @0 #1]"]);
    let conditions = center().where_(flow().out("CFG")).path();
    assert_eq!(rows_of(&chains(), &conditions), ["[#0]"]);
}

#[test]
fn edges_of_long_lists_have_the_same_rank_from_both_ends() {
    // The ids in the hubs' lists are in descending order. The lists contain parallel edges, and edges from
    // one hub to the other.
    let mut model = ModelGraph::default();
    let blocks: Vec<NodeId> = (0..700).map(|_| model.add_node(&["BLOCK"])).collect();
    for hub in [NodeId(3), NodeId(400)] {
        for turn in [1, 3] {
            let targets = blocks.iter().rev().filter(|node| node.0 % turn == 0);
            targets.for_each(|target| model.add_edge(hub, "CFG", *target, None));
        }
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Compact);
    let sorted = |pipeline| {
        let mut rows = rows_of(&graph, &pipeline);
        rows.sort_unstable();
        rows
    };
    let out = sorted(nodes(ALL).out_edges("CFG"));
    assert_eq!(out.len(), 2 * (700 + 234));
    assert_eq!(sorted(nodes(ALL).in_edges("CFG")), out);
    // The starts go from the last node to the first, so that the lists are not read in the order of ids.
    assert_eq!(sorted(ids((0..700).rev()).in_edges("CFG")), out);
}

#[test]
fn a_simple_path_has_nothing_twice() {
    let there_and_back = ids([1]).both("CFG").both("CFG");
    check(&chains(), there_and_back.clone(), "L3 L1 L1 R1");
    check(&chains(), there_and_back.simple_path(), "L3 R1");
}

#[test]
fn values_are_no_part_of_a_simple_path() {
    // The first node's ORDER is 0, and so is the depth of every row. The first row thus has the value 0
    // twice, but values are not part of paths.
    let orders = nodes(ALL).values("ORDER").depth().simple_path().count();
    assert_eq!(rows_of(&chains(), &orders), ["9"]);
}

#[test]
fn union_takes_row_by_row() {
    let both = [it().out("CFG"), it().in_("CFG")];
    check(&chains(), ids([1, 4]).union(both), "L2 C R2 C");
    check(&chains(), ids([1]).union([it(), it().limit(0), it()]), "L1 L1");
}

#[test]
fn coalesce_takes_the_first_branch_that_gives() {
    let far = || it().out("CFG").out("CFG").out("CFG");
    check(&chains(), ids([1, 4, 8]).coalesce([far(), it().out("CFG")]), "L2 R4");
    check(&chains(), ids([1, 4, 8]).coalesce([far(), it()]), "L1 R4 R5");
}

#[test]
fn choose_without_a_match_gives_nothing() {
    let cases = || [(eq("L1"), it().out("CFG")), (prefix("R"), it().in_("CFG"))];
    let on = || it().values("NAME");
    check(&chains(), ids([0, 1, 4]).choose(on(), cases(), None), "L2 C");
    check(&chains(), ids([0, 1, 4]).choose(on(), cases(), Some(it())), "C L2 C");
    // For a row without a value, the same branch runs as for a value that matches no case.
    check(&chains(), ids([0]).choose(it().values("CODE"), cases(), Some(it())), "C");
}

#[test]
fn conditions_ask_whether_anything_is_given() {
    let next = || it().out("CFG");
    check(&chains(), nodes(ALL).where_not(next()), "L3 R5");
    check(&chains(), nodes(ALL).where_(next().has("NAME", eq("L2"))), "L1");
    check(&chains(), nodes(ALL).and([next(), it().in_("CFG")]), "L1 L2 R1 R2 R3 R4");
    check(&chains(), nodes(ALL).or([it().has("NAME", eq("C")), it().has("NAME", eq("L3"))]), "C L3");
    check(&chains(), nodes(ALL).where_(next().count().is(gt(1))), "C");
    check(&chains(), nodes(ALL).where_(next().out("CFG").dedup().limit(1)), "C L1 R1 R2 R3");
}

#[test]
fn absent_values_fail_has_and_pass_has_not() {
    let graph = chains();
    assert_eq!(rows_of(&graph, &nodes(ALL).dedup().has_any("CODE").count()), ["0"]);
    assert_eq!(rows_of(&graph, &nodes(ALL).dedup().has("CODE", ne("x")).count()), ["0"]);
    assert_eq!(rows_of(&graph, &nodes(ALL).has_not("CODE", eq("x")).count()), ["9"]);
    assert_eq!(rows_of(&graph, &nodes(ALL).has_none("CODE").count()), ["9"]);
}

#[test]
fn a_regular_expression_matches_the_whole_text_and_a_dot_everything() {
    let graph = graph(&["memcpy", "xmemcpy", "mem\ncpy", "memset"], &[]);
    let named = |pattern: &str| rows_of(&graph, &nodes(ALL).has("NAME", regex(pattern)));
    assert_eq!(named("mem(cpy|set)"), ["#0", "#3"]);
    assert_eq!(named("mem.*"), ["#0", "#2", "#3"]);
    assert_eq!(named("mem"), [""; 0]);
    assert_eq!(named("mem|memcpy"), ["#0"]);
    assert_eq!(named("(?i)MEMCPY"), ["#0"]);
    assert_eq!(named("(?x) mem cpy # verbose, with a comment at the end"), ["#0"]);
}

#[test]
fn a_text_is_found_wherever_it_is_and_however_it_overlaps() {
    let names = ["aaa", "xaa", "axa", "aa", "a", "xaaax", "", "aax"];
    let graph = graph(&names, &[]);
    for wanted in ["aa", "a", "ax", "aaa", "", "y"] {
        let expected = (0..).zip(names).filter(|(_, name)| name.contains(wanted));
        let expected: Vec<String> = expected.map(|(node, _): (u32, _)| format!("#{node}")).collect();
        assert_eq!(rows_of(&graph, &nodes(ALL).has("NAME", contains(wanted))), expected, "{wanted:?}");
    }
}

#[test]
fn texts_and_numbers_are_compared_as_asked() {
    let graph = chains();
    check(&graph, nodes(ALL).has("NAME", one_of(["R5", "L1", "none"])), "L1 R5");
    check(&graph, nodes(ALL).has("NAME", none_of(["C", "L1", "R1", "R2", "R3"])), "L2 L3 R4 R5");
    check(&graph, nodes(ALL).has("NAME", suffix("3")), "L3 R3");
    check(&graph, nodes(ALL).has("NAME", contains("2")), "L2 R2");
    check(&graph, nodes(ALL).has("ORDER", between(1, 3)), "L1 L2");
    check(&graph, nodes(ALL).has("ORDER", inside(1, 3)), "L2");
    check(&graph, nodes(ALL).has("ORDER", outside(1, 7)), "C R5");
    check(&graph, nodes(ALL).has("ORDER", lt(1.5)), "C L1");
    check(&graph, nodes(ALL).has("ORDER", eq(1.5)), "");
    check(&graph, nodes(ALL).has("ORDER", lt(u64::MAX)).limit(1), "C");
}

#[test]
fn edges_have_ends_labels_and_ranks() {
    let graph = chains();
    let all = rows_of(&graph, &edges("CFG").limit(3));
    assert_eq!(all, ["CFG 0>1 @0", "CFG 0>4 @1", "CFG 1>2 @2"]);
    assert_eq!(rows_of(&graph, &ids([4]).in_edges("CFG")), ["CFG 0>4 @1"]);
    check(&graph, ids([4]).both_edges(ALL).source(), "R1 C");
    assert_eq!(rows_of(&graph, &ids([4]).both_edges(ALL).label().dedup()), ["\"CFG\""]);
}

#[test]
fn rows_are_sorted_stably_and_those_without_a_key_come_last() {
    let graph = chains();
    check(&graph, nodes(ALL).order_by_descending("NAME").limit(3), "R5 R4 R3");
    check(&graph, nodes(ALL).order_by("CODE").limit(2), "C L1");
    check(&graph, ids([3, 1, 2]).order_by(Key::Itself), "L1 L2 L3");
    check(&graph, ids([3, 1, 2]).order_by(Key::Label), "L3 L1 L2");
}

#[test]
fn groups_have_every_row_once() {
    let graph = chains();
    let mut counts = rows_of(&graph, &nodes(ALL).group_count(Key::Label));
    counts.sort();
    assert_eq!(counts, ["[\"BLOCK\"] | [8]", "[\"METHOD\"] | [1]"]);
    assert_eq!(rows_of(&graph, &nodes(ALL).limit(3).group("CODE")), ["[] | [#0 #1 #2]"]);
    assert_eq!(rows_of(&graph, &ids([2, 0, 2]).group(Key::Itself)), ["[#0] | [#0]", "[#2] | [#2 #2]"]);
}

#[test]
fn groups_of_fractions_rise_below_zero_too() {
    let mut model = ModelGraph::default();
    for (number, fraction) in (0..).zip([0.5f32, -0.25, -2.0, 0.5, 0.0]) {
        let node = model.add_node(&["BLOCK"]);
        model.set_property(node, "F32", vec![Value::F32(fraction)]);
        model.set_property(node, "F64", vec![Value::F64(f64::from(fraction))]);
        model.set_property(node, "ORDER", vec![Value::I32(number)]);
    }
    let graph = Draft::of(&model.in_canonical_order()).open(Profile::Compact);
    for property in ["F32", "F64"] {
        let groups = rows_of(&graph, &nodes(ALL).group(property));
        let members: Vec<&str> = groups.iter().filter_map(|group| group.split(" | ").last()).collect();
        assert_eq!(members, ["[#2]", "[#1]", "[#4]", "[#0 #3]"], "{property}");
    }
}

#[test]
fn groups_are_sorted_and_cut() {
    let graph = graph(&["a", "b", "c", "b", "c", "c", "d"], &[(0, 1), (0, 2), (0, 3), (2, 0)]);
    let by_count = || nodes(ALL).group_count("NAME").order_by_descending(Key::column("count"));
    let all = ["[\"c\"] | [3]", "[\"b\"] | [2]", "[\"a\"] | [1]", "[\"d\"] | [1]"];
    assert_eq!(rows_of(&graph, &by_count()), all);
    assert_eq!(rows_of(&graph, &by_count().limit(2)), all[..2]);
    assert_eq!(rows_of(&graph, &by_count().skip(1).limit(2)), all[1..3]);
    assert_eq!(rows_of(&graph, &by_count().skip(3)), all[3..]);
    assert_eq!(rows_of(&graph, &nodes(ALL).group_count("NAME").count()), ["4"]);
    let by_size = nodes(ALL).group("NAME").order_by_descending(Key::column("nodes")).limit(2);
    assert_eq!(rows_of(&graph, &by_size), ["[\"c\"] | [#2 #4 #5]", "[\"b\"] | [#1 #3]"]);
    let falling = nodes(ALL).group_count("NAME").order_by_descending(Key::column("NAME")).limit(1);
    assert_eq!(rows_of(&graph, &falling), ["[\"d\"] | [1]"]);
}

#[test]
fn rows_of_columns_keep_their_edges_when_they_are_sorted() {
    let graph = graph(&["a", "b", "c"], &[(0, 1), (0, 2), (1, 2)]);
    let table = || edges("CFG").columns([Key::Itself, Key::Label]);
    let falling = table().order_by_descending(Key::column("edge"));
    let all = ["[CFG 1>2 @2] | [\"CFG\"]", "[CFG 0>2 @1] | [\"CFG\"]", "[CFG 0>1 @0] | [\"CFG\"]"];
    assert_eq!(rows_of(&graph, &falling), all);
    assert_eq!(rows_of(&graph, &falling.limit(2)), all[..2]);
    assert_eq!(rows_of(&graph, &table().skip(2)), all[..1]);
    let paths = ids([0, 1]).out_edges("CFG").target().path();
    let longest =
        ids([0]).repeat(flow(), |repeat| repeat.emit()).path().order_by_descending(Key::column("path"));
    assert_eq!(rows_of(&graph, &paths.skip(1).limit(1)), ["[#0 CFG 0>2 @1 #2]"]);
    assert_eq!(rows_of(&graph, &longest.limit(2)), ["[#0 #1 #2]", "[#0 #1]"]);
}

#[test]
fn keys_that_share_a_search_are_those_of_each_row_alone() {
    let graph = Draft::of(
        &RandomGraph { nodes: 2000, edges: 2000, ..RandomGraph::new(7) }.build().in_canonical_order(),
    );
    let graph = graph.open(Profile::Direct);
    let of_method = |property: &str| Key::first(it().nearest_ancestor("METHOD").values(property));
    let properties = ["NAME", "ORDER", "F32", "EVIDENCE", "STRING_LIST"];
    let start = || nodes("CALL").order_by_descending("CODE");
    let together = rows_of(&graph, &start().columns(properties.map(of_method)));
    let alone = properties.map(|property| {
        let rows = rows_of(&graph, &start().columns([of_method(property), Key::constant(1)]));
        rows.into_iter().map(|row| row.strip_suffix(" | [1]").unwrap().to_owned()).collect::<Vec<_>>()
    });
    for (number, row) in together.iter().enumerate() {
        assert_eq!(*row, alone.each_ref().map(|rows| rows[number].clone()).join(" | "));
    }
    assert!(together.len() > 100 && together.iter().any(|row| row.starts_with("[\"")));
}

#[test]
fn groups_by_texts_and_a_constant_are_in_the_order_of_the_texts() {
    let long = "a long text ".repeat(9);
    let texts = ["b", &format!("{long}2"), "", "a\0", &long, "a", "é", &format!("{long}1"), "a\0b"];
    let graph = graph(&texts, &[]);
    let by_name = |constant: &str| Key::first_of([Key::from("NAME"), Key::constant(constant)]);
    let mut sorted = texts;
    sorted.sort_unstable();
    let counted = rows_of(&graph, &nodes(ALL).group_count(by_name("another")));
    assert_eq!(counted, sorted.map(|text| format!("[{text:?}] | [1]")));
}

#[test]
fn the_first_rows_of_an_order_are_those_of_the_whole_order() {
    let names: Vec<String> = (0..5000u32).map(|number| format!("{}", number * 7919 % 97)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let graph = graph(&names, &[]);
    for pipeline in [nodes(ALL).order_by("NAME"), nodes(ALL).order_by_descending("NAME")] {
        let all = rows_of(&graph, &pipeline);
        for (skip, limit) in [(0, 1), (0, 20), (7, 600), (0, 2000), (4990, 100), (0, 0)] {
            let some = rows_of(&graph, &pipeline.clone().skip(skip).limit(limit));
            let expected: Vec<String> =
                all.iter().skip(skip as usize).take(limit as usize).cloned().collect();
            assert_eq!(some, expected, "{skip} {limit}");
        }
    }
}

#[test]
fn numbers_are_folded() {
    let order = || nodes(ALL).values("ORDER");
    let graph = chains();
    assert_eq!(rows_of(&graph, &order().sum()), ["36"]);
    assert_eq!(rows_of(&graph, &order().min()), ["0"]);
    assert_eq!(rows_of(&graph, &order().max()), ["8"]);
    assert_eq!(rows_of(&graph, &order().mean()), [format!("f{:x}", 4f64.to_bits())]);
    let none = || nodes(ALL).limit(0).values("ORDER");
    assert_eq!(rows_of(&graph, &none().sum()), ["0"]);
    assert_eq!(rows_of(&graph, &none().count()), ["0"]);
    assert!(rows_of(&graph, &none().mean()).is_empty() && rows_of(&graph, &none().min()).is_empty());
}

#[test]
fn a_sample_is_a_part_in_order_and_the_same_for_the_same_seed() {
    let graph = chains();
    let sample = |count, seed| rows_of(&graph, &nodes(ALL).sample(count, seed));
    assert_eq!(sample(4, 1), sample(4, 1));
    assert!((0..20).any(|seed| sample(4, seed) != sample(4, 1)));
    for seed in 0..20 {
        let rows = sample(4, seed);
        assert!(rows.len() == 4 && rows.windows(2).all(|pair| pair[0] < pair[1]), "{rows:?}");
    }
    assert_eq!(sample(100, 1).len(), 9);
    assert_eq!(sample(0, 1), [""; 0]);
}

#[test]
fn every_row_is_as_likely_to_be_drawn() {
    let graph = chains();
    let mut drawn = [0u32; 9];
    for seed in 0..900 {
        for row in rows_of(&graph, &nodes(ALL).sample(3, seed)) {
            drawn[row[1..].parse::<usize>().unwrap()] += 1;
        }
    }
    // The expected count of each node is 300; 6 standard deviations are 85.
    assert!(drawn.iter().all(|count| (215..385).contains(count)), "{drawn:?}");
}

#[test]
fn a_consumer_that_stops_early_costs_what_it_took() {
    // A walk on a cycle never ends on its own.
    let graph = graph(&["A", "B"], &[(0, 1), (1, 0)]);
    for batch_rows in [1, 2048] {
        let options = Options { batch_rows, ..Options::default() };
        let walk = center().repeat(flow(), |repeat| repeat.emit()).limit(5);
        assert_eq!(rows_with(&graph, &walk, options), ["#0", "#1", "#0", "#1", "#0"]);
    }
    let options = Options { batch_rows: 4, profile: true, ..Options::default() };
    let mut run = nodes(ALL).out("CFG").limit(1).compile(&chains()).unwrap().run(options);
    while run.next().unwrap().is_some() {}
    let first = run.profile().lines[0].measured.unwrap();
    assert!(first.rows <= 4, "{first:?}");
}

/// A null reference is stored as a number that is greater than all ids, but no comparison may treat it as
/// one.
#[test]
fn a_null_reference_is_in_no_range_and_equals_nothing() {
    let options = RandomGraph { nodes: 600, edges: 2000, ..RandomGraph::new(5) };
    let graph = Draft::of(&options.build().in_canonical_order()).open(Profile::Compact);
    let property = graph.property("EVIDENCE").unwrap();
    let nulls: Vec<u32> =
        property.owners().filter(|owner| property.get(*owner) == Some(varvite::Value::Ref(None))).collect();
    assert!(!nulls.is_empty());
    let holders = || ids(nulls.iter().copied());
    for predicate in
        [gt(41), gte(0), outside(3, 5), eq(u32::MAX), one_of([u32::MAX, 7]), between(0, u64::MAX)]
    {
        assert!(rows_of(&graph, &holders().has("EVIDENCE", predicate.clone())).is_empty(), "{predicate:?}");
        let kept = rows_of(&graph, &holders().has_not("EVIDENCE", predicate.clone()));
        assert_eq!(kept.len(), nulls.len(), "{predicate:?}");
    }
    assert_eq!(rows_of(&graph, &holders().has("EVIDENCE", ne(u32::MAX))).len(), nulls.len());
}
