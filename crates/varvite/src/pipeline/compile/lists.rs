//! Empty lists, which are refused wherever a step has one: of labels, of ids, of values, of branches.
//!
//! Whoever built one meant "none" or "all", and a step would have to guess. Plans as JSON are refused when they are read.

use super::{DEPTH_MAX, bad_step};
use crate::pipeline::description::Predicate;
use crate::pipeline::description::{Emit, Repeat, Step, Steps};
use crate::pipeline::error::{Result, StepAt};
use crate::pipeline::fault::StepFault;

/// Refuses steps with empty lists; `prefix` leads to them.
pub(super) fn check(steps: &[Step], prefix: &str) -> Result<()> {
    for (number, step) in (1..).zip(steps) {
        let path = format!("{prefix}{number}");
        if let Some(of) = empty_list(step) {
            return Err(bad_step(&StepAt::new(&path, step.name()), StepFault::EmptyList { of }));
        }
        // What is nested deeper is refused for that.
        if prefix.split('.').count() <= 2 * DEPTH_MAX {
            inside(step)
                .into_iter()
                .try_for_each(|(way, steps)| check(&steps.0, &format!("{path}.{way}")))?;
        }
    }
    Ok(())
}

/// What a step has an empty list of.
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
        _ => None,
    }
}

fn no_values(is: &Predicate) -> Option<&'static str> {
    match is {
        Predicate::OneOf(values) | Predicate::NoneOf(values) => values.is_empty().then_some("values"),
        _ => None,
    }
}

/// The pipelines inside of a step, each with what comes between its numbers.
fn inside(step: &Step) -> Vec<(String, &Steps)> {
    match step {
        Step::Where { pipeline } | Step::WhereNot { pipeline } => plain([pipeline]),
        Step::NearestAncestor { condition, .. } => plain(condition),
        Step::And { branches }
        | Step::Or { branches }
        | Step::Union { branches }
        | Step::Coalesce { branches } => numbered(branches),
        Step::Choose { on, cases, otherwise } => {
            let mut all = numbered(cases.iter().map(|case| &case.then).chain(otherwise));
            all.push(("on.".to_owned(), on));
            all
        }
        Step::Repeat(Repeat { body, until, whilst, emit, .. }) => {
            let emitted = emit.iter().filter_map(|emit| match emit {
                Emit::Where(steps) => Some(steps),
                _ => None,
            });
            plain(std::iter::once(body).chain(until).chain(whilst).chain(emitted))
        }
        _ => Vec::new(),
    }
}

fn plain<'a>(pipelines: impl IntoIterator<Item = &'a Steps>) -> Vec<(String, &'a Steps)> {
    pipelines.into_iter().map(|steps| (String::new(), steps)).collect()
}

fn numbered<'a>(pipelines: impl IntoIterator<Item = &'a Steps>) -> Vec<(String, &'a Steps)> {
    (1..).zip(pipelines).map(|(number, steps)| (format!("{number}."), steps)).collect()
}
