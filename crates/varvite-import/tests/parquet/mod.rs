//! Exports to Parquet, read back by the record reader of the crate `parquet`, which shares no code with its
//! writer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ::parquet::basic::Encoding;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use varvite::change::{Diff, NewValue, PropertyOwner};
use varvite::write::GraphChange;
use varvite::{Cancel, Cardinality, Graph, GraphError, IfExists, NewGraph, Task, ValueType};
use varvite_import::parquet::{ParquetExport, ParquetExportError, ParquetReport};
use varvite_import::{ExportSettings, Import};
use varvite_store::vfs::RealVfs;

use crate::neo4j_csv::{Tables, open_checked};

fn reader(path: &Path) -> SerializedFileReader<File> {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap()
}

/// The rows of a file as text.
fn rows(path: &Path) -> Vec<String> {
    reader(path).into_iter().map(|row| row.unwrap().to_string()).collect()
}

fn export(graph: &Graph, target: &Path) -> ParquetReport {
    let settings = ExportSettings::new().if_exists(IfExists::Replace);
    ParquetExport::new(graph).settings(settings).write_to(target).unwrap()
}

fn people() -> Graph {
    let nodes = "id:ID,b:byte,s:short,i:int,l:long,f:float,d:double,t:boolean,text,list:string[],numbers:long[],:LABEL\n\
        1,-128,300,70000,9223372036854775807,0.5,0.25,true,<&>,a;b,1;-2,A;B\n\
        2,,,,,,,,,,,A\n3,1,2,3,4,Infinity,1.5,false,<&>,,7,B\n4,,,,,,,,,,,\n";
    let relationships =
        ":START_ID,:END_ID,:TYPE,w:double,note\n1,2,KNOWS,0.5,x\n2,3,a/../b,,\n1,3,KNOWS,,y\n";
    Tables::new().import(nodes, relationships).unwrap().1
}

#[test]
fn each_label_has_a_file_with_its_rows() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("out");
    let report = export(&people(), &target);
    assert_eq!((report.nodes, report.edges, report.files, report.unlabelled), (4, 3, 4, 1));
    assert_eq!(
        rows(&target.join("nodes/A.parquet")),
        [
            "{id: 0, id_1: \"1\", b: -128, s: 300, i: 70000, l: 9223372036854775807, f: 0.5, d: 0.25, t: true, \
             text: \"<&>\", list: [\"a\", \"b\"], numbers: [1, -2]}",
            "{id: 1, id_1: \"2\", b: null, s: null, i: null, l: null, f: null, d: null, t: null, text: null, \
             list: [], numbers: []}",
        ]
    );
    assert_eq!(rows(&target.join("nodes/B.parquet")).len(), 2);
    assert_eq!(
        rows(&target.join("edges/KNOWS.parquet")),
        ["{source: 0, target: 1, w: 0.5, note: \"x\"}", "{source: 0, target: 2, w: null, note: \"y\"}"]
    );
    let strange = rows(&target.join("edges/a%2F%2E%2E%2Fb.parquet"));
    assert!(strange.len() == 1 && strange[0].starts_with("{source: 1, target: 2"), "{strange:?}");
}

#[test]
fn unsigned_numbers_and_nulls_in_lists_keep_their_types() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("new.varvite");
    let mut new = NewGraph::create(&path).unwrap();
    let node = new.add_node(&["A"]).unwrap();
    let kinds = [ValueType::U8, ValueType::U16, ValueType::U32, ValueType::U64];
    for (kind, value) in kinds.into_iter().zip([255, 65_535, u64::from(u32::MAX), u64::MAX]) {
        new.declare_property(kind.name(), PropertyOwner::Nodes, kind, Cardinality::One).unwrap();
        new.set(node, kind.name(), value).unwrap();
    }
    new.finish().unwrap();
    let mut diff = Diff::new();
    diff.declare_property("TEXTS", PropertyOwner::Nodes, ValueType::String, Cardinality::List);
    diff.set(0, "TEXTS", [NewValue::from("a"), NewValue::Null, NewValue::from("")]);
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
    let target = place.path().join("out");
    export(&open_checked(&path), &target);
    assert_eq!(
        rows(&target.join("nodes/A.parquet")),
        [
            "{id: 0, u8: 255, u16: 65535, u32: 4294967295, u64: 18446744073709551615, TEXTS: [\"a\", null, \"\"]}"
        ]
    );
}

