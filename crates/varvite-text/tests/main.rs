//! Asks the queries of `conformance/joern-text` that this project wrote, and compares the answers with those
//! that Joern gave when `cargo xtask test-joern --text` ran last with `BLESS=1`.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod answering;
mod conformance;
mod digest;
mod forms;
mod nodes;
mod verdicts;
