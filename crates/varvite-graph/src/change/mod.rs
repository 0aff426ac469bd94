//! Changes of a graph: a [`Diff`] lists operations on nodes, edges and values, and
//! [`GraphChange::apply`](crate::write::GraphChange::apply) commits them.
//!
//! The columns of a graph are never rewritten. All changes since the columns were written are one set: a
//! commit reads the set, adds the diff to it, and writes the set again. A commit costs in proportion to this
//! set, and not to the columns. A [`GraphLog`] keeps the set in memory, and its commits cost in proportion to
//! their own diff.
//!
//! - `element`, `new_value`, `words`, `operation`, `chunk`, `diff`, `operations`, `absorb`: the parts of a
//!   diff, its form in memory and on disk, and the absorption of one diff by another.
//! - `change_set`: all changes relative to the base, as plain vectors and maps, or on disk;
//!   `property_changes`: the changes of values; `sorted`, `number_set`, `patch`: ascending lists into which
//!   other lists are merged; `codes`: the label sets of appended nodes; `ends`: appended edges; `new_ranks`:
//!   the ranks of these edges.
//! - `sorter`: records sorted by key, on disk, and the merge of sorted runs; `value_runs`, `known_texts`:
//!   values on disk while a diff is applied; `sorted_values`, `text_uses`: the final values of owners, and
//!   the codes of texts; `value_stream`: the values of a new graph.
//! - `number_lists`: long lists of numbers for the nodes that a layer adds, passed together with the layer's
//!   diff.
//! - `refusal`: the reason for refusing an operation.
//! - `base`: the columns of the base as the file has them; `text_codes`: the texts of the base by hash.
//! - `schema`, `removal`, `addition`, `assignment`, `nulls`, `resolve`: the checks of a diff's operations,
//!   and their effect on the set of changes.
//! - `decode`, `decode_values`, `encode`: from the columns of a file to a change set, and back; `by_rank`:
//!   sorts edges by rank; `sorted_ends`: sorts edges into the order of lists; `large_lists`, `large_values`:
//!   columns of many edges and values, which are never completely in memory; `kept_columns`: columns in
//!   memory that are unchanged.
//! - `new_rows`: rows of the directory for declarations of a diff; `apply`: the commit of a diff.
//! - `layer`: adding a diff as a layer, and dropping such layers; `hash`: the hash that identifies a layer's
//!   diff.
//! - `record`: conversion of a diff to a record of the log, and back; `log_batch`: many records as one diff;
//!   `replay`: opening of a graph with a log; `graph_log`: many small commits.
//! - `online`: compaction of a graph while other programs commit to it.
//! - `text`: diffs as lines of JSON; `bytes`: diffs encoded as bytes for one call.

mod absorb;
mod addition;
mod apply;
mod assignment;
mod base;
mod by_rank;
mod bytes;
mod change_set;
mod chunk;
mod codes;
mod decode;
mod decode_values;
mod diff;
mod element;
mod encode;
mod ends;
mod graph_log;
mod hash;
mod kept_columns;
mod known_texts;
mod large_lists;
mod large_values;
mod layer;
mod log_batch;
mod new_ranks;
mod new_rows;
mod new_value;
mod nulls;
mod number_lists;
mod number_set;
mod online;
mod operation;
mod operations;
mod patch;
mod property_changes;
mod record;
mod refusal;
mod removal;
mod replay;
mod resolve;
mod schema;
mod sorted;
mod sorted_ends;
mod sorted_values;
mod sorter;
mod text;
mod text_codes;
mod text_uses;
mod value_runs;
mod value_stream;
mod words;

pub use crate::change_error::ChangeError;
pub use crate::change_fault::ChangeFault;
pub use apply::Applied;
pub use bytes::DiffBytesError;
pub(crate) use bytes::{declared_kind, fault_of, operations_of};
pub use diff::{Absorbed, Diff, PropertyOwner};
pub use element::{ElementRef, NewEdge, NewNode, NodeRef};
pub(crate) use ends::Ends;
pub use graph_log::{Durability, GraphLog, LogOptions};
pub(crate) use large_lists::ListStream;
pub use new_value::NewValue;
pub use number_lists::NumberLists;
pub use online::{BackgroundCompaction, CompactOptions, CompactWhen, Compacted, Outgrown, compact_online};
pub(crate) use property_changes::ValueColumns;
pub(crate) use record::new_value;
pub use text::{DiffText, DiffTextError, DiffTextFault};
pub(crate) use value_stream::ValueStream;
