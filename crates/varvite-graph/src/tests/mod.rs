//! Tests of files outside of Rust that follow from tables in Rust.

mod constants;
