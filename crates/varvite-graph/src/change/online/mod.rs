//! Compaction of a graph while other writers commit to it.
//!
//! The compaction writes a new file from one snapshot, without a lock against writers. Then all commits that
//! other writers made meanwhile are applied to the new file as diffs, the last of them under the lock of the
//! graph. Finally, the new file replaces the graph.
//!
//! - `outgrown`: decides whether a graph needs a compaction.
//! - `numbers`: the new numbers of nodes and edges in the new file.
//! - `catch_up`: the commits since a snapshot, as a diff for the new file.
//! - `compaction`: the whole compaction; `background`: a thread that runs compactions.

mod background;
mod catch_up;
mod compaction;
mod numbers;
mod outgrown;

pub use background::BackgroundCompaction;
pub use compaction::{CompactOptions, Compacted, compact_online};
pub use outgrown::{CompactWhen, Outgrown};
