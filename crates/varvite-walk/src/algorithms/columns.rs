//! [`Columns`]: reads the edges of a subgraph in one direction from the columns of the graph.

use std::sync::Arc;

use super::buffer::Buffer;
use super::error::AlgorithmError;
use super::limits::Limits;
use super::members::Members;
use super::selection::Selection;
use crate::walk::{Hop, Meter, PlanEdges, WalkError, WalkResult, WeightedScratch};
use varvite_graph::{Budget, Graph};

/// The edges of a subgraph in one direction, which are read from the columns every time.
#[derive(Debug)]
pub(super) struct Columns {
    /// The stages of an edge of the subgraph. Such an edge is a path in the graph, with one edge from each
    /// stage.
    stages: Box<[PlanEdges]>,
    members: Arc<Members>,
}

/// Buffers for the nodes at which one stage of an edge ends and the next begins.
#[derive(Debug)]
pub(super) struct Levels([Buffer<u32>; 2]);

impl Levels {
    pub(super) fn new(budget: &Budget) -> Self {
        Self([Buffer::new(budget), Buffer::new(budget)])
    }
}

impl Columns {
    pub(super) fn open(
        selection: &Selection,
        graph: &Graph,
        members: &Arc<Members>,
    ) -> Result<Self, AlgorithmError> {
        let open = |stage: &Vec<Hop>| Ok(PlanEdges::of(selection.walk_of(stage).compile(graph)?));
        let stages = selection.stages.iter().map(open).collect::<Result<_, WalkError>>()?;
        Ok(Self { stages, members: Arc::clone(members) })
    }

    /// Appends the members to which the edges of a member lead, once for each edge.
    pub(super) fn append(
        &self,
        index: u32,
        output: &mut Buffer<u32>,
        levels: &mut Levels,
        meter: &mut Meter,
    ) -> WalkResult<()> {
        let (begin, node) = (output.len(), self.members.node(index));
        match &*self.stages {
            [only] => append_to(only, node, output, meter)?,
            [before @ .., last] => {
                let Levels([level, next]) = levels;
                level.clear();
                level.push(node)?;
                for stage in before {
                    next.clear();
                    level.iter().try_for_each(|node| append_to(stage, *node, next, meter))?;
                    std::mem::swap(level, next);
                }
                level.iter().try_for_each(|node| append_to(last, *node, output, meter))?;
            }
            [] => {}
        }
        if !self.members.are_all() {
            let (items, ..) = output.parts();
            let mut kept = begin;
            for place in begin..items.len() {
                if let Some(index) = self.members.index(items[place]) {
                    items[kept] = index;
                    kept += 1;
                }
            }
            items.truncate(kept);
        }
        Ok(())
    }

    /// Calls `visit` with the target and the cost of each edge from the member `index` to a member, until
    /// `visit` fails.
    pub(super) fn try_each_cost(
        &self,
        index: u32,
        scratch: &mut EdgeCosts,
        visit: &mut dyn FnMut(u32, f64) -> WalkResult<()>,
    ) -> WalkResult<()> {
        let EdgeCosts { stages, meter } = scratch;
        self.costs_behind(&self.stages, self.members.node(index), 0.0, stages, meter, visit)
    }

    /// The same as [`Self::try_each_cost`], for edges whose first stages end at `node` and cost `before`.
    /// `stages` are the remaining stages.
    fn costs_behind(
        &self,
        stages: &[PlanEdges],
        node: u32,
        before: f64,
        scratch: &mut [WeightedScratch],
        meter: &mut Meter,
        visit: &mut dyn FnMut(u32, f64) -> WalkResult<()>,
    ) -> WalkResult<()> {
        let Some((stage, stages_left)) = stages.split_first() else { return Ok(()) };
        let Some((own, scratch_left)) = scratch.split_first_mut() else { return Ok(()) };
        stage.try_each_cost(node, own, |neighbor, cost| {
            meter.tick(1)?;
            if cost.is_nan() || cost < 0.0 {
                return Err(Box::new(WalkError::NegativeCost { node, cost }));
            }
            if !stages_left.is_empty() {
                let cost = before + cost;
                return self.costs_behind(stages_left, neighbor, cost, scratch_left, meter, visit);
            }
            match self.members.index(neighbor) {
                Some(index) => visit(index, before + cost),
                None => Ok(()),
            }
        })
    }
}

/// Buffers for reading edges with their costs.
#[derive(Debug)]
pub(super) struct EdgeCosts {
    /// A buffer for each stage.
    stages: Vec<WeightedScratch>,
    meter: Meter,
}

impl EdgeCosts {
    pub(super) fn new(columns: &Columns, limits: &Limits) -> Self {
        let stages = columns.stages.iter().map(|_| WeightedScratch::new(&limits.work)).collect();
        Self { stages, meter: limits.meter() }
    }
}

fn append_to(edges: &PlanEdges, node: u32, output: &mut Buffer<u32>, meter: &mut Meter) -> WalkResult<()> {
    let (items, held, budget) = output.parts();
    edges.append(node, items, held, budget, meter)
}
