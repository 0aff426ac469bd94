//! The messages of Varvite's own valgrind tool (`tools/valgrind`): descriptions of blocks, and the
//! addresses of each run of a block. [`Import`] makes references from them.
//! `tools/valgrind/stream-format.md` describes their bytes.
//!
//! Recorded children of a process write to the same stream. [`process_of`] tells whose a message is; the
//! messages of each process need an import of their own.
//!
//! Traces have the same blocks, as shapes of runs. So a run costs a look-up and a comparison for each of its
//! addresses, whatever the number of its instructions.

mod block;
mod blocks;
mod bytes;
mod error;
mod import;
mod message;

pub use blocks::Blocks;
pub use error::MessageError;
pub use import::{Import, RunReport, Step};
pub use message::{ProcessEvent, process_of};

/// The most bytes of a message: the head, and items or runs.
pub const MESSAGE_LEN_MAX: usize = 32 + (64 << 10);
