//! Topological order (Kahn, 1962), in generations: a node is in the generation after the last of its
//! predecessors.

use super::buffer::Buffer;
use super::error::AlgorithmError;
use super::node_groups::NodeGroups;
use super::subgraph::Subgraph;

/// The nodes of a graph without cycles in topological order, by generation. In a graph with cycles, only the
/// nodes to which no path leads from a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Generations {
    groups: NodeGroups,
    is_complete: bool,
}

impl Generations {
    /// The generations. The first has the nodes without in-edges. No edge leads from a node to one before it.
    pub fn groups(&self) -> &NodeGroups {
        &self.groups
    }

    /// Whether all nodes are in a generation: the graph has no cycle.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }
}

impl Subgraph {
    /// The nodes in topological order, by generation. Nodes without in-edges have their own order; a later
    /// generation has the order in which the edges of the generation before it lead there.
    ///
    /// Costs a read of each edge, and 12 bytes for each node. Runs on one thread. Needs decoded lists.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn generations(&self) -> Result<Generations, AlgorithmError> {
        let (work, out, in_) = (&self.limits.work, self.decoded_out()?, self.decoded_in()?);
        let (count, mut meter) = (self.members.len(), self.limits.meter());
        self.limits.check()?;
        // The number of edges to each node from nodes without a generation.
        let mut left = Buffer::made(work, count, |node| in_.degree(node as u32) as u32)?;
        let mut nodes = Buffer::new(work);
        (0..count as u32).filter(|node| left[*node as usize] == 0).try_for_each(|node| nodes.push(node))?;
        let (mut ends, mut begin) = (Buffer::new(work), 0);
        while begin < nodes.len() {
            let end = nodes.len();
            ends.push(end as u32)?;
            for place in begin..end {
                let list = out.list(nodes[place]);
                meter.tick(1 + list.len() as u32)?;
                for next in list {
                    let left = &mut left[*next as usize];
                    *left = left.wrapping_sub(1);
                    if *left == 0 {
                        nodes.push(*next)?;
                    }
                }
            }
            begin = end;
        }
        self.limits.check_damage()?;
        let mut nodes = nodes.into_items();
        nodes.iter_mut().for_each(|node| *node = self.members.node(*node));
        let is_complete = nodes.len() == count;
        Ok(Generations { groups: NodeGroups::new(nodes, ends.into_items()), is_complete })
    }
}
