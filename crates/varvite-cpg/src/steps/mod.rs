//! The steps of code property graphs: one table, and the code that follows from it.
//!
//! `table` declares each step: its name, Joern's word, where it starts and where it leads, its inverse, and
//! its composition of the engine's steps. The macro of `declare` makes the methods of a pipeline from it
//! ([`Tree`], [`Calls`], [`Operators`], [`Flow`], [`References`], [`Kinds`]) and the list that [`steps`]
//! gives at run time, with which a text language or a binding finds a step by its name. Tests write Scala's
//! steps and the page `docs/cpg-steps.md` from the same list. Absent: meanings of a step other than its
//! composition. No language adds one of its own.

mod argument;
mod declare;
mod description;
mod list;
mod table;
#[cfg(test)]
mod tests;

pub use argument::{Argument, ArgumentType};
pub use description::{StepDescription, StepParameter};
pub use list::{find_steps, steps};
pub use table::{Calls, Flow, Kinds, Operators, References, Tree};
