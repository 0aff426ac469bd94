//! The operators of hops that give only some neighbours of each row: the first ones, or each neighbour once.

use super::chain::{Operate, Stage};
use super::context::Context;
use super::hop::{FillRows, HopProgress};
use super::key_table::KeyTable;
use super::stop::Stop;
use crate::pipeline::plan::{DirectedLabel, OfEach};
use crate::pipeline::rows::Batch;
use varvite_graph::internal::ListRest;

/// The operator of a hop along some ways that gives some neighbours of each row.
#[derive(Debug)]
pub(crate) struct HopEach {
    at: HopProgress,
    hop: OneHop,
}

/// The hop from one row.
#[derive(Debug)]
struct OneHop {
    ways: Vec<DirectedLabel>,
    of_each: OfEach,
    /// The number of neighbours of the current row that were given.
    given: u64,
    /// The neighbours of the current row that were given, if its neighbours did not fit into one batch.
    seen: Option<KeyTable>,
    is_long: bool,
}

impl HopEach {
    pub(crate) fn new(ways: Vec<DirectedLabel>, of_each: OfEach) -> Self {
        let hop = OneHop { ways, of_each, given: 0, seen: None, is_long: false };
        Self { at: HopProgress::default(), hop }
    }
}

impl Operate for HopEach {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.fill_next(before, output, cx)
    }

    fn reset(&mut self) {
        self.at = HopProgress::default();
        self.hop.begin();
    }
}

impl FillRows for HopEach {
    fn progress(&mut self) -> &mut HopProgress {
        &mut self.at
    }

    fn filled(output: &Batch) -> usize {
        output.nodes.len()
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        let carries = cx.carried.trail || cx.carried.depth;
        while let Some(node) = input.nodes.get(self.at.row) {
            if output.nodes.len() >= cx.batch_rows {
                return Ok(());
            }
            cx.tick_by(self.hop.ways.len().max(1))?;
            let first = output.nodes.len();
            let is_done = self.hop.append(*node, &mut self.at, &mut output.nodes, cx)?;
            if carries {
                cx.extend_carried(output, first, input, self.at.row)?;
            }
            if is_done {
                (self.at.row, self.at.way, self.at.rest) = (self.at.row + 1, 0, ListRest::default());
            }
        }
        self.at.has_input = false;
        Ok(())
    }
}

impl OneHop {
    /// Begins with a new row.
    fn begin(&mut self) {
        self.given = 0;
        if std::mem::take(&mut self.is_long) {
            self.seen.iter_mut().for_each(KeyTable::clear);
        }
    }

    /// Appends neighbours of a node that were not given yet. Returns true if all were given.
    #[inline]
    fn append(
        &mut self,
        node: u32,
        at: &mut HopProgress,
        output: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        let is_done = match self.of_each {
            OfEach::First(1) => {
                output.extend(self.ways.iter().find_map(|way| way.adjacency.first(node)));
                return Ok(true);
            }
            OfEach::First(count) => self.append_first(node, count, at, output, cx),
            OfEach::Distinct => self.append_distinct(node, at, output, cx)?,
        };
        if is_done {
            self.begin();
        }
        Ok(is_done)
    }

    fn append_first(
        &mut self,
        node: u32,
        count: u64,
        at: &mut HopProgress,
        output: &mut Vec<u32>,
        cx: &Context,
    ) -> bool {
        let left = usize::try_from(count - self.given).unwrap_or(usize::MAX);
        let (first, room) = (output.len(), cx.batch_rows.saturating_sub(output.len()));
        let is_end = self.append_some(node, left.min(room), at, output);
        self.given += (output.len() - first) as u64;
        is_end || self.given == count
    }

    fn append_distinct(
        &mut self,
        node: u32,
        at: &mut HopProgress,
        output: &mut Vec<u32>,
        cx: &mut Context,
    ) -> Result<bool, Stop> {
        let (first, room) = (output.len(), cx.batch_rows.saturating_sub(output.len()));
        let is_end = self.append_some(node, room, at, output);
        cx.tick_by(output.len() - first)?;
        if !self.is_long && is_end && drop_repeats(output, first) {
            return Ok(true);
        }
        self.is_long = true;
        self.drop_seen(output, first, cx)?;
        Ok(is_end)
    }

    /// Appends at most `room` neighbours, repeated ones included. Returns true at the end of the last list.
    #[inline]
    fn append_some(&self, node: u32, room: usize, at: &mut HopProgress, output: &mut Vec<u32>) -> bool {
        let full = output.len().saturating_add(room);
        while let Some(way) = self.ways.get(at.way) {
            let room = full - output.len();
            if room == 0 || way.adjacency.append_rest(node, &mut at.rest, room, output) {
                return false;
            }
            (at.way, at.rest) = (at.way + 1, ListRest::default());
        }
        true
    }

    /// Removes the nodes from `first` on that the row has given before.
    fn drop_seen(&mut self, nodes: &mut Vec<u32>, first: usize, cx: &Context) -> Result<(), Stop> {
        let seen = self.seen.get_or_insert_with(|| KeyTable::nodes(cx.nodes));
        let mut kept = first;
        for index in first..nodes.len() {
            let node = nodes[index];
            if seen.insert(i64::from(node), cx.budget)? {
                nodes[kept] = node;
                kept += 1;
            }
        }
        nodes.truncate(kept);
        Ok(())
    }
}

/// In a list of at most this number of nodes, each node is compared with those before it.
const FEW: usize = 16;

/// Removes repeated nodes from `first` on, if that is possible without a table. Returns whether it was.
fn drop_repeats(nodes: &mut Vec<u32>, first: usize) -> bool {
    let list = &nodes[first..];
    if list.windows(2).all(|pair| pair[0] < pair[1]) {
        return true;
    }
    if list.len() > FEW {
        return false;
    }
    let mut kept = first;
    for index in first..nodes.len() {
        let node = nodes[index];
        if !nodes[first..kept].contains(&node) {
            nodes[kept] = node;
            kept += 1;
        }
    }
    nodes.truncate(kept);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_node_keeps_its_first_place() {
        let mut nodes = vec![4, 4, 9, 4, 2, 9, 1];
        assert!(drop_repeats(&mut nodes, 1));
        assert_eq!(nodes, [4, 4, 9, 2, 1]);
    }

    #[test]
    fn a_long_list_needs_a_table_unless_it_rises() {
        let mut nodes: Vec<u32> = (0..100).collect();
        assert!(drop_repeats(&mut nodes, 0));
        nodes.push(0);
        assert!(!drop_repeats(&mut nodes, 0));
        assert_eq!(nodes.len(), 101);
    }
}
