//! The native module `varvite._varvite` of the Python package `varvite`.
//!
//! The package's Python files (`python/varvite`) are what users see: they hold the documentation, build plans
//! and wrap the classes of this crate, which are few and plain. This crate has no graph logic: it opens
//! graphs, runs plans and walks, and hands over ids, values, arrays and Arrow streams.
//!
//! `failure` turns each error into the Python class of its number. `interrupt` does long work without
//! Python's lock, and lets Ctrl-C end it; `options` has the limits of work, and `progress` reports on it.
//! `graph` is an open graph. `cells` turns values into Python objects, `array` shows bytes to NumPy without a
//! copy, and `stream` shows batches to Arrow's libraries. `plan` and `ask` run queries, `walk` runs walks,
//! `subgraph` runs algorithms, `network` runs those of NetworkX, `functions` reads METHODs as arrays, and
//! `files` imports, changes and checks files. `corpus` asks many graphs. `command` is the command `varvite`.
//!
//! All code is safe: PyO3's macros and `varvite-arrow` contain the unsafe code of this library.
#![forbid(unsafe_code)]

mod array;
mod ask;
mod cells;
mod command;
mod corpus;
mod failure;
mod files;
mod functions;
mod graph;
mod interrupt;
mod network;
mod options;
mod plan;
mod progress;
mod stream;
mod subgraph;
mod walk;

/// The native part of the package `varvite`. Programs use the package, not this module.
#[pyo3::pymodule]
mod _varvite {
    #[pymodule_export]
    use crate::array::Array;
    #[pymodule_export]
    use crate::ask::{FunctionOf, translate};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::corpus::{Corpus, CorpusQuestion, CorpusRun, clones};
    #[pymodule_export]
    use crate::files::{apply, import_flatgraph, index};
    #[pymodule_export]
    use crate::functions::{Functions, functions, methods_at, token_number};
    #[pymodule_export]
    use crate::graph::{Column, Graph};
    #[pymodule_export]
    use crate::interrupt::signal_checks;
    #[pymodule_export]
    use crate::network::{Groups, Network, Search, convert_network};
    #[pymodule_export]
    use crate::plan::{Plan, Run, compile};
    #[pymodule_export]
    use crate::stream::{Table, edge_table, labelled_node_table, node_table};
    #[pymodule_export]
    use crate::subgraph::Subgraph;
    #[pymodule_export]
    use crate::walk::{Walk, begin_walk};
}
