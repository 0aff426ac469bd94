//! Random graphs that flatgraph itself could have saved: with both directions of every edge, and nothing on
//! deleted nodes.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use varvite_import::flatgraph::{Direction, ElementType, NodeKind, NodeRef, Values};

use super::content::{Content, Edges, Property};
use super::roundtrip::{any_kinds, pool};

/// Edge labels; the first one decides the order of nodes in an imported graph.
const EDGE_LABELS: [&str; 3] = ["AST", "CALL", "ÄÖ \u{1}"];
const PROPERTIES: [&str; 6] = ["CODE", "CONTENT", "OFFSET", "LINE_NUMBER", " ", "NODE"];
const TYPES: [ElementType; 9] = [
    ElementType::Bool,
    ElementType::Byte,
    ElementType::Short,
    ElementType::Int,
    ElementType::Long,
    ElementType::Float,
    ElementType::Double,
    ElementType::String,
    ElementType::Ref,
];

#[derive(Debug, Clone)]
struct Edge {
    label: usize,
    source: Index,
    target: Index,
    /// The key by which in-edges are sorted.
    rank: u8,
    value: i64,
}

pub(super) fn any_sound_content() -> impl Strategy<Value = Content> {
    let edge = (0..EDGE_LABELS.len(), any::<Index>(), any::<Index>(), any::<u8>(), any::<i64>());
    let edge =
        edge.prop_map(|(label, source, target, rank, value)| Edge { label, source, target, rank, value });
    let value = (0..PROPERTIES.len(), any::<Index>(), vec(any::<i64>(), 0..3));
    let edge_types = vec(proptest::option::of(0..TYPES.len()), EDGE_LABELS.len());
    let types = vec(0..TYPES.len(), PROPERTIES.len());
    (
        any_kinds("[^\\x00\\n]{1,4}"),
        vec(".{0,6}", 1..6),
        vec(edge, 0..40),
        edge_types,
        vec(value, 0..40),
        types,
    )
        .prop_map(|(kinds, strings, edges, edge_types, values, types)| {
            let draw = Draw { living: living(&kinds), kinds, strings: strings.len() };
            Content {
                edges: draw.edges(&edges, &edge_types),
                properties: draw.properties(&values, &types),
                kinds: draw.kinds,
                strings: pool(&strings),
            }
        })
}

fn living(kinds: &[NodeKind]) -> Vec<NodeRef> {
    let nodes = (0..).zip(kinds).flat_map(|(index, kind)| {
        let seqs = (0..kind.node_count).filter(|seq| !kind.deletions.contains(seq));
        seqs.map(move |seq| NodeRef::new(index, seq))
    });
    nodes.collect()
}

struct Draw {
    kinds: Vec<NodeKind>,
    living: Vec<NodeRef>,
    strings: usize,
}

/// For each node, the other end and the value of each of its edges.
type EdgesByNode = BTreeMap<NodeRef, Vec<(NodeRef, Option<i64>)>>;

impl Draw {
    fn edges(&self, edges: &[Edge], types: &[Option<usize>]) -> Vec<Edges> {
        let mut columns = Vec::new();
        for (label, name) in EDGE_LABELS.into_iter().enumerate().filter(|_| !self.living.is_empty()) {
            let element = types[label].map(|index| TYPES[index]);
            let edges = edges.iter().filter(|edge| edge.label == label);
            let (out, in_) = self.both_directions(edges, element.is_some());
            columns.extend(self.columns(name, Direction::Out, element, &out));
            columns.extend(self.columns(name, Direction::In, element, &in_));
        }
        columns
    }

