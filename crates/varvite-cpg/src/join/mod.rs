//! The join of code and run: from a place in a program that ran to the METHOD of a graph.
//!
//! [`Methods`] finds a METHOD by the name of a function and its place in the source; names of symbols become
//! those that people wrote. Traces and profiles share both, and the names that their layers may have.

mod layer_name;
mod methods;
mod symbol_name;

pub use layer_name::is_layer_name;
pub use methods::{Found, Methods, SourcePlace};
pub use symbol_name::{called_names, rust_name};
