//! The operators of `path` and `simple_path`, which read the trails of rows.

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::lists::{has_room, make_room_for_edges, push_list};
use super::sort::sort;
use super::stop::Stop;
use super::trails::NONE;
use crate::pipeline::rows::{Batch, Cells, Edge, Element, Refers};

/// Before the first path is read, the output gets room for paths of this length.
const PATH_LEN: usize = 4;

/// The operator of `path`: each row becomes the list of visited elements.
#[derive(Debug, Default)]
pub(crate) struct PathOperator {
    elements: Vec<Element>,
    held: usize,
    output_held: usize,
    has_input: bool,
    row: usize,
}

impl Operate for PathOperator {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !self.has_input {
            if !pull(before, cx)? {
                return Ok(false);
            }
            (self.has_input, self.row) = (true, 0);
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        output.table.resize_with(1, Cells::default);
        output.table[0].refers = Refers::Elements;
        output.table[0].reserve(cx.batch_rows, PATH_LEN * cx.batch_rows);
        while let Some(trail) = input.trail.get(self.row).filter(|_| has_room(output)) {
            let edges = self.collect(*trail, cx)?;
            make_room_for_edges(output, edges, &mut self.output_held, cx)?;
            // Edges are stored in the batch, and the list contains their indexes.
            let mut edges = std::mem::take(&mut output.edges);
            let numbers = self.elements.iter().rev().map(|element| number_of(*element, &mut edges));
            push_list(output, 0, self.elements.len(), numbers, &mut self.output_held, cx)?;
            output.edges = edges;
            self.row += 1;
        }
        self.has_input = self.row < input.trail.len();
        Ok(true)
    }

    fn reset(&mut self) {
        self.has_input = false;
    }
}

impl PathOperator {
    /// Fills `elements` with the elements of a trail, the last first. Returns the number of edges among them.
    fn collect(&mut self, trail: u32, cx: &mut Context) -> Result<usize, Stop> {
        let Self { elements, held, .. } = self;
        collect(trail, elements, held, |element| element, cx)?;
        Ok(elements.iter().filter(|element| matches!(element, Element::Edge(_))).count())
    }
}

/// The number of trail elements read between two checks of the cancel flag.
const AT_ONCE: usize = 1 << 10;

/// Fills `all` with the result of `of` for each element of a trail, the last first.
fn collect<T>(
    trail: u32,
    all: &mut Vec<T>,
    held: &mut usize,
    of: impl Fn(Element) -> T,
    cx: &mut Context,
) -> Result<(), Stop> {
    all.clear();
    let mut next = trail;
    loop {
        let first = all.len();
        while let Some((element, before)) = cx.trails.last(next)
            && all.len() < first + AT_ONCE
        {
            cx.budget.make_room(all, 1, held)?;
            all.push(of(element));
            next = before;
        }
        cx.tick_by(1 + all.len() - first)?;
        if all.len() < first + AT_ONCE {
            return Ok(());
        }
    }
}

/// The number that stands for an element in a path. An edge is appended to `edges`, and the number is derived
/// from its index there.
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

/// The operator of `simple_path`: drops rows whose path has a node or an edge twice.
#[derive(Debug, Default)]
pub(crate) struct SimplePath {
    elements: Vec<(u64, u64)>,
    held: usize,
}

impl Operate for SimplePath {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while pull(before, cx)? {
            let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
            for row in 0..input.rows() {
                let trail = input.trail.get(row).copied().unwrap_or(NONE);
                if goes_on_from_repeat(trail, cx)? || !self.is_simple(trail, cx)? {
                    cx.trails.note_repeat(trail);
                } else {
                    output.push_row(input, row, cx.carried);
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

impl SimplePath {
    /// Whether no node and no edge occurs twice in a trail.
    fn is_simple(&mut self, trail: u32, cx: &mut Context) -> Result<bool, Stop> {
        collect(trail, &mut self.elements, &mut self.held, identity, cx)?;
        self.elements.retain(|(kind, _)| *kind != VALUE);
        sort(&mut self.elements, Ord::cmp, cx)?;
        let mut before = None;
        for elements in self.elements.chunks(AT_ONCE) {
            cx.tick_by(elements.len())?;
            for element in elements {
                if before.replace(*element) == Some(*element) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// Whether a trail continues a trail in which a repetition was found. In a walk, a repetition is usually
/// noted for the trail directly before this one, so the check takes one step for a path of any length.
fn goes_on_from_repeat(trail: u32, cx: &mut Context) -> Result<bool, Stop> {
    let mut next = trail;
    while let Some((_, before)) = cx.trails.last(next) {
        if cx.trails.has_repeat(next) {
            return Ok(true);
        }
        cx.tick()?;
        next = before;
    }
    Ok(false)
}

/// The number of the kind "value". Two values with equal numbers may still be different, because the meaning
/// of a number depends on the property.
const VALUE: u64 = 1;

/// The identity of an element: a kind and a number.
fn identity(element: Element) -> (u64, u64) {
    match element {
        Element::Node(node) => (0, u64::from(node)),
        Element::Number(number) => (VALUE, number as u64),
        Element::Edge(edge) => (2 + u64::from(edge.label.0), u64::from(edge.rank)),
    }
}
