//! Best first: every edge that is read becomes a branch with a cost, and the walk always visits the cheapest
//! branch next.

use super::Run;
use crate::walk::branch::Arrival;
use crate::walk::error::{WalkError, WalkResult};
use crate::walk::evaluation::Evaluation;
use crate::walk::guide::Guide;
use crate::walk::path_step::PathStep;
use crate::walk::visit::Visit;
use crate::walk::visited::OpenPath;

impl<G: Guide> Run<'_, G> {
    /// The next result of a walk by cost.
    pub(super) fn next_best_first(&mut self) -> WalkResult<Option<u32>> {
        self.find_starts()?;
        loop {
            if std::mem::take(&mut self.at.is_fresh) {
                self.find_behind(self.at.branch)?;
            }
            let Some(number) = self.arena.heap.pop() else { return Ok(None) };
            self.meter.tick(1)?;
            if !self.admit(number)? {
                continue;
            }
            let evaluation = self.evaluate_held(number);
            (self.at.branch, self.at.is_fresh) = (number, evaluation.continues());
            if evaluation.includes() {
                return Ok(Some(number));
            }
        }
    }

    /// Evaluates a branch that is stored in the arena.
    fn evaluate_held(&mut self, number: u32) -> Evaluation {
        let mut branch = self.arena.branches[number as usize];
        let state = self.evaluate(&mut branch, number);
        self.arena.branches[number as usize] = branch;
        if let Some(held) = self.arena.states.get_mut(number as usize) {
            *held = state;
        }
        branch.evaluation
    }

    /// Adds a branch for each start node.
    fn find_starts(&mut self) -> WalkResult<()> {
        while let Some(node) = self.arena.starts.get(self.started).copied() {
            self.started += 1;
            let arrival = Arrival::start(node);
            if let Some(code) = self.code_at(&arrival) {
                self.find(arrival, code, 0.0)?;
            }
        }
        Ok(())
    }

    /// Whether uniqueness allows the walk to visit a branch that it found.
    fn admit(&mut self, number: u32) -> WalkResult<bool> {
        let arena = &mut *self.arena;
        let branch = &arena.branches[number as usize];
        if branch.depth == 0 {
            return Ok(true);
        }
        let (node, parent, depth) = (branch.node, branch.parent, branch.depth);
        let arrival = Arrival { node, parent, depth, rank: branch.rank, way: branch.way };
        let open = OpenPath::Many;
        Ok(arena.visited.admits(self.plan, &arrival, open, &arena.branches, &arena.budget)?)
    }

    /// Adds a branch for each edge that extends a branch.
    fn find_behind(&mut self, number: u32) -> WalkResult<()> {
        if !self.expand_held(number)? {
            return Ok(());
        }
        let branch = &self.arena.branches[number as usize];
        let (node, depth) = (branch.node, branch.depth + 1);
        loop {
            while let Some(arrival) = self.arena.pending.next(number, depth) {
                self.counts.edges += 1;
                self.meter.tick(1)?;
                if self.plan.skips_arriving_edge && self.is_arriving_edge(&arrival) {
                    continue;
                }
                if let Some(code) = self.code_at(&arrival) {
                    let cost = self.cost_to(&arrival)?;
                    self.find(arrival, code, cost)?;
                }
            }
            let arena = &mut *self.arena;
            if !arena.pending.read_more(self.plan, node, &arena.budget)? {
                return Ok(());
            }
        }
    }

    fn find(&mut self, arrival: Arrival, code: u32, cost: f64) -> WalkResult<()> {
        let estimate = self.guide.estimate(arrival.node);
        let arena = &mut *self.arena;
        let number = arena.branches.len() as u32;
        arena.push_branch(arrival.branch(code), G::State::default())?;
        arena.budget.make_room(&mut arena.costs, 1, &mut arena.held)?;
        arena.costs.push(cost);
        Ok(arena.heap.push(cost + estimate, number, &arena.budget)?)
    }

    /// The cost of the path to a new node: the sum of the costs of all its edges.
    fn cost_to(&mut self, arrival: &Arrival) -> WalkResult<f64> {
        let place = arrival.parent as usize;
        let (branches, before) = (&self.arena.branches[..], self.arena.costs[place]);
        let number = arrival.parent;
        let costs = &self.arena.costs[..];
        let visit = Visit { plan: self.plan, branches, branch: &branches[place], number, costs };
        let node = visit.node();
        let listed = self.plan.costs.of(arrival.way, arrival.rank, node)?;
        let step = PathStep { node: arrival.node, edge: self.plan.edge_of(arrival.way) };
        let cost = self.guide.cost(&visit, step, listed);
        if cost >= 0.0 { Ok(before + cost) } else { Err(Box::new(WalkError::NegativeCost { node, cost })) }
    }
}
