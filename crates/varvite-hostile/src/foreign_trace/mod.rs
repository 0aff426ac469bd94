//! Memory traces of other programs: `lackey`, text of valgrind's tool; `drmemtrace`, records of DynamoRIO.

pub(crate) mod drmemtrace;
pub(crate) mod lackey;
