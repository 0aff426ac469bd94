//! Results for consumers of the C interfaces of Arrow: one batch ([`give`]), or a stream that makes batches
//! on demand ([`stream`]).
//!
//! pyarrow, DuckDB, Polars and others take both without a copy. The bindings for C and Python share this
//! crate; nothing here depends on graphs.

mod array;
mod stream;

pub use array::{ArrowArray, ArrowSchema, array_of_batch, give, schema_of_batch};
pub use stream::{ArrowArrayStream, panic_text, stream};
