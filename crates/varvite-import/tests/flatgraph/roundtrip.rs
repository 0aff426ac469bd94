//! Any content is read back unchanged after the writer wrote it.

use std::fs::File;

use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use varvite_import::flatgraph::{
    Direction, EdgeData, EncodedColumn, FlatgraphError, FlatgraphFile, FlatgraphWriter, NodeKind, NodeRef,
    PropertyData, StringPool, Values,
};

use super::content::{Content, Edges, Property};

/// Writes the columns in the given order, including unused values after those that the quantities count.
pub(super) fn write(content: &Content) -> Result<Vec<u8>, FlatgraphError> {
    let mut writer = FlatgraphWriter::create(Vec::new(), content.kinds.clone())?;
    for column in encode(content)? {
        writer.append(&column)?;
    }
    writer.finish(&content.strings)
}

fn encode(content: &Content) -> Result<Vec<EncodedColumn>, FlatgraphError> {
    let kind = |index: u32| &content.kinds[index as usize];
    let edges = content.edges.iter().map(|column| {
        EncodedColumn::edges(&EdgeData {
            kind: kind(column.kind),
            edge_label: &column.label,
            direction: column.direction,
            quantities: &column.quantities,
            neighbors: &column.neighbors,
            property: column.property.as_ref(),
        })
    });
    let properties = content.properties.iter().map(|column| {
        EncodedColumn::property(&PropertyData {
            kind: kind(column.kind),
            name: &column.name,
            quantities: &column.quantities,
            values: &column.values,
        })
    });
    edges.chain(properties).collect()
}

/// The content that a reader should return: without unused values, with a quantity for every node, and with
/// sorted columns.
fn normalized(mut content: Content) -> Content {
    for column in &mut content.edges {
        let slots = pad(&mut column.quantities, content.kinds[column.kind as usize].node_count);
        column.neighbors.truncate(slots);
        column.property.iter_mut().for_each(|values| truncate(values, slots));
    }
    for column in &mut content.properties {
        let slots = pad(&mut column.quantities, content.kinds[column.kind as usize].node_count);
        truncate(&mut column.values, slots);
    }
    content.edges.sort_by_key(|column| (column.kind, column.label.clone(), column.direction));
    content.properties.sort_by_key(|column| (column.kind, column.name.clone()));
    content
}

fn pad(quantities: &mut Vec<u32>, node_count: u32) -> usize {
    quantities.resize(node_count as usize, 0);
    quantities.iter().sum::<u32>() as usize
}

fn truncate(values: &mut Values, len: usize) {
    match values {
        Values::Bool(values) => values.truncate(len),
        Values::Byte(values) => values.truncate(len),
        Values::Short(values) => values.truncate(len),
        Values::Int(values) | Values::String(values) => values.truncate(len),
        Values::Long(values) => values.truncate(len),
        Values::Float(values) => values.truncate(len),
        Values::Double(values) => values.truncate(len),
        Values::Ref(values) => values.truncate(len),
    }
}

proptest! {
    #[test]
    fn every_graph_comes_back(content in any_content()) {
        let file = FlatgraphFile::from_bytes(write(&content).unwrap()).unwrap();
        prop_assert_eq!(Content::decode(&file).unwrap(), normalized(content));
    }
}

fn any_content() -> impl Strategy<Value = Content> {
    (any_kinds(".{0,4}"), vec(".{0,6}", 0..6)).prop_flat_map(|(kinds, strings)| {
        let (edges, properties) = (some_of(edge_names(&kinds)), some_of(property_names(&kinds)));
        (edges, properties).prop_flat_map(move |(edges, properties)| {
            let edges: Vec<_> = edges.into_iter().map(|name| any_edges(&kinds, &strings, name)).collect();
            let properties: Vec<_> =
                properties.into_iter().map(|name| any_property(&kinds, &strings, name)).collect();
            let (kinds, pool) = (kinds.clone(), pool(&strings));
            (edges, properties).prop_map(move |(edges, properties)| Content {
                kinds: kinds.clone(),
                edges,
                properties,
                strings: pool.clone(),
            })
        })
    })
}

