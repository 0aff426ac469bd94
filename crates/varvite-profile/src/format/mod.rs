//! Detects the format of a file from its first bytes. The format may be one that this crate reads, or a known
//! one that it does not read.

mod foreign;
mod profile_format;

pub use foreign::ForeignForm;
pub use profile_format::ProfileFormat;
