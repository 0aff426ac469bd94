//! `cargo xtask conformance`: cases that every language must answer alike, as far as the tests of Rust do not
//! run them.

use std::path::Path;

use crate::oracles::differential;
use crate::{Outcome, c, java};

/// Runs the cases of `conformance/` by the interpreter in Python, in C and in Java.
pub(crate) fn run(root: &Path) -> Outcome {
    differential::cases(root)?;
    c::test(root)?;
    java::conformance(root)
}
