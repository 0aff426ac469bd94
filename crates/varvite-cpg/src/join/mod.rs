//! The join of code and execution, which leads from a location in a program that ran to a METHOD in a graph.
//!
//! [`Methods`] finds a METHOD by the name of a function and its location in the source. `symbol_name` turns
//! symbol names into the names that the source has, and `paths` compares paths of files. Imports of traces
//! and of profiles share these modules, and the rule for the names of the layers that they add.

mod layer_name;
mod methods;
mod paths;
mod symbol_name;

pub use layer_name::is_layer_name;
pub use methods::WHOLE_FILES;
pub use methods::{Found, Methods, SourcePlace};
pub(crate) use paths::parts_of;
pub use symbol_name::{called_names, rust_name};
