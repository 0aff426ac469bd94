//! METHODs that are hard to read.
//!
//! METHODs with code (IS_EXTERNAL is false) that have more parameters than [`PARAMETERS_MAX`], more
//! descendants CONTROL_STRUCTURE in the syntax tree than [`CONTROL_STRUCTURES_MAX`], or more RETURNs than
//! [`RETURNS_MAX`].

use varvite::pipeline::{Pipeline, eq, gt, it, nodes};

use super::{Query, pipelines};
use crate::{Calls, Kinds, Tree};

/// The most parameters of a simple METHOD.
pub const PARAMETERS_MAX: u32 = 4;
/// The most CONTROL_STRUCTUREs of a simple METHOD.
pub const CONTROL_STRUCTURES_MAX: u32 = 4;
/// The most RETURNs of a simple METHOD.
pub const RETURNS_MAX: u32 = 1;

pub(super) const QUERY: Query = Query {
    name: "complex_methods",
    follows: "too-many-params, too-high-complexity, multiple-returns",
    prepare: |graph| pipelines(graph, [complex_methods()]),
};

fn complex_methods() -> Pipeline {
    nodes("METHOD").has("IS_EXTERNAL", eq(false)).or([
        it().parameters().count().is(gt(PARAMETERS_MAX)),
        it().ast_minus_root().is_control_structure().count().is(gt(CONTROL_STRUCTURES_MAX)),
        it().ast_minus_root().is_return().count().is(gt(RETURNS_MAX)),
    ])
}
