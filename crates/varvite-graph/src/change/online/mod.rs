//! Compaction of a graph that goes on getting commits.
//!
//! The compaction writes a new file from one snapshot, without a lock against writers. It then commits to the
//! new file, as diffs, whatever other writers committed meanwhile, the last diff under the lock of the graph;
//! then the new file takes the place of the graph.
//!
//! - `outgrown`: the test whether a graph needs a compaction.
//! - `numbers`: which numbers nodes and edges have in the new file.
//! - `catch_up`: the commits since a snapshot, as a diff of the new file.
//! - `compaction`: the whole of it; `background`: the same on a thread.

mod background;
mod catch_up;
mod compaction;
mod numbers;
mod outgrown;

pub use background::BackgroundCompaction;
pub use compaction::{CompactOptions, Compacted, compact_online};
pub use outgrown::{CompactWhen, Outgrown};
