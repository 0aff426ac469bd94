//! [`PlanEdges`]: the edges that a [`Plan`] follows from one node, for searches and algorithms that do not
//! store branches.

use std::ops::Range;

use super::branch::NO_WAY;
use super::error::WalkResult;
use super::meter::Meter;
use super::plan::{Plan, retain_from};
use super::way::DirectedEdges;

/// The number of neighbours that are read at a time. A whole list might be too large: it may contain nearly
/// all nodes of the graph.
pub(super) const PIECE: usize = 1 << 10;

/// The edges that a plan follows from each node.
#[derive(Clone, Debug)]
pub(crate) struct PlanEdges {
    pub(super) plan: Plan,
    /// The ways to follow from every node, as a range in the plan's numbers of ways; `None` if they depend on
    /// the labels of the node.
    ways_of_all: Option<Range<u32>>,
}

impl PlanEdges {
    pub(crate) fn of(plan: Plan) -> Self {
        let first = plan.rules.first().map(|rule| rule.ways);
        let are_same = plan.rules.iter().all(|rule| Some(rule.ways) == first);
        let ways_of_all = first.filter(|_| are_same).map(|(begin, end)| begin..end);
        Self { plan, ways_of_all }
    }

    /// The ways to follow from a node, with their numbers.
    pub(super) fn ways_from(&self, node: u32) -> impl Iterator<Item = (u16, &DirectedEdges)> {
        let of_node = || self.plan.labels.known_code(node).map(|code| self.plan.ways_from(code, NO_WAY));
        let places = self.ways_of_all.clone().or_else(of_node).unwrap_or(0..0);
        let numbers = &self.plan.way_numbers[places.start as usize..places.end as usize];
        numbers.iter().map(|number| (*number, &self.plan.ways[*number as usize]))
    }

    /// Reads the targets of a node's edges along a way into `piece`, some at a time, and calls `visit` with
    /// them until `visit` fails. A target is read once for each edge to it, in the order of the graph.
    #[inline]
    pub(super) fn try_each_piece(
        &self,
        way: &DirectedEdges,
        node: u32,
        piece: &mut Vec<u32>,
        meter: &mut Meter,
        mut visit: impl FnMut(&[u32]) -> WalkResult<()>,
    ) -> WalkResult<()> {
        meter.tick(1)?;
        // Most nodes have no neighbours along most ways. `begin_some` finds this out before a read is
        // prepared.
        let Some(mut rest) = way.adjacency.begin_some(node) else { return Ok(()) };
        let mut has_more = true;
        while has_more {
            piece.clear();
            has_more = way.adjacency.append_rest(node, &mut rest, PIECE, piece);
            meter.tick(piece.len() as u32)?;
            if way.targets.is_some() {
                retain_from(piece, 0, |neighbor| self.leads_to(way, neighbor));
            }
            visit(piece)?;
        }
        Ok(())
    }

    #[inline]
    pub(super) fn leads_to(&self, way: &DirectedEdges, neighbor: u32) -> bool {
        let leads = |code| way.leads_to(code);
        way.targets.is_none() || self.plan.labels.known_code(neighbor).is_some_and(leads)
    }
}
