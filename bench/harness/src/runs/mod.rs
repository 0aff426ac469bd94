//! The commands of the harness; each module measures one subject.
//!
//! - `run`: all workloads on all sides; `paired`: two builds.
//! - `changed`, `changes`, `readers`: graphs with changes, commits, readers beside a writer.
//! - `columns`: reads of all values; `plans`: plans on one thread and two; `limited`: a memory limit;
//!   `cancelling`: cancellation.
//! - `algorithms`: algorithms on graphs that `kronecker` generates; `java`: results of JMH.
//! - `copies`: thousands of small graphs.

pub mod algorithms;
pub mod cancelling;
pub mod changed;
pub mod changes;
pub mod columns;
pub mod copies;
pub mod java;
pub mod kronecker;
pub mod limited;
pub mod paired;
pub mod plans;
pub mod readers;
pub mod run;
