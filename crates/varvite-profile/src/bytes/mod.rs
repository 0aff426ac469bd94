//! The bytes of a file, plain whichever it is compressed with, its lines, and how many of them a form
//! explains.

pub(crate) mod lines;
pub(crate) mod plain;
pub(crate) mod read_ahead;
pub(crate) mod understood;
