//! Tests of layers from traces. For a real program with its graph and its trace, the counts are compared with
//! those of simple loops and of other tools. Other tests have faulty inputs of each kind.

mod bombs;
mod damage;
mod elf;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite::change::ChangeError;
use varvite::inspect::ProgressUnit;
use varvite::write::compact;
use varvite::{Cancel, Graph, GraphError, Task};
use varvite_import::Import;
use varvite_memtrace::code::FileBinaries;
use varvite_memtrace::layer::{Reason, TraceLayerError, TraceOptions, TraceReport, import};
use varvite_memtrace::reference::{Reference, kind};
use varvite_store::vfs::RealVfs;
use varvite_trace::{FileSource, MemorySource, Module, Reader};

/// The counts of a METHOD: instructions, loads, stores, bytes and cache lines.
type Counts = [i64; 5];

const PROPERTIES: [&str; 5] = ["INSTRUCTIONS", "LOADS", "STORES", "BYTES", "CACHE_LINES"];

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/trace").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(data(name)).unwrap()
}

fn trace() -> Reader<FileSource> {
    Reader::open(FileSource::new(std::fs::File::open(data("shapes.vtrace")).unwrap()).unwrap()).unwrap()
}

/// A folder with the graph of the program.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        Import::new(data("shapes.cpg.bin")).task(Task::new().threads(1)).write_to(folder.graph()).unwrap();
        folder
    }

    fn graph(&self) -> PathBuf {
        self.0.path().join("shapes.varvite")
    }

    fn binaries(binary: PathBuf) -> FileBinaries {
        FileBinaries::with_replacements(vec![binary])
    }

    fn import(&self, options: &TraceOptions) -> Result<TraceReport, TraceLayerError> {
        let binaries = Self::binaries(data("shapes"));
        import(Arc::new(RealVfs), &self.graph(), &mut trace(), &binaries, options, &Task::new())
    }

    /// The counts of each METHOD that has counts, by file and name.
    fn counts(&self, prefix: &str) -> BTreeMap<(String, String), Counts> {
        let graph = Graph::open(self.graph()).unwrap();
        let properties = PROPERTIES.map(|name| graph.property(&format!("{prefix}_{name}")).unwrap());
        let (names, files) = (graph.property("NAME").unwrap(), graph.property("FILENAME").unwrap());
        let method = graph.nodes("METHOD").unwrap();
        let owners: Vec<u32> = properties[0].owners().filter(|owner| method.contains(*owner)).collect();
        assert!(properties[4].owners().eq(owners.iter().copied()), "cache lines are those of METHODs");
        let of = |owner: &u32| {
            let place = (files.str(*owner).unwrap().to_string(), names.str(*owner).unwrap().to_string());
            (place, properties.each_ref().map(|property| property.number(*owner).unwrap()))
        };
        owners.iter().map(of).collect()
    }
}

/// The instructions of each source line of METHODs, by file and line.
fn lines(folder: &Folder, property: &str) -> BTreeMap<(String, i64), i64> {
    let graph = Graph::open(folder.graph()).unwrap();
    let [counts, numbers, files] =
        [property, "LINE_NUMBER", "FILENAME"].map(|name| graph.property(name).unwrap());
    let (methods, containers) = (graph.nodes("METHOD").unwrap(), graph.in_("CONTAINS").unwrap());
    let nodes = counts.owners().filter(|node| !methods.contains(*node));
    let line = |node: u32| {
        let method = containers.neighbors(node).find(|node| methods.contains(*node)).unwrap();
        let place = (files.str(method).unwrap().to_string(), numbers.number(node).unwrap());
        (place, counts.number(node).unwrap())
    };
    nodes.map(line).collect()
}

/// The functions of the program with their addresses in memory, which are computed from the output of `nm`
/// and from the first module of the binary in the trace.
fn functions() -> Vec<(Range<u64>, String)> {
    let mut reader = trace();
    let modules = reader.modules().unwrap();
    let first = modules.iter().find(|module| module.path == b"/tmp/shapes/shapes").unwrap();
    let base = first.address - first.file_offset;
    let function = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [start, len] = [words[0], words[1]].map(|digits| u64::from_str_radix(digits, 16).unwrap());
        (base + start..base + start + len, words[3].to_owned())
    };
    text("shapes.nm").lines().map(function).collect()
}

