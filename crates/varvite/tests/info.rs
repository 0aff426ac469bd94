//! Tests the output of `info` for a file. It is computed from the directory alone.

use varvite::inspect::Info;
use varvite::memory::MemoryState;
use varvite::{Graph, Profile};
use varvite_model::RandomGraph;
use varvite_testing::draft::Draft;

fn graph(profile: Profile) -> Graph {
    let model = RandomGraph { nodes: 2000, edges: 6000, ..RandomGraph::new(1) }.build();
    Draft::of(&model.in_canonical_order()).open(profile)
}

#[test]
fn every_column_is_described_and_every_byte_belongs_to_one() {
    for profile in Profile::ALL {
        let graph = graph(profile);
        let info = Info::of(&graph);
        assert_eq!((info.profile, info.nodes, info.edges), (profile, 2000, graph.edge_count()));
        assert_eq!(info.columns.len(), graph.store().directory().roots().count());
        let segments = &graph.store().directory().segments;
        let stored: u64 = segments.iter().map(|segment| segment.stored_len + segment.table_len()).sum();
        let unshared = info.columns.iter().filter(|column| column.shared_with.is_none());
        let described: u64 = unshared.map(|column| column.bytes).sum();
        assert_eq!(described, stored, "{}", profile.name());
        assert!(described <= info.file_bytes);
    }
}

#[test]
fn names_say_what_a_column_is_for() {
    let info = Info::of(&graph(Profile::Compact));
    let column = |name: &str| info.columns.iter().find(|column| column.name == name).unwrap();
    assert_eq!(column("node labels").count, 2000);
    assert_eq!(column("property ORDER owners").encoding, "all");
    assert_eq!(column("property NOWHERE owners").encoding, "empty");
    assert_eq!(column("property CODE strings").codec, "none");
    assert!(column("edges CFG in neighbours").encoding.starts_with("packed"));
    assert!(column("label METHOD nodes").bits_per_value() > 0.0);
    assert!(column("property REACHING_DEF.VARIABLE values").count > 0);
    assert!(column("edges REACHING_DEF places").count > 0);
}

#[test]
fn a_column_that_is_stored_once_names_the_first_use() {
    let info = Info::of(&graph(Profile::Direct));
    let column = |name: &str| info.columns.iter().find(|column| column.name == name).unwrap();
    let shared: Vec<_> = info.columns.iter().filter_map(|column| column.shared_with.as_deref()).collect();
    assert!(shared.iter().all(|name| column(name).shared_with.is_none() && column(name).bytes > 0));
    // A column without bytes shares no bytes with another column.
    assert_eq!(column("property NOWHERE_LIST owners").shared_with, None);
}

#[test]
fn describing_a_graph_touches_no_column() {
    let graph = graph(Profile::Archive);
    let held = Info::of(&graph).memory.into_iter().filter(|(_, bytes)| *bytes > 0);
    assert!(held.map(|(state, _)| state).eq([MemoryState::Tables]), "the directory and the schema");
    let name = graph.property("NAME").unwrap();
    let decoded = Info::of(&graph).memory.iter().find(|(state, _)| *state == MemoryState::Decoded).copied();
    assert!(decoded.unwrap().1 > 0);
    drop(name);
}

#[test]
fn json_holds_what_the_struct_holds() {
    let info = Info::of(&graph(Profile::Archive));
    let json: serde_json::Value = serde_json::from_str(&info.to_json()).unwrap();
    assert_eq!(json["nodes"], 2000);
    assert_eq!(json["profile"], "archive");
    assert_eq!(json["forest_label"], "AST");
    assert_eq!(json["columns"].as_array().unwrap().len(), info.columns.len());
    let method = json["labels"].as_array().unwrap().iter().find(|label| label["name"] == "METHOD").unwrap();
    assert_eq!((&method["layer"], method["nodes"].as_u64() > Some(0)), (&"code".into(), true));
    assert_eq!(json["layers"][1]["name"], "code/dataflow");
    assert_eq!(json["layers"][0]["source"], "07".repeat(32));
    let name = json["properties"].as_array().unwrap().iter().find(|property| property["name"] == "NAME");
    assert_eq!(name.unwrap()["default"], "<empty>");
    assert!(json["memory"]["decoded"].is_u64());
}
