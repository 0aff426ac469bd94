//! Checks on the real file system, with other processes and threads.
//!
//! - `real_disk`: writers one after another. `kill`: children that are killed; `kill_log`: children that
//!   commit to a log.
//! - `hard_links`: threads at two names of one file.

pub(crate) mod hard_links;
pub(crate) mod kill;
pub(crate) mod kill_log;
pub(crate) mod real_disk;
