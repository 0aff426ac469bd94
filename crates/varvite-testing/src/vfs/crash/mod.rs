//! Crash states: the disks that a power failure could have left behind, at any point of a recorded workload.
//!
//! The model is that of the [`Vfs`](varvite_store::Vfs) contract and no kinder. Until its file is synced, a
//! write may be kept, lost or torn, independent of the writes around it; a file may have its new length
//! without its data, or data without its length. Until its folder is synced, a creation, removal or rename
//! may be kept or lost. A rename within a folder is one step. Synced data does not rot: damage of that kind
//! is the checksums' business.

mod disk;
mod fate;
mod states;

pub use states::{CrashLimits, CrashState, CrashStates, crash_states};
