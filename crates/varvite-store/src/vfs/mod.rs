//! Virtual file systems: the one door between Varvite and any disk.
//!
//! [`RealVfs`] is the operating system's. The others exist for tests, here and in other crates: [`MemoryVfs`]
//! keeps what is visible apart from what is durable, [`FaultVfs`] fails chosen operations, [`RecordVfs`] writes
//! down what was done, and [`crash_states`] turns that log into the disks a power failure could have left.

mod crash;
mod fault;
mod interface;
mod memory;
mod real;
mod record;

pub use crash::{CrashLimits, CrashState, CrashStates, crash_states};
pub use fault::{FaultPlan, FaultVfs};
pub use interface::{Vfs, VfsFile};
pub use memory::MemoryVfs;
pub use real::RealVfs;
pub use record::{FileNumber, OperationLog, RecordVfs, Recorded};
