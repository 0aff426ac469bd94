//! A graph is unchanged after import and export, in every profile.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use serde_json::Value;
use varvite::compare::Digest;
use varvite::error::StoreError;
use varvite::{EdgeLabelId, ErrorCode, Graph, GraphError, IfExists, OpenOptions, Profile, Task};
use varvite_import::flatgraph::{Direction, FlatgraphFile, NodeKind, NodeRef, Values};
use varvite_import::{Export, ExportError, ExportReport, ExportSettings, Import};
use varvite_store::Vfs;
use varvite_testing::vfs::{FaultPlan, FaultVfs, MemoryVfs};

use super::content::{Content, Edges};
use super::draft::Draft;
use super::facts::{data, facts};
use super::roundtrip::{pool, write};
use super::sound::any_sound_content;

const GRAPH: &str = "graph.varvite";
const TARGET: &str = "graph.cpg.bin";
const PROFILES: [Profile; 3] = [Profile::Direct, Profile::Compact, Profile::Archive];

pub(super) fn import_file(source: &Path, profile: Profile) -> Graph {
    let disk = MemoryVfs::new();
    let import =
        Import::new(source).profile(profile).task(Task::new().threads(2)).vfs(Arc::new(disk.clone()));
    import.write_to(GRAPH).unwrap();
    open(&disk)
}

pub(super) fn open(disk: &MemoryVfs) -> Graph {
    OpenOptions::new().buffered().open_in(disk, GRAPH).unwrap()
}

pub(super) fn import_bytes(bytes: &[u8], profile: Profile) -> Graph {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(TARGET);
    std::fs::write(&path, bytes).unwrap();
    import_file(&path, profile)
}

fn digest(graph: &Graph) -> Digest {
    Digest::of(graph, &Task::new().threads(2)).unwrap()
}

fn export_to(
    vfs: impl Vfs + 'static,
    graph: &Graph,
    if_exists: IfExists,
) -> Result<ExportReport, ExportError> {
    let settings = ExportSettings::new().if_exists(if_exists).vfs(Arc::new(vfs));
    Export::new(graph).settings(settings.task(Task::new().threads(2))).write_to(TARGET)
}

pub(super) fn export_bytes(graph: &Graph) -> Result<Vec<u8>, ExportError> {
    let disk = MemoryVfs::new();
    let report = export_to(disk.clone(), graph, IfExists::Refuse)?;
    let bytes = disk.contents(TARGET).unwrap();
    assert_eq!(report.file_len, bytes.len() as u64);
    Ok(bytes)
}

pub(super) fn decode(bytes: &[u8]) -> Content {
    Content::decode(&FlatgraphFile::from_bytes(bytes.to_vec()).unwrap()).unwrap()
}

#[test]
fn memory_that_is_enough_for_one_thread_is_enough_for_eight() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(GRAPH);
    Import::new(data("zlib.cpg.bin")).profile(Profile::Direct).write_to(&path).unwrap();
    let export = |threads, bytes| {
        let graph = Graph::open(&path).unwrap();
        graph.limit_memory(bytes);
        let settings = ExportSettings::new().vfs(Arc::new(MemoryVfs::new()));
        Export::new(&graph).settings(settings.task(Task::new().threads(threads))).write_to(TARGET)
    };
    let fits = |threads, bytes| match export(threads, bytes) {
        Ok(_) => true,
        Err(ExportError::Graph(error)) if error.code() == ErrorCode::OverBudget => false,
        Err(error) => panic!("{error}"),
    };
    let (mut least, mut most) = (0, 64 << 20);
    while least + 1024 < most {
        let middle = (least + most) / 2;
        if fits(1, middle) { most = middle } else { least = middle }
    }
    assert!(least > 1 << 20 && !fits(8, least) && fits(8, most), "{least} to {most} bytes for one thread");
}

/// The content of a file, without unused values, empty columns and the indexes of strings.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    kinds: Vec<NodeKind>,
    edges: BTreeMap<(u32, String, Direction), SaidEdges>,
    properties: BTreeMap<(u32, String), (Vec<u32>, Vec<String>)>,
}

