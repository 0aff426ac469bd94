//! What a diff within a limit of memory takes while it is gathered and applied: counted, not timed.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod counted;
#[path = "draft.rs"]
#[allow(dead_code, reason = "shared with the other tests, which use more of it")]
mod draft;

use std::path::Path;
use std::sync::Arc;

use varvite::change::{Diff, PropertyOwner};
use varvite::write::GraphChange;
use varvite::{Cardinality, Graph, Profile, Task, ValueType};
use varvite_model::RandomGraph;
use varvite_store::vfs::RealVfs;

const MIB: usize = 1 << 20;
const LIMIT: usize = 8 * MIB;
/// So many that columns are not encoded in memory.
const COUNT: u32 = (1 << 20) + 1_000;

/// One test: what it counts is counted for the whole program.
#[test]
fn a_diff_takes_about_as_much_memory_as_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.varvite");
    let graph = RandomGraph { nodes: 50, edges: 100, holes: 0, ..RandomGraph::new(3) };
    let graph = graph.build().in_canonical_order();
    let first = graph.node_count() as u32;
    std::fs::write(&path, draft::Draft::of(&graph).bytes(Profile::Compact)).unwrap();
    let within_limit = |what: &str, fill: &dyn Fn(&mut Diff)| {
        let most = counted::most_during(|| {
            let mut diff = Diff::with_memory(LIMIT, Arc::new(RealVfs), &path).unwrap();
            fill(&mut diff);
            let change = GraphChange::begin(Arc::new(RealVfs), &path).unwrap();
            change.apply(&diff, &Task::new().threads(1)).unwrap();
        });
        println!("{what}: {most} bytes");
        assert!(most < 2 * LIMIT, "{what}: {most} bytes of {LIMIT}");
        assert_eq!(names(folder.path()), [".graph.varvite.lock", "graph.varvite"]);
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
}

/// What is in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
