//! Steps with edges: `edges`, `out_edges`, `in_edges`, `both_edges`, `source`, `target`.

use std::collections::HashMap;

use varvite_format::EdgeLabelId;

use super::chain::{Operate, Stage, pull};
use super::context::Context;
use super::hop::{FillRows, HopProgress};
use super::scan::begin_lanes;
use super::sort::sort;
use super::stop::Stop;
use crate::pipeline::plan::EdgeWay;
use crate::pipeline::rows::{Batch, Edge};
use varvite_graph::internal::{EntryAt, ListRest};
use varvite_graph::{Adjacency, Direction};

/// Appends at most `room` edges of a node along a way. Returns true if there are more. `work` has buffers for
/// reuse.
fn append_edges(
    way: &EdgeWay,
    node: u32,
    rest: &mut ListRest,
    room: usize,
    work: &mut Work,
    output: &mut Vec<Edge>,
    cx: &mut Context,
) -> Result<bool, Stop> {
    let Work { others, entries, earlier, sorted, held } = work;
    let is_begun = rest.is_begun();
    let more = append_entries(&way.way.adjacency, node, rest, room, others, entries);
    let is_short = !is_begun && !more && others.len() <= SHORT;
    if way.is_searched() && !is_short {
        if !is_begun {
            forget(earlier);
        }
        make_room(earlier, others.len(), held, cx)?;
    }
    let end = rest.position();
    for (index, other) in others.iter().enumerate() {
        let position = || Some(EntryAt::Base((end? + index).saturating_sub(others.len())));
        let entry = entries.get(index).copied().or_else(position);
        let mut edge = way.edge(node, *other, entry);
        if way.is_searched() && matches!(entry, Some(EntryAt::Base(_))) {
            let parallel = match is_short {
                true => others[..index].iter().filter(|before| *before == other).count(),
                false => count_up(earlier.entry(*other).or_insert(0)),
            };
            if let Some(rank) = way.rank_of_parallel(node, *other, parallel, sorted, cx)? {
                edge.rank = rank;
            }
        }
        output.push(edge);
    }
    Ok(more)
}

/// Moves at most `room` of the neighbours left in `rest` to `others`. Returns true if there are more. If the
/// node's edges with this label were changed, `entries` gets the list entry of each neighbour. Otherwise the
/// list entries are consecutive, and `entries` stays empty.
fn append_entries(
    adjacency: &Adjacency,
    node: u32,
    rest: &mut ListRest,
    room: usize,
    others: &mut Vec<u32>,
    entries: &mut Vec<EntryAt>,
) -> bool {
    others.clear();
    entries.clear();
    if adjacency.changes().is_none_or(|changes| !changes.is_touched(node)) {
        return adjacency.append_rest(node, rest, room, others);
    }
    while let Some((other, entry)) = adjacency.step(node, rest) {
        others.push(other);
        entries.push(entry);
        if others.len() == room {
            return true;
        }
    }
    false
}

/// In a list of at most this many neighbours, earlier parallel edges are found by a scan; in longer lists, by
/// a hash table.
const SHORT: usize = 16;
/// The minimum capacity of the hash table of neighbours, and the capacity above which making a new table is
/// cheaper than clearing the old one.
const NEIGHBORS: usize = 64;
const NEIGHBORS_MAX: usize = 1 << 16;
/// Bytes per neighbour in the hash table, with its empty slots: at most seven eighths of the slots are in
/// use. While the table grows, the old table, half as large, exists beside the new one, and is included too.
const NEIGHBOR_BYTES: usize = 2 * size_of::<(u32, usize)>();

/// Clears a table, or replaces it with a new one if that is faster.
fn forget(earlier: &mut HashMap<u32, usize>) {
    match earlier.capacity() > NEIGHBORS_MAX {
        true => *earlier = HashMap::new(),
        false => earlier.clear(),
    }
    earlier.reserve(NEIGHBORS);
}

/// Makes room for `more` neighbours in the hash table, and charges it to the budget.
fn make_room(
    earlier: &mut HashMap<u32, usize>,
    more: usize,
    held: &mut usize,
    cx: &Context,
) -> Result<(), Stop> {
    if earlier.capacity() - earlier.len() < more {
        let more = more.max(earlier.len());
        cx.budget.hold(held, NEIGHBOR_BYTES * (earlier.len() + more))?;
        earlier.reserve(more);
    }
    Ok(())
}

/// Increments a count, and returns its earlier value.
fn count_up(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}