/// The counts of each function, computed by a simple loop over the records.
fn plain_count() -> BTreeMap<u64, (String, Counts)> {
    let functions = functions();
    let (mut counts, mut lines) = (BTreeMap::new(), HashSet::new());
    let (mut reader, mut current) = (trace(), None);
    while let Some(block) = reader.next_block().unwrap() {
        for record in block.records() {
            let Reference { kind, size, value } = Reference::from_bytes(record.first_chunk().unwrap());
            if kind == kind::INSTRUCTION {
                current = functions.iter().find(|(range, _)| range.contains(&value));
            }
            let Some((range, name)) = current else { continue };
            let (_, counts) = counts.entry(range.start).or_insert((name.clone(), Counts::default()));
            match kind {
                kind::READ => counts[1] += 1,
                kind::WRITE => counts[2] += 1,
                _ => counts[0] += 1,
            }
            if kind != kind::INSTRUCTION {
                counts[3] += i64::from(size);
                let touched = value / 64..=(value + u64::from(size) - 1) / 64;
                counts[4] += touched.filter(|line| lines.insert((range.start, *line))).count() as i64;
            }
        }
    }
    counts
}

#[test]
fn an_import_that_is_cancelled_leaves_the_graph_as_it_was() {
    let folder = Folder::new();
    let before = std::fs::read(folder.graph()).unwrap();
    let cancel = Cancel::default();
    let told = std::sync::Mutex::new(Vec::new());
    let task = Task::new().cancel(&cancel).progress(|progress| {
        assert!(progress.done <= progress.total, "{progress}");
        told.lock().unwrap().push((progress.step.to_owned(), progress.unit));
        cancel.cancel();
    });
    let binaries = Folder::binaries(data("shapes"));
    let options = TraceOptions::default();
    let result = import(Arc::new(RealVfs), &folder.graph(), &mut trace(), &binaries, &options, &task);
    assert!(
        matches!(result, Err(TraceLayerError::Graph(ChangeError::Graph(GraphError::Cancelled)))),
        "{result:?}"
    );
    drop(task);
    assert_eq!(told.into_inner().unwrap()[0], ("counting".to_owned(), ProgressUnit::Bytes));
    assert_eq!(std::fs::read(folder.graph()).unwrap(), before);
    folder.import(&options).unwrap();
}

#[test]
fn counts_are_those_of_a_plain_count() {
    let folder = Folder::new();
    let report = folder.import(&TraceOptions::default()).unwrap();
    let counts = folder.counts("TRACE");
    // `_start` has no METHOD: it comes from the C library.
    let expected = plain_count().into_values().filter(|(name, _)| name != "_start");
    let mut expected: Vec<(String, Counts)> = expected.collect();
    let found = counts.iter().map(|((_, name), counts)| (name.clone(), *counts));
    let mut found: Vec<(String, Counts)> = found.collect();
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    assert_eq!((report.methods, report.layer.as_str()), (7, "trace"));
    let placed: i64 = counts.values().map(|counts| counts[..3].iter().sum::<i64>()).sum();
    assert_eq!((report.records, report.placed), (170_646, placed as u64));
    let rest: u64 = Reason::ALL.iter().map(|reason| report.unplaced_for(*reason)).sum();
    assert_eq!(report.placed + rest, report.records, "every record has a METHOD or a reason");
    let program = report.modules.iter().find(|module| module.path == "/tmp/shapes/shapes").unwrap();
    assert_eq!((program.records, program.placed, &program.problem), (7517, placed as u64, &None));
}

