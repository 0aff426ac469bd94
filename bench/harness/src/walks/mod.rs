//! The benchmark of walks: the tree of ekino's articles on traversals of Neo4j, in Varvite and in engines
//! that run on a JVM.
//!
//! All sides read the same two tables. Each side is a process that answers the same commands (`about`,
//! `warm`, `run`, and, if its walks can be stopped, `stop`); the sides take turns. A side is a row of
//! [`SIDES`](sides::SIDES).
//!
//! - `tree`: the tables, and the closed forms of a walk's counts.
//! - `varvite_side`: Varvite's walks; `serve`: the process that answers commands with these walks.
//! - `sides`: the sides, and the command that starts each; `run`: the whole benchmark.

pub mod run;
pub mod serve;
pub mod sides;
pub mod tree;
pub mod varvite_side;