pub(super) fn pool(strings: &[impl AsRef<str>]) -> StringPool {
    let mut pool = StringPool::default();
    for (index, string) in (0..).zip(strings) {
        assert_eq!(pool.push(string.as_ref()).unwrap(), index);
    }
    pool
}

fn some_of<T: Clone + std::fmt::Debug + 'static>(names: Vec<T>) -> impl Strategy<Value = Vec<T>> {
    let max = names.len().min(6);
    subsequence(names, 0..=max).prop_shuffle()
}

/// Kinds whose labels match a pattern: a flatgraph file may have any labels, but a graph has none that is
/// empty or contains a NUL.
pub(super) fn any_kinds(labels: &'static str) -> impl Strategy<Value = Vec<NodeKind>> {
    let any_kind = |label: String| {
        (0..20_u32).prop_flat_map(move |node_count| {
            let (label, seqs) = (label.clone(), (0..node_count).collect::<Vec<_>>());
            subsequence(seqs, 0..=node_count as usize)
                .prop_map(move |deletions| NodeKind::with_deletions(&label, node_count, deletions))
        })
    };
    btree_set(labels, 1..5).prop_flat_map(move |labels| labels.into_iter().map(any_kind).collect::<Vec<_>>())
}

fn edge_names(kinds: &[NodeKind]) -> Vec<(u32, &'static str, Direction)> {
    let labels = ["AST", "\"quoted\"", "ÄÖ \u{1}"].into_iter();
    let names = labels.flat_map(|label| [(label, Direction::In), (label, Direction::Out)]);
    names
        .flat_map(|(label, direction)| (0..kinds.len() as u32).map(move |kind| (kind, label, direction)))
        .collect()
}

fn property_names(kinds: &[NodeKind]) -> Vec<(u32, &'static str)> {
    ["NAME", "CODE", ""]
        .into_iter()
        .flat_map(|name| (0..kinds.len() as u32).map(move |kind| (kind, name)))
        .collect()
}

