//! Measures Varvite beside its peers: workloads, measurement and reports.
//!
//! `make bench` runs it. Each side, which is a peer or Varvite with one profile, is a process that answers
//! commands by the same line protocol. The sides run the same workloads in turn, so that other load on the
//! machine affects all of them alike.
//!
//! - `workloads`: the questions, which are the same for all sides. `peers`: the processes that answer them.
//! - `runs`: one module for each command of the harness; `walks` and `asks`: the commands that measure walks,
//!   and queries in Joern's language.
//! - `record`: samples, and results as files; `report`: results as pages.
#![forbid(unsafe_code)]

pub mod asks;
pub mod peers;
pub mod record;
pub mod report;
pub mod runs;
pub mod walks;
pub mod workloads;

use std::fmt;

/// The reason why a benchmark stopped, as a one-line message for the user.
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
