//! Reads the edges that a plan follows from one node, as a list of targets or with their costs, for
//! algorithms that read the edges of all nodes. [`WeightedScratch`] is memory for edges with costs.

use super::branch::NO_WAY;
use super::error::WalkResult;
use super::meter::Meter;
use super::plan::retain_from;
use super::plan_edges::{PIECE, PlanEdges};
use super::way::{EdgeRanks, PairedEntries};
use varvite_graph::Budget;
use varvite_graph::internal::ListRest;

/// Memory for edges that are read with their costs; it is returned to the budget when this value is dropped.
#[derive(Debug)]
pub(crate) struct WeightedScratch {
    paired: PairedEntries,
    held: usize,
    budget: Budget,
}

impl WeightedScratch {
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { paired: PairedEntries::default(), held: 0, budget: budget.clone() }
    }
}

impl Drop for WeightedScratch {
    fn drop(&mut self) {
        self.budget.give_back(self.held);
    }
}

impl PlanEdges {
    /// Appends the targets of a node's edges, once for each edge: way after way, and along each way in the
    /// order of the graph. Charges the memory of `output` to the budget; `held` is the number of bytes that
    /// are already charged.
    pub(crate) fn append(
        &self,
        node: u32,
        output: &mut Vec<u32>,
        held: &mut usize,
        budget: &Budget,
        meter: &mut Meter,
    ) -> WalkResult<()> {
        for (_, way) in self.ways_from(node) {
            let begin = output.len();
            let (mut rest, mut has_more) = (ListRest::ALL, true);
            while has_more {
                let before = output.len();
                budget.make_room(output, PIECE, held)?;
                has_more = way.adjacency.append_rest(node, &mut rest, PIECE, output);
                meter.tick(1 + (output.len() - before) as u32)?;
            }
            if way.targets.is_some() {
                retain_from(output, begin, |neighbor| self.leads_to(way, neighbor));
            }
        }
        Ok(())
    }

    /// Calls `visit` with the target and the cost of each edge from a node, until `visit` fails.
    pub(crate) fn try_each_cost(
        &self,
        node: u32,
        scratch: &mut WeightedScratch,
        mut visit: impl FnMut(u32, f64) -> WalkResult<()>,
    ) -> WalkResult<()> {
        for (number, way) in self.ways_from(node) {
            let Some(ranks) = &way.ranks else {
                let of_none = self.plan.costs.of(NO_WAY, 0, node)?;
                way.adjacency
                    .neighbors(node)
                    .filter(|neighbor| self.leads_to(way, *neighbor))
                    .try_for_each(|neighbor| visit(neighbor, of_none))?;
                continue;
            };
            if let EdgeRanks::Paired(lists) = ranks {
                let bytes = PairedEntries::bytes(lists.in_.degree(node).max(PIECE).next_power_of_two());
                let bytes = bytes.max(scratch.held);
                scratch.budget.hold(&mut scratch.held, bytes)?;
            }
            ranks.try_each(node, &mut scratch.paired, |neighbor, rank| {
                if !self.leads_to(way, neighbor) {
                    return Ok(());
                }
                visit(neighbor, self.plan.costs.of(number, rank, node)?)
            })?;
        }
        Ok(())
    }
}