    /// The edges at their sources and at their targets. Edges from kinds with an odd index have no property.
    fn both_directions<'e>(
        &self,
        edges: impl Iterator<Item = &'e Edge>,
        with_values: bool,
    ) -> (EdgesByNode, EdgesByNode) {
        let (mut out, mut in_) = (EdgesByNode::new(), EdgesByNode::new());
        let mut edges: Vec<_> = edges
            .map(|edge| {
                let (source, target) = (*edge.source.get(&self.living), *edge.target.get(&self.living));
                let value = (with_values && source.kind() % 2 == 0).then_some(edge.value);
                (edge.rank, source, target, value)
            })
            .collect();
        for (_, source, target, value) in &edges {
            out.entry(*source).or_default().push((*target, *value));
        }
        edges.sort_by_key(|(rank, ..)| *rank);
        for (_, source, target, _) in &edges {
            // Edges between the same two nodes keep their order: the k-th at the source is the k-th at the
            // target.
            let arriving = in_.entry(*target).or_default();
            let before = arriving.iter().filter(|(other, _)| other == source).count();
            let value = out[source].iter().filter(|(other, _)| other == target).nth(before).unwrap().1;
            arriving.push((*source, value));
        }
        (out, in_)
    }

    fn columns(
        &self,
        label: &str,
        direction: Direction,
        element: Option<ElementType>,
        lists: &EdgesByNode,
    ) -> Vec<Edges> {
        let mut columns = Vec::new();
        for kind in 0..self.kinds.len() as u32 {
            let of_kind: Vec<_> = lists.iter().filter(|(node, _)| node.kind() == kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            let mut quantities = vec![0; self.kinds[kind as usize].node_count as usize];
            of_kind.iter().for_each(|(node, list)| quantities[node.seq() as usize] = list.len() as u32);
            let entries: Vec<_> = of_kind.iter().flat_map(|(_, list)| list.iter().copied()).collect();
            let values: Vec<_> = entries.iter().map(|(_, value)| *value).collect();
            let has_values = values.iter().any(Option::is_some);
            columns.push(Edges {
                kind,
                label: label.to_owned(),
                direction,
                quantities,
                neighbors: entries.iter().map(|(node, _)| *node).collect(),
                property: element.filter(|_| has_values).map(|element| self.values(element, &values)),
            });
        }
        columns
    }

    fn properties(&self, values: &[(usize, Index, Vec<i64>)], types: &[usize]) -> Vec<Property> {
        let mut columns: BTreeMap<(usize, u32), BTreeMap<u32, &Vec<i64>>> = BTreeMap::new();
        for (property, node, values) in values.iter().filter(|_| !self.living.is_empty()) {
            let node = node.get(&self.living);
            columns.entry((*property, node.kind())).or_default().insert(node.seq(), values);
        }
        let property = |((property, kind), owners): ((usize, u32), BTreeMap<u32, &Vec<i64>>)| {
            let mut quantities = vec![0; self.kinds[kind as usize].node_count as usize];
            owners.iter().for_each(|(seq, values)| quantities[*seq as usize] = values.len() as u32);
            let values: Vec<_> =
                owners.values().flat_map(|values| values.iter().copied().map(Some)).collect();
            let values = self.values(TYPES[types[property]], &values);
            Property { kind, name: PROPERTIES[property].to_owned(), quantities, values }
        };
        columns.into_iter().map(property).collect()
    }

    /// Values of a type: `None` becomes null if the type has null, else zero.
    fn values(&self, element: ElementType, numbers: &[Option<i64>]) -> Values {
        let some = numbers.iter().map(|number| number.unwrap_or(0));
        let below = |number: i64, count: usize| number.rem_euclid(count as i64 + 1) as usize;
        match element {
            ElementType::Bool => Values::Bool(some.map(|number| number & 1 != 0).collect()),
            ElementType::Byte => Values::Byte(some.map(|number| number as i8).collect()),
            ElementType::Short => Values::Short(some.map(|number| number as i16).collect()),
            ElementType::Int => Values::Int(some.map(|number| number as i32).collect()),
            ElementType::Long => Values::Long(some.collect()),
            ElementType::Float => Values::Float(some.map(|number| f32::from_bits(number as u32)).collect()),
            ElementType::Double => Values::Double(some.map(|number| f64::from_bits(number as u64)).collect()),
            ElementType::String => {
                let index = |number: i64| below(number, self.strings) as i32 - 1;
                Values::String(numbers.iter().map(|number| number.map_or(-1, index)).collect())
            }
            ElementType::Ref => {
                let node = |number| self.living.get(below(number, self.living.len())).copied();
                let node = |number: &Option<i64>| number.and_then(node).unwrap_or(NodeRef::NULL);
                Values::Ref(numbers.iter().map(node).collect())
            }
        }
    }
}
