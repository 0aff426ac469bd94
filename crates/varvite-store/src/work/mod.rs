//! The limits of an operation: threads (all threads start here), memory, time, cancellation, and reports of
//! progress.

pub(crate) mod cancel;
pub(crate) mod machine_memory;
pub(crate) mod task;
pub mod threads;
