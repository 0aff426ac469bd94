//! Checks a description before any part of it is compiled. A description is refused if it has empty lists,
//! too many steps, or too deeply nested steps.
//!
//! An empty list of labels, ids, values or branches could mean "none" or "all", so it is refused. The reader
//! of JSON refuses plans with empty lists too.

use crate::pipeline::description::{Descent, Extent, Function, Key, Predicate, Step};
use crate::pipeline::error::Result;
use crate::pipeline::fault::StepFault;
use crate::pipeline::rows::Carried;

/// Facts about steps, known before they are compiled.
pub(super) struct Survey {
    /// Whether rows must carry depths and trails, because some step uses them. Steps inside conditions never
    /// use them.
    pub(super) carried: Carried,
    pub(super) extent: Extent,
}

/// Checks all steps once, including nested ones.
pub(super) fn survey(steps: &[Step]) -> Result<Survey> {
    let mut carried = Carried::default();
    let mut descent = Descent::new(steps);
    while let Some(step) = descent.next()? {
        if let Some(of) = empty_list(step) {
            return Err(descent.refused(StepFault::EmptyList { of }));
        }
        if !descent.is_asked() {
            carried.trail |= matches!(step, Step::Path {} | Step::SimplePath {});
            carried.depth |= asks_for_depth(step);
        }
    }
    Ok(Survey { carried, extent: descent.extent() })
}

fn asks_for_depth(step: &Step) -> bool {
    matches!(step, Step::Depth {}) || step.keys().any(|(_, key)| key.any(|key| *key == Key::Depth))
}

/// The name of a list that is empty but must not be. `None` if the step has no such list.
fn empty_list(step: &Step) -> Option<&'static str> {
    match step {
        Step::HasLabel { labels } => labels.is_empty().then_some("labels"),
        Step::Ids { ids } | Step::HasId { ids } => ids.is_empty().then_some("ids"),
        Step::And { branches }
        | Step::Or { branches }
        | Step::Union { branches }
        | Step::Coalesce { branches } => branches.is_empty().then_some("branches"),
        Step::Has { is: Some(is), .. } | Step::HasNot { is: Some(is), .. } | Step::Is { is } => no_values(is),
        Step::Choose { cases, .. } => cases.iter().find_map(|case| no_values(&case.is)),
        step => step.keys().any(|(_, key)| key.any(tests_no_values)).then_some("values"),
    }
}

/// Whether the key tests whether a value is one of none.
fn tests_no_values(key: &Key) -> bool {
    matches!(key, Key::Function(Function::Test(is), _) if no_values(is).is_some())
}

fn no_values(is: &Predicate) -> Option<&'static str> {
    match is {
        Predicate::OneOf(values) | Predicate::NoneOf(values) => values.is_empty().then_some("values"),
        _ => None,
    }
}
