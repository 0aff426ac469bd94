//! File systems that fail, forget and remember, for tests of everything that reads or writes a file.
//!
//! [`MemoryVfs`] keeps visible and durable data apart, [`FaultVfs`] fails chosen operations, [`LocklessVfs`]
//! has no locks, [`RecordVfs`] records operations, and [`crash_states`] turns that log into the disks a power
//! failure could have left.

mod crash;
mod fault;
mod lockless;
mod memory;
mod record;

pub use crash::{CrashLimits, CrashState, CrashStates, crash_states};
pub use fault::{FaultPlan, FaultVfs};
pub use lockless::LocklessVfs;
pub use memory::MemoryVfs;
pub use record::{FileNumber, OperationLog, RecordVfs, Recorded};
