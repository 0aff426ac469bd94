//! Random graphs that each language makes with the methods of its `NewGraph`. In every language, the same
//! calls must give the same report.
//!
//! The function [`calls`] makes the calls of a seed. The tests in C and Java repeat its loop, and compare
//! their digests with those in `conformance/files/made.txt`, which has a line for each seed with the number
//! of nodes, the number of edges and the digest.

use std::fmt::Write;
use std::sync::Arc;

use varvite::change::{Diff, NewValue, NodeRef, PropertyOwner};
use varvite::write::{NewGraphOptions, NewGraphReport};
use varvite::{Cardinality, NewGraph, Profile, ValueType};
use varvite_model::SplitMix64;
use varvite_testing::draft::open_bytes;
use varvite_testing::vfs::MemoryVfs;

const PATH: &str = "made.varvite";
const LABELS: [&str; 4] = ["A", "B", "C", "D"];
/// The number of calls for each graph, not counting declarations.
const STEPS: usize = 300;
const SEEDS: u64 = 12;

/// A value that a call passes.
enum Given {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
    Node(u32),
}

/// The owner of a value: a node or an edge TO, given by its number.
#[derive(Clone, Copy)]
enum Owner {
    Node(u32),
    Edge(u32),
}

enum Call {
    Label(&'static str),
    EdgeLabel(&'static str),
    Property(&'static str, PropertyOwner<'static>, ValueType, Cardinality),
    Node(Vec<&'static str>),
    Edge(&'static str, u32, u32),
    Set(Owner, &'static str, Given),
    Append(Owner, &'static str, Vec<Given>),
}

impl Given {
    fn value(&self) -> NewValue<'_> {
        match self {
            Self::Null => NewValue::Null,
            Self::Bool(value) => (*value).into(),
            Self::Int(value) => (*value).into(),
            Self::Uint(value) => (*value).into(),
            Self::Double(value) => (*value).into(),
            Self::Text(text) => text.as_str().into(),
            Self::Bytes(bytes) => bytes.as_slice().into(),
            Self::Node(node) => NodeRef::Node(*node).into(),
        }
    }
}

/// The calls that make the graph of a seed.
fn calls(seed: u64) -> Vec<Call> {
    let mut calls = vec![
        Call::Label("NOBODY"),
        Call::EdgeLabel("NEVER"),
        Call::Property("RATE", PropertyOwner::Nodes, ValueType::F32, Cardinality::Optional),
        Call::Property("BIG", PropertyOwner::Nodes, ValueType::U64, Cardinality::List),
        Call::Property("TAGS", PropertyOwner::Nodes, ValueType::String, Cardinality::List),
        Call::Property("WEIGHT", PropertyOwner::Edges("TO"), ValueType::F64, Cardinality::Optional),
    ];
    let (mut random, mut nodes, mut edges) = (SplitMix64::new(seed), 0, 0);
    for _ in 0..STEPS {
        let kind = random.below(12);
        if nodes == 0 || kind < 2 {
            let (first, count) = (random.below(4), random.below(3));
            calls.push(Call::Node((0..count).map(|more| LABELS[(first + more) % 4]).collect()));
            nodes += 1;
            continue;
        }
        let node = random.below(nodes) as u32;
        let owner = Owner::Node(node);
        calls.push(match kind {
            2..=4 => {
                edges += 1;
                Call::Edge("TO", node, random.below(nodes) as u32)
            }
            5 => Call::Edge("OF", node, random.below(nodes) as u32),
            6 if edges == 0 => continue,
            6 => {
                let edge = Owner::Edge(random.below(edges) as u32);
                Call::Set(edge, "WEIGHT", Given::Double((random.below(1000) as f64 - 500.0) / 8.0))
            }
            7 => Call::Set(owner, "SIZE", Given::Int(random.below(2000) as i64 - 1000)),
            8 => Call::Set(owner, "NAME", Given::Text(format!("n{}", random.below(50)))),
            9 => {
                let count = random.below(4);
                Call::Append(owner, "TAGS", (0..count).map(|_| tag(&mut random)).collect())
            }
            10 => Call::Set(owner, "FLAG", Given::Bool(random.below(2) == 1)),
            _ => rare(owner, nodes, &mut random),
        });
    }
    calls
}

fn tag(random: &mut SplitMix64) -> Given {
    match random.below(5) {
        0 => Given::Null,
        _ => Given::Text(format!("t{}", random.below(9))),
    }
}

fn rare(owner: Owner, nodes: usize, random: &mut SplitMix64) -> Call {
    match random.below(4) {
        0 => Call::Set(owner, "NEXT", Given::Node(random.below(nodes) as u32)),
        1 => {
            let length = random.below(6) as u8;
            Call::Append(owner, "DATA", vec![Given::Bytes((0..length).map(|at| at * 37 + length).collect())])
        }
        2 => Call::Set(owner, "RATE", Given::Double(random.below(100) as f64 / 3.0)),
        _ => Call::Append(owner, "BIG", vec![Given::Uint(random.next_u64())]),
    }
}

/// Calls a method of the new graph.
fn call(new: &mut NewGraph<'_>, call: &Call) {
    match call {
        Call::Label(name) => new.declare_label(name),
        Call::EdgeLabel(name) => new.declare_edge_label(name),
        Call::Property(name, owner, kind, many) => new.declare_property(name, *owner, *kind, *many),
        Call::Node(labels) => new.add_node(labels).map(drop),
        Call::Edge(label, from, to) => new.add_edge(label, *from, *to).map(drop),
        Call::Set(Owner::Node(node), name, value) => new.set(*node, name, value.value()),
        Call::Set(Owner::Edge(edge), name, value) => {
            let edge = new.edge("TO", *edge).unwrap();
            new.set(edge, name, value.value())
        }
        Call::Append(Owner::Node(node), name, values) => {
            new.append(*node, name, values.iter().map(Given::value))
        }
        Call::Append(Owner::Edge(edge), name, values) => {
            let edge = new.edge("TO", *edge).unwrap();
            new.append(edge, name, values.iter().map(Given::value))
        }
    }
    .unwrap();
}

/// Adds the operation of a call to a diff.
fn say(diff: &mut Diff, call: &Call) {
    match call {
        Call::Label(name) => diff.declare_label(name),
        Call::EdgeLabel(name) => diff.declare_edge_label(name),
        Call::Property(name, owner, kind, many) => diff.declare_property(name, *owner, *kind, *many),
        Call::Node(labels) => _ = diff.add_node(labels),
        Call::Edge(label, from, to) => _ = diff.add_edge(label, *from, *to),
        Call::Set(Owner::Node(node), name, value) => diff.set(*node, name, [value.value()]),
        Call::Set(Owner::Edge(edge), name, value) => diff.set(("TO", *edge), name, [value.value()]),
        Call::Append(Owner::Node(node), name, values) => {
            diff.append(*node, name, values.iter().map(Given::value))
        }
        Call::Append(Owner::Edge(edge), name, values) => {
            diff.append(("TO", *edge), name, values.iter().map(Given::value));
        }
    }
}

/// Makes a new graph, which `fill` fills. Returns the report and the bytes of the file.
fn made(profile: Profile, fill: impl FnOnce(&mut NewGraph<'_>)) -> (NewGraphReport, Vec<u8>) {
    let disk = MemoryVfs::new();
    let options = NewGraphOptions::new().vfs(Arc::new(disk.clone())).profile(profile);
    let mut new = options.create(PATH).unwrap();
    fill(&mut new);
    (new.finish().unwrap(), disk.contents(PATH).unwrap())
}

/// The lines of `made.txt`.
pub(super) fn lines() -> String {
    let mut lines = String::new();
    for seed in 0..SEEDS {
        let (report, _) = made(Profile::Compact, |new| calls(seed).iter().for_each(|each| call(new, each)));
        let NewGraphReport { nodes, edges, digest, .. } = report;
        write!(lines, "{seed} {nodes} {edges} ").unwrap();
        digest.iter().for_each(|byte| write!(lines, "{byte:02x}").unwrap());
        lines.push('\n');
    }
    lines
}

#[test]
fn calls_that_come_as_bytes_make_the_same_file() {
    for (seed, profile) in
        (0..20).zip([Profile::Compact, Profile::Direct, Profile::Archive].into_iter().cycle())
    {
        let calls = calls(seed);
        let expected = made(profile, |new| calls.iter().for_each(|each| call(new, each)));
        let mut random = SplitMix64::new(!seed);
        let (found, bytes) = made(profile, |new| {
            let mut rest = calls.as_slice();
            while !rest.is_empty() {
                let (batch, others) = rest.split_at(random.below(rest.len().min(90)) + 1);
                let mut diff = Diff::new();
                batch.iter().for_each(|each| say(&mut diff, each));
                new.apply_bytes(&diff.to_bytes().unwrap()).unwrap();
                rest = others;
            }
        });
        assert!((found, &bytes) == (expected.0, &expected.1), "seed {seed}");
        let graph = open_bytes(&bytes).unwrap();
        assert_eq!(graph.layers()[0].source, found.digest);
    }
}
