//! Sides of a run: processes that answer the same questions by one line protocol.
//!
//! - `peer`: another process that answers; `side`: a process while it takes turns at one question; `session`:
//!   Varvite's implementation of the protocol.
//! - `column_process`, `jvm`: peers in Python and on a JVM; `keyed`: the file for comparisons with key-value
//!   stores.

pub mod column_process;
pub mod jvm;
pub mod keyed;
pub mod peer;
pub mod session;
pub(crate) mod side;
