//! The bytes of a file: decompresses them, splits them into lines, and counts the lines that fit a format.

pub(crate) mod lines;
pub(crate) mod plain;
pub(crate) mod read_ahead;
pub(crate) mod understood;
