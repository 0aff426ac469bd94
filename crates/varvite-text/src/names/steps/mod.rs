//! Joern's steps: where each starts, where it leads, and its composition from steps of the engine.
//!
//! A step is looked up here first, and then in the table of `varvite-cpg`, whose steps have Joern's meaning
//! unless this table has one of the same name.

mod declare;
#[cfg(test)]
mod page;
mod starts;
mod table;

use varvite::pipeline::Pipeline;

use super::Kinds;

pub(crate) use starts::{START_STEPS, Start};
pub(crate) use table::STEPS;

/// A step of Joern's language.
#[derive(Debug)]
pub(crate) struct JoernStep {
    pub(crate) name: &'static str,
    #[cfg_attr(not(test), expect(dead_code, reason = "a test writes the page of steps from it"))]
    pub(crate) doc: &'static str,
    pub(crate) from: Kinds,
    pub(crate) to: Kinds,
    pub(crate) single: Single,
    pub(crate) filtered: Filtered,
    pub(crate) append: fn(Pipeline) -> Pipeline,
    /// The composition from a single node, if it is another.
    pub(crate) append_to_one: Option<fn(Pipeline) -> Pipeline>,
}

impl JoernStep {
    /// The kinds of nodes to which the step leads from nodes of some kinds. A step to any node keeps nodes.
    pub(crate) fn kinds_from(&self, from: Kinds) -> Kinds {
        if self.to == Kinds::ANY { from } else { self.to }
    }
}

/// The number of nodes that a step gives from a single node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Single {
    Many,
    One,
    Optional,
}

/// The property with which the texts in a step's arguments are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filtered {
    /// The step takes no text.
    No,
    /// The step keeps the nodes to which it leads whose property matches.
    By(&'static str),
}
