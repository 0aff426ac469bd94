//! Content that a graph can have and flatgraph can't express: an export widens types if this changes no
//! value, or else returns an error that names the content.

use std::path::Path;
use std::sync::Arc;

use varvite::{Cardinality, Graph, ValueType};
use varvite::{
    columns::{
        EdgeLabelSpec, GraphWriter, LabelSpec, ListsInput, PropertyInput, PropertySpec, TextsInput,
        ValuesInput, WriteOptions, pair_places,
    },
    write::LayerSpec,
};
use varvite_format::{EdgeLabelId, Owner};
use varvite_import::flatgraph::{ElementType, ExportError, Values};
use varvite_testing::vfs::MemoryVfs;

use super::export::{decode, export_bytes, open};

/// A property to be written, of nodes or of edges.
struct Draft<'a> {
    name: &'a str,
    owner: Owner,
    value_type: ValueType,
    default: Option<&'a str>,
    offsets: &'a [u32],
    values: ValuesInput<'a>,
}

/// A graph with these properties and with two nodes, joined by two edges E from the first to the second. Each
/// mask selects a node's labels among A and B.
fn graph(masks: [u64; 2], properties: &[Draft<'_>]) -> Graph {
    let (disk, options) = (MemoryVfs::new(), WriteOptions::default());
    let target = Path::new("graph.varvite");
    let mut writer = GraphWriter::create(Arc::new(disk.clone()), target, 2, b"", &options).unwrap();
    let encoder = GraphWriter::encoder(&options);
    let layer = writer.add_layer(&LayerSpec { name: "code", tool: "test", version: "0", source: [0; 32] });
    writer.set_label_codes(encoder.labels(&[0, 1]).unwrap(), masks.to_vec()).unwrap();
    for (bit, name) in ["A", "B"].into_iter().enumerate() {
        let members = (0..2).map(|node| (masks[node] >> bit & 1) << node).sum();
        let nodes = encoder.set(&[members], 2).unwrap();
        writer.add_label(LabelSpec { name, layer, nodes, origin_count: 0, origin: None }).unwrap();
    }
    let out = ListsInput { offsets: &[0, 2, 2], neighbors: &[1, 1] };
    let in_ = ListsInput { offsets: &[0, 0, 2], neighbors: &[0, 0] };
    let edge_label = EdgeLabelSpec {
        name: "E",
        layer,
        edges: 2,
        out: Some(encoder.adjacency(out, varvite::columns::Heat::Cold).unwrap()),
        in_: Some(encoder.adjacency(in_, varvite::columns::Heat::Cold).unwrap()),
        places: Some(encoder.places(in_, &pair_places(out, in_).unwrap()).unwrap()),
    };
    writer.add_edge_label(edge_label).unwrap();
    for draft in properties {
        let spec = PropertySpec {
            name: draft.name.to_owned(),
            owner: draft.owner,
            layer,
            value_type: draft.value_type,
            cardinality: Cardinality::List,
            default: draft.default.map(str::to_owned),
        };
        let input = PropertyInput { offsets: draft.offsets, values: draft.values };
        writer.add_property(&spec, encoder.property(input).unwrap()).unwrap();
    }
    writer.finish().unwrap();
    open(&disk)
}

const A_AND_B: [u64; 2] = [0b01, 0b10];

fn on_nodes<'a>(value_type: ValueType, numbers: &'a [i64; 2]) -> Draft<'a> {
    let values = ValuesInput::Numbers(numbers);
    Draft { name: "P", owner: Owner::Node, value_type, default: None, offsets: &[0, 1, 2], values }
}

fn on_edges<'a>(value_type: ValueType, offsets: &'a [u32; 3], values: ValuesInput<'a>) -> Draft<'a> {
    Draft { name: "P", owner: Owner::Edge(EdgeLabelId(0)), value_type, default: None, offsets, values }
}

fn error(graph: &Graph) -> ExportError {
    export_bytes(graph).unwrap_err()
}

