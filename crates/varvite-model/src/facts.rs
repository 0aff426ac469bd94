//! Facts about a graph that any engine can compute, so that two engines can be compared: counts, sums, and
//! counts of short walks.
//!
//! The definitions, including corner cases, are those of the facts that flatgraph computed for the sample
//! graphs. If a fact names the label of a node with several labels, it names all of them, joined (see
//! [`ModelGraph::label_text`]). But the count of nodes for each label counts such a node once for each of its
//! labels. No fact counts removed nodes.

use std::collections::{BTreeMap, BTreeSet};

use crate::float_text::{f32_text, f64_text};
use crate::{AST, ModelGraph, NodeId, Value};

/// The facts about a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The number of nodes.
    pub nodes: u64,
    /// The number of edges.
    pub edges: u64,
    /// The number of nodes with each label; a label without nodes is left out.
    pub labels: BTreeMap<String, u64>,
    /// The number of edges for each `LABEL SOURCE_LABEL TARGET_LABEL`.
    pub edge_triples: BTreeMap<String, u64>,
    /// Facts about the property of edges, for each edge label with at least one edge that has a value.
    pub edge_properties: BTreeMap<String, EdgePropertyFacts>,
    /// Facts about each property of nodes, by name, if at least one node has a value.
    pub properties: BTreeMap<String, PropertyFacts>,
    /// Counts of walks.
    pub traversals: TraversalFacts,
}

/// Facts about the property of the edges of one label.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgePropertyFacts {
    /// The number of edges that have the property.
    pub present: u64,
    /// The wrapping sum of the 64-bit FNV-1a hashes of the values' texts.
    pub fnv64_sum: u64,
}

/// Facts about one property of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertyFacts {
    /// The number of nodes that have at least one value.
    pub nodes: u64,
    /// The total number of values.
    pub values: u64,
    /// The wrapping sum of the 64-bit FNV-1a hashes of the values' texts.
    pub fnv64_sum: u64,
}

/// Facts about walks. A fact about walks along the AST is `None` if the walks take too many steps, as they do
/// on a cycle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraversalFacts {
    /// The number of visits in walks down the AST, with one walk from every METHOD. The walk visits the
    /// METHOD first. A node counts once for each path that leads to it.
    pub ast_descendants_per_method_sum: Option<u64>,
    /// The number of these visits for each label.
    pub ast_descendants_by_label: Option<BTreeMap<String, u64>>,
    /// The sum, over all METHODs, of the number of nodes that the METHOD reaches along CFG edges, itself
    /// included.
    pub cfg_reachable_per_method_sum: u64,
    /// The sum of the lengths, in UTF-16 units, of the FULL_NAMEs of the targets of CALL edges from CALL
    /// nodes.
    pub callee_full_name_chars: u64,
    /// The number of steps from every IDENTIFIER up to a METHOD, where each step leads to the first AST
    /// parent. If no ancestor is a METHOD, the walk ends above the root, and this last step counts too.
    pub identifier_ast_up_to_method_hops: Option<u64>,
    /// The 15 most frequent values of NAME on CALL nodes, with their counts; equally frequent values are in
    /// the order of their UTF-16 units. A CALL without NAME counts as the empty name.
    pub top_call_names: Vec<(String, u64)>,
}

impl Facts {
    /// The maximum number of steps of each walk along the AST. No real program needs this many, but a walk on
    /// a cycle soon takes more.
    pub const STEPS_MAX: u64 = 10_000_000;

    /// The facts about a graph, with at most [`Facts::STEPS_MAX`] steps for each walk along the AST.
    pub fn of(graph: &ModelGraph) -> Facts {
        Facts::within_steps(graph, Facts::STEPS_MAX)
    }

    /// The facts about a graph; a fact about the AST that takes more than `steps_max` steps is `None`.
    pub fn within_steps(graph: &ModelGraph, steps_max: u64) -> Facts {
        Facts {
            nodes: graph.node_count() as u64,
            edges: graph.edge_count() as u64,
            labels: labels(graph),
            edge_triples: edge_triples(graph),
            edge_properties: edge_properties(graph),
            properties: properties(graph),
            traversals: traversals(graph, steps_max),
        }
    }
}

fn labels(graph: &ModelGraph) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for label in graph.nodes().into_iter().flat_map(|node| graph.labels(node)) {
        *counts.entry(label.clone()).or_default() += 1;
    }
    counts
}

