//! CALLs of functions that can't be used safely.
//!
//! Finds all CALLs that may reach a METHOD whose NAME matches [`DANGEROUS`]. A CALL is returned once for each
//! such METHOD.

use varvite::pipeline::{nodes, regex};

use super::{Query, pipelines};
use crate::Calls;

/// A regular expression that matches the whole name of a dangerous function.
pub const DANGEROUS: &str = "(?i)(gets|getwd|scanf|strcat|strcpy|strncat|strncpy|strtok|v?s?n?printf)";

pub(super) const QUERY: Query = Query {
    name: "dangerous_calls",
    follows: "call-to-gets",
    prepare: |graph| pipelines(graph, [nodes("METHOD").has("NAME", regex(DANGEROUS)).call_in()]),
};
