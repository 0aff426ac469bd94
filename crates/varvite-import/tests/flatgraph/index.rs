//! Indexes of a real graph find the same nodes as a scan, and as many nodes as flatgraph finds.

use std::ops::ControlFlow::Continue;
use std::sync::Arc;

use varvite::{Graph, LabelId, Profile, Task};
use varvite_import::Import;
use varvite_testing::vfs::MemoryVfs;

use super::export::open;
use super::facts::data;

const PROPERTIES: [&str; 4] = ["NAME", "FULL_NAME", "METHOD_FULL_NAME", "CODE"];

fn zlib(profile: Profile) -> Graph {
    let disk = MemoryVfs::new();
    let import = Import::new(data("zlib.cpg.bin"))
        .profile(profile)
        .task(Task::new().threads(2))
        .vfs(Arc::new(disk.clone()));
    let import = PROPERTIES.into_iter().fold(import, Import::index);
    import.write_to("graph.varvite").unwrap();
    open(&disk)
}

/// The nodes with a code, found by a scan of the whole column.
fn scan(graph: &Graph, property: &str, code: u32) -> Vec<u32> {
    let mut nodes = Vec::new();
    graph.property(property).unwrap().find_number(code.into(), |node| {
        nodes.push(node);
        Continue(())
    });
    nodes
}

#[test]
fn every_text_of_zlib_leads_where_a_scan_leads() {
    for profile in Profile::ALL {
        let graph = zlib(profile);
        for property in PROPERTIES {
            let index = graph.text_index(property).unwrap().unwrap();
            let (strings, mut found) = (index.strings(), Vec::new());
            let mut reader = strings.reader();
            for code in 0..strings.len() {
                let text = reader.str(code).unwrap();
                assert_eq!(index.find(text), Some(code));
                if code % 61 == 0 {
                    found.clear();
                    index.append(code, |_| true, &mut found);
                    assert_eq!(found, scan(&graph, property, code), "{property} {text:?}");
                }
            }
        }
        assert_eq!(graph.verify(&Task::new().threads(2)).unwrap().problems, [""; 0], "{}", profile.name());
    }
}

#[test]
fn calls_by_name_are_as_many_as_flatgraph_counts() {
    let expected = std::fs::read_to_string(data("zlib.expected.json")).unwrap();
    let expected: serde_json::Value = serde_json::from_str(&expected).unwrap();
    let graph = zlib(Profile::Compact);
    let (names, call): (_, LabelId) =
        (graph.text_index("NAME").unwrap().unwrap(), graph.label("CALL").unwrap());
    for row in expected["traversals"]["top_call_names"].as_array().unwrap() {
        let (name, count) = (row[0].as_str().unwrap(), row[1].as_u64().unwrap());
        let code = names.find(name).unwrap();
        assert_eq!(names.count_with(code, call) as u64, count, "{name}");
        assert_eq!(names.nodes_with(name, call).len() as u64, count, "{name}");
    }
}
