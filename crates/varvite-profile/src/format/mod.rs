//! Which tool's form a file has: one that is read, by how many lines of its beginning are understood; or one that is not, by how it begins.

mod foreign;
mod profile_format;
mod understood;

pub use foreign::ForeignForm;
pub use profile_format::ProfileFormat;
pub(crate) use understood::{Understood, lines_of_head, without_mark};
