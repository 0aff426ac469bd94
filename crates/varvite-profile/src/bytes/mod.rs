//! The bytes of a file, plain whichever it is compressed with, and its lines.

pub(crate) mod lines;
pub(crate) mod plain;
pub(crate) mod read_ahead;
