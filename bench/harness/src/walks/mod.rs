//! The benchmark of walks: the tree of ekino's articles on traversals of Neo4j, in Varvite and in engines
//! that run on a JVM.
//!
//! All sides read the same two tables and are processes that answer the same lines (`about`, `warm`, `run`,
//! and `stop` of those that can); they take turns. A side is a row of [`SIDES`](sides::SIDES).
//!
//! - `tree`: the tables, and the closed forms of a walk's counts.
//! - `varvite_side`: Varvite's walks; `serve`: them as a process that answers.
//! - `sides`: the sides, and how each is started; `results`: the measurements, and their page; `run`: all of
//!   it.

pub mod results;
pub mod run;
pub mod serve;
pub mod sides;
pub mod tree;
pub mod varvite_side;
