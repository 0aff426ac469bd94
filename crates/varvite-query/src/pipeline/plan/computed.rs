//! [`ComputedKey`]: a key that the operator `compute` computes, by an inner pipeline or a function.

use super::{Filter, Physical, ValuePlan};
use crate::pipeline::rows::ColumnSpec;

/// The computation of a key, and the column that shows it.
#[derive(Clone, Debug)]
pub(crate) struct ComputedKey {
    pub(crate) by: Computation,
    pub(crate) column: ColumnSpec,
}

/// How a key is computed.
#[derive(Clone, Debug)]
pub(crate) enum Computation {
    /// The node that an inner pipeline finds, for several keys after this one. No column shows it.
    Search(Vec<Physical>),
    /// The first result of an inner pipeline.
    First(Vec<Physical>),
    /// All results of an inner pipeline.
    List(Vec<Physical>),
    /// Whether an inner pipeline gives any result.
    Exists(Filter),
    /// A function of keys, by its name.
    Value(&'static str, Box<ValuePlan>),
}

impl ComputedKey {
    /// The steps of each inner pipeline, except those that are filters.
    pub(super) fn pipelines(&self) -> Vec<&[Physical]> {
        match &self.by {
            Computation::Search(steps) | Computation::First(steps) | Computation::List(steps) => {
                vec![steps]
            }
            Computation::Exists(_) => Vec::new(),
            Computation::Value(_, plan) => {
                let mut found = Vec::new();
                plan.pipelines(&mut found);
                found
            }
        }
    }

    pub(super) fn words(&self) -> String {
        let words = match &self.by {
            Computation::Search(_) => return "node for several keys".into(),
            Computation::First(_) => "first result".into(),
            Computation::List(_) => "list of results".into(),
            Computation::Exists(filter) => format!("whether {}", filter.words()),
            Computation::Value(name, _) => (*name).to_owned(),
        };
        match &*self.column.name {
            "first" | "list" | "exists" => words,
            name if name == words => words,
            name => format!("{name} ({words})"),
        }
    }
}
