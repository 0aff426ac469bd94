//! Tests of the format from outside: encoded columns are read back, damage causes errors only, and the
//! document is true.
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
