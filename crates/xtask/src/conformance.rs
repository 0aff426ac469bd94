//! `cargo xtask conformance`: runs the cases that must have the same answers in all languages. Rust is not
//! run here, because its own tests include the cases.

use std::path::Path;

use crate::oracles::differential;
use crate::{Outcome, c, java};

/// Runs the cases of `conformance/` in the interpreter of plans (which is written in Python), in C and in
/// Java.
pub(crate) fn run(root: &Path) -> Outcome {
    differential::cases(root)?;
    c::test(root)?;
    java::conformance(root)
}