#[test]
fn the_index_names_the_state_of_the_graph_and_all_files() {
    let place = tempfile::tempdir().unwrap();
    let (target, graph) = (place.path().join("out"), people());
    let report = export(&graph, &target);
    let index: serde_json::Value =
        serde_json::from_slice(&fs::read(target.join("_varvite.json")).unwrap()).unwrap();
    let identity: String = graph.identity().to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((&index["format"], &index["version"]), (&"varvite-parquet".into(), &1.into()));
    assert_eq!(index["source"]["identity"], identity);
    assert_eq!((&index["nodes"], &index["nodes_without_label"]), (&4.into(), &1.into()));
    let mut bytes = fs::metadata(target.join("_varvite.json")).unwrap().len();
    for table in index["tables"].as_array().unwrap() {
        let path = target.join(table["file"].as_str().unwrap());
        assert_eq!(table["rows"], rows(&path).len());
        assert_eq!(table["bytes"], fs::metadata(&path).unwrap().len());
        bytes += table["bytes"].as_u64().unwrap();
    }
    assert_eq!(bytes, report.bytes);
}

/// Every node, edge and text of a real graph, counted and added up by cursors.
#[test]
fn a_real_graph_has_the_values_of_cursors() {
    let place = tempfile::tempdir().unwrap();
    let (target, path) = (place.path().join("out"), place.path().join("code.varvite"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/content.cpg.bin");
    Import::new(source).write_to(&path).unwrap();
    let graph = Graph::open(path).unwrap();
    export(&graph, &target);
    let (code, line) = (graph.texts("CODE").unwrap(), graph.property("LINE_NUMBER").unwrap());
    for label in graph.labels() {
        let nodes: Vec<u32> = graph.nodes(&label.name).unwrap().iter().collect();
        let file = target.join(format!("nodes/{}.parquet", label.name));
        assert_eq!(file.exists(), !nodes.is_empty(), "{}", label.name);
        if nodes.is_empty() {
            continue;
        }
        let mut expected = BTreeMap::new();
        let mut lines = 0;
        for node in nodes {
            let text = code.str(node).map(|text| text.to_string());
            *expected.entry(text).or_insert(0) += 1;
            lines += line.number(node).unwrap_or(0);
        }
        let (mut found, mut found_lines) = (BTreeMap::new(), 0);
        for row in reader(&file).into_iter().map(Result::unwrap) {
            let value =
                |name: &str| row.get_column_iter().find(|(key, _)| *key == name).map(|(_, value)| value);
            let text = value("CODE").and_then(|value| match value {
                ::parquet::record::Field::Str(text) => Some(text.clone()),
                _ => None,
            });
            *found.entry(text).or_insert(0) += 1;
            if let Some(::parquet::record::Field::Int(line)) = value("LINE_NUMBER") {
                found_lines += i64::from(*line);
            }
        }
        assert_eq!((found, found_lines), (expected, lines), "{}", label.name);
    }
    for label in graph.edge_labels().iter().filter(|label| label.edges > 0) {
        let file = target.join(format!("edges/{}.parquet", label.name));
        assert_eq!(reader(&file).metadata().file_metadata().num_rows() as u64, label.edges);
    }
}

#[test]
fn texts_keep_dictionaries_and_row_groups_have_statistics() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("out");
    let nodes: String = (0..300_000).map(|node| format!("{node},name{},N\n", node % 7)).collect();
    let (_, graph) = Tables::new().import(&format!(":ID,NAME,:LABEL\n{nodes}"), "").unwrap();
    export(&graph, &target);
    let reader = reader(&target.join("nodes/N.parquet"));
    let groups = reader.metadata().row_groups();
    assert_eq!(groups.iter().map(|group| group.num_rows()).collect::<Vec<_>>(), [131_072, 131_072, 37_856]);
    for group in groups {
        let [id, name] = group.columns() else { panic!("two columns") };
        assert!(id.statistics().unwrap().min_bytes_opt().is_some());
        assert!(
            name.dictionary_page_offset().is_some()
                && !name.encodings().any(|kind| kind == Encoding::PLAIN_DICTIONARY)
        );
        assert_eq!(name.statistics().unwrap().max_bytes_opt().unwrap(), b"name6");
    }
    assert!(fs::metadata(target.join("nodes/N.parquet")).unwrap().len() < 300_000);
}

#[test]
fn equal_graphs_give_equal_bytes() {
    let place = tempfile::tempdir().unwrap();
    let graph = people();
    let bytes = |name: &str| {
        let target = place.path().join(name);
        export(&graph, &target);
        ["_varvite.json", "nodes/A.parquet", "edges/KNOWS.parquet"]
            .map(|file| fs::read(target.join(file)).unwrap())
    };
    assert!(bytes("one") == bytes("two"));
}

#[test]
fn removed_nodes_and_changed_edges_are_seen() {
    let place = tempfile::tempdir().unwrap();
    let tables = Tables::new();
    let nodes = ":ID,NAME,:LABEL\n1,a,N\n2,b,N\n3,c,N\n";
    tables.import(nodes, ":START_ID,:END_ID,:TYPE\n1,2,E\n").unwrap();
    let path = tables.path("graph.varvite");
    let mut diff = Diff::new();
    diff.remove_node(1);
    diff.add_edge("E", 2, 0);
    diff.set(0, "NAME", [NewValue::from("changed")]);
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
    let graph = open_checked(&path);
    let target = place.path().join("out");
    export(&graph, &target);
    assert_eq!(rows(&target.join("nodes/N.parquet")), ["{id: 0, NAME: \"changed\"}", "{id: 2, NAME: \"c\"}"]);
    assert_eq!(rows(&target.join("edges/E.parquet")), ["{source: 2, target: 0}"]);
}

#[test]
fn a_failed_export_leaves_the_old_one() {
    let place = tempfile::tempdir().unwrap();
    let (target, graph) = (place.path().join("out"), people());
    export(&graph, &target);
    let before = fs::read(target.join("nodes/A.parquet")).unwrap();
    let fails = |task: Task<'static>| {
        let settings = ExportSettings::new().if_exists(IfExists::Replace).task(task);
        let error = ParquetExport::new(&graph).settings(settings).write_to(&target).unwrap_err();
        assert_eq!(fs::read(target.join("nodes/A.parquet")).unwrap(), before);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
        error
    };
    let cancel = Cancel::default();
    cancel.cancel();
    let error = fails(Task::new().cancel(&cancel));
    assert!(matches!(error, ParquetExportError::Graph(GraphError::Cancelled)), "{error}");
    let error = fails(Task::new().memory(1000));
    assert!(matches!(error, ParquetExportError::Graph(GraphError::OverBudget(_))), "{error}");
}

