//! The memory that a graph uses, by state (mapped, decoded, pinned, scratch), and the release of unused
//! memory.

use varvite::memory::{MemoryState, ProcessMemory};

use crate::graph::GraphObject;
use crate::handle::Handle;
use crate::pointer::{OutStructs, c_struct};
use crate::status::Status;

c_struct! {
    /// The memory that a graph uses, by state, and the memory of the process.
    Memory = "varvite_memory" {
        mapped: u64,
        mapped_resident: u64,
        decoded: u64,
        pinned: u64,
        scratch: u64,
        process_resident: u64,
        process_anonymous: u64,
        process_file: u64,
    }
}

/// The value of a field that the operating system does not report.
const UNKNOWN: u64 = u64::MAX;

exports! {
    /// The memory that a graph uses, by state, and the memory of the process.
    fn varvite_graph_memory(graph: Handle<GraphObject>, memory: OutStructs<'_, Memory>, memory_size: u64) {
        let memory = memory.room(memory_size, 1)?;
        let open = graph.graph()?;
        let ledger = open.graph.ledger();
        let process = ProcessMemory::read();
        memory.write(Memory {
            mapped: ledger.total(MemoryState::Mapped),
            mapped_resident: open.graph.store().resident_bytes().unwrap_or(UNKNOWN),
            decoded: ledger.total(MemoryState::Decoded),
            pinned: ledger.total(MemoryState::Pinned),
            scratch: ledger.total(MemoryState::Scratch) + ledger.total(MemoryState::Tables),
            process_resident: process.map_or(UNKNOWN, |process| process.resident),
            process_anonymous: process.map_or(UNKNOWN, |process| process.anonymous),
            process_file: process.map_or(UNKNOWN, |process| process.file),
        });
        Ok(Status::Ok)
    }

    /// Frees all unused memory of a graph.
    fn varvite_graph_trim(graph: Handle<GraphObject>) {
        graph.graph()?.trim();
        Ok(Status::Ok)
    }
}
