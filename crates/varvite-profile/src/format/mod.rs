//! Detection of a file's form from its first bytes: a form that is read, or a known form that is not.

mod foreign;
mod profile_format;

pub use foreign::ForeignForm;
pub use profile_format::ProfileFormat;
