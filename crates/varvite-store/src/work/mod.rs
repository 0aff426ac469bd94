//! The limits of an operation: threads (this module starts all threads), memory, time and cancellation; also
//! reports of progress.

pub(crate) mod cancel;
pub mod kept_threads;
pub(crate) mod machine_memory;
pub(crate) mod task;
pub mod threads;
