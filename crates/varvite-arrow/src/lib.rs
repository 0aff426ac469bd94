//! Exports results through the C interfaces of Arrow: a single batch ([`give`]), or a stream that makes
//! batches on demand ([`stream`]).
//!
//! pyarrow, DuckDB, Polars and other libraries import both without a copy. The bindings for C and Python
//! share this crate, which does not depend on graphs.

mod array;
mod stream;

pub use array::{ArrowArray, ArrowSchema, array_of_batch, give, schema_of_batch};
pub use stream::{ArrowArrayStream, OwnedStream, StreamError, panic_text, stream};
