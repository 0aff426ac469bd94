//! Tests of the public interface of the format: encoded columns are read back, damage causes errors and no
//! panics, and `docs/format.md` is right.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod choice;
mod damage;
mod directory;
mod document;
mod ints;
mod segments;
mod sets;
mod shapes;
mod smoke;
mod strings;
