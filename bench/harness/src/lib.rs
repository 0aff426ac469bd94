//! The benchmark of Varvite beside its peers: what is measured, how, and how it is told.
//!
//! `make bench` runs it. One process of this program for each profile, and one of each peer, answer the same
//! workloads in turn over the same line protocol, so that the noise of the machine meets all of them alike.
#![forbid(unsafe_code)]

pub mod algorithms;
pub mod cancelling;
pub mod changed;
pub mod changes;
mod changes_table;
pub mod column_engine;
pub mod columns;
mod columns_table;
mod digest;
pub mod figures;
pub mod java;
pub mod jvm;
pub mod keyed;
pub mod kronecker;
pub mod limited;
pub mod machine;
pub mod memory;
pub mod paired;
pub mod peer;
pub mod plan;
pub mod plans;
mod plans_table;
pub mod prose;
pub mod question;
pub mod readers;
pub mod report;
pub mod results;
pub mod results_file;
pub mod run;
pub mod session;
mod side;
mod sync_clock;
pub mod table;
pub mod targets;
pub mod walks;
pub mod workloads;

use std::fmt;

/// Why a benchmark stopped, as the one line that its user reads.
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
