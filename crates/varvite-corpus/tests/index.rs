//! The index of a corpus, and the clones that it shows.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use varvite::change::{Diff, NewValue};
use varvite::vfs::RealVfs;
use varvite::write::{GraphChange, NewGraphOptions};
use varvite::{Graph, IfExists, Task};
use varvite_corpus::{Corpus, CorpusError, FileList, IndexOptions, IndexReport, clones, index};
use varvite_testing::code_graph::{CodeFunction, CodeGraph};

use crate::corpus::{Folder, make_newer};

const NONE: CodeFunction<'static> =
    CodeFunction { name: "", full_name: "", signature: "", is_static: false, line: 1, calls: &[] };

fn write(folder: &Folder, name: &str, language: &str, functions: &[CodeFunction<'_>]) {
    CodeGraph { language, source: "a.c", functions }.write(&folder.path(name));
}

fn update(folder: &Folder) -> IndexReport {
    let output = folder.path("corpus.varvite");
    let list = FileList::at(folder.root()).unwrap().without(&output);
    let corpus = varvite_corpus::CorpusOptions::new().open_list(list);
    index(&corpus, &output, &IndexOptions::default()).unwrap()
}

/// The links of an index: the graphs and names of their ends.
fn links(path: &Path) -> Vec<String> {
    let graph = Graph::open(path).unwrap();
    let (links, methods) = (graph.out("LINKS").unwrap(), graph.nodes("METHOD").unwrap());
    let (names, graphs) = (graph.texts("FULL_NAME").unwrap(), graph.texts("GRAPH").unwrap());
    let shown = |node: u32| {
        let graph = graphs.str(node).unwrap();
        format!(
            "{}:{}",
            Path::new(&*graph).file_stem().unwrap().to_str().unwrap(),
            &*names.str(node).unwrap()
        )
    };
    let pairs = methods.iter().flat_map(|from| links.neighbors(from).map(move |to| (from, to)));
    let mut shown: Vec<String> = pairs.map(|(from, to)| format!("{} > {}", shown(from), shown(to))).collect();
    shown.sort();
    graph.check().unwrap();
    shown
}

#[test]
fn uses_link_to_the_only_exported_definition() {
    let folder = Folder::new();
    let calls: &[(&str, &str)] =
        &[("once", "1"), ("twice", "1"), ("hidden", "1"), ("nowhere", "1"), ("own", "1")];
    write(
        &folder,
        "a.varvite",
        "NEWC",
        &[CodeFunction { name: "main", calls, ..NONE }, CodeFunction { name: "own", ..NONE }],
    );
    write(
        &folder,
        "b.varvite",
        "NEWC",
        &[
            CodeFunction { name: "once", ..NONE },
            CodeFunction { name: "twice", ..NONE },
            CodeFunction { name: "hidden", is_static: true, ..NONE },
        ],
    );
    write(
        &folder,
        "c.varvite",
        "NEWC",
        &[CodeFunction { name: "twice", ..NONE }, CodeFunction { name: "once", is_static: true, ..NONE }],
    );
    write(&folder, "d.varvite", "JAVASRC", &[CodeFunction { name: "nowhere", ..NONE }]);
    let report = update(&folder);
    assert_eq!((report.functions, report.imports), (8, 4));
    assert_eq!((report.linked, report.ambiguous, report.unknown), (1, 1, 2));
    assert_eq!(links(&folder.path("corpus.varvite")), ["a:once > b:once"]);
}

#[test]
fn a_declaration_in_a_header_is_a_use_and_an_empty_body_a_definition() {
    let folder = Folder::new();
    // `void declared(void);` in a header, and `void empty(void) {}`.
    let options = NewGraphOptions::new().tree("AST");
    let mut graph = options.create(folder.path("a.varvite")).unwrap();
    let meta = graph.add_node(&["META_DATA"]).unwrap();
    graph.set(meta, "LANGUAGE", "NEWC").unwrap();
    for (name, code) in [("declared", "<empty>"), ("empty", "{}")] {
        let nodes = ["METHOD", "BLOCK", "CALL"].map(|label| graph.add_node(&[label]).unwrap());
        graph.set(nodes[0], "NAME", name).unwrap();
        graph.set(nodes[1], "CODE", code).unwrap();
        graph.add_edge("AST", nodes[0], nodes[1]).unwrap();
        graph.add_edge("CALL", nodes[2], nodes[0]).unwrap();
    }
    graph.finish().unwrap();
    let calls: &[(&str, &str)] = &[("empty", "1")];
    let functions =
        [CodeFunction { name: "declared", ..NONE }, CodeFunction { name: "other", calls, ..NONE }];
    write(&folder, "b.varvite", "NEWC", &functions);
    let report = update(&folder);
    assert_eq!((report.functions, report.imports, report.linked), (3, 2, 2));
    assert_eq!(links(&folder.path("corpus.varvite")), ["a:declared > b:declared", "b:empty > a:empty"]);
}

#[test]
fn java_links_by_full_name_and_signature_and_python_by_module() {
    let folder = Folder::new();
    let java = |signature| CodeFunction { name: "f", full_name: "a.B.f:int(int)", signature, ..NONE };
    write(&folder, "b.varvite", "JAVASRC", &[java("")]);
    write(&folder, "c.varvite", "JAVASRC", &[java("int(long)")]);
    write(
        &folder,
        "a.varvite",
        "JAVASRC",
        &[CodeFunction { name: "g", calls: &[("a.B.f:int(int)", "1")], ..NONE }],
    );
    let f = CodeFunction { name: "f", full_name: "pack/mod.py:<module>.f", ..NONE };
    write(&folder, "e.varvite", "PYTHONSRC", &[f]);
    let main = CodeFunction {
        name: "main",
        full_name: "main.py:<module>.main",
        calls: &[("pack.mod.f", "1")],
        ..NONE
    };
    write(&folder, "d.varvite", "PYTHONSRC", &[main]);
    update(&folder);
    let expected = ["a:a.B.f:int(int) > b:a.B.f:int(int)", "d:pack.mod.f > e:pack/mod.py:<module>.f"];
    assert_eq!(links(&folder.path("corpus.varvite")), expected);
}

#[test]
fn a_second_run_reads_only_what_changed_and_writes_the_same_index_as_a_first() {
    let folder = Folder::of_graphs(30);
    let first = update(&folder);
    assert_eq!((first.read, first.reused), (30, 0));
    let output = folder.path("corpus.varvite");
    let before = fs::read(&output).unwrap();
    let again = update(&folder);
    assert_eq!((again.read, again.reused), (0, 30));
    assert!(fs::read(&output).unwrap() == before);
    folder.write_named(7, "shared");
    fs::remove_file(folder.path("0003.varvite")).unwrap();
    fs::rename(folder.path("0004.varvite"), folder.path("moved.varvite")).unwrap();
    let changed = update(&folder);
    assert_eq!((changed.read, changed.reused, changed.linked), (1, 28, 28));
    let updated = fs::read(&output).unwrap();
    fs::remove_file(&output).unwrap();
    assert_eq!(update(&folder).read, 29);
    assert!(fs::read(&output).unwrap() == updated);
}

#[test]
fn files_that_fail_are_in_the_index_and_copies_count_once() {
    let folder = Folder::of_graphs(5);
    make_newer(&folder.path("0001.varvite"));
    fs::copy(folder.path("0002.varvite"), folder.path("copy.varvite")).unwrap();
    let report = update(&folder);
    assert_eq!((report.read, report.copies, report.failed.len(), report.functions), (4, 1, 1, 4));
    let graph = Graph::open(folder.path("corpus.varvite")).unwrap();
    let (faults, names) = (graph.texts("FAULT").unwrap(), graph.texts("NAME").unwrap());
    let failed: Vec<u32> =
        graph.nodes("FILE").unwrap().iter().filter(|file| faults.str(*file).is_some()).collect();
    assert!(failed.len() == 1 && names.str(failed[0]).unwrap().ends_with("0001.varvite"));
    assert!(faults.str(failed[0]).unwrap().contains("format version 2"));
    let copies = graph.out("COPY_OF").unwrap();
    assert_eq!(graph.nodes("FILE").unwrap().iter().flat_map(|file| copies.neighbors(file)).count(), 1);
}

/// The functions of an index.
fn functions(path: &Path) -> Vec<String> {
    let graph = Graph::open(path).unwrap();
    let (names, linkage) = (graph.texts("NAME").unwrap(), graph.texts("LINKAGE").unwrap());
    let methods: Vec<u32> = graph.nodes("METHOD").unwrap().iter().collect();
    let own = methods.into_iter().filter(|method| linkage.str(*method).is_some_and(|it| *it == *"exported"));
    own.map(|method| names.str(method).unwrap().to_string()).collect()
}

#[test]
fn damage_in_a_mapped_file_is_not_indexed_and_the_restored_file_is_read() {
    let folder = Folder::of_graphs(3);
    let (path, output) = (folder.path("0001.varvite"), folder.path("corpus.varvite"));
    let whole = fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    let places: Vec<usize> =
        (0..bytes.len() - 5).filter(|place| bytes[*place..].starts_with(b"own_1")).collect();
    places.into_iter().for_each(|place| bytes[place] = b'x');
    fs::write(&path, bytes).unwrap();
    let report = update(&folder);
    assert_eq!((report.read, report.failed.len()), (2, 1));
    assert_eq!(functions(&output), ["own_0", "own_2"]);
    fs::write(&path, whole).unwrap();
    let report = update(&folder);
    assert_eq!((report.read, report.reused, report.failed.len()), (1, 2, 0));
    assert_eq!(functions(&output), ["own_0", "own_1", "own_2"]);
}

#[test]
fn a_file_whose_newest_commit_is_lost_is_not_indexed() {
    let folder = Folder::of_graphs(2);
    let path = folder.path("0001.varvite");
    let mut diff = Diff::new();
    diff.add_node(&["METHOD"]);
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    let directory = u64::from_le_bytes(bytes[2 * 4096 + 16..][..8].try_into().unwrap()) as usize;
    bytes[directory + 40] ^= 1;
    fs::write(&path, bytes).unwrap();
    let report = update(&folder);
    assert_eq!((report.read, report.failed.len()), (1, 1));
    let failure = report.failed[0].1.to_string();
    assert!(failure.contains("0001.varvite: the newest commit is damaged or lost"), "{failure}");
    assert_eq!(functions(&folder.path("corpus.varvite")), ["own_0"]);
}

#[test]
fn a_strict_index_writes_nothing_if_a_file_fails() {
    let folder = Folder::of_graphs(5);
    make_newer(&folder.path("0001.varvite"));
    let (corpus, output) = (Corpus::open(folder.root()).unwrap(), folder.path("corpus.varvite"));
    let options = IndexOptions { is_strict: true, ..IndexOptions::default() };
    assert_eq!(index(&corpus, &output, &options).unwrap().failed.len(), 1);
    assert!(!output.exists());
}

#[test]
fn a_strict_index_writes_nothing_if_a_folder_cannot_be_read() {
    let folder = Folder::of_graphs(2);
    let deep = folder.path(&"d/".repeat(66));
    fs::create_dir_all(&deep).unwrap();
    let (corpus, output) = (Corpus::open(folder.root()).unwrap(), folder.path("corpus.varvite"));
    let options = IndexOptions { is_strict: true, ..IndexOptions::default() };
    let refused = index(&corpus, &output, &options).unwrap_err();
    assert!(matches!(refused, CorpusError::Folder { .. }) && !output.exists(), "{refused}");
    index(&corpus, &output, &IndexOptions::default()).unwrap();
    assert_eq!(clones(&output, 1, &Task::new()).unwrap().left_out.unreadable, 1);
}

#[test]
fn a_graph_that_is_no_index_is_not_replaced() {
    let folder = Folder::of_graphs(2);
    let (corpus, output) = (Corpus::open(folder.root()).unwrap(), folder.path("0001.varvite"));
    let before = fs::read(&output).unwrap();
    let refused = index(&corpus, &output, &IndexOptions::default()).unwrap_err();
    assert!(matches!(refused, CorpusError::NotAnIndex { .. }));
    assert!(fs::read(&output).unwrap() == before);
    let refused = clones(&output, 1, &Task::new()).unwrap_err();
    assert!(matches!(refused, CorpusError::NotAnIndex { .. }));
}

#[test]
fn a_file_that_takes_the_name_of_the_index_meanwhile_is_kept() {
    let (folder, place) = (Folder::of_graphs(4), Folder::new());
    let (corpus, output) = (Corpus::open(folder.root()).unwrap(), place.path("corpus.varvite"));
    let other = fs::read(folder.path("0000.varvite")).unwrap();
    // Another program writes its file, once, while the first file is read.
    let fails = || {
        let is_written = AtomicBool::new(false);
        let task = Task::new().progress(|_| {
            if !is_written.swap(true, Ordering::Relaxed) {
                fs::write(place.path("other"), &other).unwrap();
                fs::rename(place.path("other"), &output).unwrap();
            }
        });
        let error = index(&corpus, &output, &IndexOptions { task, ..IndexOptions::default() }).unwrap_err();
        assert_eq!(error.code(), varvite::ErrorCode::Replaced, "{error}");
        assert!(fs::read(&output).unwrap() == other);
        assert_eq!(fs::read_dir(place.root()).unwrap().count(), 1);
    };
    fails();
    fs::remove_file(&output).unwrap();
    index(&corpus, &output, &IndexOptions::default()).unwrap();
    fails();
}

#[test]
fn an_index_needs_memory_for_its_facts() {
    let folder = Folder::of_graphs(200);
    let corpus = Corpus::open(folder.root()).unwrap();
    let task = Task::new().memory(100_000);
    let output = folder.path("corpus.varvite");
    let refused = index(&corpus, &output, &IndexOptions { task, ..IndexOptions::default() }).unwrap_err();
    assert_eq!(refused.code(), varvite::ErrorCode::OverBudget);
    assert!(!output.exists());
}

#[test]
fn copied_functions_are_found_whatever_their_names_and_lines() {
    let folder = Folder::new();
    let body: &[(&str, &str)] = &[("lock", "&m"), ("memcpy", "n + 1"), ("unlock", "&m"), ("free", "p")];
    let other: &[(&str, &str)] = &[("lock", "&m"), ("memcpy", "n"), ("unlock", "&m"), ("free", "p")];
    let swapped: &[(&str, &str)] = &[("memcpy", "n + 1"), ("lock", "&m"), ("unlock", "&m"), ("free", "p")];
    let function = |name, line, calls| CodeFunction { name, line, calls, ..NONE };
    write(&folder, "a.varvite", "NEWC", &[function("copy", 10, body), function("short", 1, &body[..1])]);
    write(&folder, "b.varvite", "NEWC", &[function("fixed", 7, other), function("order", 20, swapped)]);
    let planted = CodeFunction { is_static: true, ..function("taken", 99, body) };
    write(&folder, "c.varvite", "NEWC", &[planted, function("short", 2, &body[..1])]);
    update(&folder);
    let find = |lines| clones(&folder.path("corpus.varvite"), lines, &Task::new()).unwrap().groups;
    let groups = find(4);
    assert_eq!(groups.len(), 1);
    let names: Vec<_> =
        groups[0].functions.iter().map(|it| (it.function.name.as_str(), it.function.line)).collect();
    assert_eq!(names, [("copy", Some(10)), ("taken", Some(99))]);
    assert_eq!(groups[0].lines, 6);
    assert_eq!(find(1).len(), 2);
    assert!(find(7).is_empty());
}

/// Writes a function whose only statement is a loop of a condition or last part, by its ORDER, and a body.
fn write_loop(folder: &Folder, file: &str, name: &str, order: i64) {
    let options = NewGraphOptions::new().tree("AST").if_exists(IfExists::Replace);
    let mut graph = options.create(folder.path(file)).unwrap();
    let mut add = |label: &str, parent: Option<u32>, texts: &[(&str, &str)], numbers: &[(&str, i64)]| {
        let node = graph.add_node(&[label]).unwrap();
        parent.map(|parent| graph.add_edge("AST", parent, node).unwrap());
        texts.iter().for_each(|(name, text)| graph.set(node, name, *text).unwrap());
        numbers.iter().for_each(|(name, number)| graph.set(node, name, *number).unwrap());
        node
    };
    add("META_DATA", None, &[("LANGUAGE", "NEWC")], &[]);
    let method = add("METHOD", None, &[("NAME", name)], &[("LINE_NUMBER", 1), ("LINE_NUMBER_END", 9)]);
    let block = add("BLOCK", Some(method), &[], &[("ORDER", 1)]);
    let kind = [("CONTROL_STRUCTURE_TYPE", "FOR")];
    let control = add("CONTROL_STRUCTURE", Some(block), &kind, &[("ORDER", 1)]);
    let step = add("CALL", Some(control), &[("NAME", "<operator>.postDecrement")], &[("ORDER", order)]);
    add("IDENTIFIER", Some(step), &[("NAME", "i"), ("CODE", "i")], &[("ORDER", 1)]);
    add("BLOCK", Some(control), &[], &[("ORDER", 4)]);
    graph.finish().unwrap();
}

#[test]
fn loops_with_the_same_parts_in_other_places_are_no_clones() {
    let folder = Folder::new();
    let groups = || {
        update(&folder);
        clones(&folder.path("corpus.varvite"), 1, &Task::new()).unwrap().groups.len()
    };
    // `for (; i--;) {}` and `for (;; i--) {}`.
    write_loop(&folder, "a.varvite", "f", 2);
    write_loop(&folder, "b.varvite", "g", 3);
    assert_eq!(groups(), 0);
    write_loop(&folder, "a.varvite", "f", 3);
    assert_eq!(groups(), 1);
}

#[test]
fn functions_and_files_that_were_not_compared_are_counted() {
    let folder = Folder::of_graphs(4);
    make_newer(&folder.path("0001.varvite"));
    // An edge of the syntax tree from the METHOD `own_2` to that of its callee.
    let path = folder.path("0002.varvite");
    let methods: Vec<u32> = Graph::open(&path).unwrap().nodes("METHOD").unwrap().iter().collect();
    let mut diff = Diff::new();
    diff.add_edge("AST", methods[0], methods[1]);
    GraphChange::begin(Arc::new(RealVfs), &path).unwrap().apply_with(&diff, &Task::new()).unwrap();
    let report = update(&folder);
    assert_eq!((report.functions, report.without_content, report.failed.len()), (3, 1, 1));
    let found = clones(&folder.path("corpus.varvite"), 1, &Task::new()).unwrap();
    let left_out = found.left_out;
    assert_eq!((left_out.failed, left_out.unreadable, left_out.without_content), (1, 0, 1));
    assert_eq!(found.groups.len(), 1);
    // An unchanged file keeps the count.
    assert_eq!(update(&folder).without_content, 1);
}

#[test]
fn an_index_of_another_version_has_no_clones_and_is_made_anew() {
    let folder = Folder::of_graphs(3);
    let output = folder.path("corpus.varvite");
    update(&folder);
    let graph = Graph::open(&output).unwrap();
    let corpus = graph.nodes("CORPUS").unwrap().iter().next().unwrap();
    drop(graph);
    let mut diff = Diff::new();
    diff.set(corpus, "VERSION", [NewValue::from(1i64)]);
    GraphChange::begin(Arc::new(RealVfs), &output).unwrap().apply_with(&diff, &Task::new()).unwrap();
    let refused = clones(&output, 1, &Task::new()).unwrap_err();
    assert!(matches!(refused, CorpusError::OtherVersion { .. }), "{refused}");
    assert_eq!(update(&folder).read, 3);
    assert_eq!(clones(&output, 1, &Task::new()).unwrap().groups.len(), 1);
}
