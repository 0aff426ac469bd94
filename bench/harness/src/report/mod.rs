//! Results as pages: tables in Markdown, targets, and the digest in the README.

pub(crate) mod changes_table;
pub(crate) mod columns_table;
pub(crate) mod digest;
pub mod page;
pub(crate) mod plans_table;
pub mod prose;
pub mod table;
pub mod targets;
