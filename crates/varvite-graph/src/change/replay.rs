//! Replays the log of a graph: turns the records into columns in memory, in the form that a commit would have
//! written.
//!
//! So a reader needs no second way to read changes, and the next commit can write these columns to the file.
//! A replay decodes all changes, applies the records, and encodes the result. A graph without a memory limit
//! keeps the decoded changes, so that a later [`Graph::refresh`] applies only the new records, and encodes
//! only the columns that these records change.

use std::any::Any;

use varvite_codec::Codec;
use varvite_format::{Directory, Fault, FormatError, Part};
use varvite_store::{AccountId, Charge, MemoryState, Store, StoreError, StoreWriter, Task};

use super::change_set::{ChangeSet, Mark};
use super::decode::decode;
use super::encode::encode;
use super::kept_columns::KeptColumns;
use super::log_batch::LogBatch;
use super::record::diff_of;
use super::resolve::resolve_records;
use super::schema::SchemaNames;
use crate::change_error::ChangeError;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::write::Encoder;

/// Bytes of memory that the replay takes for each byte of the log.
const MEMORY_OF_BYTE: u64 = 8;

/// The result of replaying a log. If the log grows, the next replay continues from this state.
#[derive(Debug)]
struct TakenLog {
    /// All changes of the graph, including those of the log.
    changes: ChangeSet,
    /// The names in the graph's schema.
    known: SchemaNames,
    records: u64,
    /// The checksum of the last record.
    checksum: u64,
    _charge: Charge,
}

impl Graph {
    /// Makes the graph of an open store, including the changes in the log.
    ///
    /// # Errors
    /// A damaged log; [`StoreError::OverBudget`].
    pub(crate) fn of_store(store: Store) -> Result<Self> {
        Self::of_longer_log(store, None)
    }

    /// The same as [`Graph::of_store`], but reuses the state in `before`, if the beginning of the log was
    /// replayed for it: only the rest of the log is replayed, and only columns that this rest changes are
    /// encoded.
    ///
    /// # Errors
    /// The errors of [`Graph::of_store`].
    pub(crate) fn of_longer_log(store: Store, before: Option<(&Store, Box<dyn Any + Send>)>) -> Result<Self> {
        if store.log().is_empty() {
            return Ok(Self::without_log(store));
        }
        let graph = Self::without_log(store);
        let log = graph.store().log();
        let (records, checksum) = (log.records(), log.checksum());
        let memory = log.payload_bytes().saturating_mul(MEMORY_OF_BYTE);
        let account = graph.ledger().account(AccountId::ENGINE);
        let scratch = graph.store().charge(&account, MemoryState::Scratch, memory)?;
        let before = before.and_then(|(store, taken)| Some((store, taken.downcast::<TakenLog>().ok()?)));
        let before = before.filter(|(_, taken)| log.begins_with(taken.records, taken.checksum));
        let (mut changes, known, first, before) = match before {
            Some((store, taken)) => (taken.changes, taken.known, taken.records, Some(store)),
            None => (decode(&graph)?, SchemaNames::of(&graph), 0, None),
        };
        let counts = changes.begin_to_watch();
        let kept = before.map(|store| KeptColumns { store, counts });
        take_up_log(&graph, &known, &mut changes, first)?;
        let is_kept = graph.store().memory_max() == u64::MAX;
        if is_kept {
            changes.sort_edges();
        }
        let graph = Self::without_log(encoded(graph, &changes, kept.as_ref())?);
        drop(scratch);
        if is_kept {
            let bytes = changes.heap_bytes() as u64;
            let _charge = graph.ledger().charge(AccountId::ENGINE, MemoryState::Tables, bytes);
            known.move_to(&graph);
            graph.keep_log(Box::new(TakenLog { changes, known, records, checksum, _charge }));
        }
        Ok(graph)
    }
}

/// Applies the records of a graph's log to the changes, except for the first `first` records.
pub(super) fn take_up_log(
    graph: &Graph,
    known: &SchemaNames,
    changes: &mut ChangeSet,
    first: u64,
) -> Result<()> {
    let log = graph.store().log();
    debug_assert!(first >= log.skipped(), "records that nobody has taken up");
    let new = log.payloads().skip(first.saturating_sub(log.skipped()) as usize);
    let payloads: Vec<&[u8]> = new.collect();
    let mut left = &payloads[..];
    while !left.is_empty() {
        let number = first + (payloads.len() - left.len()) as u64 + 1;
        left = &left[take_up_batch(graph, known, changes, left, number)?..];
    }
    Ok(())
}

