//! `cargo xtask conformance`: runs the cases that all languages must answer alike, except in Rust, whose
//! tests include them.

use std::path::Path;

use crate::oracles::differential;
use crate::{Outcome, c, java};

/// Runs the cases of `conformance/` with the interpreter in Python, in C and in Java.
pub(crate) fn run(root: &Path) -> Outcome {
    differential::cases(root)?;
    c::test(root)?;
    java::conformance(root)
}
