//! Tests of foreign graph formats.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod expansion;
mod flatgraph;
mod graphml;
mod neo4j_csv;
#[cfg(feature = "parquet")]
mod parquet;
mod scip;
mod text_fuzz;