/// Applies the first payloads, as many as can be applied together. `number` is the record number of the first
/// payload. Returns the number of applied payloads.
fn take_up_batch(
    graph: &Graph,
    known: &SchemaNames,
    changes: &mut ChangeSet,
    payloads: &[&[u8]],
    number: u64,
) -> Result<usize> {
    let mut batch = LogBatch::behind(changes.nodes());
    // A damaged record ends the batch; its error is reported when the record is applied by itself.
    let count = payloads.iter().take_while(|payload| batch.take(payload).unwrap_or(false)).count();
    if count > 1 {
        let mark = Mark::of(changes);
        match resolve_records(graph, known, changes, &batch.diff) {
            Err(error) if is_of_record(&error) => changes.back_to(&mark),
            taken => return taken.map(|()| count).map_err(of_reader),
        }
    }
    // The records of a refused batch are applied one by one, to find the number of the faulty record.
    let count = count.max(1);
    for (number, payload) in (number..).zip(&payloads[..count]) {
        take_up(graph, known, changes, payload).map_err(|error| of_record(graph, number, error))?;
    }
    Ok(count)
}

/// Whether the error is the refusal of a record. Records are refused before any value is assigned.
fn is_of_record(error: &ChangeError) -> bool {
    match error {
        ChangeError::Operation { .. } => true,
        ChangeError::Graph(GraphError::Store(StoreError::Format { source, .. })) => {
            matches!(**source, FormatError::Damaged { part: Part::Log, .. })
        }
        _ => false,
    }
}

fn take_up(
    graph: &Graph,
    known: &SchemaNames,
    changes: &mut ChangeSet,
    payload: &[u8],
) -> Result<(), ChangeError> {
    let diff = diff_of(payload).map_err(StoreError::from)?;
    resolve_records(graph, known, changes, &diff)
}

/// The error for a refused record. The writer has checked each record, so a refusal means that the file is
/// damaged.
fn of_record(graph: &Graph, number: u64, error: ChangeError) -> GraphError {
    let part = Part::LogRecord(number);
    match error {
        ChangeError::Operation { operation, fault } => {
            let fault = Fault::Refused { operation, reason: fault.to_string() };
            graph.store().damaged(FormatError::damaged(part, fault)).into()
        }
        ChangeError::Graph(GraphError::Store(StoreError::Format { source, .. })) => match &*source {
            FormatError::Damaged { part: Part::Log, offset, fault } => {
                let error = FormatError::Damaged { part, offset: *offset, fault: fault.clone() };
                graph.store().damaged(error).into()
            }
            _ => StoreError::Format { path: graph.store().path().to_owned(), source }.into(),
        },
        other => of_reader(other),
    }
}

/// Converts an error from code that readers and writers share into an error for readers.
fn of_reader(error: ChangeError) -> GraphError {
    match error {
        ChangeError::Graph(error) => error,
        ChangeError::TooLarge { what, found, limit } => FormatError::TooLarge { what, found, limit }.into(),
        ChangeError::Input(error) => FormatError::Input(*error).into(),
        // Other errors do not occur here: no record refers to a layer or an index, and only operations of
        // records can be refused.
        other => {
            debug_assert!(false, "{other}");
            let fault = Fault::Refused { operation: 0, reason: other.to_string() };
            FormatError::damaged(Part::Log, fault).into()
        }
    }
}

/// The store of a graph, with these changes. The changes are encoded in memory, except for columns that are
/// reused from `kept`.
fn encoded(graph: Graph, changes: &ChangeSet, kept: Option<&KeptColumns<'_>>) -> Result<Store> {
    let store = graph.into_store();
    let mut directory = Directory { changes: None, ..store.directory().clone() };
    directory.nodes = changes.nodes();
    let mut writer = StoreWriter::in_memory(&store);
    if !changes.is_empty() {
        // Compressing data in memory has no benefit, because these columns are never written to a file.
        let encoder = match kept {
            Some(_) => Encoder::for_memory(),
            None => Encoder::new(store.header().profile, Codec::None),
        };
        let encoded = encode(changes, &directory, &encoder, &mut writer, kept, &Task::new());
        directory.changes = Some(encoded.map_err(of_reader)?);
    }
    Ok(writer.finish_in_memory(directory, store)?)
}

#[cfg(test)]
mod tests {
    use varvite_format::{InputError, Quantity};

    use super::*;

    #[test]
    fn an_error_of_replay_has_the_same_number_for_a_reader() {
        let missing = Fault::Missing { what: "name", number: None };
        let all = [
            ChangeError::TooLarge { what: Quantity::Texts, found: 2, limit: 1 },
            InputError::new("column", missing.clone()).into(),
            GraphError::Cancelled.into(),
            StoreError::from(FormatError::damaged(Part::Log, missing)).into(),
        ];
        for error in all {
            assert_eq!(of_reader(error.clone()).code(), error.code(), "{error}");
        }
    }
}
