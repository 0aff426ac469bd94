//! The benchmark of walks: the tree of ekino's articles on traversals of Neo4j, in Varvite and in engines
//! that run on a JVM.
//!
//! The sides of this benchmark are engines, each with its programming language. All sides read the same two
//! tables. Each side is a process that answers the commands `about`, `warm` and `run`, and also `stop` if its
//! walks can be stopped. The sides take turns. [`SIDES`](sides::SIDES) lists them.
//!
//! - `tree`: writes the tables, and computes the expected counts of a walk.
//! - `varvite_side`: Varvite's walks; `serve`: the process that answers commands with these walks.
//! - `sides`: the list of sides, and the command that starts each; `run`: the whole benchmark.

pub mod run;
pub mod serve;
pub mod sides;
pub mod tree;
pub mod varvite_side;
