//! The graphs of the golden files: a small one with unusual content, and one that needs every encoding.

use varvite_model::{
    AST, ModelGraph, NodeId, Presence, RandomGraph, RandomProperty, SplitMix64, Value, ValueType,
};

/// The number of nodes, which is slightly more than two blocks of any encoding hold.
const NODES: usize = 1300;

/// A graph of few nodes with every type of value, list and edge.
pub(super) fn awkward() -> ModelGraph {
    let options = RandomGraph { nodes: 45, edges: 120, several_labels: true, ..RandomGraph::new(20) };
    options.build().in_canonical_order()
}

/// The properties of [`blocks`]. The values of each need a certain encoding.
pub(super) const BLOCKS_PROPERTIES: [RandomProperty; 19] = [
    property("ZERO", ValueType::I32, false, Presence::All),
    property("NUMBER", ValueType::I64, false, Presence::All),
    property("U8", ValueType::U8, false, Presence::Some),
    property("I8", ValueType::I8, false, Presence::Some),
    property("U16", ValueType::U16, false, Presence::Some),
    property("I16", ValueType::I16, false, Presence::Some),
    property("U32", ValueType::U32, false, Presence::Some),
    property("I32", ValueType::I32, false, Presence::Some),
    property("I64", ValueType::I64, false, Presence::Some),
    property("FLAG", ValueType::Bool, false, Presence::All),
    property("FAR", ValueType::I32, false, Presence::All),
    property("SLOPE", ValueType::I32, false, Presence::All),
    property("FEW", ValueType::U32, false, Presence::All),
    property("NEARBY", ValueType::U32, false, Presence::All),
    property("LIST", ValueType::I32, true, Presence::Some),
    property("NAME", ValueType::String, false, Presence::Some),
    property("CODE", ValueType::String, false, Presence::Some),
    property("KEY", ValueType::Bytes, false, Presence::Some),
    property("EVIDENCE", ValueType::Ref, false, Presence::Some),
];

const fn property(
    name: &'static str,
    value_type: ValueType,
    list: bool,
    presence: Presence,
) -> RandomProperty {
    RandomProperty { name, value_type, list, presence }
}

/// A graph whose columns have several blocks and together need every encoding.
pub(super) fn blocks() -> ModelGraph {
    let mut graph = ModelGraph::default();
    let mut random = SplitMix64::new(7);
    let labels = ["BLOCK", "CALL", "CALL", "IDENTIFIER"];
    let nodes: Vec<NodeId> = (0..NODES)
        .map(|number| {
            let label = if number.is_multiple_of(150) { "METHOD" } else { random.pick(&labels) };
            let labels = ["EVERY", label, "EARLY"];
            graph.add_node(if (10..400).contains(&number) { &labels } else { &labels[..2] })
        })
        .collect();
    grow_tree(&mut graph, &mut random, &nodes);
    add_edges(&mut graph, &mut random, &nodes);
    for (number, node) in nodes.iter().enumerate() {
        for property in BLOCKS_PROPERTIES {
            let values = values(&graph, &mut random, property.name, *node, number);
            graph.set_property(*node, property.name, values);
        }
    }
    graph.in_canonical_order()
}

/// Grows a tree: the parent of each node is the node before it or one of that node's ancestors, so that the
/// ids are in pre-order.
fn grow_tree(graph: &mut ModelGraph, random: &mut SplitMix64, nodes: &[NodeId]) {
    let mut path = Vec::new();
    for node in nodes {
        if node.0.is_multiple_of(150) {
            path.clear();
        } else {
            path.truncate(path.len() - random.below(path.len().min(3)));
        }
        if let Some(parent) = path.last() {
            graph.add_edge(*parent, AST, *node, None);
        }
        path.push(*node);
    }
}