impl Said {
    pub(super) fn by(content: &Content) -> Self {
        let edges = content.edges.iter().filter(|column| has_slots(&column.quantities)).map(|column| {
            let quantities = whole(&column.quantities, content, column.kind);
            let slots = quantities.iter().sum::<u32>() as usize;
            let property = column.property.as_ref().map(|values| texts(content, values, slots));
            let key = (column.kind, column.label.clone(), column.direction);
            (key, (quantities, column.neighbors[..slots].to_vec(), property))
        });
        let properties =
            content.properties.iter().filter(|column| has_slots(&column.quantities)).map(|column| {
                let quantities = whole(&column.quantities, content, column.kind);
                let values = texts(content, &column.values, quantities.iter().sum::<u32>() as usize);
                ((column.kind, column.name.clone()), (quantities, values))
            });
        Self { kinds: content.kinds.clone(), edges: edges.collect(), properties: properties.collect() }
    }
}

/// The quantities, neighbors and property values of a column of edges.
type SaidEdges = (Vec<u32>, Vec<NodeRef>, Option<Vec<String>>);

fn has_slots(quantities: &[u32]) -> bool {
    quantities.iter().any(|quantity| *quantity > 0)
}

fn whole(quantities: &[u32], content: &Content, kind: u32) -> Vec<u32> {
    let mut quantities = quantities.to_vec();
    quantities.resize(content.kinds[kind as usize].node_count as usize, 0);
    quantities
}

/// Each value as a text that begins with its type: a string as its text, a float as its bits, because it may
/// be NaN.
fn texts(content: &Content, values: &Values, slots: usize) -> Vec<String> {
    fn show<T: std::fmt::Debug>(values: impl Iterator<Item = T>, slots: usize, name: &str) -> Vec<String> {
        values.take(slots).map(|value| format!("{name} {value:?}")).collect()
    }
    let name = values.element().to_string();
    match values {
        Values::Bool(values) => show(values.iter(), slots, &name),
        Values::Byte(values) => show(values.iter(), slots, &name),
        Values::Short(values) => show(values.iter(), slots, &name),
        Values::Int(values) => show(values.iter(), slots, &name),
        Values::Long(values) => show(values.iter(), slots, &name),
        Values::Float(values) => show(values.iter().map(|value| value.to_bits()), slots, &name),
        Values::Double(values) => show(values.iter().map(|value| value.to_bits()), slots, &name),
        Values::Ref(values) => show(values.iter(), slots, &name),
        Values::String(values) => {
            let text =
                |index: &i32| usize::try_from(*index).ok().and_then(|index| content.strings.get(index));
            show(values.iter().map(text), slots, &name)
        }
    }
}

#[test]
fn zlib_comes_back_from_every_profile() {
    let original = Content::decode(&FlatgraphFile::open(data("zlib.cpg.bin")).unwrap()).unwrap();
    let expected: Value =
        serde_json::from_slice(&std::fs::read(data("zlib.expected.json")).unwrap()).unwrap();
    let graphs = PROFILES.map(|profile| import_file(&data("zlib.cpg.bin"), profile));
    let files = graphs.each_ref().map(|graph| export_bytes(graph).unwrap());
    assert!(files.iter().all(|file| *file == files[0]), "equal graphs give equal bytes");
    for (graph, profile) in graphs.iter().zip(PROFILES) {
        assert_eq!(digest(graph), digest(&import_bytes(&files[0], profile)), "{}", profile.name());
    }
    let exported = decode(&files[0]);
    assert!(Said::by(&exported) == Said::by(&original), "every column is the same");
    for (name, fact) in facts(&exported).as_object().unwrap() {
        assert_eq!(*fact, expected[name], "{name}");
    }
}

