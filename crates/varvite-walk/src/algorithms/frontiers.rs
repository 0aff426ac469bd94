//! Dominance frontiers (Cooper, Harvey, Kennedy: A simple, fast dominance algorithm, 2001): from each
//! predecessor of a node, the algorithm climbs the dominator tree up to the node's dominator.

use super::buffer::Buffer;
use super::error::AlgorithmError;
use super::node_lists::NodeLists;
use super::subgraph::Subgraph;
use super::tree::{NONE, Tree};

impl Subgraph {
    /// For each node of a tree of [`dominators`](Self::dominators), in the order of the tree, its dominance
    /// frontier: the nodes to which an edge leads from a node that it dominates, and which it does not
    /// dominate itself, or which are the node itself.
    ///
    /// Costs a read of each edge and 8 bytes for each node and each entry of a frontier; a graph may have so
    /// many entries as the square of its nodes. Runs on one thread. Needs decoded lists of in-edges.
    ///
    /// # Errors
    /// [`AlgorithmError::OverBudget`]; [`AlgorithmError`].
    pub fn frontiers(&self, dominators: &Tree) -> Result<NodeLists, AlgorithmError> {
        let (work, in_, mut meter) = (&self.limits.work, self.decoded_in()?, self.limits.meter());
        // The last node, plus one, in the frontier of each node.
        let mut last = Buffer::filled(work, 0u32, self.members.len())?;
        let mut entries = Buffer::new(work);
        for node in dominators.order.iter().copied() {
            let dominator = dominators.parents[node as usize];
            for predecessor in in_.list(node) {
                meter.tick(1)?;
                let mut above = if dominators.has(*predecessor) { *predecessor } else { NONE };
                // Once a node has this entry, all nodes above it have it too.
                while above != NONE && above != dominator && last[above as usize] != node + 1 {
                    meter.tick(1)?;
                    last[above as usize] = node + 1;
                    entries.push((above, node))?;
                    above = dominators.parents[above as usize];
                }
            }
        }
        drop(last);
        self.limits.check_damage()?;
        self.by_node(dominators, &entries)
    }

    /// The second members of pairs, as a list for each node of the tree.
    fn by_node(&self, tree: &Tree, entries: &[(u32, u32)]) -> Result<NodeLists, AlgorithmError> {
        let work = &self.limits.work;
        // The number of entries of each node; later the place for its next one.
        let mut places = Buffer::filled(work, 0u32, self.members.len())?;
        entries.iter().for_each(|(node, _)| places[*node as usize] += 1);
        let mut lists = NodeLists::with_capacity(tree.len(), entries.len());
        let mut sorted = Buffer::filled(work, 0u32, entries.len())?;
        let mut end = 0;
        for node in tree.order.iter() {
            end += std::mem::replace(&mut places[*node as usize], end);
        }
        for (node, entry) in entries {
            let place = &mut places[*node as usize];
            sorted[*place as usize] = self.members.node(*entry);
            *place += 1;
        }
        self.limits.check()?;
        let mut begin = 0;
        for node in tree.order.iter() {
            let end = places[*node as usize] as usize;
            sorted[begin..end].iter().for_each(|entry| lists.push(*entry));
            lists.end_list()?;
            begin = end;
        }
        Ok(lists)
    }
}
