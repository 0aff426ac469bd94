//! Reading the blocks of a trace of memory references.

use varvite::{GraphError, Task};
use varvite_trace::{Block, Reader, Source, TraceError, TraceHeader};

use super::{CONTENT, Reference};

/// Number of records between two checks of memory use. Each of these records may touch 16 new pages.
const RECORDS_BETWEEN_LOOKS: usize = 4096;

/// The name of a trace's content if it has no memory references.
pub(crate) fn other_content(header: &TraceHeader) -> Option<String> {
    let schema = &header.schema;
    let is_ours = schema.content == CONTENT && schema.fixed_len() == Some(Reference::LEN);
    (!is_ours).then(|| schema.content.clone())
}

/// Calls `take` with each block of a trace, and reports progress in bytes of the trace.
pub(crate) fn for_each_block<S: Source, E: From<TraceError> + From<GraphError>>(
    reader: &mut Reader<S>,
    task: &Task<'_>,
    mut take: impl FnMut(&Block<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let trace_len = reader.byte_len().unwrap_or(0);
    while let Some(block) = reader.next_block()? {
        task.check().map_err(GraphError::from)?;
        task.bytes("counting", block.offset(), trace_len.max(block.offset()));
        take(&block)?;
    }
    Ok(())
}

/// The records of a block, so few at a time that a caller can check its memory in between.
pub(crate) fn few_records<'b>(
    block: &Block<'b>,
) -> impl Iterator<Item = impl Iterator<Item = Reference> + 'b> + 'b {
    let records = block.bytes().as_chunks::<{ Reference::LEN }>().0;
    records.chunks(RECORDS_BETWEEN_LOOKS).map(|records| records.iter().map(Reference::from_bytes))
}
