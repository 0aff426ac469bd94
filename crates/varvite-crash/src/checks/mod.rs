//! Checks on file systems in memory.
//!
//! - `power`: the disks that power failures leave. `faults`: failing operations.
//! - `damage`: superblock slots, directories, columns and torn reads; `log_damage`: records of the log;
//!   `flips`: every bit of golden files.
//! - `intruders`: two writers; `two_names`: two writers at two names of one file; `readers`: open readers
//!   while others write; `names`: names that are taken, and leftover files.

pub(crate) mod damage;
pub(crate) mod faults;
pub(crate) mod flips;
pub(crate) mod intruders;
pub(crate) mod log_damage;
pub(crate) mod names;
pub(crate) mod power;
pub(crate) mod readers;
pub(crate) mod two_names;
