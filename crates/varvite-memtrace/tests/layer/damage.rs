//! Tests of faulty inputs: binaries that are missing, stripped, damaged or of another build; traces that lack
//! modules or are truncated; and graphs without METHODs.

use varvite::Task;
use varvite::columns::{GraphWriter, WriteOptions};
use varvite_memtrace::code::{Binaries, Binary, BinaryError};
use varvite_testing::targets::binary::read_binary;
use varvite_trace::{Codec, Ending, Options, Recorder, Schema};

use super::*;

fn program() -> Vec<u8> {
    std::fs::read(data("shapes")).unwrap()
}

fn run(folder: &Folder, trace: &[u8], binaries: &FileBinaries) -> Result<TraceReport, TraceLayerError> {
    let mut reader = Reader::open(MemorySource(trace)).unwrap();
    import(Arc::new(RealVfs), &folder.graph(), &mut reader, binaries, &TraceOptions::default(), &Task::new())
}

/// The problem that the report states for the program if its binary has these bytes.
fn problem(binary: &[u8]) -> String {
    let folder = Folder::new();
    let path = folder.0.path().join("shapes");
    std::fs::write(&path, binary).unwrap();
    let before = std::fs::read(folder.graph()).unwrap();
    let binaries = Folder::binaries(path);
    let mut reader = trace();
    let modules = reader.modules().unwrap();
    let module = modules.iter().find(|module| module.path.ends_with(b"/shapes")).unwrap();
    let told = match binaries.find(module) {
        Ok(binary) if binary.is_stripped() => BinaryError::Stripped.to_string(),
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let result = run(&folder, &std::fs::read(data("shapes.vtrace")).unwrap(), &binaries);
    let Err(TraceLayerError::NothingPlaced { records: 170_646, why }) = result else { panic!("{result:?}") };
    assert!(why.contains("in an unusable binary"), "{why}");
    assert!(std::fs::read(folder.graph()).unwrap() == before, "the graph stays as it was");
    told
}

#[test]
fn a_binary_that_cannot_be_used_is_told() {
    let program = program();
    assert_eq!(problem(b"#!/bin/sh\n"), "not an ELF file");
    assert!(problem(&program[..200]).starts_with("is damaged: "));
    let mut stripped = program.clone();
    // Removes the offset and the number of the section headers. Without section headers, there are no symbols
    // and no debug information.
    stripped[0x28..0x30].fill(0);
    stripped[0x3c..0x40].fill(0);
    assert_eq!(
        problem(&stripped),
        "is stripped: it has no symbols, and its debug information is not installed"
    );
    let mut other = program.clone();
    let id = Binary::parse(&program, None).unwrap().build_id().to_vec();
    let at = program.windows(id.len()).position(|bytes| bytes == id).unwrap();
    other[at] ^= 1;
    assert!(problem(&other).starts_with("is a different build than the traced one: its build id is "));
}

#[test]
fn a_binary_that_is_missing_or_no_file_is_told() {
    let find = |path: &str| {
        let module = Module { path: path.into(), ..Module::default() };
        FileBinaries::default().find(&module).err().unwrap()
    };
    assert!(matches!(find("/nowhere/at/all"), BinaryError::Io(_)));
    for path in ["/dev/zero", "/"] {
        assert_eq!(find(path).to_string(), "cannot be read: not a file that could be a binary");
    }
}

#[test]
fn a_trace_without_modules_is_refused_until_it_is_told_where_the_binary_was() {
    let folder = Folder::new();
    let mut reader = trace();
    let options = Options::new(reader.header().schema.clone(), [1; 16]);
    let recorder = Recorder::create(Vec::new(), &options).unwrap();
    let mut stream = recorder.stream(0).unwrap();
    while let Some(block) = reader.next_block().unwrap() {
        block.records().for_each(|record| stream.push(record).unwrap());
    }
    stream.finish().unwrap();
    let bytes = recorder.finish().unwrap();
    let binaries = FileBinaries::default();
    assert!(matches!(run(&folder, &bytes, &binaries), Err(TraceLayerError::NoModules)));
    // In the first line of `nm`'s output, the function has the address 0x1040.
    let base = functions()[0].0.start - 0x1040;
    let path = data("shapes");
    let binary = FileBinaries::read(&path).unwrap();
    let modules = binary.modules_at(base, path.to_str().unwrap().as_bytes());
    let options = TraceOptions { modules, ..TraceOptions::default() };
    let mut reader = Reader::open(MemorySource(&bytes)).unwrap();
    let report =
        import(Arc::new(RealVfs), &folder.graph(), &mut reader, &binaries, &options, &Task::new()).unwrap();
    assert_eq!((report.methods, report.unplaced_for(Reason::NoModule)), (7, 170_646 - 7517));
    assert_eq!(folder.counts("TRACE")[&("main.c".to_owned(), "fibonacci".to_owned())][0], 2563);
}

#[test]
fn a_cut_trace_counts_as_far_as_it_goes() {
    let folder = Folder::new();
    let bytes = std::fs::read(data("shapes.vtrace")).unwrap();
    // The trace, cut off before its last tables and its end.
    let cut = &bytes[..bytes.len() - 200];
    let report = run(&folder, cut, &Folder::binaries(data("shapes"))).unwrap();
    assert_eq!((report.methods, report.records), (7, 170_646));
    let mut reader = Reader::open(MemorySource(cut)).unwrap();
    while reader.next_block().unwrap().is_some() {}
    assert!(matches!(reader.ending(), Some(Ending::Cut { .. })));
}

#[test]
fn other_traces_and_other_graphs_are_refused() {
    let folder = Folder::new();
    let options = Options::new(Schema::of_bytes("words"), [1; 16]).with_codec(Codec::None);
    let bytes = Recorder::create(Vec::new(), &options).unwrap().finish().unwrap();
    let binaries = FileBinaries::default();
    let refused = run(&folder, &bytes, &binaries);
    assert!(matches!(refused, Err(TraceLayerError::Content { found, .. }) if found == "words"));
    for name in ["a b", "a/b", "é", "0123456789012345678901234567890123"] {
        let refused = folder.import(&TraceOptions { name: name.into(), ..TraceOptions::default() });
        assert!(matches!(refused, Err(TraceLayerError::Name { .. })), "{name}");
    }
    let empty = folder.0.path().join("empty.varvite");
    let options = WriteOptions::default();
    let mut writer = GraphWriter::create(Arc::new(RealVfs), &empty, 0, b"empty", &options).unwrap();
    writer.set_label_codes(GraphWriter::encoder(&options).labels(&[]).unwrap(), Vec::new()).unwrap();
    writer.finish().unwrap();
    let options = TraceOptions::default();
    let refused = import(Arc::new(RealVfs), &empty, &mut trace(), &binaries, &options, &Task::new());
    assert!(matches!(refused, Err(TraceLayerError::NoMethods)), "{refused:?}");
}

#[test]
fn damage_anywhere_in_a_binary_is_answers_or_an_error() {
    let program = program();
    for len in (0..program.len()).step_by(101) {
        let _ = Binary::parse(&program[..len], None);
    }
    for at in (0..program.len()).step_by(29) {
        let mut damaged = program.clone();
        damaged[at] = [0, 0x7f, 0xff][at % 3];
        read_binary(&damaged);
    }
}
