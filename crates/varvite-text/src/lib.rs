//! Queries in the language of Joern, translated to plans of Varvite.
#![forbid(unsafe_code)]

mod error;
mod excerpt;
mod fit;
mod interactive;
mod names;
mod parser;
mod places;
#[cfg(test)]
mod printed;
mod query;
mod syntax;
mod translate;
mod visible;

pub use error::{Reason, Result, TextError};
pub use fit::compile;
pub use interactive::{Completion, Definitions, complete, definitions, is_unfinished};
pub use query::{Answer, Query};
pub use syntax::Span;

/// Checks the form of a query, without a graph: brackets, words and signs are in their places.
///
/// # Errors
///
/// The first fault that is found. Names have no meaning yet: a query without fault can name unknown steps.
pub fn check(query: &str) -> Result<()> {
    parser::parse(query).map(drop)
}

/// Translates a query to plans.
///
/// # Errors
///
/// The first fault that is found: of the text's form, an unknown name, or a value that plans do not hold.
pub fn translate(query: &str) -> Result<Query> {
    translate::translate(&parser::parse(query)?)
}

/// The places of all expressions and words of a query, for fuzzing.
///
/// # Errors
///
/// As [`check`].
#[doc(hidden)]
pub fn places(query: &str) -> Result<Vec<Span>> {
    parser::parse(query).map(|script| places::places(&script))
}
