//! Steps with edges: `edges`, `out_edges`, `in_edges`, `both_edges`, `source`, `target`.

use std::collections::HashMap;

use varvite_format::EdgeLabelId;

use super::chain::{Operate, Stage, may_pull, pull};
use super::context::Context;
use super::hop::HopProgress;
use super::scan::begin_lanes;
use super::sort::sort;
use super::stop::Stop;
use crate::adjacency::{Direction, ListRest};
use crate::pipeline::plan::EdgeWay;
use crate::pipeline::rows::{Batch, Edge};

/// Appends edges of a node along a way, at most `room`; true if there are more. `others` is room to work in.
fn append_edges(
    way: &EdgeWay,
    node: u32,
    rest: &mut ListRest,
    room: usize,
    work: &mut Work,
    output: &mut Vec<Edge>,
    cx: &mut Context,
) -> Result<bool, Stop> {
    let Work { others, earlier, sorted, held } = work;
    others.clear();
    let is_begun = rest.is_begun();
    let more = way.way.adjacency.append_rest(node, rest, room, others);
    let is_short = !is_begun && !more && others.len() <= SHORT;
    if way.is_searched() && !is_short {
        if !is_begun {
            forget(earlier);
        }
        make_room(earlier, others.len(), held, cx)?;
    }
    let end = rest.position();
    for (index, other) in others.iter().enumerate() {
        let position = end.map(|end| (end + index).saturating_sub(others.len()));
        let mut edge = way.edge(node, *other, position);
        if way.is_searched() && position.is_some() {
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

/// Lists of so many neighbours are looked through for those that came before.
const SHORT: usize = 16;
/// Neighbours that there is room for before a list asks for more, and those of a table that is not worth clearing.
const NEIGHBORS: usize = 64;
const NEIGHBORS_MAX: usize = 1 << 16;
/// What a neighbour takes there: an entry of a table that is at most seven eighths full, and half of one more while it grows.
const NEIGHBOR_BYTES: usize = 2 * size_of::<(u32, usize)>();

/// Clears a table, or takes a new one where that is faster.
fn forget(earlier: &mut HashMap<u32, usize>) {
    match earlier.capacity() > NEIGHBORS_MAX {
        true => *earlier = HashMap::new(),
        false => earlier.clear(),
    }
    earlier.reserve(NEIGHBORS);
}

/// Makes room for more neighbours out of the budget.
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

/// The count before it counts one more.
fn count_up(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}

/// Room to work in.
#[derive(Debug, Default)]
struct Work {
    others: Vec<u32>,
    /// How often each neighbour came already in the list of a node: parallel edges pair in their order.
    earlier: HashMap<u32, usize>,
    sorted: SortedLists,
    held: usize,
}

/// Long lists of neighbours, sorted: a METHOD may contain thousands of nodes, and each of them asks which of its edges leads to it.
#[derive(Debug, Default)]
struct SortedLists {
    /// The list of a label and a source: neighbours, each with its place in the list.
    lists: HashMap<(EdgeLabelId, u32), Vec<(u32, u32)>>,
    held: usize,
}

/// Lists of so many neighbours are long.
const LONG: usize = 64;
/// Bytes of sorted lists that are kept: so many, or this share of the budget.
const SORTED_MAX: usize = 8 << 20;
const SORTED_SHARE: usize = 4;
/// What a list takes beside its entries.
const LIST_BYTES: usize = 128;

impl SortedLists {
    /// The list of a source, sorted. It stays for those who ask later, so that a list is sorted once and not for each of its edges.
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
        for entry in way.out.neighbors(source).zip(0..) {
            cx.tick()?;
            list.push(entry);
        }
        sort(&mut list, Ord::cmp, cx)?;
        Ok(list)
    }

    /// Makes room for a list, and for the copy that sorting takes; without those that are kept if they are in the way.
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
    /// Whether the place of an edge among those of its source has to be searched for.
    fn is_searched(&self) -> bool {
        self.way.direction == Direction::In && self.places.is_none()
    }

    /// The edge between `node` and `other` at a position of the lists in the direction of the way; none in the forest.
    fn edge(&self, node: u32, other: u32, position: Option<usize>) -> Edge {
        let label = self.way.label;
        match self.way.direction {
            Direction::Out => {
                let rank = position.map_or(other, |position| position as u32);
                Edge { label, source: node, target: other, rank }
            }
            Direction::In => {
                let rank = position.and_then(|position| self.rank(other, position)).unwrap_or(node);
                Edge { label, source: other, target: node, rank }
            }
        }
    }

    /// The rank of the edge from `source` that is at `position` of the in-lists, where the file has its place.
    fn rank(&self, source: u32, position: usize) -> Option<u32> {
        let place = self.places.as_ref()?.place(position)? as usize;
        let rank = self.out.first_rank(source).and_then(|first| u32::try_from(first + place).ok());
        if rank.is_none() {
            self.out.note_damage(source);
        }
        rank
    }

    /// The rank of one of the edges from `source` to `target`.
    fn rank_of_parallel(
        &self,
        target: u32,
        source: u32,
        parallel: usize,
        sorted: &mut SortedLists,
        cx: &mut Context,
    ) -> Result<Option<u32>, Stop> {
        let place = if self.out.degree(source) >= LONG {
            let list = sorted.list(self, source, cx)?;
            let first = list.partition_point(|(neighbor, _)| *neighbor < target);
            let found = list.get(first + parallel).filter(|(neighbor, _)| *neighbor == target);
            found.map(|(_, place)| *place as usize)
        } else {
            let mut places = self.out.neighbors(source).enumerate().filter(|(_, other)| *other == target);
            let place = places.nth(parallel).map(|(place, _)| place);
            cx.tick_by(place.unwrap_or(LONG))?;
            place
        };
        let rank = place.zip(self.out.first_rank(source)).map(|(place, first)| first + place);
        let rank = rank.and_then(|rank| u32::try_from(rank).ok());
        if rank.is_none() {
            self.out.note_damage(source);
        }
        Ok(rank)
    }
}

/// `out_edges`, `in_edges` and `both_edges`.
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

    /// Takes rows of the input until it has no more or the output is full.
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
            cx.tick()?;
        }
        self.at.has_input = false;
        Ok(())
    }
}

impl Operate for HopEdges {
    fn next(&mut self, before: &mut [Stage], output: &mut Batch, cx: &mut Context) -> Result<bool, Stop> {
        while output.edges.len() < cx.batch_rows {
            if !self.at.has_input {
                if !may_pull(output, cx) || !pull(before, cx)? {
                    break;
                }
                self.at = HopProgress { has_input: true, ..HopProgress::default() };
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
        }
        Ok(!output.edges.is_empty())
    }

    fn reset(&mut self) {
        self.at = HopProgress::default();
    }
}

/// `edges`: label by label, by source.
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

/// `source` and `target`.
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
