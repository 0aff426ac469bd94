//! Tests the ways to open a graph. Each way must need only names from the crate `varvite`, and keep its
//! promises.

use varvite::{ErrorCode, Graph, GraphError, OpenOptions, Profile};
use varvite_model::RandomGraph;
use varvite_testing::draft::Draft;

fn file(profile: Profile) -> Vec<u8> {
    Draft::of(&RandomGraph { nodes: 60, edges: 120, ..RandomGraph::new(3) }.build().in_canonical_order())
        .bytes(profile)
}

/// The file with a changed byte in its last column, which opening does not read.
fn damaged() -> Vec<u8> {
    let mut bytes = file(Profile::Compact);
    let graph = varvite_testing::draft::open_bytes(&bytes).unwrap();
    let segment = graph.store().directory().segments.iter().find(|row| row.stored_len > 0).unwrap();
    bytes[segment.offset as usize] ^= 1;
    bytes
}

fn on_disk(bytes: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

#[test]
fn every_way_to_open_reads_the_same_graph() {
    for profile in [Profile::Direct, Profile::Compact, Profile::Archive] {
        let file = on_disk(&file(profile));
        let ways = [
            OpenOptions::new(),
            OpenOptions::new().mapped(),
            OpenOptions::new().checked(),
            OpenOptions::new().buffered(),
            OpenOptions::new().buffered().verified().decoded_max(1 << 20).memory_max(64 << 20),
        ];
        let expected = Graph::open(file.path()).unwrap().node_count();
        for way in ways {
            let graph = way.open(file.path()).unwrap();
            assert_eq!(graph.node_count(), expected, "{way:?}");
            assert!(!graph.is_recovered());
        }
    }
}

#[test]
fn only_a_graph_that_is_to_be_verified_is_read_when_it_is_opened() {
    let file = on_disk(&damaged());
    OpenOptions::new().buffered().open(file.path()).unwrap();
    let error = OpenOptions::new().verified().open(file.path()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Damaged);
    let GraphError::Unsound { path, problems } = &error else { panic!("{error}") };
    assert_eq!(path, file.path());
    assert!(!problems.is_empty());
    assert!(error.to_string().starts_with(&format!("{}: ", file.path().display())), "{error}");
    assert!(error.to_string().contains(&problems[0]), "{error}");
}

#[test]
fn a_limit_on_memory_holds_from_the_opening_on() {
    let file = on_disk(&file(Profile::Archive));
    let graph = OpenOptions::new().memory_max(1).open(file.path()).unwrap();
    assert_eq!(graph.property("NAME").unwrap_err().code(), ErrorCode::OverBudget);
    // Opening with a full check of the file exceeds the budget too.
    let error = OpenOptions::new().memory_max(1).verified().open(file.path()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::OverBudget);
}
