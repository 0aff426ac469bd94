//! Dominators by the algorithm Semi-NCA (Georgiadis, Werneck, Tarjan: Finding dominators in practice, 2006).
//! Semidominators are found as in the algorithm of Lengauer and Tarjan. The dominator of each node is then
//! found from the node's semidominator, by climbing the part of the dominator tree that is already complete.
//!
//! Nodes are numbered in the order of a depth-first search. The search starts at an artificial parent of all
//! roots, which has the number 0. Arrays are indexed by these numbers, so that unreached nodes cost nothing.

use super::buffer::Buffer;
use super::csr::Csr;
use super::error::AlgorithmError;
use super::subgraph::Subgraph;
use super::tree::{NONE, Tree};
use crate::walk::Meter;

impl Subgraph {
    /// The tree of dominators from some roots: the parent of a node is the last node that is on every path
    /// from a root to it. If there are several roots, a root does not dominate a node that other roots reach
    /// too. Nodes without a dominator are roots of the tree. Unreached nodes are not in the tree.
    ///
    /// Costs, for each reached node, a read of its edges in both directions and a nearly constant number of
    /// steps. Memory: 12 bytes for each node, and 36 for each reached node. Runs on one thread. Needs decoded
    /// lists in both directions.
    ///
    /// # Errors
    /// [`AlgorithmError::NotSelected`] for a root; [`AlgorithmError`].
    pub fn dominators(&self, roots: &[u32]) -> Result<Tree, AlgorithmError> {
        let roots = self.members.indexes(roots)?;
        self.limits.check()?;
        let (out, in_) = (self.decoded_out()?, self.decoded_in()?);
        let search = Search::run(self, out, &roots)?;
        let mut above = Above::of(self, search.parents)?;
        let mut roots: Vec<u32> = roots.iter().map(|root| search.numbers[*root as usize]).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut meter = self.limits.meter();
        for number in (1..search.nodes.len() as u32).rev() {
            let is_root = roots.pop_if(|root| *root == number).is_some();
            let parent = if is_root { 0 } else { above.parents[number as usize] };
            let predecessors = in_.list(search.nodes[number as usize]);
            above.find_semi(number, parent, predecessors, &search.numbers, &mut meter)?;
        }
        let dominators = above.find_dominators(&mut meter)?;
        let mut parents = Buffer::filled(&self.limits.work, NONE, self.members.len())?;
        for (node, dominator) in search.nodes.iter().zip(&*dominators).skip(1) {
            meter.tick(1)?;
            if *dominator != 0 {
                parents[*node as usize] = search.nodes[*dominator as usize];
            }
        }
        let mut order = Buffer::with_capacity(&self.limits.work, search.nodes.len() - 1)?;
        order.extend_from_slice(&search.nodes[1..])?;
        let tree = Tree::new(self, parents, order)?;
        self.limits.check_damage()?;
        Ok(tree)
    }
}

/// The result of a depth-first search.
struct Search {
    /// The number of each member; 0 for unreached members.
    numbers: Buffer<u32>,
    /// The member with each number; the entry for number 0 is unused.
    nodes: Buffer<u32>,
    /// For each node, by number: the number of the node from which the search reached it.
    parents: Buffer<u32>,
}

impl Search {
    fn run(subgraph: &Subgraph, lists: &Csr, roots: &[u32]) -> Result<Self, AlgorithmError> {
        let work = &subgraph.limits.work;
        let numbers = Buffer::filled(work, 0, subgraph.members.len())?;
        let mut search = Self { numbers, nodes: Buffer::new(work), parents: Buffer::new(work) };
        search.nodes.push(NONE)?;
        search.parents.push(0)?;
        let mut path: Buffer<(u32, u32)> = Buffer::new(work);
        let mut meter = subgraph.limits.meter();
        for root in roots {
            search.enter(*root, 0, lists, &mut path)?;
            while let Some((number, place)) = path.last().copied() {
                meter.tick(1)?;
                if (place as usize) < lists.places(search.nodes[number as usize]).end {
                    let top = path.len() - 1;
                    path[top].1 += 1;
                    search.enter(lists.at(place as usize), number, lists, &mut path)?;
                } else {
                    path.pop();
                }
            }
        }
        Ok(search)
    }