#[test]
fn every_string_is_in_the_pool_once_and_in_use() {
    let exported = decode(&export_bytes(&import_file(&data("zlib.cpg.bin"), Profile::Compact)).unwrap());
    let mut strings: Vec<&str> = exported.strings.iter().collect();
    strings.sort_unstable();
    assert!(strings.windows(2).all(|pair| pair[0] != pair[1]), "no string is there twice");
    let mut unused: Vec<bool> = vec![true; exported.strings.len()];
    let of_edges = exported.edges.iter().filter_map(|column| column.property.as_ref());
    for values in of_edges.chain(exported.properties.iter().map(|column| &column.values)) {
        let Values::String(indexes) = values else { continue };
        indexes.iter().filter(|index| **index >= 0).for_each(|index| unused[*index as usize] = false);
    }
    assert_eq!(unused.iter().filter(|unused| **unused).count(), 0, "no string is there for nothing");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_sound_graph_comes_back_from_every_profile(content in any_sound_content()) {
        let bytes = write(&content).unwrap();
        let original = Said::by(&decode(&bytes));
        let graphs = PROFILES.map(|profile| import_bytes(&bytes, profile));
        let files = graphs.each_ref().map(|graph| export_bytes(graph).unwrap());
        prop_assert!(files.iter().all(|file| *file == files[0]), "equal graphs give equal bytes");
        prop_assert_eq!(Said::by(&decode(&files[0])), original);
        for (graph, profile) in graphs.iter().zip(PROFILES) {
            prop_assert_eq!(digest(graph), digest(&import_bytes(&files[0], profile)));
        }
    }
}

/// A file with one kind of three nodes, the second of them deleted, and two edges between the other nodes.
fn small() -> Content {
    let edges = |direction, quantities: &[u32], ends: [u32; 2]| Edges {
        kind: 0,
        label: "CFG".into(),
        direction,
        quantities: quantities.to_vec(),
        neighbors: ends.map(|seq| NodeRef::new(0, seq)).to_vec(),
        property: None,
    };
    Content {
        kinds: vec![NodeKind::with_deletions("BLOCK", 3, vec![1]), NodeKind::new("METHOD", 0)],
        edges: vec![edges(Direction::Out, &[2, 0, 0], [2, 0]), edges(Direction::In, &[1, 0, 1], [0, 0])],
        properties: Vec::new(),
        strings: pool(&["unused"]),
    }
}

fn small_graph(change: impl Fn(&mut Content)) -> Graph {
    let mut content = small();
    change(&mut content);
    import_bytes(&write(&content).unwrap(), Profile::Compact)
}

#[test]
fn a_kind_without_nodes_and_labels_without_edges_are_kept() {
    let graph = small_graph(|content| {
        content.edges.iter_mut().for_each(|column| {
            column.quantities.clear();
            column.neighbors.clear();
            column.property = Some(Values::Long(Vec::new()));
        });
    });
    let exported = decode(&export_bytes(&graph).unwrap());
    assert_eq!(exported.kinds, small().kinds);
    let column = &exported.edges[0];
    assert_eq!((&*column.label, &column.property), ("CFG", &Some(Values::Long(Vec::new()))));
}

#[test]
fn an_edge_without_a_value_has_the_default_beside_one_that_has() {
    // Both kinds have an edge to the METHOD, and only the edge of the BLOCK has a value.
    let (block, method) = (NodeRef::new(0, 0), NodeRef::new(1, 0));
    let edges = |kind, direction, ends: &[NodeRef], property: Option<&[i32]>| Edges {
        kind,
        label: "REACHING_DEF".into(),
        direction,
        quantities: vec![ends.len() as u32],
        neighbors: ends.to_vec(),
        property: property.map(|indexes| Values::String(indexes.to_vec())),
    };
    let graph = small_graph(|content| {
        content.kinds = vec![NodeKind::new("BLOCK", 1), NodeKind::new("METHOD", 1)];
        content.strings = pool(&["x", "<empty>"]);
        content.edges = vec![
            edges(0, Direction::Out, &[method], Some(&[0])),
            edges(1, Direction::Out, &[method], None),
            edges(1, Direction::In, &[method, block], Some(&[1, 0])),
        ];
    });
    let exported = decode(&export_bytes(&graph).unwrap());
    let properties: Vec<_> = exported
        .edges
        .iter()
        .map(|column| column.property.as_ref().map(|values| texts(&exported, values, values.len())))
        .collect();
    let text = |text: &str| format!("string Some({text:?})");
    assert_eq!(properties, [Some(vec![text("x")]), Some(vec![text("<empty>"), text("x")]), None]);
}

