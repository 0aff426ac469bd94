//! The benchmark of `make bench-ask`: queries in Joern's language, and the questions of agents.
//!
//! `queries` has the queries for both engines; `prepared` and `serve` answer in Varvite. `warm`, `cold`,
//! `crowd` and `agent` are the parts of the benchmark; `run` does them in turn.

mod agent;
mod cold;
mod crowd;
mod facts;
mod mcp;
mod prepared;
pub mod queries;
pub mod run;
pub mod serve;
mod shares;
mod warm;
