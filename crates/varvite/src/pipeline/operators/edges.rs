//! Steps with edges: `edges`, `out_edges`, `in_edges`, `both_edges`, `source`, `target`.

use std::collections::HashMap;

use super::batch::Batch;
use super::chain::{Operate, Stage, may_pull, pull};
use super::context::{Context, Stop};
use super::hop::Place;
use super::scan::begin_lanes;
use crate::adjacency::{Direction, Part};
use crate::pipeline::plan::EdgeWay;
use crate::pipeline::rows::Edge;

/// Appends edges of a node along a way, at most `room`; true if there are more. `others` is room to work in.
fn append_edges(
    way: &EdgeWay,
    node: u32,
    part: &mut Part,
    room: usize,
    work: &mut Work,
    output: &mut Vec<Edge>,
    cx: &mut Context,
) -> Result<bool, Stop> {
    let Work { others, earlier, held } = work;
    others.clear();
    if !part.is_begun() {
        earlier.clear();
        if way.is_searched() {
            earlier.reserve(NEIGHBORS);
        }
    }
    let more = way.way.adjacency.append_part(node, part, room, others);
    let end = part.position();
    for (index, other) in others.iter().enumerate() {
        let position = end.map(|end| (end + index).saturating_sub(others.len()));
        let mut edge = way.edge(node, *other, position);
        if way.is_searched() && position.is_some() {
            let parallel = earlier.entry(*other).or_insert(0);
            if let Some((rank, looked)) = way.rank_of_parallel(node, *other, *parallel) {
                cx.tick_by(looked)?;
                edge.rank = rank;
            }
            *parallel += 1;
        }
        output.push(edge);
    }
    cx.budget.hold(held, size_of::<(u32, u32, u64)>() * earlier.capacity())?;
    Ok(more)
}

/// Neighbours that there is room for before a list asks for more, which few lists do.
const NEIGHBORS: usize = 64;

/// Room to work in.
#[derive(Debug, Default)]
struct Work {
    others: Vec<u32>,
    /// How often each neighbour came already in the list of a node: parallel edges pair in their order.
    earlier: HashMap<u32, usize>,
    held: usize,
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
        u32::try_from(self.out.first_rank(source)? + place).ok()
    }

    /// The rank of one of the edges from `source` to `target`, and how many edges were looked at for it.
    fn rank_of_parallel(&self, target: u32, source: u32, parallel: usize) -> Option<(u32, usize)> {
        let mut places = self.out.neighbors(source).enumerate().filter(|(_, other)| *other == target);
        let (place, _) = places.nth(parallel)?;
        Some((u32::try_from(self.out.first_rank(source)? + place).ok()?, place))
    }
}

/// `out_edges`, `in_edges` and `both_edges`.
#[derive(Debug)]
pub(crate) struct HopEdges {
    ways: Vec<EdgeWay>,
    at: Place,
    work: Work,
}

impl HopEdges {
    pub(crate) fn new(ways: Vec<EdgeWay>) -> Self {
        Self { ways, at: Place::default(), work: Work::default() }
    }

    /// Takes rows of the input until it has no more or the output is full.
    fn fill(&mut self, input: &Batch, output: &mut Batch, cx: &mut Context) -> Result<(), Stop> {
        while let Some(node) = input.nodes.get(self.at.row) {
            while let Some(way) = self.ways.get(self.at.way) {
                let first = output.edges.len();
                let Some(room) = cx.batch_rows.checked_sub(first).filter(|room| *room > 0) else {
                    return Ok(());
                };
                let part = &mut self.at.part;
                let more = append_edges(way, *node, part, room, &mut self.work, &mut output.edges, cx)?;
                output.extend_lanes(first, input, self.at.row, cx)?;
                if more {
                    return Ok(());
                }
                self.at.way += 1;
                self.at.part = Part::default();
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
                self.at = Place { has_input: true, ..Place::default() };
            }
            let Some(input) = before.last().map(|stage| &stage.output) else { break };
            self.fill(input, output, cx)?;
        }
        Ok(!output.edges.is_empty())
    }

    fn reset(&mut self) {
        self.at = Place::default();
    }
}

/// `edges`: label by label, by source.
#[derive(Debug)]
pub(crate) struct AllEdges {
    ways: Vec<EdgeWay>,
    way: usize,
    node: u32,
    part: Part,
    work: Work,
}

impl AllEdges {
    pub(crate) fn new(ways: Vec<EdgeWay>) -> Self {
        Self { ways, way: 0, node: 0, part: Part::default(), work: Work::default() }
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
                let (part, edges) = (&mut self.part, &mut output.edges);
                if !append_edges(way, self.node, part, room, &mut self.work, edges, cx)? {
                    self.node += 1;
                    self.part = Part::default();
                }
            }
            self.way += 1;
            self.node = 0;
        }
        begin_lanes(output, cx)?;
        Ok(!output.edges.is_empty())
    }

    fn reset(&mut self) {
        (self.way, self.node, self.part) = (0, 0, Part::default());
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
            output.extend_lanes(row, input, row, cx)?;
        }
        Ok(true)
    }

    fn reset(&mut self) {}
}
