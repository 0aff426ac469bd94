//! Virtual file systems: all access of Varvite to files.
//!
//! [`RealVfs`] is the file system of the operating system. Two file systems wrap another one:
//! [`InterruptibleVfs`] in programs that may have to stop, [`ThrottledVfs`] for work that must not slow down
//! other programs. [`BytesVfs`] is a file whose bytes are in memory. `forward` defines the methods that a
//! wrapper leaves unchanged. File systems for tests, which fail and lose power, are in `varvite-testing`.

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
