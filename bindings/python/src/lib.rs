//! The native module `varvite._varvite` of the Python package `varvite`.
//!
//! The package's Python files (`python/varvite`) are what users see: they hold the documentation, build plans
//! and wrap the classes of this crate, which are few and plain. This crate has no graph logic: it opens
//! graphs, runs plans and walks, and hands over ids, values, arrays and Arrow streams.
//!
//! `failure` turns each error into the Python class of its number. `interrupt` does long work without
//! Python's lock, and lets Ctrl-C end it. `graph` is an open graph; `nodes`, `schema`, `columns` and `files`
//! are its methods by subject. `cells` turns values into Python objects. `array` shows bytes to NumPy without
//! a copy, `stream` shows batches to Arrow's libraries. `plan` and `ask` run queries, `walk` runs walks, and
//! `command` is the command `varvite`.
//!
//! All code is safe: PyO3's macros and `varvite-arrow` contain the unsafe code of this library.
#![forbid(unsafe_code)]

mod array;
mod ask;
mod cells;
mod columns;
mod command;
mod failure;
mod graph;
mod interrupt;
mod nodes;
mod options;
mod plan;
mod schema;
mod stream;

/// The native part of the package `varvite`. Programs use the package, not this module.
#[pyo3::pymodule]
mod _varvite {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::ask::{FunctionOf, translate};
    #[pymodule_export]
    use crate::columns::Column;
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::plan::{Plan, Run, compile};
}
