//! Memory traces of other programs: `lackey`, text of valgrind's tool; `perf_mem`, samples of perf;
//! `drmemtrace`, records of DynamoRIO.

pub(crate) mod drmemtrace;
pub(crate) mod lackey;
pub(crate) mod perf_mem;