#[test]
fn an_existing_target_is_refused_unless_it_is_to_be_replaced() {
    let (disk, graph) = (MemoryVfs::new(), small_graph(|_| {}));
    disk.put(TARGET, b"old");
    let error = export_to(disk.clone(), &graph, IfExists::Refuse).unwrap_err();
    assert!(matches!(error, ExportError::Graph(GraphError::Store(StoreError::Exists { .. }))), "{error}");
    assert_eq!(disk.contents(TARGET).unwrap(), b"old");
    export_to(disk.clone(), &graph, IfExists::Replace).unwrap();
    assert_eq!(disk.contents(TARGET).unwrap(), export_bytes(&graph).unwrap());
}

#[test]
fn a_disk_that_fails_is_left_as_it_was() {
    let graph = small_graph(|_| {});
    let counted = FaultVfs::new(Arc::new(MemoryVfs::new()), FaultPlan::none());
    export_to(counted.clone(), &graph, IfExists::Refuse).unwrap();
    for index in 0..counted.operation_count() {
        let disk = MemoryVfs::new();
        let plan = FaultPlan::fail_once(index, io::ErrorKind::Other).tearing_writes();
        match export_to(FaultVfs::new(Arc::new(disk.clone()), plan), &graph, IfExists::Refuse) {
            // The file is complete and has its name, but a crash may remove the name from the folder.
            Err(ExportError::Graph(GraphError::Store(StoreError::NotDurable { .. }))) => {
                assert_eq!(disk.contents(TARGET).unwrap(), export_bytes(&graph).unwrap());
            }
            Err(ExportError::Graph(GraphError::Store(_))) => {
                assert!(disk.paths().is_empty(), "operation {index}")
            }
            // The first attempt to remove the temporary name failed.
            Ok(_) => {
                assert_eq!(disk.contents(TARGET).unwrap(), export_bytes(&graph).unwrap());
                assert_eq!(disk.paths().len(), 1, "operation {index}");
            }
            Err(other) => panic!("operation {index}: {other:?}"),
        }
    }
}

#[test]
fn a_full_disk_is_left_as_it_was() {
    let (graph, disk) = (small_graph(|_| {}), MemoryVfs::new());
    let len = export_bytes(&graph).unwrap().len() as u64;
    for free in [0, 15, 16, 100, len - 1] {
        let full = FaultVfs::new(Arc::new(disk.clone()), FaultPlan::disk_full_after(free));
        let error = export_to(full, &graph, IfExists::Refuse).unwrap_err();
        assert!(
            matches!(&error, ExportError::Graph(GraphError::Store(error)) if error.io_kind() == Some(io::ErrorKind::StorageFull)),
            "{error}"
        );
        assert!(disk.paths().is_empty(), "{free} bytes free");
    }
}

#[test]
fn values_on_arriving_edges_alone_are_no_property() {
    let mut draft = Draft::new();
    draft.manifest["edges"][0].as_object_mut().unwrap().remove("property");
    let graph = import_bytes(&draft.into_bytes(), Profile::Compact);
    assert!(graph.places(EdgeLabelId(0)).unwrap().is_none());
    let again = import_bytes(&export_bytes(&graph).unwrap(), Profile::Compact);
    assert_eq!(digest(&again), digest(&graph));
}

#[test]
fn a_value_that_refers_to_a_deleted_node_is_null_and_counted() {
    let import_of = |target: u64| {
        let mut draft = Draft::new();
        draft.manifest["properties"][2]["property"] = draft.refs(&[target]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(TARGET);
        std::fs::write(&path, draft.into_bytes()).unwrap();
        let disk = MemoryVfs::new();
        let import = Import::new(&path).task(Task::new().threads(1)).vfs(Arc::new(disk.clone()));
        let report = import.write_to(GRAPH).unwrap();
        let property = open(&disk).property("NODE").unwrap();
        let owner = property.owners().next().unwrap();
        (report.refs_to_deleted, property.get(owner).map(|value| value.to_string()))
    };
    assert_eq!(import_of(1), (1, Some(varvite::Value::Ref(None).to_string())));
    assert_eq!(import_of(NodeRef::NULL.bits()).0, 0);
    let (deleted, to_a) = import_of(2);
    assert!(deleted == 0 && to_a.is_some_and(|to_a| to_a != varvite::Value::Ref(None).to_string()));
}
