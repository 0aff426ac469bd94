//! Which tool's form a file has: one that is read, or one that is not, by how it begins.

mod foreign;
mod profile_format;

pub use foreign::ForeignForm;
pub use profile_format::ProfileFormat;
