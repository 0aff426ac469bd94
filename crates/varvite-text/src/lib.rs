//! Queries in the language of Joern, translated to plans of Varvite.
#![forbid(unsafe_code)]

mod error;
mod excerpt;
mod parser;
mod places;
#[cfg(test)]
mod printed;
mod syntax;
mod visible;

pub use error::{Reason, Result, TextError};
pub use syntax::Span;

/// Checks the form of a query, without a graph: brackets, words and signs are in their places.
///
/// # Errors
///
/// The first fault that is found. Names have no meaning yet: a query without fault can name unknown steps.
pub fn check(query: &str) -> Result<()> {
    parser::parse(query).map(drop)
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
