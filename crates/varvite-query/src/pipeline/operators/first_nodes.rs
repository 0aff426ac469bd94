//! [`FirstNodes`]: finds the nodes that come first when nodes are sorted by a number, without sorting all
//! nodes.
//!
//! Once enough nodes are found, only nodes that sort before the last of these matter. So the column is
//! searched only for values that sort before the value of that node, and the column's headers let the search
//! skip most blocks.

use std::sync::Arc;

use super::context::Context;
use super::node_numbers::NodeNumbers;
use super::selection::Selection;
use super::stop::Stop;
use crate::pipeline::plan::{KeyPlan, PropertyPlan};
use crate::pipeline::rows::Batch;
use varvite_graph::{Property, ValueType};

/// Collects the nodes that sort first among those added, and then returns them in sorted order. Nodes must be
/// added in ascending order of ids.
#[derive(Debug)]
pub(super) struct FirstNodes {
    property: Arc<Property>,
    descending: bool,
    /// The number of nodes to return.
    first: usize,
    /// Kept nodes that have a number: fewer than twice as many as are to be returned.
    kept: Vec<Place>,
    /// Kept nodes without a number, which come last in the order.
    absent: Vec<u32>,
    /// Only nodes with numbers less than this bound are kept. `None` while all nodes are kept.
    bound: Option<i64>,
    numbers: NodeNumbers,
    given: usize,
    held: usize,
}

/// A node's position in the order: its number for comparisons, then its id.
type Place = (i64, u32);

/// The maximum number of nodes that may be requested from `FirstNodes`.
const FIRST_MAX: usize = 1 << 16;
/// If at most one in `ONE_BY_ONE` nodes of a range is selected, reading the values of the selected nodes one
/// by one is faster than reading the values of the whole range.
const ONE_BY_ONE: usize = 32;
/// Nodes are dropped only when at least this number of nodes is kept.
const KEPT_MIN: usize = 64;

impl FirstNodes {
    /// Makes the collector for the key of an `order`. `None` if nodes can't be ordered by one stored number,
    /// or if too many nodes are requested.
    pub(super) fn of(by: &KeyPlan, descending: bool, first: Option<usize>) -> Option<Self> {
        let KeyPlan::Property(PropertyPlan { edge_label: None, property, .. }) = by else { return None };
        let first = first.filter(|first| *first <= FIRST_MAX)?;
        let has_order = match property.value_type() {
            ValueType::F32 | ValueType::F64 | ValueType::U64 => false,
            _ => property.strings().is_none_or(|texts| texts.is_sorted()),
        };
        (has_order && !property.is_list()).then(|| Self {
            property: property.clone(),
            descending,
            first,
            kept: Vec::new(),
            absent: Vec::new(),
            bound: None,
            numbers: NodeNumbers::default(),
            given: 0,
            held: 0,
        })
    }

    /// Adds the nodes of a batch.
    pub(super) fn add(&mut self, input: &Batch, cx: &Context) -> Result<(), Stop> {
        self.make_room(input.nodes.len(), cx)?;
        let (mut nodes, property) = (input.nodes.iter(), self.property.clone());
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.for_each(&property, &input.nodes, |number| {
            if let Some(node) = nodes.next() {
                self.keep(*node, number);
            }
        });
        self.numbers = numbers;
        self.drop_last();
        Ok(())
    }

    /// Adds the nodes whose bits are set in a selection.
    pub(super) fn add_selected(&mut self, selection: &mut Selection, cx: &Context) -> Result<(), Stop> {
        if let Some(bound) = self.bound {
            // A later node with an equal number sorts after the kept nodes, so it is left out too.
            match (self.descending, bound.checked_sub(1)) {
                (_, None) => return Ok(()),
                (false, Some(last)) => selection.keep_numbers(&self.property, i64::MIN..=last),
                (true, Some(last)) => selection.keep_numbers(&self.property, !last..=i64::MAX),
            }
        }
        let count = selection.count();
        self.make_room(count, cx)?;
        let property = self.property.clone();
        if count <= selection.nodes().len() / ONE_BY_ONE {
            selection.members().for_each(|node| self.keep(node, property.number(node)));
        } else {
            selection.for_each(&property, |node, number| self.keep(node, number));
        }
        self.drop_last();
        Ok(())
    }

    fn make_room(&mut self, nodes: usize, cx: &Context) -> Result<(), Stop> {
        cx.budget.make_room(&mut self.kept, nodes, &mut self.held)?;
        Ok(cx.budget.make_room(&mut self.absent, nodes.min(self.first), &mut self.held)?)
    }

    #[inline]
    fn keep(&mut self, node: u32, number: Option<i64>) {
        match number.map(|number| if self.descending { !number } else { number }) {
            Some(number) if self.bound.is_none_or(|bound| number < bound) => self.kept.push((number, node)),
            None if self.absent.len() < self.first => self.absent.push(node),
            _ => {}
        }
    }

    /// If many nodes are kept, drops those that are no longer among the first ones.
    fn drop_last(&mut self) {
        if self.kept.len() >= self.first.saturating_mul(2).max(KEPT_MIN) {
            self.keep_first();
            self.bound = self.kept.iter().map(|(number, _)| *number).max();
        }
    }

    fn keep_first(&mut self) {
        if self.first < self.kept.len() {
            self.kept.select_nth_unstable(self.first);
            self.kept.truncate(self.first);
        }
    }

    /// Adds the nodes that another collector kept.
    pub(super) fn merge(&mut self, mut other: Self, cx: &Context) -> Result<(), Stop> {
        cx.budget.make_room(&mut self.kept, other.kept.len(), &mut self.held)?;
        cx.budget.make_room(&mut self.absent, other.absent.len(), &mut self.held)?;
        self.kept.append(&mut other.kept);
        self.absent.append(&mut other.absent);
        cx.budget.give_back(other.held);
        Ok(())
    }

    /// Sorts the kept nodes. Called when all nodes were added.
    pub(super) fn finish(&mut self) {
        self.keep_first();
        self.kept.sort_unstable();
        self.absent.sort_unstable();
        self.absent.truncate(self.first - self.kept.len().min(self.first));
    }

    /// Puts the next nodes into `output`. Returns false at the end.
    pub(super) fn give(&mut self, output: &mut Batch, cx: &Context) -> bool {
        let nodes = self.kept.iter().map(|(_, node)| *node).chain(self.absent.iter().copied());
        output.nodes.extend(nodes.skip(self.given).take(cx.batch_rows));
        self.given += output.nodes.len();
        !output.nodes.is_empty()
    }

    /// Removes all nodes.
    pub(super) fn reset(&mut self) {
        self.kept.clear();
        self.absent.clear();
        (self.bound, self.given) = (None, 0);
    }
}
