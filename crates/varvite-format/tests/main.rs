//! The format from outside: what is encoded is read back, damage is survived, and the document tells the
//! truth.
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
