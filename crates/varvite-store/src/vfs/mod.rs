//! Virtual file systems: the one door between Varvite and any disk.
//!
//! [`RealVfs`] is the operating system's, [`InterruptibleVfs`] goes over it in programs that may have to
//! stop, [`ThrottledVfs`] where others must not be disturbed, and [`BytesVfs`] is a file that is in memory
//! already. `forward` spares those that go over another one the methods that they leave as they are. File
//! systems that fail and lose power, for tests, are in `varvite-testing`.

mod attributes;
mod bytes;
mod forward;
mod interface;
mod interruptible;
mod real;
mod throttled;

pub use attributes::Attributes;
pub use bytes::BytesVfs;
pub use interface::{Vfs, VfsFile};
pub use interruptible::InterruptibleVfs;
pub use real::RealVfs;
pub use throttled::ThrottledVfs;
