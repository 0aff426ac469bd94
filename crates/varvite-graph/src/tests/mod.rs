//! Tests of what is outside of any module: other files that follow from tables in Rust.

mod constants;
