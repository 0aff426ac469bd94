//! [`CodeCounts`]: the numbers of instructions, loads and stores of a trace, for each instruction.

use varvite::{GraphError, Task};
use varvite_trace::{Block, Reader, Source};

use super::error::UsageError;
use super::instructions::{AccessCounts, Instructions};
use crate::reference::{CONTENT, Reference};

/// Number of records between two checks of memory use. Each of these records may have a new address.
const RECORDS_BETWEEN_LOOKS: usize = 4096;

/// The counts of each instruction of a trace.
pub struct CodeCounts {
    /// The counts of each address, sorted; those without an address come first.
    pub(super) counts: Vec<(Option<u64>, AccessCounts)>,
    is_sampled: bool,
}

impl CodeCounts {
    /// Counts all records of a trace. Loads and stores belong to the previous instruction of their thread.
    ///
    /// **Cost**: decodes the trace once, and needs about 150 bytes for each different instruction that ran,
    /// at most `memory_bytes`. Progress is reported in bytes of the trace.
    ///
    /// # Errors
    /// [`UsageError`].
    pub fn of<S: Source>(
        reader: &mut Reader<S>,
        memory_bytes: usize,
        task: &Task<'_>,
    ) -> Result<Self, UsageError> {
        let mut instructions = Instructions::new();
        for_each_block(reader, task, |block| {
            instructions.switch(block.header().thread);
            for records in block.bytes().as_chunks::<{ Reference::LEN }>().0.chunks(RECORDS_BETWEEN_LOOKS) {
                records.iter().for_each(|record| instructions.count(Reference::from_bytes(record)));
                if instructions.held_bytes() > memory_bytes {
                    let instructions = instructions.len();
                    return Err(UsageError::OverBudget { instructions, limit: memory_bytes });
                }
            }
            Ok(())
        })?;
        Ok(Self { is_sampled: instructions.is_sampled(), counts: instructions.into_sorted() })
    }

    /// Whether records are missing in the middle of the trace, so that the counts are those of a sample.
    pub fn is_sampled(&self) -> bool {
        self.is_sampled
    }

    /// The sum over all instructions.
    pub fn total(&self) -> AccessCounts {
        let mut total = AccessCounts::default();
        self.counts.iter().for_each(|(_, counts)| total.add(*counts));
        total
    }
}

/// Calls `take` with each block of a trace of memory references, and reports progress.
pub(super) fn for_each_block<S: Source>(
    reader: &mut Reader<S>,
    task: &Task<'_>,
    mut take: impl FnMut(&Block<'_>) -> Result<(), UsageError>,
) -> Result<(), UsageError> {
    let schema = &reader.header().schema;
    if schema.content != CONTENT || schema.fixed_len() != Some(Reference::LEN) {
        return Err(UsageError::Content { expected: CONTENT, found: schema.content.clone() });
    }
    let trace_len = reader.byte_len().unwrap_or(0);
    while let Some(block) = reader.next_block()? {
        task.check().map_err(GraphError::from)?;
        task.bytes("counting", block.offset(), trace_len.max(block.offset()));
        take(&block)?;
    }
    Ok(())
}
