//! The benchmark of Varvite beside its peers: its workloads, how it measures, and its reports.
//!
//! `make bench` runs it. A process of this program for each profile, and a process of each peer, run the same
//! workloads in turn over the same line protocol, so that other load on the machine affects all of them
//! alike.
//!
//! - `workloads`: questions, the same for all sides. `peers`: processes that answer them.
//! - `runs`: one module for each command of the harness; `walks`: the command that measures walks.
//! - `record`: samples and results as files; `report`: results as pages.
#![forbid(unsafe_code)]

pub mod peers;
pub mod record;
pub mod report;
pub mod runs;
pub mod walks;
pub mod workloads;

use std::fmt;

/// The reason why a benchmark stopped, as the one line that its user reads.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
