//! Breadth-first search in the order of lists, on one thread: the nodes in the order in which it finds them,
//! with the node from which it finds each one.
//!
//! [`Subgraph::distances`] is faster on many threads, but has no order.

use super::buffer::Buffer;
use super::error::AlgorithmError;
use super::node_groups::NodeGroups;
use super::subgraph::Subgraph;

/// The place of the parent of a source.
const NONE: u32 = u32::MAX;

/// The nodes that a breadth-first search found, in its order. A place is the number of a node in this order.
#[derive(Clone, Debug, PartialEq)]
pub struct BreadthFirst {
    /// The levels: level `d` has the nodes to which the shortest path has `d` edges.
    levels: NodeGroups,
    /// For each place, the place of the node from which the search found it.
    parents: Vec<u32>,
}

impl BreadthFirst {
    /// The nodes, by place: first the sources.
    pub fn nodes(&self) -> &[u32] {
        self.levels.nodes()
    }

    /// The place of the node from which the search found a node; `None` for sources.
    #[inline]
    pub fn parent(&self, place: usize) -> Option<usize> {
        self.parents.get(place).filter(|parent| **parent != NONE).map(|parent| *parent as usize)
    }

    /// The levels: the nodes at distance 0, at distance 1, and so on.
    pub fn levels(&self) -> &NodeGroups {
        &self.levels
    }
}

impl Subgraph {
    /// Searches breadth-first from some nodes, along at most `depth_max` edges.
    ///
    /// Costs a read of the edges of each found node, one bit for each node of the subgraph, and 8 bytes for
    /// each found node. Runs on one thread.
    ///
    /// # Errors
    /// [`AlgorithmError::NotSelected`] for a source; [`AlgorithmError`].
    pub fn breadth_first(
        &self,
        sources: &[u32],
        depth_max: Option<u32>,
    ) -> Result<BreadthFirst, AlgorithmError> {
        let (work, sources) = (&self.limits.work, self.members.indexes(sources)?);
        let mut search = Search {
            is_found: Buffer::filled(work, 0, self.members.len().div_ceil(64))?,
            nodes: Buffer::new(work),
            parents: Buffer::new(work),
        };
        self.limits.check()?;
        sources.into_iter().try_for_each(|source| search.find(source, NONE))?;
        let mut reader = self.out_lists()?.reader(&self.limits);
        let (mut ends, mut begin) = (Buffer::new(work), 0);
        while begin < search.nodes.len() {
            let end = search.nodes.len();
            ends.push(end as u32)?;
            if depth_max.is_some_and(|depth| ends.len() as u64 > u64::from(depth)) {
                break;
            }
            for place in begin..end {
                for next in reader.list(search.nodes[place])? {
                    search.find(*next, place as u32)?;
                }
            }
            begin = end;
        }
        self.limits.check_damage()?;
        let mut nodes = search.nodes.into_items();
        nodes.iter_mut().for_each(|node| *node = self.members.node(*node));
        let levels = NodeGroups::new(nodes, ends.into_items());
        Ok(BreadthFirst { levels, parents: search.parents.into_items() })
    }
}

struct Search {
    /// A bit for each member.
    is_found: Buffer<u64>,
    nodes: Buffer<u32>,
    parents: Buffer<u32>,
}

impl Search {
    /// Appends a node, unless it was found before.
    #[inline]
    fn find(&mut self, node: u32, parent: u32) -> Result<(), AlgorithmError> {
        let (word, bit) = (&mut self.is_found[node as usize / 64], 1 << (node % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.nodes.push(node)?;
            self.parents.push(parent)?;
        }
        Ok(())
    }
}
