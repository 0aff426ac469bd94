//! Pipelines: declarative traversals.
//!
//! A [`Pipeline`] is an immutable description in terms of names; it has a stable form in JSON, which any language can send.
//! Compiled for a graph it is a [`Plan`], which says how it will be done and can be explained. A [`Run`] does it, batch
//! by batch, within a budget of memory, and gives [`Rows`].
//!
//! ```no_run
//! use varvite::pipeline::{Options, eq, nodes};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = varvite::Graph::open("zlib.varvite")?;
//! let plan = nodes("METHOD").has("NAME", eq("memcpy")).in_("CALL").compile(&graph)?;
//! let mut run = plan.run(Options::default());
//! while let Some(rows) = run.next()? {
//!     println!("{:?}", rows.nodes());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Reading order: `step` and `description` for what can be said, `compile` for what becomes of it, `plan` for the
//! operators, `operators` for how they work, `filter` and `reach` for conditions. What is deliberately absent: functions of the host language inside a pipeline, which loops over
//! cursors do better.

mod builder;
mod compile;
mod description;
mod dictionary;
mod error;
mod explain;
mod filter;
mod key;
mod occurrences;
mod operators;
mod plan;
mod predicate;
mod reach;
mod read;
mod rows;
mod run;
mod step;
mod test;
mod words;

pub use builder::{ALL, Names, all_nodes, edges, ids, it, nodes};
pub use description::{PLAN_VERSION, Pipeline, Steps};
pub use error::{PipelineError, Result, StepAt};
pub use explain::{ExplainedStep, Explanation, MeasuredStep};
pub use operators::{Cancel, Options};
pub use plan::Plan;
pub use predicate::{
    Literal, Predicate, between, contains, eq, gt, gte, inside, lt, lte, ne, none_of, one_of, outside,
    prefix, regex, suffix,
};
pub use read::{PREDICATES, STEPS};
pub use rows::{Cell, Column, Edge, Rows};
pub(crate) use rows::{ColumnSpec, Meaning, Shape};
pub use run::Run;
pub use step::{Case, Emit, Key, Repeat, Step, WalkOrder};
