//! Code property graphs: the steps of Joern, as names for compositions of Varvite's steps.
//!
//! The engine has no built-in schema. This crate adds the schema of code property graphs, and nothing else. A
//! step is a method on [`Pipeline`](varvite::pipeline::Pipeline) that appends steps of the engine, so that a
//! query stays a description that can be explained, sent and run anywhere. [`Cursors`] has the same steps for
//! a single node, for the closures that some questions need. [`queries`] has examples of both. [`Sites`]
//! gives the location of a node in the source. [`calls_of`] and [`callees_of`] give the calls and callees of
//! METHODs.
//!
//! ```no_run
//! use varvite_cpg::prelude::*;
//!
//! # fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let sizes = nodes("METHOD").has("NAME", eq("memcpy")).call_in().argument(3).where_not(it().is_literal());
//! let mut run = sizes.values("CODE").compile(&graph)?.run(Options::default());
//! # run.next()?;
//! # Ok(())
//! # }
//! ```
//!
//! Joern makes such a graph: `joern-parse path/to/source --output cpg.bin`, then `varvite import cpg.bin -o
//! code.varvite`, or `varvite_import::Import` in Rust.
//!
//! Deliberately absent: data flow between functions (`reachableBy`), which needs a solver, not a traversal;
//! steps that compare a row with its origin (`astSiblings`, `depth`) or print it (`p`, `toJson`, `dot`).
//!
//! [`join`] finds the METHOD for a location in a program that ran.
//!
//! All steps are declared in one table, `steps/table.rs`; [`steps`] lists them at run time, with their
//! documentation, for languages that find a step by its name. `operators` lists the names of operators;
//! `facts` counts the nodes that walks visit. `crates/varvite/tests/queries` compares the ten [`queries`]
//! with plain loops, and the benchmark compares them with flatgraph.
#![forbid(unsafe_code)]

mod call_graph;
mod cursors;
mod error;
mod facts;
pub mod join;
mod operators;
pub mod queries;
mod sites;
mod steps;

pub use call_graph::{callees_of, calls_of, is_operator};
pub use cursors::{Codes, Cursors, label_test};
pub use error::{CpgError, Result};
pub use facts::{Facts, TraversalFacts};
pub use operators::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};
pub use sites::{Site, SiteCursor, Sites};
pub use steps::{
    Argument, ArgumentType, Calls, Flow, Kinds, Operators, References, StepDescription, StepParameter, Tree,
    find_steps, steps,
};

/// The steps of the engine and those of this crate, for a single `use` line.
pub mod prelude {
    pub use crate::{Calls, Flow, Kinds, Operators, References, Tree};
    pub use varvite::pipeline::*;
}
