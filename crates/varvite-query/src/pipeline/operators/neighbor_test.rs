//! [`NeighborTest`]: the condition that a node has a neighbour with certain labels, and perhaps other
//! properties. The first such neighbour ends the test, so a node with many neighbours costs little. A test of
//! their number counts all of them.

use super::context::Context;
use super::stop::Stop;
use crate::pipeline::plan::{DirectedLabel, Filter, LabelFilter};
use crate::pipeline::rows::Element;

/// A condition on an element.
pub(crate) trait TestElement {
    /// Whether an element passes.
    fn passes(&mut self, element: Element, cx: &mut Context) -> Result<bool, Stop>;
}

/// The state of a test of neighbours in a run.
#[derive(Debug)]
pub(crate) struct NeighborTest<C> {
    ways: Vec<DirectedLabel>,
    /// The test of the neighbour's labels, which is made first. `None` if all labels pass.
    labels: Option<LabelFilter>,
    /// The rest of the condition on the neighbour. `None` if there is none.
    then: Option<Box<C>>,
}

impl<C: TestElement> NeighborTest<C> {
    /// Makes the test whether any neighbour along `ways` passes `filter`. `make` makes the condition that all
    /// of several filters pass.
    pub(super) fn new(ways: &[DirectedLabel], filter: &Filter, make: fn(&[Filter]) -> C) -> Self {
        let filters = match filter {
            Filter::All(filters) => &filters[..],
            filter => std::slice::from_ref(filter),
        };
        let (labels, rest) = match filters {
            [Filter::Labels(labels), rest @ ..] => (Some(labels.clone()), rest),
            rest => (None, rest),
        };
        let then = (!rest.is_empty()).then(|| Box::new(make(rest)));
        Self { ways: ways.to_vec(), labels, then }
    }

    /// The conditions inside the test.
    pub(super) fn then(&self) -> Option<&C> {
        self.then.as_deref()
    }

    /// The same as [`NeighborTest::then`], to change them.
    pub(super) fn then_mut(&mut self) -> Option<&mut C> {
        self.then.as_deref_mut()
    }

    /// Whether any neighbour of a node passes.
    pub(super) fn passes(&mut self, node: u32, cx: &mut Context) -> Result<bool, Stop> {
        match (&self.labels, &mut self.then) {
            (None, None) => {
                cx.tick_by(self.ways.len().max(1))?;
                Ok(self.ways.iter().any(|way| way.adjacency.first(node).is_some()))
            }
            (Some(labels), None) => any(&self.ways, node, cx, |neighbor, _| Ok(labels.passes(neighbor))),
            (labels, Some(then)) => any(&self.ways, node, cx, passes_both(labels, &mut **then)),
        }
    }

    /// The number of neighbours that pass. A neighbour counts once for each edge.
    pub(super) fn count(&mut self, node: u32, cx: &mut Context) -> Result<u64, Stop> {
        match (&self.labels, &mut self.then) {
            (None, None) => count(&self.ways, node, cx, |_, _| Ok(true)),
            (Some(labels), None) => count(&self.ways, node, cx, |neighbor, _| Ok(labels.passes(neighbor))),
            (labels, Some(then)) => count(&self.ways, node, cx, passes_both(labels, &mut **then)),
        }
    }
}

/// The test of a neighbour's labels, and then of the rest of the condition.
fn passes_both<C: TestElement>(
    labels: &Option<LabelFilter>,
    then: &mut C,
) -> impl FnMut(u32, &mut Context) -> Result<bool, Stop> {
    move |neighbor, cx| match labels {
        Some(labels) if !labels.passes(neighbor) => Ok(false),
        _ => then.passes(Element::Node(neighbor), cx),
    }
}

/// The number of neighbours that a test accepts.
#[inline(always)]
fn count(
    ways: &[DirectedLabel],
    node: u32,
    cx: &mut Context,
    mut passes: impl FnMut(u32, &mut Context) -> Result<bool, Stop>,
) -> Result<u64, Stop> {
    let mut count = 0;
    any(ways, node, cx, |neighbor, cx| {
        count += u64::from(passes(neighbor, cx)?);
        Ok(false)
    })?;
    Ok(count)
}

/// Whether a test accepts any neighbour.
#[inline(always)]
fn any(
    ways: &[DirectedLabel],
    node: u32,
    cx: &mut Context,
    mut passes: impl FnMut(u32, &mut Context) -> Result<bool, Stop>,
) -> Result<bool, Stop> {
    for way in ways {
        cx.tick()?;
        for neighbor in way.adjacency.neighbors(node) {
            cx.tick()?;
            if passes(neighbor, cx)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
