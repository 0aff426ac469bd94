//! Queries in the language of Joern, translated to plans of Varvite.
#![forbid(unsafe_code)]

mod error;
mod syntax;

pub use error::{Reason, Result, TextError};
pub use syntax::Span;
