//! Fuzz targets: each takes any bytes and checks rules that must hold for them. `fuzz/README.md` lists the
//! targets.
//!
//! A target panics if a rule does not hold, and returns nothing. `small_graphs` has the targets that start
//! from a valid file.

#[cfg(feature = "memtrace")]
pub mod binary;
pub mod blocks;
#[cfg(feature = "format")]
pub mod columns;
#[cfg(feature = "engine")]
pub mod diff;
#[cfg(feature = "memtrace")]
pub mod drmemtrace;
#[cfg(feature = "store")]
pub mod file;
#[cfg(feature = "import")]
pub mod foreign;
#[cfg(feature = "frame")]
pub mod frames;
#[cfg(feature = "cpg")]
pub mod graph;
#[cfg(feature = "profile")]
pub mod heaptrack;
#[cfg(feature = "format")]
pub mod kernels;
#[cfg(feature = "memtrace")]
pub mod lackey;
#[cfg(feature = "engine")]
pub mod log;
#[cfg(feature = "memtrace")]
pub mod perf_mem;
#[cfg(feature = "profile")]
pub mod profiles;
#[cfg(feature = "engine")]
pub mod read_digest;
#[cfg(feature = "import")]
pub mod scip;
#[cfg(feature = "cpg")]
pub mod small_graphs;
#[cfg(feature = "text")]
pub mod text;
#[cfg(feature = "import")]
pub mod text_graphs;
#[cfg(feature = "trace")]
pub mod trace;