#[test]
fn a_node_has_exactly_one_label() {
    let several = error(&graph([0b01, 0b11], &[]));
    assert_eq!(
        several.to_string(),
        "node 1 has the labels A and B; a node of a flatgraph file has exactly one"
    );
    let none = error(&graph([0b01, 0], &[]));
    assert!(matches!(&none, ExportError::Labels { node: 1, labels } if labels.is_empty()), "{none}");
}

#[test]
fn unsigned_integers_become_wider_signed_ones() {
    let check = |value_type, numbers: [i64; 2], expected: [Values; 2]| {
        let content = decode(&export_bytes(&graph(A_AND_B, &[on_nodes(value_type, &numbers)])).unwrap());
        let values: Vec<_> = content.properties.iter().map(|column| column.values.clone()).collect();
        assert_eq!(values, expected);
    };
    check(ValueType::U8, [0, 255], [Values::Short(vec![0]), Values::Short(vec![255])]);
    check(ValueType::U16, [0, 65_535], [Values::Int(vec![0]), Values::Int(vec![65_535])]);
    let max = u32::MAX.into();
    check(ValueType::U32, [0, max], [Values::Long(vec![0]), Values::Long(vec![max])]);
    check(ValueType::U64, [0, i64::MAX], [Values::Long(vec![0]), Values::Long(vec![i64::MAX])]);
}

#[test]
fn the_largest_integers_are_refused() {
    let error = error(&graph(A_AND_B, &[on_nodes(ValueType::U64, &[0, -1])]));
    let ExportError::ValueRange { property, expected: ElementType::Long, found } = &error else {
        panic!("{error}")
    };
    assert_eq!((&**property, *found), ("property P", u64::MAX.into()));
}

#[test]
fn bytes_are_refused() {
    let texts = TextsInput { bytes: b"\xff", texts: &[(0, 1)], codes: &[0, 0], sorted: false, parents: &[] };
    let bytes = Draft { values: ValuesInput::Texts(texts), ..on_nodes(ValueType::Bytes, &[0, 0]) };
    let error = error(&graph(A_AND_B, &[bytes]));
    assert!(matches!(&error, ExportError::Type { found: "bytes", .. }), "{error}");
}

#[test]
fn edges_have_one_property_with_one_value() {
    let numbers = ValuesInput::Numbers(&[7, 8]);
    let one = || on_edges(ValueType::I32, &[0, 1, 2], numbers);
    let two = error(&graph(A_AND_B, &[one(), Draft { name: "Q", ..one() }]));
    assert!(
        matches!(&two, ExportError::EdgeProperties { first, second, .. } if (&**first, &**second) == ("P", "Q")),
        "{two}"
    );
    let list = error(&graph(A_AND_B, &[on_edges(ValueType::I32, &[0, 2, 2], numbers)]));
    assert!(matches!(&list, ExportError::EdgeList { values: 2, owners: 1, .. }), "{list}");
}

#[test]
fn an_edge_without_a_value_gets_the_default_or_null() {
    let first_of = |graph: &Graph| decode(&export_bytes(graph).unwrap()).edges[0].property.clone();
    let numbers = || on_edges(ValueType::I32, &[0, 1, 1], ValuesInput::Numbers(&[7]));
    let error = error(&graph(A_AND_B, &[numbers()]));
    assert!(matches!(&error, ExportError::EdgeWithoutValue { .. }), "{error}");
    let with_default = graph(A_AND_B, &[Draft { default: Some("-3"), ..numbers() }]);
    assert_eq!(first_of(&with_default), Some(Values::Int(vec![7, -3])));
    let texts = TextsInput { bytes: b"x", texts: &[(0, 1)], codes: &[0], sorted: false, parents: &[] };
    let texts = graph(A_AND_B, &[on_edges(ValueType::String, &[0, 0, 1], ValuesInput::Texts(texts))]);
    assert_eq!(first_of(&texts), Some(Values::String(vec![-1, 0])));
}
