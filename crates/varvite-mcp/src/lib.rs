//! A server of the Model Context Protocol (MCP): four tools over open graphs, for agents.
//!
//! `explore` shows a function with its source, callers, callees and reach; `query` runs a plan or a query in
//! the language of Joern; `schema` lists labels, edges and properties; `paths` finds shortest paths. All of
//! them only read. [`serve`] answers a client until it closes its side, line by line: a JSON-RPC message is
//! a line.
//!
//! ```no_run
//! use varvite_mcp::{Limits, NamedGraph, serve};
//!
//! # fn main() -> Result<(), varvite_mcp::ServeError> {
//! let graphs = vec![NamedGraph::new("zlib", varvite::Graph::open("zlib.varvite")?)];
//! serve(graphs, Limits::default(), std::io::stdin(), std::io::stdout())
//! # }
//! ```
//!
//! Everything that a client sends is bounded: the length of a line, the memory and the time of a call, and
//! the length of its answer, which a cursor continues. A message that is not understood gets an error, and
//! the server goes on. Texts of a graph are data, whatever they say: characters that hide or reorder text
//! are shown as escapes.
//!
//! Reading order: `fault` for errors of tools; `limits` and `graphs` for what calls share; `page` for the
//! bounded text of an answer; `tools`, a module for each; `frames` for lines of JSON-RPC; `server` for the
//! protocol.
#![forbid(unsafe_code)]
// Standard output belongs to the protocol.
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod fault;
mod frames;
mod graphs;
mod limits;
mod page;
mod server;
mod tools;

pub use graphs::NamedGraph;
pub use limits::Limits;
pub use server::{ServeError, serve};
