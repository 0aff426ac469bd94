//! Reads the text of a query: the subset of Scala 3 in which queries of Joern's shell are written.
//!
//! The modules in reading order: a query is split into tokens (`lexer` and the modules of its tokens), whose
//! brackets are matched; a [`Reader`](reader::Reader) moves over the tokens, and the modules from `statements`
//! on add the parts of the grammar to it, as methods. `refusals` has the words of Scala that queries cannot use.
//! No name has a meaning here: that is the translator's business.

mod brackets;
mod gaps;
mod input;
mod lexer;
mod names;
mod numbers;
mod texts;
mod tokens;

mod reader;
mod tree;

mod chains;
mod conditionals;
mod expressions;
mod lambdas;
mod operators;
mod refusals;
mod statements;
mod types;

#[cfg(test)]
mod tests;

pub(crate) use statements::parse;
