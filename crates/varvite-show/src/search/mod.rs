//! Finds what a user describes: nodes by name (`names`) or by a file and a line (`lines`), and lines of
//! source code (`passage`).

mod lines;
mod names;
mod passage;

pub use names::{Namesakes, methods_at, node_at, node_at_within, nodes_at, nodes_at_within};
pub use passage::Passage;
