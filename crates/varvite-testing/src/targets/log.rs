//! Logs: opening a file with any records applies their operations, or fails with an error. The replayed graph
//! must be valid, and must not change when a writer replaces the log.

use std::path::Path;
use std::sync::Arc;

use varvite::change::LogOptions;
use varvite::compare::Digest;
use varvite::write::GraphChange;
use varvite::{Graph, OpenOptions, Result, Task};
use varvite_format::{Header, LogOperationsBuilder, LogRecord, PAGE, Superblock};

use crate::vfs::MemoryVfs;

const PATH: &str = "log.varvite";
/// Names of the small graph, and one that it does not have.
const NAMES: [&str; 10] =
    ["METHOD", "CALL", "CFG", "AST", "REACHING_DEF", "NAME", "ORDER", "EVIDENCE", "VARIABLE", "NEW"];

/// Opens a graph with a log whose records are made from `bytes`: for each record, the count of operations,
/// the length, and the operations.
pub fn open_with_log(graph: &[u8], mut bytes: &[u8]) {
    let mut payloads = Vec::new();
    while let Some(([count, len], rest)) = bytes.split_first_chunk().filter(|_| payloads.len() < 8) {
        let (operations, rest) = rest.split_at(usize::from(*len).min(rest.len()));
        payloads.push(payload(*count, operations));
        bytes = rest;
    }
    let disk = MemoryVfs::new();
    disk.put(PATH, &with_log(graph, &payloads));
    let Ok(graph) = open(&disk) else { return };
    let report = graph.verify(&Task::new().threads(1)).expect("memory can be read");
    assert_eq!(report.problems, [""; 0]);
    assert_eq!(report.log_records, payloads.len() as u64);
    let digest = |graph: &Graph| Digest::of(graph, &Task::new().threads(1)).expect("it is whole");
    let before = digest(&graph);
    let change = GraphChange::begin(Arc::new(disk.clone()), Path::new(PATH)).expect("nobody else is at it");
    change.log(LogOptions::default(), &Task::new().threads(1)).expect("what is read can be written");
    let after = open(&disk).expect("what was written is a graph");
    assert_eq!((after.store().log().records(), digest(&after)), (0, before));
}

fn open(disk: &MemoryVfs) -> Result<Graph> {
    OpenOptions::new().buffered().open_in(disk, PATH)
}

/// A payload of the names and these operations, with a claimed count of operations.
fn payload(count: u8, operations: &[u8]) -> Vec<u8> {
    let mut builder = LogOperationsBuilder::default();
    NAMES.iter().for_each(|name| _ = builder.add_name(name));
    let mut payload = builder.build();
    payload.truncate(payload.len() - 4);
    payload.extend(u32::from(count).to_le_bytes());
    payload.extend_from_slice(operations);
    payload
}

/// The bytes of a graph, followed by records.
fn with_log(graph: &[u8], payloads: &[Vec<u8>]) -> Vec<u8> {
    let page = |number: usize| &graph[number * PAGE..][..PAGE];
    let file_id = Header::from_page(page(0)).expect("it is a graph").file_id;
    let slot = Superblock::from_page(page(1), &file_id, 0).ok().flatten().expect("it has one commit");
    let (mut file, mut previous) = (graph.to_vec(), slot.directory_hash);
    file.resize(file.len().next_multiple_of(LogRecord::HEAD), 0);
    for (number, payload) in (1..).zip(payloads) {
        let record = LogRecord {
            generation: slot.generation,
            number,
            durable: number - 1,
            previous,
            payload_len: 0,
            payload_hash: 0,
            checksum: 0,
        };
        let (bytes, checksum) = record.to_bytes(&file_id, payload);
        file.extend(bytes);
        previous = checksum;
    }
    file
}
