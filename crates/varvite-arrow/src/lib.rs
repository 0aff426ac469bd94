//! Results given away through the C interfaces of Arrow: a batch ([`give`]), or batches as they are asked for
//! ([`stream`]).
//!
//! pyarrow, DuckDB, Polars and others take both without a copy. The bindings for C and Python share this
//! crate; nothing here knows a graph.

mod array;
mod stream;

pub use array::{ArrowArray, ArrowSchema, array_of_batch, give, schema_of_batch};
pub use stream::{ArrowArrayStream, panic_text, stream};
