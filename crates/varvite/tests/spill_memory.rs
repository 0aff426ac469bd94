//! Tests the memory of a diff with a memory limit, while the diff is built and applied. The test counts
//! bytes, and does not measure time.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod counted;

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, PropertyOwner};
use varvite::write::{GraphChange, LayerSpec};
use varvite::{Cardinality, Graph, Profile, Task, ValueType};
use varvite_format::ColumnRow;
use varvite_model::RandomGraph;
use varvite_store::vfs::RealVfs;
use varvite_testing::draft::Draft;

const MIB: usize = 1 << 20;
const LIMIT: usize = 8 * MIB;
/// The number of operations. It is so high that columns are not encoded in memory.
const COUNT: u32 = (1 << 20) + 1_000;

/// This is a single test, because it counts the bytes that the whole program allocates.
#[test]
fn a_diff_takes_about_as_much_memory_as_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    let graph = RandomGraph { nodes: 50, edges: 100, holes: 0, ..RandomGraph::new(3) };
    let graph = graph.build().in_canonical_order();
    let first = graph.node_count() as u32;
    std::fs::write(&path, Draft::of(&graph).bytes(Profile::Compact)).unwrap();
    let within_limit = |what: &str, fill: &dyn Fn(&mut Diff)| {
        let most = counted::most_during(|| {
            let mut diff = Diff::with_memory(LIMIT, Arc::new(RealVfs), &path).unwrap();
            fill(&mut diff);
            let change = GraphChange::begin(Arc::new(RealVfs), &path).unwrap();
            change.apply_with(&diff, &Task::new().threads(1)).unwrap();
        });
        println!("{what}: {most} bytes");
        assert!(most < 2 * LIMIT, "{what}: {most} bytes of {LIMIT}");
        assert_eq!(names(folder.path()), ["graph.varvite"]);
    };
    within_limit("nodes", &|diff| {
        diff.declare_label("NEW");
        diff.declare_property("TEXT", PropertyOwner::Nodes, ValueType::String, Cardinality::Optional);
        diff.declare_property("NUMBERS", PropertyOwner::Nodes, ValueType::I64, Cardinality::List);
        for number in 0..COUNT {
            let node = diff.add_node(&["NEW"]);
            diff.set(node, "TEXT", [format!("text {}", number / 2).as_str()]);
            diff.set(node, "NUMBERS", [i64::from(number) << 32]);
            diff.add_edge("CFG", number % first, node);
        }
    });
    within_limit("values", &|diff| {
        for number in 0..COUNT {
            diff.append(first + number * 7 % COUNT, "NUMBERS", [i64::from(number)]);
        }
    });
    within_limit("removals", &|diff| {
        (0..COUNT / 2).for_each(|number| diff.remove_node(first + number * 2));
    });
    let graph = Graph::open(&path).unwrap();
    assert_eq!(graph.node_count(), first + COUNT);
    assert_eq!(graph.live_node_count(), first + COUNT - COUNT / 2);
    assert_eq!(graph.property("TEXT").unwrap().str(first + 77).unwrap().to_string(), "text 38");
    assert_eq!(graph.verify(&Task::new()).unwrap().problems, [""; 0]);
    long_lists(&folder.path().join("lists.varvite"));
}

/// Checks the memory for a layer with lists of three million numbers in all, both when the layer is added and
/// when the graph is written anew.
fn long_lists(path: &Path) {
    let graph = RandomGraph { nodes: 50, edges: 100, holes: 0, ..RandomGraph::new(3) };
    std::fs::write(path, Draft::of(&graph.build().in_canonical_order()).bytes(Profile::Archive)).unwrap();
    let numbers = |list: i64| (0..1 << 20).map(move |number| (number * 7919 + list) % 4093);
    let most = counted::most_during(|| {
        let mut diff = Diff::with_memory(LIMIT, Arc::new(RealVfs), path).unwrap();
        diff.declare_label("RUN");
        let mut lists = diff.number_lists("NUMBERS");
        (0..3).for_each(|list| lists.push(diff.add_node(&["RUN"]), numbers(list)));
        let layer = LayerSpec { name: "run", tool: "test", version: "1", source: [1; 32] };
        let change = GraphChange::begin(Arc::new(RealVfs), path).unwrap();
        change.add_layer_with(&layer, &diff, vec![lists], &Task::new().threads(1)).unwrap();
    });
    assert!(most < LIMIT, "lists that come: {most} bytes");
    let mut diff = Diff::new();
    diff.remove_node(0);
    GraphChange::begin(Arc::new(RealVfs), path).unwrap().apply_with(&diff, &Task::new()).unwrap();
    let stored = || column_of_numbers(&Graph::open(path).unwrap());
    let (before, length) = (stored(), std::fs::metadata(path).unwrap().len() as usize);
    let most = counted::most_during(|| {
        GraphChange::begin(Arc::new(RealVfs), path).unwrap().compact(&Task::new().threads(1)).unwrap();
    });
    assert!(most < 3 * length && length < LIMIT, "compact: {most} bytes for a file of {length}");
    let graph = Graph::open(path).unwrap();
    let (property, nodes) = (graph.property("NUMBERS").unwrap(), graph.nodes("RUN").unwrap());
    assert_eq!((stored(), nodes.len()), (before, 3));
    for (node, list) in nodes.iter().zip(0..) {
        assert!(property.numbers(node).eq(numbers(list)), "list {list}");
    }
    assert_eq!(graph.verify(&Task::new()).unwrap().problems, [""; 0]);
}

/// The directory's row for the column that has the numbers.
fn column_of_numbers(graph: &Graph) -> ColumnRow {
    let place = graph.properties().iter().position(|property| property.name == "NUMBERS").unwrap();
    let directory = graph.store().directory();
    let column = directory.properties[place].values;
    ColumnRow { segments: [None; 2], ..directory.columns[column.index()] }
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