/// Reused buffers.
#[derive(Debug, Default)]
struct Work {
    others: Vec<u32>,
    /// The list entry of the edge to each neighbour, if edges with the label were changed.
    entries: Vec<EntryAt>,
    /// How often each neighbour has occurred in the list of the node so far. This identifies parallel edges:
    /// the nth of them in the list of one node is also the nth of them in the list of the other node.
    earlier: HashMap<u32, usize>,
    sorted: SortedLists,
    held: usize,
}

/// Sorted copies of long lists of neighbours. For example, a METHOD may contain thousands of nodes, and the
/// edge to each node has to be found in the list of the METHOD.
#[derive(Debug, Default)]
struct SortedLists {
    /// The lists by edge label and source. An entry is a neighbour and the rank of its edge.
    lists: HashMap<(EdgeLabelId, u32), Vec<(u32, u32)>>,
    held: usize,
}

/// The minimum length at which a list of neighbours is sorted.
const LONG: usize = 64;
/// The maximum number of bytes of sorted lists to keep: `SORTED_MAX`, or the budget divided by `SORTED_SHARE`
/// if that is larger.
const SORTED_MAX: usize = 8 << 20;
const SORTED_SHARE: usize = 4;
/// Bytes of a list, not counting its entries.
const LIST_BYTES: usize = 128;

impl SortedLists {
    /// The sorted list of a source. The list is kept, so that it is not sorted again for each of its edges.
    fn list(&mut self, way: &EdgeWay, source: u32, cx: &mut Context) -> Result<&[(u32, u32)], Stop> {
        let key = (way.way.label, source);
        cx.tick()?;
        if !self.lists.contains_key(&key) {
            let list = self.sort(way, source, cx)?;
            self.lists.insert(key, list);
        }
        Ok(self.lists.get(&key).map_or(&[], Vec::as_slice))
    }

    fn sort(&mut self, way: &EdgeWay, source: u32, cx: &mut Context) -> Result<Vec<(u32, u32)>, Stop> {
        let degree = way.out.degree(source);
        self.make_room(degree, cx)?;
        let mut list: Vec<(u32, u32)> = Vec::with_capacity(degree);
        for (neighbor, rank) in way.ranked(source) {
            cx.tick()?;
            list.push((neighbor, rank));
        }
        sort(&mut list, Ord::cmp, cx)?;
        Ok(list)
    }

    /// Makes room for a list, and for the copy that sorting needs. If there is no room, drops the kept lists
    /// first.
    fn make_room(&mut self, degree: usize, cx: &Context) -> Result<(), Stop> {
        let entries = size_of::<(u32, u32)>().saturating_mul(degree);
        let kept = self.held.saturating_add(entries).saturating_add(LIST_BYTES);
        let is_room = kept <= SORTED_MAX.max(cx.budget.limit() / SORTED_SHARE)
            && cx.budget.reserve(entries.saturating_mul(2)).is_ok();
        if !is_room {
            self.lists = HashMap::new();
            cx.budget.hold(&mut self.held, 0)?;
        }
        let held = self.held.saturating_add(entries).saturating_add(LIST_BYTES);
        Ok(cx.budget.hold(&mut self.held, held)?)
    }
}

impl EdgeWay {
    /// Whether an edge of this way can be found only by a search among the out-edges of its source.
    fn is_searched(&self) -> bool {
        self.way.direction == Direction::In && self.places.is_none() && self.way.adjacency.has_lists()
    }

    /// The edge between `node` and `other` at entry `entry` of the way's lists. `entry` is `None` in a forest
    /// without changes.
    fn edge(&self, node: u32, other: u32, entry: Option<EntryAt>) -> Edge {
        let label = self.way.label;
        match self.way.direction {
            Direction::Out => {
                let rank = entry.map_or(other, |entry| entry.number() as u32);
                Edge { label, source: node, target: other, rank }
            }
            Direction::In => {
                let rank = match (entry, &self.places) {
                    (Some(EntryAt::Base(position)), Some(places)) => places.rank(&self.out, other, position),
                    (Some(EntryAt::Appended(rank)), _) => u32::try_from(rank).ok(),
                    _ => None,
                };
                Edge { label, source: other, target: node, rank: rank.unwrap_or(node) }
            }
        }
    }

    /// The neighbours along the out-edges of `source`, each with the rank of its edge.
    fn ranked(&self, source: u32) -> impl Iterator<Item = (u32, u32)> {
        let first = self.out.first_rank(source);
        let mut following = first.map(|first| self.out.neighbors(source).zip(first as u64..));
        let mut rest = ListRest::default();
        let next = move || match &mut following {
            Some(following) => following.next(),
            None => self.out.step(source, &mut rest).map(|(neighbor, entry)| (neighbor, entry.number())),
        };
        std::iter::from_fn(next).map(|(neighbor, rank)| (neighbor, rank as u32))
    }