#[test]
fn functions_of_one_name_are_told_apart_by_their_files() {
    let folder = Folder::new();
    folder.import(&TraceOptions::default()).unwrap();
    let counts = folder.counts("TRACE");
    let instructions = |file: &str| counts[&(file.to_owned(), "step".to_owned())][0];
    assert_eq!((instructions("squares.c"), instructions("runs.c")), (128, 673));
    assert!(!counts.contains_key(&("main.c".to_owned(), "never".to_owned())));
}

/// The numbers of instructions by source file and function, as reported by callgrind.
fn callgrind() -> BTreeMap<(String, String), i64> {
    let mut counts = BTreeMap::new();
    for line in text("shapes.callgrind").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = (words[0].to_owned(), words[1].trim_end_matches("'2").to_owned());
        *counts.entry(place).or_default() += words[2].parse::<i64>().unwrap();
    }
    counts
}

#[test]
fn instructions_are_those_that_callgrind_counts() {
    let folder = Folder::new();
    folder.import(&TraceOptions { by_source: true, ..TraceOptions::default() }).unwrap();
    let mut expected = callgrind();
    // For inlined code, callgrind reports the file of the inlined code, but the name of the function that
    // contains it.
    let inlined = expected.remove(&("shapes.h".to_owned(), "sum_of_squares".to_owned())).unwrap();
    expected.insert(("shapes.h".to_owned(), "square".to_owned()), inlined);
    let found = folder.counts("TRACE").into_iter().map(|(place, counts)| (place, counts[0]));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), expected);
}

#[test]
fn lines_have_the_instructions_that_cachegrind_counts() {
    let folder = Folder::new();
    folder.import(&TraceOptions { by_source: true, ..TraceOptions::default() }).unwrap();
    let found = lines(&folder, "TRACE_INSTRUCTIONS");
    let mut without_node = Vec::new();
    for line in text("shapes.lines").lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = (words[0].to_owned(), words[1].parse::<i64>().unwrap());
        match found.get(&place) {
            Some(count) => assert_eq!(*count, words[2].parse::<i64>().unwrap(), "{place:?}"),
            None => without_node.push(place),
        }
    }
    // Ends of functions, which have no node but the METHOD.
    let ends = [("main.c", 7), ("main.c", 12), ("main.c", 22), ("runs.c", 11), ("runs.c", 18)];
    let ends = ends.into_iter().chain([("squares.c", 8), ("squares.c", 15)]);
    let expected: Vec<_> = ends.map(|(file, line)| (file.to_owned(), line)).collect();
    assert_eq!(without_node, expected);
    assert_eq!(found.len() + without_node.len(), text("shapes.lines").lines().count());
}

#[test]
fn inlined_code_counts_for_the_function_around_it_unless_asked_otherwise() {
    let folder = Folder::new();
    folder.import(&TraceOptions::default()).unwrap();
    folder
        .import(&TraceOptions { by_source: true, name: "source".into(), ..TraceOptions::default() })
        .unwrap();
    let place = ("squares.c".to_owned(), "sum_of_squares".to_owned());
    let (around, inside) = (folder.counts("TRACE"), folder.counts("TRACE_SOURCE"));
    assert_eq!((around[&place][0], inside[&place][0]), (332 + 64, 332));
    let graph = Graph::open(folder.graph()).unwrap();
    let layers: Vec<&str> = graph.layers().iter().map(|layer| layer.name.as_str()).collect();
    assert_eq!(layers, ["code", "trace", "trace/source"]);
    assert_eq!(graph.verify(&Task::new().threads(1)).unwrap().problems, [""; 0]);
}

#[test]
fn the_same_trace_again_gives_the_same_file_once_it_is_compacted() {
    let folder = Folder::new();
    let compacted = || {
        folder.import(&TraceOptions::default()).unwrap();
        compact(Arc::new(RealVfs), &folder.graph(), &Task::new()).unwrap();
        std::fs::read(folder.graph()).unwrap()
    };
    assert!(compacted() == compacted());
    let files = std::fs::read_dir(folder.0.path()).unwrap();
    let names: BTreeSet<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let name = folder.graph().file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(names, BTreeSet::from([name]), "nothing else is left in the folder");
}
