//! Tests of a heaptrack profile in the graph of its program: counts are joined to the code, and their sums
//! equal those of heaptrack.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::vfs::RealVfs;
use varvite::write::drop_layers;
use varvite::{Cancel, Graph, GraphError, Task};
use varvite_import::Import;
use varvite_profile::heaptrack::{CALLS, PEAK_BYTES};
use varvite_profile::layer::{
    By, Code, CodeKind, CodeRow, FlameTree, HeapLayer, HeapLayerError, HeapOptions, HeapReport,
    LayerReadError, MatchClass, Names, import,
};
use varvite_profile::{Counts, Kind, Limits, Profile, ProfileSource, heaptrack};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// Makes a graph of zlib in a new folder, and reads a profile of zlib.
fn zlib() -> (tempfile::TempDir, PathBuf, Profile, [u8; 32]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zlib.varvite");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/data/zlib.cpg.bin");
    Import::new(source).write_to(&path).unwrap();
    let source = data("zlib.heaptrack.zst");
    let (profile, digest) = ProfileSource::open(&source).unwrap().read(None, &Limits::default()).unwrap();
    (folder, path, profile, digest)
}

fn add(path: &Path, profile: &Profile, name: &str, source: [u8; 32]) -> Result<HeapReport, HeapLayerError> {
    let options = HeapOptions { name: name.to_owned(), source, ..HeapOptions::default() };
    import(Arc::new(RealVfs), path, profile, &options, &Task::new())
}

fn sum(counts: impl Iterator<Item = Counts>) -> Counts {
    let mut sum = Counts::default();
    counts.for_each(|counts| sum += counts);
    sum
}

#[test]
fn what_code_allocates_is_at_its_methods_and_calls() {
    let (_folder, path, profile, source) = zlib();
    let report = add(&path, &profile, "", source).unwrap();
    assert_eq!((report.layer.as_str(), report.totals), ("heap", profile.totals));
    // Nearly all allocations of zlib and of the program that uses it are joined by name and line.
    let own = report.coverage.modules.iter().find(|module| module.path == "zwork").unwrap();
    assert!(own.placed[PEAK_BYTES] * 100 >= own.counts[PEAK_BYTES] * 95, "{own:?}");
    assert!(own.placed[CALLS] * 100 >= own.counts[CALLS] * 95, "{own:?}");
    let by_module = sum(report.coverage.modules.iter().map(|module| module.counts));
    let by_class = sum(report.coverage.by_class.iter().map(|(_, counts)| *counts));
    assert_eq!(by_module, by_class);
    assert_eq!((by_module[CALLS], by_module[PEAK_BYTES]), (1812, profile.totals.counts[PEAK_BYTES]));
    assert!(
        report
            .coverage
            .by_class
            .iter()
            .any(|(class, counts)| *class == MatchClass::Exact && counts[CALLS] > 1700)
    );

    let graph = Graph::open(&path).unwrap();
    assert_eq!(graph.verify(&Task::new()).unwrap().problems, [""; 0]);
    let (names, number) = (graph.property("NAME").unwrap(), |name: &str| graph.property(name).unwrap());
    let method = |name: &str| {
        let has_counts = |node: &u32| number("HEAP_ALL_CALLS").number(*node).is_some();
        let methods = graph.nodes("METHOD").unwrap();
        let named = methods.iter().filter(|node| names.str(*node).is_some_and(|it| *it == *name));
        let named: Vec<u32> = named.filter(has_counts).collect();
        assert_eq!(named.len(), 1, "{name}");
        named[0]
    };
    // heaptrack_print reports: "1205 calls to allocation functions with 268.11K peak consumption from zcalloc
    // at zutil.c:302".
    let zcalloc = method("zcalloc");
    assert_eq!(number("HEAP_CALLS").number(zcalloc), Some(1205));
    assert_eq!(number("HEAP_ALL_CALLS").number(zcalloc), Some(1205));
    assert_eq!(number("HEAP_PEAK_BYTES").number(zcalloc).map(|bytes| bytes / 10), Some(26_811));
    // The CALL that allocates is in this METHOD, and the CALLs that call the METHOD are in its callers.
    let allocates = graph.out("HEAP_ALLOCATES_AT").unwrap();
    let steps: Vec<u32> = graph.nodes("HEAP_STEP").unwrap().iter().collect();
    let contains = graph.in_("CONTAINS").unwrap();
    let calls: Vec<u32> = steps.iter().filter_map(|step| allocates.first(*step)).collect();
    assert!(calls.iter().any(|call| contains.first(*call) == Some(zcalloc)));
    let (called_at, within, at) =
        (graph.out("HEAP_CALLED_AT").unwrap(), graph.out("HEAP_IN").unwrap(), graph.out("HEAP_AT").unwrap());
    let parent = number("HEAP_PARENT");
    let mut joined = 0;
    for step in steps {
        let Some(call) = called_at.first(step) else { continue };
        let above = parent.number(step).unwrap() as u32;
        let caller = at.first(within.first(above).unwrap()).unwrap();
        assert_eq!(contains.first(call), Some(caller));
        joined += 1;
    }
    assert!(joined > 30, "{joined}");
}