fn edge_triples(graph: &ModelGraph) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for edge in graph.edges() {
        let (source, target) = (graph.label_text(edge.source), graph.label_text(edge.target));
        *counts.entry(format!("{} {source} {target}", edge.label)).or_default() += 1;
    }
    counts
}

fn edge_properties(graph: &ModelGraph) -> BTreeMap<String, EdgePropertyFacts> {
    let mut facts: BTreeMap<String, EdgePropertyFacts> = BTreeMap::new();
    for edge in graph.edges() {
        if let Some(value) = edge.property {
            let of_label = facts.entry(edge.label.to_string()).or_default();
            of_label.present += 1;
            of_label.fnv64_sum = of_label.fnv64_sum.wrapping_add(fnv64(&text_of(value, graph)));
        }
    }
    facts
}

fn properties(graph: &ModelGraph) -> BTreeMap<String, PropertyFacts> {
    let mut facts: BTreeMap<String, PropertyFacts> = BTreeMap::new();
    for (name, values) in graph.nodes().into_iter().flat_map(|node| graph.properties(node)) {
        let of_name = facts.entry(name.clone()).or_default();
        of_name.nodes += 1;
        for value in values {
            of_name.values += 1;
            of_name.fnv64_sum = of_name.fnv64_sum.wrapping_add(fnv64(&text_of(value, graph)));
        }
    }
    facts
}

fn traversals(graph: &ModelGraph, steps_max: u64) -> TraversalFacts {
    let ast_descendants_by_label = ast_descendants_by_label(graph, steps_max);
    let methods = graph.nodes_with_label("METHOD");
    TraversalFacts {
        ast_descendants_per_method_sum: ast_descendants_by_label.as_ref().map(|counts| counts.values().sum()),
        ast_descendants_by_label,
        cfg_reachable_per_method_sum: methods.iter().map(|method| cfg_reachable(graph, *method)).sum(),
        callee_full_name_chars: callee_full_name_chars(graph),
        identifier_ast_up_to_method_hops: identifier_ast_up_to_method_hops(graph, steps_max),
        top_call_names: top_call_names(graph),
    }
}

fn ast_descendants_by_label(graph: &ModelGraph, steps_max: u64) -> Option<BTreeMap<String, u64>> {
    let mut counts = BTreeMap::new();
    let mut steps = 0;
    for method in graph.nodes_with_label("METHOD") {
        let mut stack = vec![method];
        while let Some(node) = stack.pop() {
            steps += 1;
            if steps > steps_max {
                return None;
            }
            *counts.entry(graph.label_text(node)).or_default() += 1;
            stack.extend(graph.targets(node, AST));
        }
    }
    Some(counts)
}

fn cfg_reachable(graph: &ModelGraph, method: NodeId) -> u64 {
    let mut seen = BTreeSet::from([method]);
    let mut stack = vec![method];
    while let Some(node) = stack.pop() {
        for target in graph.targets(node, "CFG") {
            if seen.insert(target) {
                stack.push(target);
            }
        }
    }
    seen.len() as u64
}

fn callee_full_name_chars(graph: &ModelGraph) -> u64 {
    let calls = graph.nodes_with_label("CALL").into_iter();
    let callees = calls.flat_map(|call| graph.targets(call, "CALL"));
    callees.map(|callee| single_string(graph, callee, "FULL_NAME").encode_utf16().count() as u64).sum()
}

fn identifier_ast_up_to_method_hops(graph: &ModelGraph, steps_max: u64) -> Option<u64> {
    let mut steps = 0;
    for identifier in graph.nodes_with_label("IDENTIFIER") {
        let mut node = Some(identifier);
        while let Some(below) = node.filter(|node| !graph.has_label(*node, "METHOD")) {
            steps += 1;
            if steps > steps_max {
                return None;
            }
            node = graph.sources(below, AST).first().copied();
        }
    }
    Some(steps)
}

fn top_call_names(graph: &ModelGraph) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for call in graph.nodes_with_label("CALL") {
        *counts.entry(single_string(graph, call, "NAME")).or_default() += 1;
    }
    let mut top: Vec<(String, u64)> = counts.into_iter().collect();
    top.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.encode_utf16().cmp(b.0.encode_utf16())));
    top.truncate(15);
    top
}

/// The first value of a property, or the empty string if there is no value or it is not a string.
fn single_string(graph: &ModelGraph, node: NodeId, name: &str) -> String {
    match graph.values(node, name).first() {
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    }
}

