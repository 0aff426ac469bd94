//! Tests with genuine traces from DynamoRIO's own tests, if a folder beside the repository has them. Every
//! trace is converted, and its number of instructions must be the one that DynamoRIO's own tools count.
//! Without that folder, the small traces of the other test modules still check the same rules.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use varvite_memtrace::reference::kind;
use varvite_trace::{MemorySource, Options, Reader, Recorder};

use super::*;

/// The folder of the traces, if it exists.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/dynamorio");
    if !folder.is_dir() {
        varvite_model::skip("drmemtrace::genuine", "there is no ../shared/data/dynamorio");
        return None;
    }
    Some(folder)
}

/// The files of a set, one for each thread or core, sorted by name.
fn files(set: &Path) -> Vec<PathBuf> {
    if set.is_file() {
        return vec![set.to_owned()];
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(set).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        match path.is_dir() {
            true => files.extend(self::files(&path)),
            false
                if [".trace.zip", ".trace.gz", ".raw.gz", ".memtrace.sz"]
                    .iter()
                    .any(|end| name.ends_with(end)) =>
            {
                files.push(path);
            }
            false => {}
        }
    }
    files.sort();
    files
}

/// Converts a set of files, and returns the number of fetched instructions of each thread.
fn fetched(set: &Path) -> BTreeMap<u64, u64> {
    let recorder = Recorder::create(Vec::new(), &Options::new(schema(Clock::UnixMicroseconds), [0; 16]));
    let recorder = recorder.unwrap();
    let mut references = References::new(&recorder);
    let files = files(set);
    assert!(!files.is_empty(), "{}", set.display());
    for (shard, file) in (0..).zip(&files) {
        let report = import(File::open(file).unwrap(), &of_shard(shard), &mut references);
        let report = report.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(report.cut, None, "{}", file.display());
    }
    references.finish().unwrap();
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let mut counts = BTreeMap::new();
    while let Some(block) = reader.next_block().unwrap() {
        let references = block.records().map(|bytes| Reference::from_bytes(bytes.first_chunk().unwrap()));
        let fetched = references.filter(|reference| is_fetched(reference.kind)).count() as u64;
        *counts.entry(block.header().thread).or_default() += fetched;
    }
    counts
}

/// Whether a type is an instruction that was fetched. Further iterations of instructions such as `rep movs`
/// are not fetched.
fn is_fetched(number: u16) -> bool {
    kind::is_instruction(number) && kind::name(number) != Some("instr_no_fetch")
}

#[test]
fn every_genuine_trace_converts() {
    let Some(folder) = folder() else { return };
    let mut sets = 0;
    for set in std::fs::read_dir(&folder).unwrap() {
        fetched(&set.unwrap().path());
        sets += 1;
    }
    assert_eq!(sets, 11);
}

#[test]
fn nine_threads_on_four_cores_are_those_of_the_trace_by_threads() {
    let Some(folder) = folder() else { return };
    let by_cores = fetched(&folder.join("drmemtrace.threadsig-core-sharded.x64.tracedir"));
    let by_threads = fetched(&folder.join("drmemtrace.threadsig.x64.tracedir"));
    assert_eq!((by_cores.len(), &by_cores), (9, &by_threads));
}

#[test]
fn fetched_instructions_are_as_many_as_dynamorio_counts() {
    let Some(folder) = folder() else { return };
    let chase = fetched(&folder.join("drmemtrace.chase-snappy.x64.tracedir"));
    assert_eq!(chase, [(23_699, 867_701), (23_700, 1_432_080)].into());
}