#[test]
fn a_stored_profile_is_told_by_function_place_file_and_module() {
    let (_folder, path, profile, source) = zlib();
    add(&path, &profile, "before", source).unwrap();
    let graph = Graph::open(&path).unwrap();
    assert_eq!(HeapLayer::names_in(&graph), [Names::of(Kind::Heap, "before")]);
    assert!(HeapLayer::open(&graph, &Names::of(Kind::Heap, ""), &Limits::default()).is_err());
    let layer = HeapLayer::open(&graph, &Names::of(Kind::Heap, "before"), &Limits::default()).unwrap();
    assert_eq!((layer.totals, layer.command.as_str()), (profile.totals, "./zwork"));
    let all = sum(profile.sites.iter().map(|site| site.counts));
    for by in [By::Function, By::Place, By::File, By::Module] {
        let rows = layer.top(by);
        assert_eq!(sum(rows.iter().map(|row| row.own)), all, "{by:?}");
        for row in &rows {
            assert!(row.all[CALLS] >= row.own[CALLS] && row.all[CALLS] <= all[CALLS], "{row:?}");
        }
    }
    let rows = layer.top(By::Place);
    let most = rows.iter().max_by_key(|row| row.own[CALLS]).unwrap();
    assert_eq!(
        (most.place.function.as_str(), most.place.file.as_str(), most.place.line, most.own[CALLS]),
        ("zcalloc", "zutil.c", 302, 1205)
    );
    let functions = layer.top(By::Function);
    let main = functions.iter().find(|row| row.place.function == "main").unwrap();
    assert!(main.all[CALLS] > 1700 && main.place.method.is_some(), "{main:?}");
}

/// The counts of METHODs and CALLs are stored as their properties. They equal the counts that are computed
/// again from the stored tree.
#[test]
fn code_comes_to_what_its_properties_say() {
    let (_folder, path, profile, source) = zlib();
    let report = add(&path, &profile, "", source).unwrap();
    let graph = Graph::open(&path).unwrap();
    let layer = HeapLayer::open(&graph, &Names::of(Kind::Heap, ""), &Limits::default()).unwrap();
    let rows = layer.on_code();
    let count = |kind| rows.iter().filter(|row| row.kind == kind).count();
    assert_eq!((count(CodeKind::Method), count(CodeKind::Call)), (report.methods, report.calls));
    let number = |name: &str, node: u32| graph.property(name).unwrap().number(node).unwrap_or(0);
    for row in &rows {
        for (counts, calls, peak) in
            [(row.own, "HEAP_CALLS", "HEAP_PEAK_BYTES"), (row.all, "HEAP_ALL_CALLS", "HEAP_ALL_PEAK_BYTES")]
        {
            let found = (number(calls, row.node), number(peak, row.node));
            assert_eq!((counts[CALLS], counts[PEAK_BYTES]), found, "{row:?}");
        }
    }
    let (stored, imported) = (layer.coverage(), report.coverage);
    assert_eq!((stored.placed(), stored.all()), (imported.placed(), imported.all()));
    assert_eq!(stored.below_methods, imported.below_methods);
    // Nearly all allocations of zlib are in METHODs that were matched by file and line.
    let (covered, placed) = stored.of_covered_modules();
    assert!(
        placed[CALLS] * 100 >= covered[CALLS] * 99 && placed[PEAK_BYTES] * 100 >= covered[PEAK_BYTES] * 99
    );
}

