//! The limits of an operation: threads, which start nowhere else, memory of the machine, time, cancellation,
//! progress.

pub(crate) mod cancel;
pub(crate) mod machine_memory;
pub(crate) mod task;
pub mod threads;