fn add_edges(graph: &mut ModelGraph, random: &mut SplitMix64, nodes: &[NodeId]) {
    let methods = graph.nodes_with_label("METHOD");
    for (number, node) in nodes.iter().enumerate() {
        let near = |random: &mut SplitMix64, reach: usize| nodes[(number + random.below(reach)) % NODES];
        if random.chance(70) {
            let target = if random.chance(3) { random.pick(nodes) } else { near(random, 9) };
            graph.add_edge(*node, "CFG", target, None);
        }
        if random.chance(20) {
            let target = near(random, 30);
            graph.add_edge(*node, "CFG", target, None);
        }
        if graph.has_label(*node, "CALL") {
            let target = random.pick(&methods);
            graph.add_edge(*node, "CALL", target, None);
        }
        if number.is_multiple_of(3) {
            let target = nodes[(number + random.pick(&[1, 323, 801])) % NODES];
            graph.add_edge(*node, "ARGUMENT", target, None);
        }
        if number.is_multiple_of(97) {
            (0..60).for_each(|_| graph.add_edge(*node, "REF", random.pick(nodes), None));
        }
        if random.chance(30) {
            let variable = random.chance(60).then(|| Value::string(["x", "y", "größe"][number % 3]));
            graph.add_edge(*node, RandomGraph::EDGE_PROPERTY_LABEL, near(random, 200), variable);
        }
    }
    for method in methods {
        let sources = graph.sources(method, "CALL").len();
        graph.permute_in(method, "CALL", &(0..sources).rev().collect::<Vec<_>>());
    }
}

fn values(
    graph: &ModelGraph,
    random: &mut SplitMix64,
    name: &str,
    node: NodeId,
    number: usize,
) -> Vec<Value> {
    let bits = random.next_u64();
    let value = match name {
        "ZERO" => Value::I32(0),
        "NUMBER" => Value::I64(3 * number as i64 + 5),
        "FLAG" => Value::Bool(bits & 1 != 0),
        "FAR" if bits.is_multiple_of(60) => Value::I32(1_000_000 + (bits >> 40) as i32),
        "FAR" => Value::I32((bits >> 40) as i32 & 15),
        "SLOPE" => Value::I32(37 * number as i32 + (bits & 7) as i32),
        "FEW" => Value::U32(SplitMix64::new(bits % 160).next_u64() as u32),
        "NEARBY" => Value::U32(SplitMix64::new(number as u64 / 300 * 6 + bits % 6).next_u64() as u32),
        "LIST" => return (0..bits % 4).map(|place| Value::I32((bits >> 8) as i32 >> (8 * place))).collect(),
        "CODE" => return code(graph, random, node).into_iter().collect(),
        "KEY" if number.is_multiple_of(3) => Value::Bytes([bits.to_be_bytes(), [7; 8]].concat()),
        "NAME" if number.is_multiple_of(2) => Value::String(format!("name{}", bits % 40)),
        "EVIDENCE" if number % 90 == 5 => Value::Ref((bits & 1 != 0).then_some(NodeId(number / 2))),
        "U8" if number % 5 > 1 => Value::U8(bits as u8),
        "I8" if number % 5 > 1 => Value::I8(bits as i8),
        "U16" if number % 5 > 1 => Value::U16(bits as u16),
        "I16" if number % 5 > 1 => Value::I16(bits as i16),
        "U32" if number % 5 > 1 => Value::U32(bits as u32),
        "I32" if number % 5 > 1 => Value::I32(bits as i32),
        "I64" if number % 5 > 1 => Value::I64(bits as i64),
        _ => return Vec::new(),
    };
    vec![value]
}

/// The CODE of a node: a part of its parent's CODE, or a long text if it has no parent.
fn code(graph: &ModelGraph, random: &mut SplitMix64, node: NodeId) -> Option<Value> {
    let parent = graph.sources(node, AST).first();
    match parent.map(|parent| graph.values(*parent, "CODE").first()) {
        None => {
            let words = ["if ", "(x ", "+= ", "memcpy", ") ", "größe", "; ", "return "];
            Some(Value::String((0..30).map(|_| random.pick(&words)).collect()))
        }
        Some(Some(Value::String(text))) if text.len() > 4 && random.chance(60) => {
            let characters: Vec<char> = text.chars().collect();
            let start = random.below(characters.len() / 2);
            Some(Value::String(characters[start..characters.len() - random.below(3)].iter().collect()))
        }
        _ => None,
    }
}