#[test]
fn the_loop_and_the_callers_are_why_code_allocates() {
    let (_folder, path, profile, source) = zlib();
    add(&path, &profile, "", source).unwrap();
    let graph = Graph::open(&path).unwrap();
    let (layer, code) = (
        HeapLayer::open(&graph, &Names::of(Kind::Heap, ""), &Limits::default()).unwrap(),
        Code::of(&graph).unwrap(),
    );
    let (names, lines) = (graph.property("NAME").unwrap(), graph.property("LINE_NUMBER").unwrap());
    let name = |node: u32| names.str(node).unwrap().to_string();
    let named = |row: &&CodeRow, kind, method: &str| row.kind == kind && name(row.node) == method;
    let rows = layer.on_code();
    let zcalloc = *rows.iter().find(|row| named(row, CodeKind::Method, "zcalloc")).unwrap();
    let of_itself = layer.reasons(&[zcalloc], &code, (CALLS, false)).remove(0);
    let chain: Vec<&str> = of_itself.chain.iter().map(|link| link.place.function.as_str()).collect();
    // Most calls of zcalloc, 1000 of 1205, come from deflate, as in heaptrack_print.
    let expected = ["deflateInit2_", "deflateInit_", "compress2_z", "compress2", "deflate_block", "main"];
    assert_eq!(chain, expected);
    let main = of_itself.chain.last().unwrap();
    assert_eq!((main.place.line, name(main.call.unwrap()).as_str()), (34, "deflate_block"));
    assert_eq!(lines.number(main.around.unwrap()), Some(31));
    assert!(of_itself.chain.iter().is_sorted_by_key(|link| std::cmp::Reverse(link.counts[CALLS])));
    assert!(of_itself.chain[..5].iter().all(|link| link.around.is_none()));
    // zcalloc is called through a pointer, so the code has no CALL to it.
    assert!(of_itself.unseen_callers.is_empty());
    let callers: Vec<String> = of_itself.missing_edges.iter().map(|edge| name(edge.caller)).collect();
    assert!(callers.contains(&"deflateInit2_".to_owned()) && callers.contains(&"inflateInit2_".to_owned()));
    // The CALL in the loop, with the counts of all its callees.
    let call = rows.iter().filter(|row| named(row, CodeKind::Call, "deflate_block"));
    let in_loop = call.max_by_key(|row| row.all[CALLS]).unwrap();
    assert_eq!((in_loop.own[CALLS], in_loop.all[CALLS] > 1000), (0, true));
    let of_call = layer.reasons(&[*in_loop], &code, (CALLS, true)).remove(0);
    assert_eq!((of_call.around, of_call.chain.len()), (main.around, 0));
    // The code has another caller of compress2, which did not call it in this run.
    let compress = *rows.iter().find(|row| named(row, CodeKind::Method, "compress2")).unwrap();
    let of_compress = layer.reasons(&[compress], &code, (CALLS, true)).remove(0);
    let unseen: Vec<String> = of_compress.unseen_callers.iter().map(|(caller, _)| name(*caller)).collect();
    assert_eq!((unseen, of_compress.missing_edges), (vec!["compress".to_owned()], vec![]));
}

