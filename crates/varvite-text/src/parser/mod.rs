//! Reads the text of a query: the subset of Scala 3 in which queries of Joern's shell are written.
//!
//! A query is split into tokens (`lexer` and the modules of its tokens), whose brackets are matched. A
//! [`Reader`](reader::Reader) moves over the tokens, and the modules after it add the parts of the grammar to
//! it, as methods. `refusals` has the words of Scala that queries cannot use. Names have no meaning here.

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
