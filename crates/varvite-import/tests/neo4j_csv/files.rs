//! Tables in several files, compressed tables, large tables, and the options and limits of imports.

use std::io::Write;

use varvite::{Cancel, IfExists, Profile, Task};
use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
use varvite_import::TextError;
use varvite_import::neo4j_csv::{CsvGroup, CsvImport};

use super::{Tables, edges, open_checked, values};

#[test]
fn a_header_may_lie_in_a_file_of_its_own() {
    let tables = Tables::new();
    let nodes = [
        tables.write("header.csv", ":ID,name\n"),
        tables.write("1.csv", "a,first\nb,second\n"),
        tables.write("2.csv", "c,third"),
    ];
    CsvImport::new().nodes(CsvGroup::of(nodes)).write_to(tables.path("g")).unwrap();
    assert_eq!(values(&open_checked(&tables.path("g")), "name"), ["first", "second", "third"]);
}

#[test]
fn a_header_that_comes_again_is_passed_over_if_asked_for() {
    let tables = Tables::new();
    let nodes = ["1", "2"].map(|name| tables.write(name, format!(":ID,name\n{name},{name}\n")));
    let import = CsvImport::new().nodes(CsvGroup::of(nodes)).if_exists(IfExists::Replace);
    let report = import.clone().write_to(tables.path("g")).unwrap();
    assert_eq!(report.nodes, 3);
    let report = import.skip_subsequent_headers(true).write_to(tables.path("g")).unwrap();
    assert_eq!(report.nodes, 2);
}

fn compressed(framing: Framing, text: &str) -> Vec<u8> {
    let mut writer = FrameWriter::new(framing, 3, Vec::new(), &FrameOptions::default()).unwrap();
    writer.write_plain(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn tables_may_be_compressed() {
    let tables = Tables::new();
    let nodes = tables.write("nodes.csv.gz", compressed(Framing::Gzip, ":ID,name\n1,a\n2,b\n"));
    let edges_ = tables.write("edges.zst", compressed(Framing::Zstd, ":START_ID,:END_ID,:TYPE\n1,2,T\n"));
    let import = CsvImport::new().nodes(CsvGroup::of([&nodes])).relationships(CsvGroup::of([edges_]));
    let report = import.if_exists(IfExists::Replace).write_to(tables.path("g")).unwrap();
    let graph = open_checked(&tables.path("g"));
    assert_eq!((values(&graph, "name"), edges(&graph, "T")), (vec!["a".into(), "b".into()], vec![(0, 1)]));
    let len = |name| std::fs::metadata(tables.path(name)).unwrap().len();
    assert_eq!(report.source_len, len("nodes.csv.gz") + len("edges.zst"));
    let cut = std::fs::read(&nodes).unwrap();
    tables.write("cut.gz", &cut[..cut.len() - 5]);
    let error = CsvImport::new().nodes(CsvGroup::of([tables.path("cut.gz")])).write_to(tables.path("h"));
    assert!(matches!(error, Err(TextError::Io { .. })), "{error:?}");
}

/// Several thousand nodes with texts and edges with values, in an unfavourable order.
fn large(tables: &Tables) -> CsvImport<'static> {
    let (mut nodes, mut relationships) = (Vec::new(), Vec::new());
    writeln!(nodes, ":ID,text,n:long,tags:string[],:LABEL").unwrap();
    writeln!(relationships, ":START_ID,:END_ID,:TYPE,w:double").unwrap();
    for number in 0..30_000u64 {
        let id = number * 7919 % 30_000;
        writeln!(nodes, "n{id},text number {},{},a;t{},L{}", id / 3, id * id, id % 5, id % 4).unwrap();
        writeln!(relationships, "n{id},n{},E{},{}", id * 31 % 30_000, id % 3, id as f64 / 8.0).unwrap();
    }
    let nodes = CsvGroup::of([tables.write("nodes.csv", nodes)]);
    let relationships = CsvGroup::of([tables.write("relationships.csv", relationships)]);
    CsvImport::new().nodes(nodes).relationships(relationships).if_exists(IfExists::Replace)
}

#[test]
fn the_same_tables_give_the_same_bytes_with_any_memory_and_any_number_of_threads() {
    let tables = Tables::new();
    let import = large(&tables);
    let bytes = |import: CsvImport<'_>| {
        import.write_to(tables.path("g")).unwrap();
        std::fs::read(tables.path("g")).unwrap()
    };
    for profile in [Profile::Direct, Profile::Compact, Profile::Archive] {
        let import = import.clone().profile(profile);
        let all = bytes(import.clone().task(Task::new().memory(1 << 30).threads(1)));
        // With this memory limit, values go to a temporary file.
        let little = bytes(import.clone().task(Task::new().memory(16 << 20).threads(3)));
        assert!(all == little, "{profile:?}");
    }
    let names: Vec<_> =
        std::fs::read_dir(tables.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("scratch")), "{names:?}");
}

#[test]
fn an_import_beyond_its_memory_is_refused_and_leaves_nothing() {
    let tables = Tables::new();
    for bytes in [10_000, 200_000, 1 << 20] {
        let error = large(&tables).task(Task::new().memory(bytes)).write_to(tables.path("g")).unwrap_err();
        assert_eq!(error.code(), varvite::ErrorCode::OverBudget, "{error}");
        assert!(!tables.path("g").exists());
    }
}

#[test]
fn a_cancelled_import_leaves_nothing() {
    let tables = Tables::new();
    let cancel = Cancel::default();
    let told = cancel.clone();
    let task = Task::new().cancel(&cancel).progress(move |_| told.cancel());
    for task in [task, Task::new().time_max(std::time::Duration::ZERO)] {
        let error = large(&tables).task(task).write_to(tables.path("g")).unwrap_err();
        assert_eq!(error.code(), varvite::ErrorCode::Cancelled);
        assert!(!tables.path("g").exists());
    }
}

#[test]
fn what_may_be_passed_over_is_counted() {
    let tables = Tables::new();
    let nodes = ":ID,name\na,first\nb,\na,second\n";
    let relationships = ":START_ID,:END_ID,:TYPE\na,b,T\na,c,T\nx,a,T\n,a,T\na,b,\nb,a,T,more\n";
    let (report, graph) = tables
        .import_with(nodes, relationships, |import| {
            import.skip_bad_relationships(true).skip_duplicate_nodes(true).ignore_extra_columns(true)
        })
        .unwrap();
    assert_eq!((report.skipped_nodes, report.skipped_relationships), (1, 4));
    assert_eq!(
        (values(&graph, "name"), edges(&graph, "T")),
        (vec!["first".into(), String::new()], vec![(0, 1), (1, 0)])
    );
}
