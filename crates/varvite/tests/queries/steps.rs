//! Compares each named step with a plain loop, starting from every tenth node of the zlib graph.

use varvite_cpg::prelude::*;
use varvite_cpg::{ARRAY_ACCESSES, ASSIGNMENTS};

use super::plain::Plain;
use super::{Subject, zlib};

/// Compares the results of a step for some nodes, one node after the other, with those of a loop.
fn check(
    subject: &Subject,
    name: &str,
    step: impl Fn(Pipeline) -> Pipeline,
    expected: impl Fn(&Plain, u32) -> Vec<u32>,
) {
    let starts: Vec<u32> = subject.plain.nodes().step_by(10).collect();
    let mut run = step(ids(starts.iter().copied())).compile(&subject.graph).unwrap().run(Options::default());
    let mut found = Vec::new();
    while let Some(rows) = run.next().unwrap() {
        found.extend_from_slice(rows.nodes().unwrap());
    }
    let expected: Vec<u32> = starts.iter().flat_map(|start| expected(&subject.plain, *start)).collect();
    assert!(!expected.is_empty(), "{name} is tested by something");
    // The order of the nodes that a step reaches over any number of hops is not specified.
    found.sort_unstable();
    let mut expected = expected;
    expected.sort_unstable();
    assert_eq!(found, expected, "{name}");
}

fn up_to_method(graph: &Plain, node: u32) -> Vec<u32> {
    graph.above(node).into_iter().filter(|above| graph.is(*above, "METHOD")).take(1).collect()
}

fn callers(graph: &Plain, node: u32) -> Vec<u32> {
    graph.in_(node, "CALL").iter().flat_map(|call| up_to_method(graph, *call)).collect()
}

fn callees(graph: &Plain, node: u32) -> Vec<u32> {
    let calls = graph.out(node, "CONTAINS").iter().filter(|call| graph.is(**call, "CALL"));
    calls.flat_map(|call| graph.out(*call, "CALL").to_vec()).collect()
}

#[test]
fn steps_along_the_tree_follow_ast() {
    let subject = Subject::import(&zlib());
    check(&subject, "ast", Tree::ast, Plain::ast);
    check(&subject, "ast_minus_root", Tree::ast_minus_root, |graph, node| graph.ast(node).split_off(1));
    check(&subject, "in_ast", Tree::in_ast, |graph, node| [vec![node], graph.above(node)].concat());
    check(&subject, "in_ast_minus_leaf", Tree::in_ast_minus_leaf, Plain::above);
    check(&subject, "ast_parent", Tree::ast_parent, |graph, node| graph.in_(node, "AST").to_vec());
    check(&subject, "parent_block", Tree::parent_block, |graph, node| {
        graph.above(node).into_iter().filter(|above| graph.is(*above, "BLOCK")).take(1).collect()
    });
}