    /// The rank of an edge from `source` to `target`. If there are several, `parallel` is the number of this
    /// one among them.
    fn rank_of_parallel(
        &self,
        target: u32,
        source: u32,
        parallel: usize,
        sorted: &mut SortedLists,
        cx: &mut Context,
    ) -> Result<Option<u32>, Stop> {
        let rank = if self.out.degree(source) >= LONG {
            let list = sorted.list(self, source, cx)?;
            let first = list.partition_point(|(neighbor, _)| *neighbor < target);
            let found = list.get(first + parallel).filter(|(neighbor, _)| *neighbor == target);
            found.map(|(_, rank)| *rank)
        } else {
            let mut edges = self.ranked(source).enumerate().filter(|(_, (other, _))| *other == target);
            let found = edges.nth(parallel);
            cx.tick_by(found.map_or(LONG, |(place, _)| place))?;
            found.map(|(_, (_, rank))| rank)
        };
        if rank.is_none() {
            self.out.note_damage(source);
        }
        Ok(rank)
    }
}

/// The operator of `out_edges`, `in_edges` and `both_edges`.
#[derive(Debug)]
pub(crate) struct HopEdges {
    ways: Vec<EdgeWay>,
    at: HopProgress,
    work: Work,
}

impl HopEdges {
    pub(crate) fn new(ways: Vec<EdgeWay>) -> Self {
        Self { ways, at: HopProgress::default(), work: Work::default() }
    }
}

impl Operate for HopEdges {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        self.fill_next(before, output, cx)
    }

    fn reset(&mut self) {
        self.at = HopProgress::default();
    }
}

impl FillRows for HopEdges {
    fn progress(&mut self) -> &mut HopProgress {
        &mut self.at
    }

    fn filled(output: &Batch) -> usize {
        output.edges.len()
    }

    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while let Some(node) = input.nodes.get(self.at.row) {
            while let Some(way) = self.ways.get(self.at.way) {
                let first = output.edges.len();
                let Some(room) = cx.batch_rows.checked_sub(first).filter(|room| *room > 0) else {
                    return Ok(());
                };
                let rest = &mut self.at.rest;
                let more = append_edges(way, *node, rest, room, &mut self.work, &mut output.edges, cx)?;
                cx.extend_carried(output, first, input, self.at.row)?;
                if more {
                    return Ok(());
                }
                self.at.way += 1;
                self.at.rest = ListRest::default();
            }
            self.at.way = 0;
            self.at.row += 1;
            cx.tick_by(self.ways.len().max(1))?;
        }
        self.at.has_input = false;
        Ok(())
    }
}

/// The operator of `edges`: all edges, ordered by label, then by source.
#[derive(Debug)]
pub(crate) struct AllEdges {
    ways: Vec<EdgeWay>,
    way: usize,
    node: u32,
    rest: ListRest,
    work: Work,
}

impl AllEdges {
    pub(crate) fn new(ways: Vec<EdgeWay>) -> Self {
        Self { ways, way: 0, node: 0, rest: ListRest::default(), work: Work::default() }
    }
}

impl Operate for AllEdges {
    fn next(&mut self, _: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if cx.forgets_trails {
            cx.trails.clear();
        }
        while let Some(way) = self.ways.get(self.way) {
            while self.node < cx.nodes {
                cx.tick()?;
                let Some(room) = cx.batch_rows.checked_sub(output.edges.len()).filter(|room| *room > 0)
                else {
                    begin_lanes(output, cx)?;
                    return Ok(true);
                };
                let (rest, edges) = (&mut self.rest, &mut output.edges);
                if !append_edges(way, self.node, rest, room, &mut self.work, edges, cx)? {
                    self.node += 1;
                    self.rest = ListRest::default();
                }
            }
            self.way += 1;
            self.node = 0;
        }
        begin_lanes(output, cx)?;
        Ok(!output.edges.is_empty())
    }

    fn reset(&mut self) {
        (self.way, self.node, self.rest) = (0, 0, ListRest::default());
    }
}

/// The operator of `source` and `target`.
#[derive(Debug)]
pub(crate) struct EndOfEdge {
    direction: Direction,
}

impl EndOfEdge {
    pub(crate) fn new(direction: Direction) -> Self {
        Self { direction }
    }
}

impl Operate for EndOfEdge {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        if !pull(before, cx)? {
            return Ok(false);
        }
        let Some(input) = before.last().map(|stage| &stage.output) else { return Ok(false) };
        for (row, edge) in input.edges.iter().enumerate() {
            output.nodes.push(match self.direction {
                Direction::In => edge.source,
                Direction::Out => edge.target,
            });
            cx.extend_carried(output, row, input, row)?;
        }
        Ok(true)
    }

    fn reset(&mut self) {}
}