#[test]
fn a_graph_of_many_labels_is_refused() {
    let nodes: String = (0..5000).map(|number| format!("{number},L{number}\n")).collect();
    let graph =
        Tables::new().import(&format!("id:ID,:LABEL\n{nodes}"), ":START_ID,:END_ID,:TYPE\n").unwrap().1;
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("out");
    let failure = ParquetExport::new(&graph).write_to(&target).unwrap_err();
    assert!(matches!(failure, ParquetExportError::ManyFiles { found: 5000, limit: 4096 }), "{failure}");
    assert!(!target.exists());
}

/// A graph with a node that has these properties.
fn graph_of_properties(path: &Path, names: impl Iterator<Item = String>) -> Graph {
    let mut new = NewGraph::create(path).unwrap();
    let node = new.add_node(&["A"]).unwrap();
    names.for_each(|name| new.set(node, &name, 1i64).unwrap());
    new.finish().unwrap();
    open_checked(path)
}

#[test]
fn two_thousand_columns_that_differ_in_case_alone_are_exported_in_time() {
    let place = tempfile::tempdir().unwrap();
    let names = (0..2048)
        .map(|number| (0..11).map(|bit| if number >> bit & 1 == 0 { 'a' } else { 'A' }).collect::<String>());
    let graph = graph_of_properties(&place.path().join("new.varvite"), names);
    let target = place.path().join("out");
    let settings = ExportSettings::new().task(Task::new().time_max(Duration::from_secs(60)));
    ParquetExport::new(&graph).settings(settings).write_to(&target).unwrap();
    let index: serde_json::Value =
        serde_json::from_slice(&fs::read(target.join("_varvite.json")).unwrap()).unwrap();
    let columns = index["tables"][0]["columns"].as_array().unwrap();
    let names: BTreeSet<String> = columns.iter().map(|name| name.as_str().unwrap().to_lowercase()).collect();
    assert_eq!((columns.len(), names.len()), (2049, 2049));
}

#[test]
fn names_of_columns_are_charged_to_a_quarter_of_the_memory() {
    let place = tempfile::tempdir().unwrap();
    let names = (0..1000).map(|number| format!("{number:0>1000}"));
    let graph = graph_of_properties(&place.path().join("new.varvite"), names);
    let settings = ExportSettings::new().task(Task::new().memory(4 << 20));
    let target = place.path().join("out");
    let error = ParquetExport::new(&graph).settings(settings).write_to(&target).unwrap_err();
    assert!(
        matches!(error, ParquetExportError::Graph(GraphError::OverBudget(over)) if over.limit == 1 << 20),
        "{error}"
    );
    assert!(!target.exists());
}
