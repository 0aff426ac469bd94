//! [`Condition`]: a filter in the form that a run evaluates, with the results of its text tests and the
//! buffers of its walks.

use std::sync::Arc;

use varvite_format::EdgeLabelId;

use super::context::Context;
use super::neighbor_test::{NeighborTest, TestElement};
use super::stop::Stop;
use super::value_test::ValueTest;
use super::walk::RepeatWalk;
use crate::pipeline::plan::{ComputedTest, LabelFilter, PropertyPlan};
use crate::pipeline::rows::{Batch, Element};

/// The state of a [`Filter`](crate::pipeline::plan::Filter) in a run.
#[derive(Debug)]
pub(crate) enum Condition {
    Labels(LabelFilter),
    Ids(Arc<[u32]>),
    EdgeLabels(Arc<[EdgeLabelId]>),
    Present(PropertyPlan),
    Value(PropertyPlan, ValueTest),
    Number(ValueTest),
    Computed(ComputedTest),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Neighbor(Box<NeighborTest<Self>>),
    /// The test accepts the number of neighbours.
    Neighbors(Box<NeighborTest<Self>>, ValueTest),
    Some(RepeatWalk, Box<Condition>),
    Count(RepeatWalk, Box<Condition>, ValueTest),
    Inner(Box<dyn Ask>),
}

/// An inner pipeline that tests one row.
pub(crate) trait Ask: std::fmt::Debug + Send + Sync {
    /// Whether the pipeline gives any result for an element. The steps of the pipeline do not extend the path
    /// of the row.
    fn gives_anything(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop>;

    /// Keeps in `rows` only the rows of a batch for which the pipeline gives any result; or, unless `keeps`,
    /// only the other rows.
    fn select(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        keeps: bool,
        cx: &mut Context,
    ) -> Result<(), Stop>;
}

impl TestElement for Condition {
    fn passes(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        self.passes(element, cx)
    }
}

/// The number of loop turns for which one test of a text counts, because a text may be long and may have to
/// be decoded.
const TURNS_OF_TEXT: usize = 64;

impl Condition {
    fn is_always(&self) -> bool {
        matches!(self, Self::All(conditions) if conditions.is_empty())
    }

    /// Prepares the condition for a run that tests about `rows` rows.
    pub(crate) fn prepare(&mut self, rows: usize, cx: &mut Context) -> Result<(), Stop> {
        match self {
            Self::Value(_, test) | Self::Number(test) => test.prepare(rows, cx),
            Self::All(conditions) | Self::Any(conditions) => {
                conditions.iter_mut().try_for_each(|condition| condition.prepare(rows, cx))
            }
            Self::Not(condition) | Self::Some(_, condition) | Self::Count(_, condition, _) => {
                condition.prepare(rows, cx)
            }
            Self::Neighbor(test) | Self::Neighbors(test, _) => {
                test.then_mut().map_or(Ok(()), |then| then.prepare(rows, cx))
            }
            _ => Ok(()),
        }
    }

    /// Makes this condition share the results of text tests with another condition of the same filter.
    pub(crate) fn share(&mut self, other: &Self) {
        match (self, other) {
            (Self::Value(_, test), Self::Value(_, other)) | (Self::Number(test), Self::Number(other)) => {
                *test = other.of_thread();
            }
            (Self::All(conditions), Self::All(others)) | (Self::Any(conditions), Self::Any(others)) => {
                conditions.iter_mut().zip(others).for_each(|(condition, other)| condition.share(other));
            }
            (Self::Not(condition), Self::Not(other))
            | (Self::Some(_, condition), Self::Some(_, other))
            | (Self::Count(_, condition, _), Self::Count(_, other, _)) => condition.share(other),
            (Self::Neighbor(test), Self::Neighbor(other))
            | (Self::Neighbors(test, _), Self::Neighbors(other, _)) => {
                test.then_mut().into_iter().zip(other.then()).for_each(|(then, other)| then.share(other));
            }
            _ => {}
        }
    }

