//! Drawings of parts of a code graph, as SVG for browsers, Mermaid for Markdown, and DOT for Graphviz.
//!
//! A [`Drawing`] has the texts of the nodes and edges of a [`Part`](varvite_cpg::Part); each format is a way
//! to write it. For SVG, a library places the nodes in layers, from the source of the edges down.
//!
//! ```no_run
//! use varvite::{Budget, Task};
//! use varvite_cpg::{Part, PartKind, PartLimits};
//! use varvite_draw::{Drawing, roots_at};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let task = Task::new();
//! let budget = Budget::of(&task);
//! let roots = roots_at(&graph, "inflate", &budget)?;
//! let limits = PartLimits { nodes: 500, budget: &budget, cancel: task.flag() };
//! let part = Part::of(&graph, PartKind::Cfg, &roots, limits)?;
//! Drawing::of(&graph, &part, "inflate")?.write_svg("", &mut std::io::stdout())?;
//! # Ok(())
//! # }
//! ```
//!
//! All texts of a graph come from strangers. Each format escapes the characters that have a meaning in it,
//! and shows invisible characters as escapes, so that no name ends its label, and no code runs in a browser.
//!
//! Modules in reading order; each needs only those before it: `error`; `drawing` for the texts; `dot` and
//! `mermaid`; `placed` for the places of nodes; `svg`; `roots` for the nodes that a user describes.
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod error;

mod drawing;

mod dot;
mod mermaid;

mod placed;
mod svg;

mod roots;

pub use drawing::{Drawing, DrawnEdge, DrawnNode};
pub use error::{DrawError, Result};
pub use placed::{Arrow, Placed, PlacedBox};
pub use roots::roots_at;
