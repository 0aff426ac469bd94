//! Long work: options, cancellation, progress, and the only place where threads start.

pub(crate) mod cancel;
pub(crate) mod task;
pub mod threads;
