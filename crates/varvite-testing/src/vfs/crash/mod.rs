//! Crash states: the disks that a power failure could have left, at any point of a recorded workload.
//!
//! The model has exactly the guarantees of the [`Vfs`](varvite_store::Vfs) contract. Until its file is
//! synced, a write may be kept, lost or torn, independently of the writes before and after it; a file may
//! have its new length without its data, or data without its length. Until its folder is synced, a creation,
//! removal or rename may be kept or lost. A rename within a folder is atomic. The model never damages synced
//! data; other tests check that checksums find such damage.

mod disk;
mod fate;
mod states;

pub use states::{CrashLimits, CrashState, CrashStates, crash_states};
