//! The facts of a real graph, computed from its raw columns, equal those that flatgraph itself reports.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use varvite_import::flatgraph::{Direction, FlatgraphFile, NodeRef, Scratch, Values};

use super::content::{Content, slots_by_node};

pub(super) fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data").join(name)
}

fn zlib() -> FlatgraphFile {
    FlatgraphFile::open(data("zlib.cpg.bin")).unwrap()
}

#[test]
fn zlib_has_the_facts_that_flatgraph_tells() {
    let expected = std::fs::read(data("zlib.expected.json")).unwrap();
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    let told = facts(&Content::decode(&zlib()).unwrap());
    for (name, fact) in told.as_object().unwrap() {
        assert_eq!(*fact, expected[name], "{name}");
    }
}

#[test]
fn both_ends_of_every_edge_agree() {
    let content = Content::decode(&zlib()).unwrap();
    let (leaving, arriving) = (ends(&content, Direction::Out), ends(&content, Direction::In));
    assert_eq!(leaving.values().map(Vec::len).sum::<usize>(), 512_785);
    assert!(leaving == arriving, "edges leave and arrive with the same ends, order and properties");
}

#[test]
fn threads_may_share_a_file() {
    let (file, expected) = (zlib(), Content::decode(&zlib()).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| assert!(Content::decode_with(&file, &mut Scratch::new()).unwrap() == expected));
        }
    });
}

pub(super) fn facts(content: &Content) -> Value {
    let labels = live_counts(content);
    json!({
        "nodes": labels.values().sum::<u64>(),
        "edges": edge_triples(content).values().sum::<u64>(),
        "labels": labels,
        "edge_triples": edge_triples(content),
        "edge_properties": edge_properties(content),
        "properties": properties(content),
    })
}

fn live_counts(content: &Content) -> BTreeMap<&str, u64> {
    let counts = content.kinds.iter().map(|kind| {
        let deleted = kind.deletions.len() as u64;
        (&*kind.label, u64::from(kind.node_count) - deleted)
    });
    counts.filter(|&(_, count)| count > 0).collect()
}

fn edge_triples(content: &Content) -> BTreeMap<String, u64> {
    let mut triples = BTreeMap::new();
    for column in content.edges.iter().filter(|column| column.direction == Direction::Out) {
        for target in &column.neighbors {
            let (source, target) = (content.label(column.kind), content.label(target.kind()));
            *triples.entry(format!("{} {source} {target}", column.label)).or_default() += 1;
        }
    }
    triples
}

fn edge_properties(content: &Content) -> BTreeMap<&str, Value> {
    let mut sums: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for column in content.edges.iter().filter(|column| column.direction == Direction::Out) {
        for text in column.property.iter().flat_map(|values| texts(content, values)).flatten() {
            let (present, sum) = sums.entry(&column.label).or_default();
            *present += 1;
            *sum = sum.wrapping_add(fnv64(text.as_bytes()));
        }
    }
    let fact = |(present, sum): (u64, u64)| json!({ "present": present, "fnv64_sum": sum.to_string() });
    sums.into_iter().map(|(label, sums)| (label, fact(sums))).collect()
}

fn properties(content: &Content) -> BTreeMap<&str, Value> {
    let mut sums: BTreeMap<&str, (u64, u64, u64)> = BTreeMap::new();
    for column in &content.properties {
        let (nodes, values, sum) = sums.entry(&column.name).or_default();
        *nodes += column.quantities.iter().filter(|&&quantity| quantity > 0).count() as u64;
        for text in texts(content, &column.values) {
            *values += 1;
            *sum = sum.wrapping_add(fnv64(text.unwrap_or("null".into()).as_bytes()));
        }
    }
    let fact = |(nodes, values, sum): (u64, u64, u64)| json!({ "nodes": nodes, "values": values, "fnv64_sum": sum.to_string() });
    sums.into_iter().filter(|(_, sums)| sums.0 > 0).map(|(name, sums)| (name, fact(sums))).collect()
}

/// Each value as printed by Java, or `None` for null. Java prints fractions in its own way, but the files
/// here have no fractions.
fn texts(content: &Content, values: &Values) -> Vec<Option<String>> {
    fn print<T: ToString>(values: &[T]) -> Vec<Option<String>> {
        values.iter().map(|value| Some(value.to_string())).collect()
    }
    let string = |&index: &i32| Some(content.strings.get(usize::try_from(index).ok()?).unwrap().to_owned());
    let node = |node: &NodeRef| (!node.is_null()).then(|| format!("ref:{}", content.label(node.kind())));
    match values {
        Values::Bool(values) => print(values),
        Values::Byte(values) => print(values),
        Values::Short(values) => print(values),
        Values::Int(values) => print(values),
        Values::Long(values) => print(values),
        Values::Float(_) | Values::Double(_) => unreachable!("no code property graph has fractions"),
        Values::String(values) => values.iter().map(string).collect(),
        Values::Ref(values) => values.iter().map(node).collect(),
    }
}

fn fnv64(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

type Pair<'a> = (&'a str, NodeRef, NodeRef);

/// For every pair of nodes and edge label, the properties of the edges between the nodes, in order.
fn ends(content: &Content, direction: Direction) -> BTreeMap<Pair<'_>, Vec<Option<i32>>> {
    let mut pairs: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for column in content.edges.iter().filter(|column| column.direction == direction) {
        for (seq, slots) in slots_by_node(&column.quantities) {
            let node = NodeRef::new(column.kind, seq);
            for slot in slots {
                let other = column.neighbors[slot];
                let (source, target) =
                    if direction == Direction::Out { (node, other) } else { (other, node) };
                let property = column.property.as_ref().map(|values| match values {
                    Values::String(indexes) => indexes[slot],
                    other => panic!("edges have strings, not {other:?}"),
                });
                pairs.entry((&*column.label, source, target)).or_default().push(property);
            }
        }
    }
    pairs
}