#[test]
fn children_come_in_the_order_of_order() {
    let subject = Subject::import(&zlib());
    let parents: Vec<u32> = subject.plain.labelled("CALL").take(500).collect();
    let mut run =
        ids(parents.clone()).ast_children().compile(&subject.graph).unwrap().run(Options::default());
    let mut found = Vec::new();
    while let Some(rows) = run.next().unwrap() {
        found.extend_from_slice(rows.nodes().unwrap());
    }
    let expected = parents.iter().flat_map(|parent| {
        let mut children = subject.plain.out(*parent, "AST").to_vec();
        children.sort_by_key(|child| subject.plain.number(*child, "ORDER"));
        children
    });
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[test]
fn steps_of_calls_follow_calls_arguments_and_what_methods_contain() {
    let subject = Subject::import(&zlib());
    check(&subject, "call_in", Calls::call_in, |graph, node| graph.in_(node, "CALL").to_vec());
    check(&subject, "callee", Calls::callee, |graph, node| graph.out(node, "CALL").to_vec());
    check(&subject, "callers", Calls::callers, callers);
    check(&subject, "callees", Calls::callees, callees);
    check(&subject, "transitive_callers", Calls::transitive_callers, |graph, node| {
        graph.closure(node, |node| callers(graph, node))
    });
    check(&subject, "transitive_callees", Calls::transitive_callees, |graph, node| {
        graph.closure(node, |node| callees(graph, node))
    });
    check(&subject, "argument", |from| from.argument(2), |graph, node| graph.arguments(node, 2).collect());
    check(&subject, "in_call", Calls::in_call, |graph, node| {
        graph.in_(node, "ARGUMENT").iter().copied().filter(|above| graph.is(*above, "CALL")).collect()
    });
    check(
        &subject,
        "parameter",
        |from| from.parameter(1),
        |graph, node| {
            let is_first = |child: &u32| {
                graph.is(*child, "METHOD_PARAMETER_IN") && graph.number(*child, "INDEX") == Some(1)
            };
            graph.out(node, "AST").iter().copied().filter(is_first).collect()
        },
    );
    check(&subject, "method_return", Calls::method_return, |graph, node| {
        graph.out(node, "AST").iter().copied().filter(|child| graph.is(*child, "METHOD_RETURN")).collect()
    });
}

#[test]
fn the_method_of_an_expression_is_the_one_that_contains_it() {
    let subject = Subject::import(&zlib());
    check(&subject, "method", Calls::method, |graph, node| match graph.is(node, "METHOD") {
        true => vec![node],
        false => up_to_method(graph, node),
    });
    let graph = &subject.plain;
    for node in graph.nodes().filter(|node| graph.container(*node).is_some()) {
        assert_eq!(up_to_method(graph, node), graph.container(node).into_iter().collect::<Vec<_>>());
    }
}

#[test]
fn steps_of_flow_are_closures_without_their_start() {
    let subject = Subject::import(&zlib());
    let closure_out =
        |label| move |graph: &Plain, node: u32| graph.closure(node, |node| graph.out(node, label).to_vec());
    let closure_in =
        |label| move |graph: &Plain, node: u32| graph.closure(node, |node| graph.in_(node, label).to_vec());
    check(&subject, "controls", Flow::controls, closure_out("CDG"));
    check(&subject, "controlled_by", Flow::controlled_by, closure_in("CDG"));
    check(&subject, "dominates", Flow::dominates, closure_out("DOMINATE"));
    check(&subject, "dominated_by", Flow::dominated_by, closure_in("DOMINATE"));
    check(&subject, "post_dominates", Flow::post_dominates, closure_out("POST_DOMINATE"));
    check(&subject, "post_dominated_by", Flow::post_dominated_by, closure_in("POST_DOMINATE"));
    check(&subject, "cfg_next", Flow::cfg_next, |graph, node| graph.out(node, "CFG").to_vec());
    check(
        &subject,
        "cfg_next_within",
        |from| from.cfg_next_within(3),
        |graph, node| {
            let mut all = Vec::new();
            let mut level = vec![node];
            for _ in 0..3 {
                level = level.iter().flat_map(|node| graph.out(*node, "CFG").to_vec()).collect();
                all.extend_from_slice(&level);
            }
            all
        },
    );
}

#[test]
fn steps_of_operators_know_their_names() {
    let subject = Subject::import(&zlib());
    let named = |graph: &Plain, node: u32, names: &[&str]| {
        graph.is(node, "CALL") && names.contains(&graph.text(node, "NAME"))
    };
    check(&subject, "assignments", Operators::assignments, |graph, node| {
        graph.ast(node).into_iter().filter(|node| named(graph, *node, &ASSIGNMENTS)).collect()
    });
    check(&subject, "array_accesses", Operators::array_accesses, |graph, node| {
        graph.ast(node).into_iter().filter(|node| named(graph, *node, &ARRAY_ACCESSES)).collect()
    });
    check(&subject, "in_assignment", Operators::in_assignment, |graph, node| {
        graph.above(node).into_iter().filter(|node| named(graph, *node, &ASSIGNMENTS)).collect()
    });
    check(&subject, "nearest_assignment", Operators::nearest_assignment, |graph, node| {
        graph.above(node).into_iter().filter(|node| named(graph, *node, &ASSIGNMENTS)).take(1).collect()
    });
}

#[test]
fn steps_of_references_lead_to_declarations_types_and_files() {
    let subject = Subject::import(&zlib());
    check(&subject, "refs_to", References::refs_to, |graph, node| graph.out(node, "REF").to_vec());
    check(&subject, "referencing_identifiers", References::referencing_identifiers, |graph, node| {
        graph.in_(node, "REF").iter().copied().filter(|node| graph.is(*node, "IDENTIFIER")).collect()
    });
    check(&subject, "eval_type", References::eval_type, |graph, node| graph.out(node, "EVAL_TYPE").to_vec());
    check(&subject, "condition", References::condition, |graph, node| graph.out(node, "CONDITION").to_vec());
    check(&subject, "file", References::file, |graph, node| {
        if graph.is(node, "FILE") {
            return vec![node];
        }
        let places = [vec![node], graph.above(node)].concat();
        let files = places.iter().map(|node| graph.out(*node, "SOURCE_FILE"));
        files.filter(|files| !files.is_empty()).take(1).flatten().copied().collect()
    });
}

#[test]
fn an_edge_label_that_the_graph_lacks_is_named_with_the_step() {
    let subject = Subject::import(&zlib());
    let error = nodes("METHOD").tags().compile(&subject.graph).unwrap_err().to_string();
    assert!(error.contains("TAGGED_BY") && error.contains("step 2"), "{error}");
}
