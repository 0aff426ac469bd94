//! Paths: how rows were reached, kept only where a step asks for it.
//!
//! A trail is a number: of an entry that holds one element and the trail before it. Rows of one batch share what they
//! have in common, so a hop costs one entry, whatever the length of the path.

use super::batch::Batch;
use super::chain::{Operate, Stage, pull};
use super::context::{Budget, Context, Stop};
use crate::pipeline::filter::Element;
use crate::pipeline::rows::{Cells, Edge, Refers};

/// The trail of nothing.
const NONE: u32 = u32::MAX;

/// All trails of a run.
#[derive(Debug, Default)]
pub(crate) struct Trails {
    entries: Vec<Entry>,
    held: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    element: Element,
    before: u32,
}

impl Trails {
    /// A trail that goes on from another one.
    #[inline]
    pub(crate) fn push(&mut self, element: Element, before: u32, budget: &Budget) -> Result<u32, Stop> {
        let trail = self.entries.len();
        if trail == self.entries.capacity() {
            let entries = (2 * trail).max(1024);
            budget.hold(&mut self.held, entries * size_of::<Entry>())?;
            self.entries.reserve_exact(entries - trail);
        }
        self.entries.push(Entry { element, before });
        u32::try_from(trail).ok().filter(|trail| *trail != NONE).ok_or(Stop::OverBudget { needed: self.held })
    }

    /// A trail of another table, with all that is before it.
    pub(crate) fn copy(&mut self, from: &Self, trail: u32, budget: &Budget) -> Result<u32, Stop> {
        let first = self.entries.len();
        for element in from.backwards(trail) {
            let behind = self.entries.len() as u32 + 1;
            self.push(element, behind, budget)?;
        }
        let Some(oldest) = self.entries[first..].last_mut() else { return Ok(NONE) };
        oldest.before = NONE;
        Ok(first as u32)
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Forgets all trails: when no row is left that has one.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// The elements of a trail, the last first.
    fn backwards(&self, trail: u32) -> impl Iterator<Item = Element> + '_ {
        let mut next = trail;
        std::iter::from_fn(move || {
            let entry = self.entries.get(next as usize)?;
            next = entry.before;
            Some(entry.element)
        })
    }
}

/// Length of paths that there is room for from the start.
const PATH_LEN: usize = 4;

/// `path`: each row becomes the list of what was visited.
#[derive(Debug, Default)]
pub(crate) struct PathOperator {
    elements: Vec<Element>,
}

impl Operate for PathOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !pull(before, cx)? {
            return Ok(false);
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        output.table.resize_with(1, Cells::default);
        output.table[0].refers = Refers::Elements;
        output.table[0].reserve(cx.batch_rows, PATH_LEN * cx.batch_rows);
        for trail in &input.trail {
            self.elements.clear();
            self.elements.extend(cx.trails.backwards(*trail));
            cx.tick_by(self.elements.len())?;
            self.elements.reverse();
            let edges = &mut output.edges;
            let numbers = self.elements.iter().map(|element| number_of(*element, edges));
            output.table[0].push_list(numbers);
        }
        Ok(true)
    }

    fn reset(&mut self) {}
}

/// An element as a number of a path; edges go aside.
fn number_of(element: Element, edges: &mut Vec<Edge>) -> i64 {
    match element {
        Element::Node(node) => i64::from(node),
        Element::Number(number) => number,
        Element::Edge(edge) => {
            edges.push(edge);
            -(edges.len() as i64)
        }
    }
}

/// `simple_path`: drops rows whose path has something twice.
#[derive(Debug, Default)]
pub(crate) struct SimplePath {
    elements: Vec<(u64, u64)>,
}

impl Operate for SimplePath {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
            for row in 0..input.rows() {
                let trail = input.trail.get(row).copied().unwrap_or(NONE);
                self.elements.clear();
                self.elements.extend(cx.trails.backwards(trail).map(identity));
                cx.tick_by(1 + self.elements.len())?;
                self.elements.sort_unstable();
                if self.elements.windows(2).all(|pair| pair[0] != pair[1]) {
                    output.push_row(input, row, cx);
                }
            }
            if output.rows() > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn reset(&mut self) {}
}

/// What tells an element from all others.
fn identity(element: Element) -> (u64, u64) {
    match element {
        Element::Node(node) => (0, u64::from(node)),
        Element::Number(number) => (1, number as u64),
        Element::Edge(edge) => (2 + u64::from(edge.label), u64::from(edge.rank)),
    }
}
