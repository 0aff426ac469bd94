//! Tests of callers and callees.

use std::collections::{BTreeMap, BTreeSet};

use varvite_cpg::{callees_of, calls_of, is_operator};

use crate::{methods, zlib};

#[test]
fn calls_are_those_that_lead_to_a_method() {
    let graph = zlib();
    let out = graph.out("CALL").unwrap();
    for name in ["memcpy", "inflate", "main", "<operator>.assignment"] {
        let methods = methods(name);
        let mut expected = BTreeSet::new();
        out.for_each_edge(|call, method| {
            if methods.contains(&method) {
                expected.insert(call);
            }
        });
        assert!(calls_of(graph, &methods).unwrap().into_iter().eq(expected), "{name}");
    }
    assert!(calls_of(graph, &[]).unwrap().is_empty());
}

#[test]
fn callees_are_counted_once_for_each_call() {
    let graph = zlib();
    let (contents, out) = (graph.out("CONTAINS").unwrap(), graph.out("CALL").unwrap());
    let mut expected: BTreeMap<u32, u64> = BTreeMap::new();
    let methods = methods("inflate");
    for node in contents.neighbors(methods[0]) {
        out.neighbors(node).for_each(|callee| *expected.entry(callee).or_default() += 1);
    }
    let callees = callees_of(graph, &methods).unwrap();
    assert!(callees.len() > 20 && callees.values().any(|calls| *calls > 1));
    assert_eq!(callees, expected);
}

#[test]
fn operators_are_known_by_their_names() {
    assert!(is_operator("<operator>.assignment") && is_operator("<operators>.assignmentOr"));
    assert!(!is_operator("operator") && !is_operator("<global>"));
}
