//! Queries in the language of Joern, translated to plans of Varvite.
//!
//! A query such as `cpg.call("strcpy").argument(2).code.l` is a program in a part of Scala. [`translate`]
//! turns it into a [`Query`]: plans of the engine, and what their rows mean. [`compile`] compiles such a
//! plan for a graph, where the names of the schema that the graph lacks give no rows. `docs/joern-text.md`
//! says what a query can say and where an answer differs from Joern's.
//!
//! ```no_run
//! use varvite::pipeline::Options;
//! use varvite_text::Answer;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let query = varvite_text::translate("cpg.call(\"memcpy\").whereNot(_.argument(3).isLiteral)")?;
//! if let Answer::Rows(plan) = &query.answer {
//!     let mut run = varvite_text::compile(plan, &graph)?.run(Options::default());
//!     while let Some(rows) = run.next()? {
//!         println!("{:?}", rows.nodes());
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The translation of a query costs no more than its length allows (at most 1 MiB, and 20,000 expressions and
//! steps with its `def`s written out). [`Evaluation`] gives the plans and values of an answer for one graph,
//! within a budget as all plans do, and [`Answering`] writes them.
//!
//! Reading order: `syntax` and `parser` for the form of a query; `names` for labels, properties and steps;
//! `translate` for the meaning; `query` for the result; `fit` for the adaptation to a graph; `evaluation` for
//! the parts of an answer, and `answering` for their output; `interactive` for shells; `error` and `excerpt`
//! for faults.
#![forbid(unsafe_code)]

mod answering;
mod error;
mod evaluation;
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

pub use answering::{AnswerOutput, Answering};
pub use error::{Reason, Result, TextError};
pub use evaluation::{AnswerError, AnswerPart, Evaluation};
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
