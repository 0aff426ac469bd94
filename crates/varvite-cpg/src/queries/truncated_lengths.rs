//! Lengths that are stored in types too small for them.
//!
//! Starts from CALLs that may reach a METHOD whose NAME matches [`LENGTHS`], and takes, for each, the nearest
//! ancestor that is an assignment. The answer is the target of the assignment (argument 1), if the NAME of
//! the target's TYPE matches [`NARROW_TYPES`].

use varvite::pipeline::{Pipeline, it, nodes, regex};

use super::{Query, pipelines};
use crate::{Calls, Operators, References};

/// A regular expression for the names of functions that return lengths.
pub const LENGTHS: &str = "(?i)(strlen|sqlite3Strlen30)";
/// A regular expression for the names of types that can't hold every length.
pub const NARROW_TYPES: &str = "(g?)int|unsigned|unsigned int|u?int32_t|u32";

pub(super) const QUERY: Query = Query {
    name: "truncated_lengths",
    follows: "strlen-truncation",
    prepare: |graph| pipelines(graph, [truncated_lengths()]),
};

fn truncated_lengths() -> Pipeline {
    let assignments = nodes("METHOD").has("NAME", regex(LENGTHS)).call_in().nearest_assignment();
    assignments.assigned().where_(it().eval_type().has("NAME", regex(NARROW_TYPES)))
}
