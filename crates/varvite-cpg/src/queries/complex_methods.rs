//! METHODs that are hard to read.
//!
//! Finds METHODs with code (IS_EXTERNAL is false) that have more parameters than [`PARAMETERS_MAX`], or more
//! CONTROL_STRUCTUREs than [`CONTROL_STRUCTURES_MAX`] or RETURNs than [`RETURNS_MAX`] among their descendants
//! in the syntax tree.

use varvite::pipeline::{Pipeline, eq, gt, it, nodes};

use super::{Query, pipelines};
use crate::{Calls, Kinds, Tree};

/// The maximum number of parameters that a METHOD may have without being complex.
pub const PARAMETERS_MAX: u32 = 4;
/// The maximum number of CONTROL_STRUCTUREs that a METHOD may have without being complex.
pub const CONTROL_STRUCTURES_MAX: u32 = 4;
/// The maximum number of RETURNs that a METHOD may have without being complex.
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
