//! Tests of files in other languages that repeat tables of Rust.

mod constants;
mod python;