    /// Numbers a node, unless it already has a number.
    #[inline]
    fn enter(
        &mut self,
        node: u32,
        parent: u32,
        lists: &Csr,
        path: &mut Buffer<(u32, u32)>,
    ) -> Result<(), AlgorithmError> {
        let number = &mut self.numbers[node as usize];
        if *number == 0 {
            *number = self.nodes.len() as u32;
            path.push((*number, lists.places(node).start as u32))?;
            self.nodes.push(node)?;
            self.parents.push(parent)?;
        }
        Ok(())
    }
}

/// The ancestors of each node; nodes are given by their numbers in the search.
struct Above {
    /// The parent of each node in the tree of the search.
    parents: Buffer<u32>,
    /// The semidominator of each node; for unvisited nodes the node itself.
    semi: Buffer<u32>,
    /// For each node, the highest ancestor to which its path was shortened; and, in `least`, the node with
    /// the least semidominator on the path to that ancestor.
    ancestors: Buffer<u32>,
    least: Buffer<u32>,
    /// The nodes on the path that is being shortened.
    way: Buffer<u32>,
}

impl Above {
    fn of(subgraph: &Subgraph, parents: Buffer<u32>) -> Result<Self, AlgorithmError> {
        let (work, count) = (&subgraph.limits.work, parents.len());
        let itself = || Buffer::made(work, count, |number| number as u32);
        let mut ancestors = Buffer::with_capacity(work, count)?;
        ancestors.extend_from_slice(&parents)?;
        Ok(Self { semi: itself()?, ancestors, least: itself()?, way: Buffer::new(work), parents })
    }

    /// Finds the semidominator of a node. The semidominators of all nodes with greater numbers must be known.
    /// One of the node's predecessors is `parent`.
    fn find_semi(
        &mut self,
        number: u32,
        parent: u32,
        predecessors: &[u32],
        numbers: &[u32],
        meter: &mut Meter,
    ) -> Result<(), AlgorithmError> {
        let mut semi = parent;
        for predecessor in predecessors {
            let predecessor = numbers[*predecessor as usize];
            if predecessor != 0 {
                let least = self.least_above(predecessor, number, meter)?;
                semi = semi.min(self.semi[least as usize]);
            }
        }
        self.semi[number as usize] = semi;
        Ok(meter.tick(1 + predecessors.len() as u32)?)
    }

    /// The node with the least semidominator, among `node` and those of its ancestors whose numbers are
    /// greater than `last`. Shortens the path to these ancestors.
    #[inline]
    fn least_above(&mut self, node: u32, last: u32, meter: &mut Meter) -> Result<u32, AlgorithmError> {
        if self.ancestors[node as usize] > last {
            self.shorten(node, last, meter)?;
        }
        Ok(self.least[node as usize])
    }

    fn shorten(&mut self, node: u32, last: u32, meter: &mut Meter) -> Result<(), AlgorithmError> {
        self.way.clear();
        let mut top = node;
        while self.ancestors[top as usize] > last {
            meter.tick(1)?;
            self.way.push(top)?;
            top = self.ancestors[top as usize];
        }
        let end = self.ancestors[top as usize];
        let mut least = self.least[top as usize];
        while let Some(node) = self.way.pop() {
            let own = self.least[node as usize];
            if self.semi[least as usize] < self.semi[own as usize] {
                self.least[node as usize] = least;
            } else {
                least = own;
            }
            self.ancestors[node as usize] = end;
        }
        Ok(())
    }

    /// The dominator of each node, computed in ascending order of numbers.
    fn find_dominators(mut self, meter: &mut Meter) -> Result<Buffer<u32>, AlgorithmError> {
        for number in 1..self.parents.len() {
            let semi = self.semi[number];
            let mut dominator = self.parents[number];
            while dominator > semi {
                meter.tick(1)?;
                dominator = self.parents[dominator as usize];
            }
            self.parents[number] = dominator;
            meter.tick(1)?;
        }
        Ok(self.parents)
    }
}
