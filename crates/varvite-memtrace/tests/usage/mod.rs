//! Tests of describing a trace without a graph, for traces that have no accesses.

use varvite::Task;
use varvite_memtrace::usage::{Accesses, CodeCounts, UsageError};
use varvite_trace::{Field, MemorySource, Options, Reader, Recorder, Schema};

/// A trace of records that are not memory references.
fn trace_of_other_records() -> Reader<MemorySource<Vec<u8>>> {
    let schema = Schema::of_fields("heap-events", &[Field::new("bytes", 8)]);
    let recorder = Recorder::create(Vec::new(), &Options::new(schema, [0; 16])).unwrap();
    Reader::open(MemorySource(recorder.finish().unwrap())).unwrap()
}

#[test]
fn a_trace_of_other_records_has_no_code_and_no_accesses() {
    let is_refused = |error: &UsageError| {
        let UsageError::Content { found, .. } = error else { panic!("{error}") };
        found == "heap-events" && error.to_string().contains("memory-references")
    };
    let code = CodeCounts::of(&mut trace_of_other_records(), 1 << 20, &Task::new());
    assert!(code.is_err_and(|error| is_refused(&error)));
    let accesses = Accesses::of(&mut trace_of_other_records(), 1, 1 << 20, &Task::new());
    assert!(accesses.is_err_and(|error| is_refused(&error)));
}
