//! File systems for tests: they fail, lose data, and record operations.
//!
//! [`MemoryVfs`] keeps visible and durable data separate, [`FaultVfs`] fails chosen operations,
//! [`LocklessVfs`] has no locks, and [`RecordVfs`] records operations. [`crash_states`] enumerates the disks
//! that a power failure during the recorded operations could have left.

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