/// The text of a value; facts include hashes of such texts. Integers are in decimal, Booleans are `true` or
/// `false`, floats are as Java writes them, bytes are in lower-case hexadecimal, a reference is `ref:LABEL`,
/// and null is `null`. Panics if the value refers to a node that `graph` does not have.
fn text_of(value: &Value, graph: &ModelGraph) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::I8(value) => value.to_string(),
        Value::I16(value) => value.to_string(),
        Value::I32(value) => value.to_string(),
        Value::I64(value) => value.to_string(),
        Value::U8(value) => value.to_string(),
        Value::U16(value) => value.to_string(),
        Value::U32(value) => value.to_string(),
        Value::U64(value) => value.to_string(),
        Value::F32(value) => f32_text(*value),
        Value::F64(value) => f64_text(*value),
        Value::String(value) => value.clone(),
        Value::Bytes(value) => value.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Ref(Some(node)) => format!("ref:{}", graph.label_text(*node)),
        Value::Null | Value::Ref(None) => "null".to_string(),
    }
}

/// The 64-bit FNV-1a hash of the text's UTF-8 bytes.
fn fnv64(text: &str) -> u64 {
    let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph that has a METHOD main { f(x) }, a METHOD f, and an IDENTIFIER outside any METHOD.
    fn six_nodes() -> ModelGraph {
        let mut graph = ModelGraph::default();
        let labels = ["METHOD", "BLOCK", "CALL", "IDENTIFIER", "METHOD", "IDENTIFIER"];
        let [main, block, call, x, f, stray] = labels.map(|label| graph.add_node(&[label]));
        for (parent, child) in [(main, block), (block, call), (call, x)] {
            graph.add_edge(parent, "AST", child, None);
        }
        for (source, target) in [(main, x), (x, call), (call, x)] {
            graph.add_edge(source, "CFG", target, None);
        }
        graph.add_edge(call, "CALL", f, None);
        graph.add_edge(x, "REACHING_DEF", call, Some(Value::string("a")));
        graph.add_edge(x, "REACHING_DEF", call, None);
        graph.set_property(f, "FULL_NAME", vec![Value::string("f\u{10000}")]);
        graph.set_property(x, "NAME", vec![Value::string("a")]);
        graph.set_property(stray, "NAME", vec![Value::string("a"), Value::Null]);
        graph
    }

    fn counts(expected: &[(&str, u64)]) -> BTreeMap<String, u64> {
        expected.iter().map(|(key, count)| (key.to_string(), *count)).collect()
    }

    #[test]
    fn counts_name_labels_and_triples() {
        let facts = Facts::of(&six_nodes());
        assert_eq!((facts.nodes, facts.edges), (6, 9));
        assert_eq!(facts.labels, counts(&[("BLOCK", 1), ("CALL", 1), ("IDENTIFIER", 2), ("METHOD", 2)]));
        assert_eq!(
            facts.edge_triples,
            counts(&[
                ("AST BLOCK CALL", 1),
                ("AST CALL IDENTIFIER", 1),
                ("AST METHOD BLOCK", 1),
                ("CALL CALL METHOD", 1),
                ("CFG CALL IDENTIFIER", 1),
                ("CFG IDENTIFIER CALL", 1),
                ("CFG METHOD IDENTIFIER", 1),
                ("REACHING_DEF IDENTIFIER CALL", 2),
            ])
        );
    }

    #[test]
    fn properties_are_counted_and_their_hashes_summed() {
        let facts = Facts::of(&six_nodes());
        let [of_a, of_null] = ["a", "null"].map(fnv64);
        assert_eq!(of_a, 0xaf63_dc4c_8601_ec8c, "a published test vector");

        assert_eq!(facts.edge_properties.len(), 1);
        assert_eq!(facts.edge_properties["REACHING_DEF"], EdgePropertyFacts { present: 1, fnv64_sum: of_a });
        let fnv64_sum = of_a.wrapping_mul(2).wrapping_add(of_null);
        assert_eq!(facts.properties["NAME"], PropertyFacts { nodes: 2, values: 3, fnv64_sum });
        assert_eq!(facts.properties.len(), 2);
    }

    #[test]
    fn walks_count_what_they_visit() {
        let facts = Facts::of(&six_nodes()).traversals;
        assert_eq!(facts.ast_descendants_per_method_sum, Some(5));
        let by_label = counts(&[("BLOCK", 1), ("CALL", 1), ("IDENTIFIER", 1), ("METHOD", 2)]);
        assert_eq!(facts.ast_descendants_by_label, Some(by_label));
        assert_eq!(facts.cfg_reachable_per_method_sum, 3 + 1);
        assert_eq!(facts.callee_full_name_chars, 3, "one letter and a surrogate pair");
        assert_eq!(facts.identifier_ast_up_to_method_hops, Some(3 + 1), "the stray one steps off its root");
        assert_eq!(facts.top_call_names, [(String::new(), 1)], "the CALL has no NAME");
    }

    #[test]
    fn a_node_counts_once_for_each_path_to_it() {
        let mut graph = six_nodes();
        graph.add_edge(NodeId(0), "AST", NodeId(2), None);
        assert_eq!(Facts::of(&graph).traversals.ast_descendants_per_method_sum, Some(5 + 2));
    }

    #[test]
    fn walks_that_do_not_end_have_no_answer() {
        let mut graph = six_nodes();
        graph.add_edge(NodeId(5), "AST", NodeId(5), None);
        let facts = Facts::within_steps(&graph, 1000).traversals;
        assert_eq!(facts.identifier_ast_up_to_method_hops, None);
        assert_eq!(facts.ast_descendants_per_method_sum, Some(5), "no METHOD is above the cycle");

        graph.add_edge(NodeId(3), "AST", NodeId(1), None);
        assert_eq!(Facts::within_steps(&graph, 1000).traversals.ast_descendants_by_label, None);
    }

    #[test]
    fn the_step_limit_is_the_last_step_allowed() {
        let facts = |steps_max| Facts::within_steps(&six_nodes(), steps_max).traversals;
        assert_eq!(facts(5).ast_descendants_per_method_sum, Some(5));
        assert_eq!(facts(4).ast_descendants_per_method_sum, None);
        assert_eq!(facts(4).identifier_ast_up_to_method_hops, Some(4));
        assert_eq!(facts(3).identifier_ast_up_to_method_hops, None);
    }

    #[test]
    fn equally_frequent_names_are_ordered_by_utf16_units() {
        let mut graph = ModelGraph::default();
        for name in ["\u{ff5e}", "\u{1f600}", "z", "z", "a"] {
            let call = graph.add_node(&["CALL"]);
            graph.set_property(call, "NAME", vec![Value::string(name)]);
        }
        let facts = Facts::of(&graph).traversals;
        let names: Vec<&str> = facts.top_call_names.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["z", "a", "\u{1f600}", "\u{ff5e}"]);
    }

    #[test]
    fn only_fifteen_names_are_listed() {
        let mut graph = ModelGraph::default();
        for letter in 'a'..='z' {
            let call = graph.add_node(&["CALL"]);
            graph.set_property(call, "NAME", vec![Value::String(letter.to_string())]);
        }
        assert_eq!(Facts::of(&graph).traversals.top_call_names.len(), 15);
    }

    #[test]
    fn a_node_with_several_labels_counts_under_each_and_is_named_by_all() {
        let mut graph = ModelGraph::default();
        let node = graph.add_node(&["METHOD", "HOT"]);
        graph.add_edge(node, "CFG", node, None);
        let facts = Facts::of(&graph);
        assert_eq!(facts.labels, counts(&[("HOT", 1), ("METHOD", 1)]));
        assert_eq!(facts.edge_triples, counts(&[("CFG HOT&METHOD HOT&METHOD", 1)]));
        assert_eq!(facts.traversals.ast_descendants_by_label, Some(counts(&[("HOT&METHOD", 1)])));
    }

    #[test]
    fn text_is_what_java_prints() {
        let mut graph = ModelGraph::default();
        let node = graph.add_node(&["TYPE"]);
        let cases = [
            (Value::Bool(true), "true"),
            (Value::I8(-128), "-128"),
            (Value::U64(u64::MAX), "18446744073709551615"),
            (Value::string("a\"b"), "a\"b"),
            (Value::Null, "null"),
            (Value::Bytes(vec![0, 0xab]), "00ab"),
            (Value::Ref(Some(node)), "ref:TYPE"),
            (Value::Ref(None), "null"),
        ];
        for (value, text) in cases {
            assert_eq!(text_of(&value, &graph), text);
        }
    }
}