#[test]
fn a_profile_is_taken_once_and_replaces_itself() {
    let (_folder, path, profile, source) = zlib();
    add(&path, &profile, "", source).unwrap();
    let error = add(&path, &profile, "again", source).unwrap_err();
    assert!(matches!(&error, HeapLayerError::Known { layer } if layer == "heap"), "{error}");
    let nodes = Graph::open(&path).unwrap().live_node_count();
    add(&path, &profile, "", source).unwrap();
    let graph = Graph::open(&path).unwrap();
    assert_eq!(
        (graph.live_node_count(), HeapLayer::names_in(&graph)),
        (nodes, vec![Names::of(Kind::Heap, "")])
    );
    add(&path, &profile, "other", [7; 32]).unwrap();
    drop_layers(Arc::new(RealVfs), &path, &["heap", "heap/other"], &Task::new()).unwrap();
    let graph = Graph::open(&path).unwrap();
    assert!(HeapLayer::names_in(&graph).is_empty());
    assert!(matches!(graph.nodes("HEAP_STEP"), Err(varvite::GraphError::Unknown { .. })));
}

#[test]
fn what_can_not_be_joined_is_refused_or_told() {
    let (_folder, path, profile, source) = zlib();
    let error = add(&path, &profile, "no-word", source).unwrap_err();
    assert!(matches!(error, HeapLayerError::Name { .. }), "{error}");
    let empty = heaptrack::read(&b"v 10400 3\n"[..], &Limits::default()).unwrap();
    assert!(matches!(add(&path, &empty, "", source), Err(HeapLayerError::Empty)));
    // Little of a profile of another program is joined.
    let other = heaptrack::open(&data("sqlite.heaptrack.zst"), &Limits::default()).unwrap();
    let report = add(&path, &other, "", source).unwrap();
    let placed = report.coverage.placed();
    assert!(placed[CALLS] * 20 < report.totals.counts[CALLS], "{placed:?}");
    // Only programs in which Go calls C have two kinds of stacks: those of Go, and those of the C code.
    for (number, (stacks, are_two)) in [
        ("main.main;runtime.cgocall;runtime.asmcgocall.abi0 3\ndeflate;memcpy 2\n", true),
        ("main.main;runtime.cgocall;runtime.asmcgocall.abi0;deflate 3\n", false),
        ("main.main;runtime.mallocgc 3\ndeflate;memcpy 2\n", false),
    ]
    .into_iter()
    .enumerate()
    {
        let file = path.with_file_name(format!("{number}.folded"));
        std::fs::write(&file, stacks).unwrap();
        let (profile, digest) = ProfileSource::open(&file).unwrap().read(None, &Limits::default()).unwrap();
        let report = add(&path, &profile, &format!("go{number}"), digest).unwrap();
        assert_eq!(report.has_split_stacks, are_two, "{stacks}");
    }
}

#[test]
fn a_profile_is_not_read_to_its_end_once_the_task_is_cancelled() {
    let (_folder, path, profile, source) = zlib();
    add(&path, &profile, "", source).unwrap();
    let (graph, cancel) = (Graph::open(&path).unwrap(), Cancel::default());
    let (names, task) = (&HeapLayer::names_in(&graph)[0], Task::new().cancel(&cancel));
    let layer = HeapLayer::open_within(&graph, names, &task).unwrap();
    let whole = FlameTree::of_within(&layer, layer.default_measure(), &cancel).unwrap();
    assert_eq!(whole.total, FlameTree::of(&layer, layer.default_measure()).total);
    cancel.cancel();
    let outcome = HeapLayer::open_within(&graph, names, &task);
    assert!(matches!(outcome, Err(LayerReadError::Graph(GraphError::Cancelled))), "{outcome:?}");
    assert!(FlameTree::of_within(&layer, layer.default_measure(), &cancel).is_err());
}
