//! The steps of code property graphs: a table, and the code generated from it.
//!
//! `table` declares each step: its name, Joern's name, the labels from which it starts and to which it leads,
//! its inverse, and its composition from the engine's steps. From the table, the macro in `declare` makes
//! methods of a pipeline ([`Tree`], [`Calls`], [`Operators`], [`Flow`], [`References`], [`Kinds`]) and the
//! list that [`steps`] returns at run time. With this list, a query language or a binding finds a step by its
//! name. Tests generate the steps of Scala and Python and the page `docs/cpg-steps.md` from the same list. A
//! step deliberately has no meaning beyond its composition.

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
