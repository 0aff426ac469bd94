//! Tests of loops around CALLs, and of the callers of METHODs, in the code of a graph.

use std::fs;

use varvite::Graph;
use varvite_import::graphml::GraphmlImport;
use varvite_profile::layer::Code;

/// For each node, its label, and its type or its code. The index is the number of the node.
const NODES: [(&str, &str); 35] = [
    ("METHOD", ""),                 // 0: f
    ("CONTROL_STRUCTURE", "FOR"),   // 1: for (a(); b(); c()) { d(); if (e()) { g(); } }
    ("CALL", ""),                   // 2: a
    ("CALL", ""),                   // 3: b
    ("CALL", ""),                   // 4: c
    ("BLOCK", ""),                  // 5
    ("CALL", ""),                   // 6: d
    ("CONTROL_STRUCTURE", "IF"),    // 7
    ("CALL", ""),                   // 8: e
    ("CALL", ""),                   // 9: g
    ("METHOD", ""),                 // 10: a lambda in the body
    ("CALL", ""),                   // 11: h, in the lambda
    ("CONTROL_STRUCTURE", "FOR"),   // 12: for (i(); ;) .. of a frontend that gives a FOR two children
    ("CALL", ""),                   // 13: i
    ("CALL", ""),                   // 14: j
    ("CALL", ""),                   // 15: k, in no loop
    ("METHOD", ""),                 // 16: the callee of d and h
    ("CONTROL_STRUCTURE", "WHILE"), // 17: while (1) MACRO; where MACRO is do { l(); } while (0)
    ("LITERAL", "1"),               // 18
    ("CONTROL_STRUCTURE", "DO"),    // 19
    ("CALL", ""),                   // 20: l
    ("LITERAL", "(0)"),             // 21
    ("CONTROL_STRUCTURE", "DO"),    // 22: do { m(); } while (false), in no other loop
    ("CALL", ""),                   // 23: m
    ("CONTROL_STRUCTURE", "FOR"),   // 24: for (int x = n(), y = o(); p(); ) q(); as Joern's frontends make it
    ("LOCAL", ""),                  // 25: x
    ("CALL", ""),                   // 26: n
    ("CALL", ""),                   // 27: o
    ("CALL", ""),                   // 28: p
    ("CALL", ""),                   // 29: q
    ("CONTROL_STRUCTURE", "FOR"),   // 30: for (;;) r();
    ("CALL", ""),                   // 31: r
    ("CONTROL_STRUCTURE", "FOR"),   // 32: for (s(); ;) t();
    ("CALL", ""),                   // 33: s
    ("CALL", ""),                   // 34: t
];
/// The ORDER of some nodes.
const ORDERS: [(usize, u32); 3] = [(31, 1), (33, 1), (34, 4)];
const AST: [(u32, u32); 33] = [
    (0, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (5, 6),
    (5, 7),
    (7, 8),
    (7, 9),
    (5, 10),
    (10, 11),
    (0, 12),
    (12, 13),
    (12, 14),
    (0, 15),
    (0, 17),
    (17, 18),
    (17, 19),
    (19, 20),
    (19, 21),
    (0, 22),
    (22, 23),
    (0, 24),
    (24, 25),
    (24, 26),
    (24, 27),
    (24, 28),
    (24, 29),
    (0, 30),
    (30, 31),
    (0, 32),
    (32, 33),
    (32, 34),
];
const CONDITIONS: [(u32, u32); 5] = [(1, 3), (17, 18), (19, 21), (22, 21), (24, 28)];
const CONTAINS: [(u32, u32); 3] = [(0, 6), (0, 9), (10, 11)];
const CALLS: [(u32, u32); 3] = [(6, 16), (9, 16), (11, 16)];

#[test]
fn a_loop_is_around_what_it_repeats_and_a_caller_has_its_first_call() {
    let folder = tempfile::tempdir().unwrap();
    let node = |(number, (label, kind)): (usize, &(&str, &str))| {
        let order = ORDERS.iter().find(|(of, _)| *of == number);
        let order = order.map_or_else(String::new, |(_, order)| format!("<data key='o'>{order}</data>"));
        format!(
            "<node id='{number}' labels=':{label}'><data key='n'>{number}</data><data key='k'>{kind}</data>\
             <data key='c'>{kind}</data>{order}</node>"
        )
    };
    let edges = |label: &str, edges: &[(u32, u32)]| -> String {
        edges
            .iter()
            .map(|(from, to)| format!("<edge source='{from}' target='{to}' label='{label}'/>"))
            .collect()
    };
    let key = |id, name, kind| format!("<key id='{id}' for='node' attr.name='{name}' attr.type='{kind}'/>");
    let text = format!(
        "<graphml>{}{}{}{}<graph edgedefault='directed'>{}{}{}{}{}</graph></graphml>",
        key("n", "NUMBER", "int"),
        key("k", "CONTROL_STRUCTURE_TYPE", "string"),
        key("c", "CODE", "string"),
        key("o", "ORDER", "int"),
        NODES.iter().enumerate().map(node).collect::<String>(),
        edges("AST", &AST),
        edges("CONTAINS", &CONTAINS),
        edges("CALL", &CALLS),
        edges("CONDITION", &CONDITIONS),
    );
    let (source, path) = (folder.path().join("x.graphml"), folder.path().join("x.varvite"));
    fs::write(&source, text).unwrap();
    GraphmlImport::new(source).write_to(&path).unwrap();
    let graph = Graph::open(&path).unwrap();
    let (code, number) = (Code::of(&graph).unwrap(), graph.property("NUMBER").unwrap());
    let number = |node: u32| number.number(node).unwrap() as u32;
    let node_of = |wanted: u32| (0..graph.node_count()).find(|node| number(*node) == wanted).unwrap();
    let around = |call: u32| code.loop_around(node_of(call)).map(number);
    // The initialisation of a FOR runs only once, so its call is not in the loop. A call in a METHOD that the
    // loop's body calls is not in the loop either.
    assert_eq!([2, 3, 4, 6, 8, 9].map(around), [None, Some(1), Some(1), Some(1), Some(1), Some(1)]);
    assert_eq!([11, 13, 14, 15].map(around), [None, Some(12), Some(12), None]);
    // A FOR may have variables and several initialisers before its condition, its body alone, or an
    // initialiser and no condition.
    assert_eq!([26, 27, 28, 29, 31].map(around), [None, None, Some(24), Some(24), Some(30)]);
    assert_eq!([33, 34].map(around), [None, Some(32)]);
    // A `do .. while (0)` is not a loop. If it is the expansion of a macro, the result is the loop that
    // contains the macro.
    assert_eq!([20, 23].map(around), [Some(17), None]);
    let callers = code.callers_of(node_of(16));
    let callers: Vec<(u32, u32)> =
        callers.into_iter().map(|(caller, call)| (number(caller), number(call))).collect();
    assert_eq!(callers.len(), 2);
    assert!(callers.contains(&(0, 6)) && callers.contains(&(10, 11)), "{callers:?}");
    assert_eq!(Code::default().loop_around(3), None);
}
