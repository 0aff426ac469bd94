//! Least costs from some nodes to all nodes, by Dijkstra's algorithm (1959) with a heap. It runs on one
//! thread and reads each list once.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::buffer::Buffer;
use super::columns::EdgeCosts;
use super::error::AlgorithmError;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;
use varvite_graph::{Budget, OverBudget, Reserved};

impl Subgraph {
    /// The cost of the cheapest path from any of the sources to each node: 0 for the sources, infinity for
    /// nodes to which no path leads. The selection defines the cost of an edge
    /// ([`Selection::cost`](super::Selection::cost)); the default is 1.
    ///
    /// Costs a read of each reached edge and of its property. Memory: 8 bytes for each node, and 16 for each
    /// entry of the queue. The queue gets an entry whenever an unsettled node is reached at a lower cost than
    /// before. Runs on one thread. Each list is read from the columns once.
    ///
    /// # Errors
    /// [`AlgorithmError::NegativeCost`], also for costs that are NaN; [`AlgorithmError::NoCost`];
    /// [`AlgorithmError::NotSelected`] for a source; [`AlgorithmError`].
    pub fn least_costs(&self, sources: &[u32]) -> Result<NodeValues<f64>, AlgorithmError> {
        let Some(columns) = self.out_columns() else { return self.least_costs_by(sources, |_, _| 1.0) };
        let mut scratch = EdgeCosts::new(columns, &self.limits);
        let mut search = Search::begin(self, sources)?;
        let mut reached = Buffer::new(&self.limits.work);
        while let Some((node, cost)) = search.settle() {
            reached.clear();
            columns
                .try_each_cost(node, &mut scratch, &mut |next, of_edge| Ok(reached.push((next, of_edge))?))?;
            reached.iter().try_for_each(|(next, of_edge)| search.reach(*next, cost + of_edge))?;
        }
        self.found(search.costs.into_items())
    }

    /// The same as [`least_costs`](Self::least_costs), with a function that computes the cost of an edge from
    /// its source and its target.
    ///
    /// # Errors
    /// The errors of [`least_costs`](Self::least_costs).
    pub fn least_costs_by(
        &self,
        sources: &[u32],
        cost_of: impl Fn(u32, u32) -> f64,
    ) -> Result<NodeValues<f64>, AlgorithmError> {
        let mut search = Search::begin(self, sources)?;
        let mut reader = self.out_lists()?.reader(&self.limits);
        while let Some((index, cost)) = search.settle() {
            let node = self.members.node(index);
            for next in reader.list(index)? {
                let of_edge = cost_of(node, self.members.node(*next));
                if of_edge.is_nan() || of_edge < 0.0 {
                    return Err(AlgorithmError::NegativeCost { node, cost: of_edge });
                }
                search.reach(*next, cost + of_edge)?;
            }
        }
        self.found(search.costs.into_items())
    }
}

/// The state of a search.
struct Search {
    costs: Buffer<f64>,
    heap: BinaryHeap<Reached>,
    heap_held: Reserved,
    budget: Budget,
}

/// A node, and the cost of a path to it. A cheaper path is ordered as greater; at equal costs, a smaller node
/// index is ordered as greater.
#[derive(Clone, Copy, Debug)]
struct Reached {
    cost: f64,
    node: u32,
}

impl PartialEq for Reached {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Reached {}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cost.total_cmp(&self.cost).then(other.node.cmp(&self.node))
    }
}

impl Search {
    fn begin(subgraph: &Subgraph, sources: &[u32]) -> Result<Self, AlgorithmError> {
        subgraph.limits.check()?;
        let budget = subgraph.limits.work.clone();
        let costs = Buffer::filled(&budget, f64::INFINITY, subgraph.members.len())?;
        let mut search = Self { costs, heap: BinaryHeap::new(), heap_held: budget.reserve(0)?, budget };
        for source in subgraph.members.indexes(sources)? {
            search.reach(source, 0.0)?;
        }
        Ok(search)
    }

    /// The next settled node, with its least cost.
    fn settle(&mut self) -> Option<(u32, f64)> {
        loop {
            let Reached { cost, node } = self.heap.pop()?;
            if cost == self.costs[node as usize] {
                return Some((node, cost));
            }
        }
    }

    /// Records a path to a node with this cost.
    #[inline]
    fn reach(&mut self, node: u32, cost: f64) -> Result<(), OverBudget> {
        let known = &mut self.costs[node as usize];
        if cost < *known {
            *known = cost;
            if self.heap.len() == self.heap.capacity() {
                self.grow()?;
            }
            self.heap.push(Reached { cost, node });
        }
        Ok(())
    }

    #[cold]
    fn grow(&mut self) -> Result<(), OverBudget> {
        let more = self.heap.capacity().max(64);
        let held = self.budget.reserve(more * size_of::<Reached>())?;
        self.heap.reserve_exact(more);
        let bytes = self.heap_held.bytes() + held.bytes();
        drop(held);
        self.heap_held.resize(bytes)
    }
}
