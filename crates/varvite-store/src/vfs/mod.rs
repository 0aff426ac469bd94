//! Virtual file systems: the one door between Varvite and any disk.
//!
//! [`RealVfs`] is the operating system's, [`InterruptibleVfs`] goes over it in programs that may be told to stop,
//! [`ThrottledVfs`] where others must not be disturbed, and [`BytesVfs`] is a file that is in memory already. The others exist
//! for tests, here and in other crates: [`MemoryVfs`] keeps what is visible apart from what is durable, [`FaultVfs`] fails chosen
//! operations, [`LocklessVfs`] has no locks, [`RecordVfs`] writes down what was done, and [`crash_states`] turns that log into the disks a power failure could
//! have left. `forward` spares those that go over another one what they leave as it is.

mod attributes;
mod bytes;
mod crash;
mod fault;
pub(crate) mod forward;
mod interface;
mod interruptible;
mod lockless;
mod memory;
mod real;
mod record;
mod throttled;

pub use attributes::Attributes;
pub use bytes::BytesVfs;
pub use crash::{CrashLimits, CrashState, CrashStates, crash_states};
pub use fault::{FaultPlan, FaultVfs};
pub use interface::{Vfs, VfsFile};
pub use interruptible::InterruptibleVfs;
pub use lockless::LocklessVfs;
pub use memory::MemoryVfs;
pub use real::RealVfs;
pub use record::{FileNumber, OperationLog, RecordVfs, Recorded};
pub use throttled::ThrottledVfs;
