//! Checks on the real file system, by other processes and threads.
//!
//! - `real_disk`: writers one after the other. `kill`: children that are killed; `kill_log`: the commits that
//!   they acknowledged.
//! - `hard_links`: threads at two names of one file.

pub(crate) mod hard_links;
pub(crate) mod kill;
pub(crate) mod kill_log;
pub(crate) mod real_disk;
