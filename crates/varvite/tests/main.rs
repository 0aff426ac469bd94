//! The engine against the model: what is written is what is read, in every profile, and damage is found.
#![allow(clippy::unwrap_used)] // Everything here is a test.

mod conformance;
mod damage;
mod digest;
mod draft;
mod index;
mod info;
mod model;
mod pipeline;
mod queries;
#[path = "../../../fuzz/src/repair.rs"]
mod repair;
mod verify;
mod write;