fn any_edges(
    kinds: &[NodeKind],
    strings: &[String],
    (kind, label, direction): (u32, &'static str, Direction),
) -> BoxedStrategy<Edges> {
    let can_point = kinds.iter().any(|kind| kind.node_count > 0);
    let (kinds, strings) = (kinds.to_vec(), strings.len());
    let quantities = any_quantities(kinds[kind as usize].node_count, if can_point { 4 } else { 1 });
    let columns =
        (quantities, 0..if can_point { 4_usize } else { 1 }).prop_flat_map(move |(quantities, slack)| {
            let slots = quantities.iter().sum::<u32>() as usize + slack;
            let property = proptest::option::of(any_values(slots, &kinds, strings));
            (Just(quantities), vec(any_ref(&kinds), slots), property)
        });
    let edges = move |(quantities, neighbors, property)| Edges {
        kind,
        label: label.to_owned(),
        direction,
        quantities,
        neighbors,
        property,
    };
    columns.prop_map(edges).boxed()
}

fn any_property(
    kinds: &[NodeKind],
    strings: &[String],
    (kind, name): (u32, &'static str),
) -> BoxedStrategy<Property> {
    let (kinds, strings) = (kinds.to_vec(), strings.len());
    let quantities = any_quantities(kinds[kind as usize].node_count, 3);
    let columns = (quantities, 0..4_usize).prop_flat_map(move |(quantities, slack)| {
        let slots = quantities.iter().sum::<u32>() as usize + slack;
        (Just(quantities), any_values(slots, &kinds, strings))
    });
    let property = move |(quantities, values)| Property { kind, name: name.to_owned(), quantities, values };
    columns.prop_map(property).boxed()
}

/// Quantities, perhaps fewer than there are nodes: the other nodes have none.
fn any_quantities(node_count: u32, below: u32) -> impl Strategy<Value = Vec<u32>> {
    vec(0..below, 0..=node_count as usize)
}

fn any_values(slots: usize, kinds: &[NodeKind], strings: usize) -> BoxedStrategy<Values> {
    let refs = prop_oneof![1 => Just(NodeRef::NULL), 3 => any_ref(kinds)];
    prop_oneof![
        vec(any::<bool>(), slots).prop_map(Values::Bool),
        vec(any::<i8>(), slots).prop_map(Values::Byte),
        vec(any::<i16>(), slots).prop_map(Values::Short),
        vec(any::<i32>(), slots).prop_map(Values::Int),
        vec(any::<i64>(), slots).prop_map(Values::Long),
        vec(any::<f32>(), slots).prop_map(Values::Float),
        vec(any::<f64>(), slots).prop_map(Values::Double),
        vec(-1..strings as i32, slots).prop_map(Values::String),
        vec(refs, slots).prop_map(Values::Ref),
    ]
    .boxed()
}

/// A reference to a node that exists, or null if there are no nodes.
fn any_ref(kinds: &[NodeKind]) -> BoxedStrategy<NodeRef> {
    let nodes = (0..)
        .zip(kinds)
        .flat_map(|(kind, entry)| (0..entry.node_count).map(move |seq| NodeRef::new(kind, seq)));
    let nodes: Vec<_> = nodes.collect();
    if nodes.is_empty() {
        return Just(NodeRef::NULL).boxed();
    }
    any::<Index>().prop_map(move |index| *index.get(&nodes)).boxed()
}

/// A file with two kinds, both directions, a property of nodes and one of edges, unused values, a deleted
/// node and a null.
pub(super) fn small() -> Content {
    let strings = pool(&["main", "", "größe"]);
    let edges = |kind, direction, quantities: &[u32], neighbors: &[NodeRef], property: &[i32]| Edges {
        kind,
        label: "CALL".into(),
        direction,
        quantities: quantities.to_vec(),
        neighbors: neighbors.to_vec(),
        property: Some(Values::String(property.to_vec())),
    };
    let property = |name: &str, quantities: &[u32], values| Property {
        kind: 0,
        name: name.into(),
        quantities: quantities.to_vec(),
        values,
    };
    let (call, method) = (|seq| NodeRef::new(0, seq), NodeRef::new(1, 0));
    Content {
        kinds: vec![NodeKind::with_deletions("CALL", 3, vec![1]), NodeKind::new("METHOD", 1)],
        edges: vec![
            edges(0, Direction::Out, &[2, 0, 1], &[method; 4], &[0, 2, -1, -1]),
            edges(1, Direction::In, &[3], &[call(2), call(0), call(0)], &[-1, 0, 2]),
        ],
        properties: vec![
            property("ARGUMENT", &[1, 0, 1], Values::Ref(vec![NodeRef::NULL, call(0)])),
            property("IS_EXTERNAL", &[1, 0, 1], Values::Bool(vec![true, false])),
            property("NAME", &[1, 0, 2], Values::String(vec![0, 1, 2])),
            property("OFFSET", &[1], Values::Long(vec![i64::MIN])),
        ],
        strings,
    }
}

#[test]
fn a_file_on_disk_is_written_and_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.cpg.bin");
    let content = small();
    let mut writer = FlatgraphWriter::create(File::create(&path).unwrap(), content.kinds.clone()).unwrap();
    encode(&content).unwrap().iter().for_each(|column| writer.append(column).unwrap());
    writer.finish(&content.strings).unwrap();
    let file = FlatgraphFile::open(&path).unwrap();
    assert_eq!(Content::decode(&file).unwrap(), normalized(content.clone()));
    assert_eq!(std::fs::read(&path).unwrap(), write(&content).unwrap());
}

#[test]
fn blobs_lie_back_to_back_and_the_manifest_is_the_last_line() {
    let bytes = write(&small()).unwrap();
    let file = FlatgraphFile::from_bytes(bytes.clone()).unwrap();
    let manifest = u64::from_le_bytes(bytes[8..16].try_into().unwrap()) as usize;
    let blobs = file
        .edge_columns()
        .iter()
        .flat_map(|column| [column.quantities, Some(column.neighbors), column.property]);
    let properties =
        file.property_columns().iter().flat_map(|column| [column.quantities, Some(column.values)]);
    let mut end = 16;
    for blob in blobs.chain(properties).flatten() {
        assert_eq!(blob.start(), end);
        end += u64::from(blob.compressed_len());
    }
    assert!(end < manifest as u64, "the strings follow");
    assert_eq!(&bytes[manifest..manifest + 20], "\n".repeat(20).as_bytes());
    assert!(
        bytes[manifest + 20..].starts_with(
            b"{\"version\":0,\"nodes\":[{\"nodeLabel\":\"CALL\",\"nnodes\":3,\"deletions\":[1]},"
        )
    );
    assert!(bytes.ends_with(b"}}") && !bytes[manifest + 20..].contains(&b'\n'));
}

#[test]
fn quantities_end_in_a_spare_zero() {
    let file = FlatgraphFile::from_bytes(write(&small()).unwrap()).unwrap();
    let slots = |kind: u32| u64::from(file.kinds()[kind as usize].node_count) + 1;
    for column in file.edge_columns() {
        assert_eq!(column.quantities.unwrap().slots(), slots(column.kind));
    }
    for column in file.property_columns() {
        assert_eq!(column.quantities.unwrap().slots(), slots(column.kind));
    }
}

#[test]
fn a_column_that_does_not_add_up_is_not_written() {
    let check = |change: fn(&mut Content), is_expected: fn(&FlatgraphError) -> bool| {
        let mut content = small();
        change(&mut content);
        let error = write(&content).unwrap_err();
        assert!(is_expected(&error), "{error}");
    };
    use FlatgraphError as E;
    check(
        |c| c.edges[0].quantities.push(1),
        |e| matches!(e, E::QuantityWithoutNode { seq: 3, node_count: 3, .. }),
    );
    check(|c| c.edges[0].quantities[1] = 2, |e| matches!(e, E::TooFewValues { expected: 5, found: 4, .. }));
    check(
        |c| c.properties[2].quantities[1] = 1,
        |e| matches!(e, E::TooFewValues { expected: 4, found: 3, .. }),
    );
    check(
        |c| c.edges[0].property = Some(Values::Int(vec![1; 3])),
        |e| matches!(e, E::ValueCount { expected: 4, found: 3, .. }),
    );
    check(
        |c| c.properties[2].values = Values::String(vec![0, 3, 1]),
        |e| matches!(e, E::StringPoolTooSmall { expected: 4, found: 3, .. }),
    );
    check(|c| c.edges.push(c.edges[0].clone()), |e| matches!(e, E::DuplicateColumn { .. }));
    check(|c| c.properties.push(c.properties[0].clone()), |e| matches!(e, E::DuplicateColumn { .. }));
    check(|c| c.kinds.push(c.kinds[0].clone()), |e| matches!(e, E::DuplicateKind { .. }));
    check(|c| c.kinds[0].deletions = vec![3], |e| matches!(e, E::Deletion { seq: 3, node_count: 3, .. }));
}

#[test]
fn a_column_of_a_foreign_kind_is_not_written() {
    let content = small();
    let mut writer = FlatgraphWriter::create(Vec::new(), vec![NodeKind::new("FILE", 0)]).unwrap();
    let error = writer.append(&encode(&content).unwrap()[0]).unwrap_err();
    assert!(matches!(error, FlatgraphError::UnknownKindLabel { .. }), "{error}");
}
