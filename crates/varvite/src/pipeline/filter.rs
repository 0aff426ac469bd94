//! [`Filter`]: a condition on one row, made of tests of labels, values and neighbours.
//!
//! An inner pipeline of `where` and the like becomes a tree of these wherever that is possible: it then stops at the first
//! node that answers, keeps nothing and allocates nothing. What is more than that (an order, a limit, a choice inside) is
//! run for one row at a time.

use std::sync::Arc;

use super::operators::{Batch, Context, Inner, Stop};
use super::plan::{Physical, PropertyPlan};
use super::reach::Reach;
use super::rows::Edge;
use super::test::Test;
use crate::labels::Labels;

/// A condition on one row.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Labels(LabelFilter),
    /// The node has one of some ids, which rise.
    Ids(Vec<u32>),
    /// The edge has one of some labels.
    EdgeLabels(Vec<u32>),
    /// The node or edge has a property.
    Present(PropertyPlan),
    /// The node or edge has a value that passes.
    Value(PropertyPlan, Test),
    /// The value passes.
    Number(Test),
    All(Vec<Filter>),
    Any(Vec<Filter>),
    Not(Box<Filter>),
    /// Some node that is reached passes.
    Some(Reach, Box<Filter>),
    /// As many nodes that are reached pass as the test wants.
    Count(Reach, Box<Filter>, Test),
    /// The inner pipeline gives anything.
    Inner(InnerPlan),
}

/// The node has one of some labels: by the code of its label set.
#[derive(Clone, Debug)]
pub(crate) struct LabelFilter {
    pub(crate) labels: Arc<Labels>,
    pub(crate) wanted: Arc<[bool]>,
    pub(crate) names: Arc<str>,
}

impl LabelFilter {
    #[inline]
    pub(crate) fn passes(&self, node: u32) -> bool {
        self.wanted.get(self.labels.code(node) as usize) == Some(&true)
    }
}

/// An inner pipeline and, in a run, what it works with.
#[derive(Debug)]
pub(crate) struct InnerPlan {
    pub(crate) steps: Vec<Physical>,
    work: Option<Box<Inner>>,
}

impl InnerPlan {
    pub(crate) fn new(steps: Vec<Physical>) -> Self {
        Self { steps, work: None }
    }
}

impl Clone for InnerPlan {
    /// The description only: each run has buffers of its own.
    fn clone(&self) -> Self {
        Self::new(self.steps.clone())
    }
}

/// Turns of a loop that a text is worth, which may be long and may be decoded before it is read.
const TURNS_OF_TEXT: usize = 64;

/// A row that is asked about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Element {
    Node(u32),
    Edge(Edge),
    Number(i64),
}

impl Filter {
    /// The filter that everything passes.
    pub(crate) fn always() -> Self {
        Self::All(Vec::new())
    }

    pub(crate) fn is_always(&self) -> bool {
        matches!(self, Self::All(filters) if filters.is_empty())
    }

    /// A number that rises with what it costs to ask, roughly: a byte, some look-ups, texts, other nodes.
    pub(crate) fn cost_rank(&self) -> u8 {
        match self {
            Self::Labels(_) | Self::Ids(_) | Self::EdgeLabels(_) => 0,
            Self::Value(_, test) | Self::Number(test) if test.asks_texts() => 2,
            Self::Present(_) | Self::Value(..) | Self::Number(_) => 1,
            Self::Not(filter) => filter.cost_rank(),
            Self::All(filters) | Self::Any(filters) => filters.iter().map(Self::cost_rank).max().unwrap_or(0),
            Self::Some(..) | Self::Count(..) | Self::Inner(_) => 3,
        }
    }

    /// Whether threads can ask it of one node after another, each for itself.
    pub(crate) fn is_searchable(&self) -> bool {
        match self {
            Self::Value(plan, test) => plan.edge_label.is_none() && test.is_shared(),
            _ => false,
        }
    }

    /// Gets ready for a run that asks about some number of rows.
    pub(crate) fn prepare(&mut self, rows: usize, cx: &mut Context) -> Result<(), Stop> {
        match self {
            Self::Value(_, test) | Self::Number(test) => test.prepare(rows, cx),
            Self::All(filters) | Self::Any(filters) => {
                filters.iter_mut().try_for_each(|filter| filter.prepare(rows, cx))
            }
            Self::Not(filter) | Self::Some(_, filter) | Self::Count(_, filter, _) => filter.prepare(rows, cx),
            Self::Inner(inner) => {
                inner.work = Some(Box::new(Inner::new(&inner.steps)));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Whether a row passes.
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
                match plan.property.offsets.is_some() {
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
            (Self::All(filters), element) => {
                for filter in filters {
                    if !filter.passes(element, cx)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Self::Any(filters), element) => {
                for filter in filters {
                    if filter.passes(element, cx)? {
                        return Ok(true);
                    }
                }
                false
            }
            (Self::Not(filter), element) => !filter.passes(element, cx)?,
            (Self::Some(reach, then), Element::Node(node)) => reach.any(node, then, cx)?,
            (Self::Count(reach, then, test), Element::Node(node)) => {
                test.passes(reach.count(node, then, cx)? as i64)
            }
            (Self::Inner(inner), element) => {
                let InnerPlan { steps, work } = inner;
                let work = work.get_or_insert_with(|| Box::new(Inner::new(steps)));
                work.gives_anything(element, cx)?
            }
            _ => false,
        })
    }

    /// Drops the rows of `rows` that do not pass; `rows` are indexes into `batch`.
    pub(crate) fn select(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        match self {
            Self::All(filters) => filters.iter_mut().try_for_each(|filter| filter.select(batch, rows, cx)),
            Self::Labels(filter) => {
                rows.retain(|row| batch.nodes.get(*row as usize).is_some_and(|node| filter.passes(*node)));
                Ok(())
            }
            Self::Value(plan, test) if !test.reads_texts() && plan.property.offsets.is_none() => {
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
            _ => self.select_one_by_one(batch, rows, cx),
        }
    }

    fn select_one_by_one(
        &mut self,
        batch: &Batch,
        rows: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<(), Stop> {
        let mut kept = 0;
        for index in 0..rows.len() {
            cx.tick()?;
            let row = rows[index];
            let Some(element) = batch.element(row as usize) else { continue };
            if self.passes(element, cx)? {
                rows[kept] = row;
                kept += 1;
            }
        }
        rows.truncate(kept);
        Ok(())
    }
}

#[inline]
fn value_passes(plan: &PropertyPlan, test: &mut Test, owner: u32) -> bool {
    plan.property.numbers(owner).any(|number| test.passes(number))
}

/// The same of a list, which may be long.
fn list_passes(plan: &PropertyPlan, test: &mut Test, owner: u32, cx: &mut Context) -> Result<bool, Stop> {
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
