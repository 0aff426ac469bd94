//! CALLs of functions that can't be used safely.
//!
//! All CALLs that may reach a METHOD whose NAME matches [`DANGEROUS`]; a CALL once for each such METHOD.

use varvite::pipeline::{nodes, regex};

use super::{Query, pipelines};
use crate::Calls;

/// Names of such functions, as a regular expression for the whole name.
pub const DANGEROUS: &str = "(?i)(gets|getwd|scanf|strcat|strcpy|strncat|strncpy|strtok|v?s?n?printf)";

pub(super) const QUERY: Query = Query {
    name: "dangerous_calls",
    follows: "call-to-gets",
    prepare: |graph| pipelines(graph, [nodes("METHOD").has("NAME", regex(DANGEROUS)).call_in()]),
};
