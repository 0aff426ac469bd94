//! Lengths that are kept in numbers too small for them.
//!
//! CALLs that may reach a METHOD whose NAME matches [`LENGTHS`]; the nearest assignment above each; its
//! target (argument 1), if a TYPE of that has a NAME that matches [`NARROW_TYPES`].

use varvite::pipeline::{Pipeline, it, nodes, regex};

use super::{Query, pipelines};
use crate::{Calls, Operators, References};

/// Functions that give lengths.
pub const LENGTHS: &str = "(?i)(strlen|sqlite3Strlen30)";
/// Types that can't hold every length.
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
