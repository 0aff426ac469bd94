//! Tests the memory of a new graph while it is made and written. The test counts bytes, and does not measure
//! time. It also checks that a graph made with little memory is the same as one made with ample memory.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod counted;

use std::path::Path;

use varvite::change::{ChangeError, NewValue, NodeRef, PropertyOwner};
use varvite::compare::Digest;
use varvite::write::{NewGraphOptions, NewGraphReport};
use varvite::{Cardinality, Graph, GraphError, NewGraph, Result, Task, ValueType};

const MIB: usize = 1 << 20;
/// A memory limit that is too low to hold the columns of the test's nodes and edges.
const LITTLE: usize = 12 * MIB;
const AMPLE: usize = 512 * MIB;
const NODES: u32 = 200_000;
const EDGES: u32 = 600_000;

/// Makes a graph that has edges without a property, edges with a property, and values of every kind.
fn make(mut new: NewGraph<'_>) -> Result<NewGraphReport, ChangeError> {
    for (name, value_type, cardinality) in [
        ("SINGLE", ValueType::F32, Cardinality::Optional),
        ("SMALL", ValueType::I8, Cardinality::Optional),
        ("LARGE", ValueType::U64, Cardinality::One),
        ("BYTES", ValueType::Bytes, Cardinality::Optional),
        ("TEXTS", ValueType::String, Cardinality::List),
    ] {
        new.declare_property(name, PropertyOwner::Nodes, value_type, cardinality)?;
    }
    for node in 0..NODES {
        new.add_node(if node % 3 == 0 { &["A"] } else { &["A", "B"] })?;
        new.set(node, "SIZE", i64::from(node) * 1_000_003)?;
        new.set(node, "NAME", format!("name {}", node % 1000).as_str())?;
        new.set(node, "LARGE", u64::MAX - u64::from(node))?;
    }
    for node in (0..NODES).rev() {
        // If an owner gets several values, the last one is kept.
        new.set(node, "SIZE", -i64::from(node))?;
        if node % 3 == 0 {
            new.set(node, "THIRD", node % 2 == 0)?;
        }
        new.set(node, "SINGLE", f64::from(node) / 3.0)?;
        new.set(node, "SMALL", node % 100)?;
        new.set(node, "BYTES", &node.to_le_bytes()[..])?;
        new.set(node, "NEXT", NodeRef::Node(node * 7 % NODES))?;
        new.append(node, "TEXTS", [NewValue::Null, format!("text {}", node % 77).as_str().into()])?;
        new.append(node, "TEXTS", [""])?;
    }
    for edge in 0..EDGES {
        new.add_edge("TO", edge.wrapping_mul(7919) % NODES, edge.wrapping_mul(104_729) % NODES)?;
        if edge % 100 == 0 {
            let valued = new.add_edge("VALUED", edge % NODES, (edge + 1) % NODES)?;
            new.set(valued, "WEIGHT", edge)?;
        }
    }
    new.finish()
}

fn options(memory: usize) -> NewGraphOptions<'static> {
    NewGraphOptions::new().task(Task::new().memory(memory).threads(2))
}

/// This is a single test, because it counts the bytes that the whole program allocates.
#[test]
fn a_graph_takes_no_more_memory_than_it_may_and_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [little, ample] = ["little.varvite", "ample.varvite"].map(|name| folder.path().join(name));
    let most = counted::most_during(|| {
        let report = make(options(LITTLE).create(&little).unwrap()).unwrap();
        assert_eq!((report.nodes, report.edges), (NODES, u64::from(EDGES + EDGES / 100)));
    });
    println!("{most} bytes of {LITTLE}");
    assert!(most < LITTLE, "{most} bytes of {LITTLE}");
    make(options(AMPLE).create(&ample).unwrap()).unwrap();
    assert_eq!(names(folder.path()), ["ample.varvite", "little.varvite"]);
    let graphs = [&little, &ample].map(|path| Graph::open(path).unwrap());
    for graph in &graphs {
        assert_eq!(graph.verify(&Task::new()).unwrap().problems, [""; 0]);
        let size = graph.property("SIZE").unwrap();
        assert_eq!(size.numbers(7).collect::<Vec<i64>>(), [-7]);
    }
    let ids = graphs.each_ref().map(|graph| graph.store().header().file_id);
    assert_ne!(ids[0], ids[1], "little memory was not too little for any column");
    let digests = graphs.each_ref().map(|graph| Digest::of(graph, &Task::new()).unwrap());
    assert_eq!(digests[0], digests[1]);
    drop(graphs);
    too_little(folder.path());
}

fn too_little(folder: &Path) {
    let path = folder.join("small.varvite");
    let error = make(options(2 * MIB).create(&path).unwrap()).unwrap_err();
    assert!(matches!(error, ChangeError::Graph(GraphError::OverBudget(_))), "{error}");
    assert!(!path.exists());
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