    /// Whether an element passes.
    pub(crate) fn passes(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop> {
        Ok(match (self, element) {
            (Self::Labels(filter), Element::Node(node)) => filter.passes(node),
            (Self::Ids(ids), Element::Node(node)) => ids.binary_search(&node).is_ok(),
            (Self::EdgeLabels(labels), Element::Edge(edge)) => labels.contains(&edge.label),
            (Self::Present(plan), element) => {
                owner(plan, element).is_some_and(|owner| plan.property.is_present(owner))
            }
            (Self::Value(plan, test), element) => {
                let Some(owner) = owner(plan, element) else { return Ok(false) };
                if test.reads_texts() {
                    cx.tick_by(TURNS_OF_TEXT)?;
                }
                match plan.property.has_lists {
                    true => list_passes(plan, test, owner, cx)?,
                    false => value_passes(plan, test, owner),
                }
            }
            (Self::Number(test), Element::Number(number)) => {
                if test.reads_texts() {
                    cx.tick_by(TURNS_OF_TEXT)?;
                }
                test.passes(number)
            }
            (Self::Computed(test), Element::Number(code)) => {
                cx.tick_by(TURNS_OF_TEXT)?;
                cx.texts.get(code).is_some_and(|text| test.passes(text))
            }
            (Self::All(conditions), element) => {
                for condition in conditions {
                    if !condition.passes(element, cx)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Self::Any(conditions), element) => {
                for condition in conditions {
                    if condition.passes(element, cx)? {
                        return Ok(true);
                    }
                }
                false
            }
            (Self::Not(condition), element) => !condition.passes(element, cx)?,
            (Self::Neighbor(test), Element::Node(node)) => test.passes(node, cx)?,
            (Self::Neighbors(test, count), Element::Node(node)) => count.passes(test.count(node, cx)? as i64),
            (Self::Some(walk, then), Element::Node(node)) => any(walk, then, node, cx)?,
            (Self::Count(walk, then, test), Element::Node(node)) => {
                test.passes(count(walk, then, node, cx)? as i64)
            }
            (Self::Inner(inner), element) => inner.gives_anything(element, cx)?,
            _ => false,
        })
    }

    /// Keeps in `rows` only the rows that pass. `rows` has indexes into `batch`.
    pub(crate) fn select(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        match self {
            Self::All(conditions) => {
                for condition in conditions {
                    cx.tick_by(rows.len())?;
                    condition.select(batch, rows, cx)?;
                }
                Ok(())
            }
            Self::Labels(filter) => {
                rows.retain(|row| batch.nodes.get(*row as usize).is_some_and(|node| filter.passes(*node)));
                Ok(())
            }
            Self::Value(plan, test) if !test.reads_texts() && !plan.property.has_lists => {
                rows.retain(|row| match plan.owner(batch, *row as usize) {
                    Some(owner) => value_passes(plan, test, owner),
                    None => false,
                });
                Ok(())
            }
            Self::Number(test) if !test.reads_texts() => {
                rows.retain(|row| {
                    batch.numbers.get(*row as usize).is_some_and(|number| test.passes(*number))
                });
                Ok(())
            }
            Self::Inner(inner) => inner.select(batch, rows, true, cx),
            Self::Any(conditions) => select_any(conditions, batch, rows, cx),
            Self::Not(condition) => match &mut **condition {
                Self::Inner(inner) => inner.select(batch, rows, false, cx),
                condition => {
                    let mut passing = cx.trails.copy_of(rows);
                    condition.select(batch, &mut passing, cx)?;
                    remove(rows, &passing);
                    cx.trails.keep(passing);
                    Ok(())
                }
            },
            _ => select_one_by_one(batch, rows, cx, |element, cx| self.passes(element, cx)),
        }
    }
}

/// Keeps in `rows` only the rows that pass any of the conditions. A row that passes one condition is not
/// tested with the conditions after it.
fn select_any(
    conditions: &mut [Condition],
    batch: &Batch,
    rows: &mut Vec<u32>,
    cx: &mut Context,
) -> Result<(), Stop> {
    let mut left = cx.trails.copy_of(rows);
    for condition in conditions {
        if left.is_empty() {
            break;
        }
        cx.tick_by(left.len())?;
        let mut passing = cx.trails.copy_of(&left);
        condition.select(batch, &mut passing, cx)?;
        remove(&mut left, &passing);
        cx.trails.keep(passing);
    }
    remove(rows, &left);
    cx.trails.keep(left);
    Ok(())
}

/// Removes some rows. Both lists are in the same order.
fn remove(rows: &mut Vec<u32>, removed: &[u32]) {
    let mut removed = removed.iter().peekable();
    rows.retain(|row| removed.next_if_eq(&row).is_none());
}

/// Keeps in `rows` only the rows that pass, which are tested one by one.
pub(super) fn select_one_by_one(
    batch: &Batch,
    rows: &mut Vec<u32>,
    cx: &mut Context,
    mut passes: impl FnMut(Element, &mut Context) -> Result<bool, Stop>,
) -> Result<(), Stop> {
    let mut kept = 0;
    for index in 0..rows.len() {
        cx.tick()?;
        let row = rows[index];
        let Some(element) = batch.element(row as usize) else { continue };
        cx.number = cx.number_of(batch, row as usize);
        if passes(element, cx)? {
            rows[kept] = row;
            kept += 1;
        }
    }
    rows.truncate(kept);
    Ok(())
}

#[inline]
fn value_passes(plan: &PropertyPlan, test: &ValueTest, owner: u32) -> bool {
    plan.property.numbers(owner).any(|number| test.passes(number))
}

/// The same as [`value_passes`], for a list, which may be long, so the cancel flag is checked.
fn list_passes(plan: &PropertyPlan, test: &ValueTest, owner: u32, cx: &mut Context) -> Result<bool, Stop> {
    for number in plan.property.numbers(owner) {
        cx.tick()?;
        if test.passes(number) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[inline]
fn owner(plan: &PropertyPlan, element: Element) -> Option<u32> {
    match (plan.edge_label, element) {
        (None, Element::Node(node)) => Some(node),
        (Some(label), Element::Edge(edge)) if edge.label == label => Some(edge.rank),
        _ => None,
    }
}

/// Whether any node that the walk reaches passes the condition.
fn any(walk: &mut RepeatWalk, then: &mut Condition, node: u32, cx: &mut Context) -> Result<bool, Stop> {
    if then.is_always()
        && let Some(leads) = walk.leads_anywhere(node)
    {
        return Ok(leads);
    }
    walk.visit(node, cx, &mut |node, cx| then.passes(Element::Node(node), cx))
}

/// The number of reached nodes that pass the condition. A node counts as often as the walk reaches it.
fn count(walk: &mut RepeatWalk, then: &mut Condition, node: u32, cx: &mut Context) -> Result<u64, Stop> {
    if then.is_always()
        && let Some(count) = walk.count(node)
    {
        return Ok(count);
    }
    let mut count = 0;
    let mut look = |node, cx: &mut Context| {
        count += u64::from(then.passes(Element::Node(node), cx)?);
        Ok(false)
    };
    walk.visit(node, cx, &mut look)?;
    Ok(count)
}
