//! [`CodeCounts`]: the numbers of instructions, loads and stores of a trace, for each instruction.

use varvite::Task;
use varvite_trace::{Reader, Source};

use super::error::{UsageError, check_content};
use super::instructions::{AccessCounts, Instructions};
use crate::reference::{few_records, for_each_block};

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
        check_content(reader)?;
        for_each_block(reader, task, |block| {
            instructions.switch(block.header().thread);
            for records in few_records(block) {
                records.for_each(|reference| instructions.count(reference));
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
