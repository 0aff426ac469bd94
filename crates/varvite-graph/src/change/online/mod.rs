//! Compaction of a graph that goes on getting commits.
//!
//! A new file is written from one state of the graph, without keeping writers out. What came meanwhile is
//! committed to it as diffs, the last of them under the lock of the graph; then it takes the place of the
//! graph.
//!
//! - `outgrown`: when a graph is to be compacted.
//! - `numbers`: which numbers nodes and edges have in the new file.
//! - `catch_up`: what came since a state, as a diff of the new file.
//! - `compaction`: the whole of it; `background`: the same on a thread.

mod background;
mod catch_up;
mod compaction;
mod numbers;
mod outgrown;

pub use background::BackgroundCompaction;
pub use compaction::{CompactOptions, Compacted, compact_online};
pub use outgrown::{CompactWhen, Outgrown};
