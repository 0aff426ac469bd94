//! The bytes of a file: decompressed, split into lines, and the share of lines that fit a form.

pub(crate) mod lines;
pub(crate) mod plain;
pub(crate) mod read_ahead;
pub(crate) mod understood;
