//! Code property graphs: the steps of Joern, each defined as a composition of Varvite's steps.
//!
//! The engine has no built-in schema. This crate adds the schema of code property graphs, and nothing else. A
//! step is a method on [`Pipeline`](varvite::pipeline::Pipeline) that appends steps of the engine, so a query
//! is still a description that can be explained, sent and run anywhere. For questions that need a closure
//! instead of a pipeline, [`Cursors`] has similar steps that start from a single node. [`queries`] has
//! examples of both. [`Sites`] gives the location of a node in the source. [`calls_of`] and [`callees_of`]
//! give the calls and callees of METHODs.
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
//! To make such a graph with Joern, run `joern-parse path/to/source --output cpg.bin`. Then import it with
//! `varvite import cpg.bin -o code.varvite`, or with `varvite_import::Import` in Rust.
//!
//! Three kinds of Joern's steps are deliberately absent: data flow between functions (`reachableBy`), which
//! needs a solver rather than a traversal; steps that compare a row with the row from which it came
//! (`astSiblings`, `depth`); and steps that print rows (`p`, `toJson`, `dot`).
//!
//! [`join`] finds the METHOD for a location in a program that was traced or profiled. [`source`] adds the
//! texts of the program's files to the graph, and reads lines of them. [`impact`] finds the METHODs that a
//! patch changes, and those that call them; [`CodeFiles`] has the METHODs of each file by line. A [`Part`] of
//! a graph is a syntax tree, a flow of control or calls, for drawings.
//! [`characters`] tells which characters of a text can mislead a reader.
//!
//! All steps are declared in one table, `steps/table.rs`; [`steps`] lists them at run time, with their
//! documentation, for languages that find a step by its name. `operators` lists the names of operators;
//! `facts` counts the nodes that walks visit. Tests in `crates/varvite/tests/queries` compare the results of
//! the ten [`queries`] with those of plain loops, and the benchmark compares them with flatgraph's.
#![forbid(unsafe_code)]

mod call_graph;
pub mod characters;
mod code_files;
mod cursors;
mod error;
mod facts;
pub mod functions;
pub mod impact;
pub mod join;
mod operators;
mod part;
mod path_edges;
pub mod queries;
mod sites;
pub mod source;
mod steps;
mod tree_walk;

pub use call_graph::{callees_of, calls_of, is_operator};
pub use code_files::{CodeFile, CodeFiles, MethodLines};
pub use cursors::{Codes, Cursors, label_test};
pub use error::{CpgError, Result};
pub use facts::{Facts, TraversalFacts};
pub use operators::{ARITHMETIC, ARRAY_ACCESSES, ASSIGNMENTS, FIELD_ACCESSES};
pub use part::{Part, PartEdge, PartKind, PartLimits};
pub use path_edges::{WayRound, path_edges};
pub use sites::{Site, SiteCursor, Sites};
pub use steps::{
    Argument, ArgumentType, Calls, Flow, Kinds, Operators, References, StepDescription, StepParameter, Tree,
    find_steps, steps,
};
pub use tree_walk::TreeWalk;

/// The steps of the engine and those of this crate, for a single `use` line.
pub mod prelude {
    pub use crate::{Calls, Flow, Kinds, Operators, References, Tree};
    pub use varvite::pipeline::*;
}
