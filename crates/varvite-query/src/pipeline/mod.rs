//! Pipelines: declarative traversals.
//!
//! A [`Pipeline`] is an immutable description of a traversal, in terms of names. It has a stable JSON form,
//! which programs in any language can send. Compiled for a graph, it becomes a [`Plan`] of operators. A plan
//! can explain itself ([`Plan::explain`]) and knows the columns of its rows ([`Plan::columns`]). A [`Run`]
//! executes the plan in batches, within a memory budget, and returns [`Rows`].
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
//! Reading order: `description` for the public form of pipelines, `rows` for results, `plan` for the chosen
//! operations, `compile` for the translation of descriptions to plans, `operators` and `run` for the
//! execution. Each module imports only those before it. A pipeline deliberately has no callbacks into the
//! host language, since loops over cursors do that better.

mod compile;
mod description;
mod error;
mod fault;
mod operators;
mod options;
mod plan;
mod rows;
mod run;

pub use description::{
    ALL, Arguments, Case, Emit, Function, Key, Literal, Match, Names, Operands, PREDICATES, Parameter,
    ParameterType, Pipeline, Predicate, Repeat, STEPS, Split, Step, Steps, Summary, Template, WalkOrder,
    all_nodes, between, contains, edges, eq, gt, gte, ids, inside, it, lt, lte, ne, nodes, none_of, one_of,
    outside, prefix, regex, suffix,
};
#[cfg(feature = "arrow")]
pub(crate) use error::Result;
pub use error::{PipelineError, PlanLimit, StepAt};
pub use fault::{ArithmeticFault, Needs, Operand, OperandsNeeded, RowKind, StepFault, Subject, Takes};
pub use options::Options;
pub use plan::{ExplainedStep, Explanation, MeasuredStep, Plan};
pub use rows::{Cell, Column, ColumnKind, Columns, Edge, KeptRows, PlanColumn, PlanColumns, RowCells, Rows};
#[cfg(feature = "arrow")]
pub(crate) use rows::{ColumnSpec, Meaning, Shape};
pub use run::Run;
