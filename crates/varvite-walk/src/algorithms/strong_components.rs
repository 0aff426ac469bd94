//! Strongly connected components by Tarjan's algorithm (1972), depth-first without recursion.

use super::buffer::Buffer;
use super::csr::Csr;
use super::error::AlgorithmError;
use super::node_groups::NodeGroups;
use super::node_values::NodeValues;
use super::subgraph::Subgraph;
use crate::walk::Meter;

/// Stands for "no node" and for "no component".
const NONE: u32 = u32::MAX;

impl Subgraph {
    /// The strongly connected component of each node, identified by the component's smallest node. Two nodes
    /// are in the same component if a path leads from one to the other and another path leads back.
    ///
    /// Costs a read of each edge. Memory: 16 bytes for each node, and 8 for each node on the longest path of
    /// the search. Runs on one thread. Needs decoded lists of out-edges.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn strong_components(&self) -> Result<NodeValues<u32>, AlgorithmError> {
        let mut components = self.searched(None)?.components.into_items();
        components.iter_mut().for_each(|component| *component = self.members.node(*component));
        self.found(components)
    }

    /// The nodes of each strongly connected component. No edge leads from a component to a later one. The
    /// nodes of a component have the order in which the search found them.
    ///
    /// Costs the same as [`strong_components`](Self::strong_components), and 8 more bytes for each node.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn strong_component_groups(&self) -> Result<NodeGroups, AlgorithmError> {
        let work = &self.limits.work;
        let groups = self.searched(Some((Buffer::new(work), Buffer::new(work))))?.groups;
        self.limits.check_damage()?;
        let (nodes, ends) =
            groups.map_or_else(Default::default, |(nodes, ends)| (nodes.into_items(), ends.into_items()));
        let nodes = nodes.into_iter().map(|node| self.members.node(node)).collect();
        Ok(NodeGroups::new(nodes, ends))
    }

    /// A search from all nodes.
    fn searched(&self, groups: Option<(Buffer<u32>, Buffer<u32>)>) -> Result<Search<'_>, AlgorithmError> {
        let (work, nodes) = (&self.limits.work, self.members.len());
        let mut search = Search {
            lists: self.decoded_out()?,
            meter: self.limits.meter(),
            numbers: Buffer::filled(work, 0, nodes)?,
            lowest: Buffer::filled(work, 0, nodes)?,
            components: Buffer::filled(work, NONE, nodes)?,
            open: Buffer::new(work),
            path: Buffer::new(work),
            last: 0,
            groups,
        };
        self.limits.check()?;
        for node in 0..nodes as u32 {
            if search.numbers[node as usize] == 0 {
                search.go_from(node)?;
            }
        }
        Ok(search)
    }
}

/// The state of a search.
struct Search<'a> {
    lists: &'a Csr,
    meter: Meter,
    /// The number of each node in the order in which the search found nodes, from 1; 0 for nodes that were
    /// not found.
    numbers: Buffer<u32>,
    /// For each node, the lowest number that is known to be reachable from it along edges of the search tree
    /// and one further edge.
    lowest: Buffer<u32>,
    components: Buffer<u32>,
    /// Visited nodes without a component.
    open: Buffer<u32>,
    /// The nodes of the current path, each with the next entry of its list to read.
    path: Buffer<(u32, u32)>,
    last: u32,
    /// The members by component, and the end of each component, if they are wanted.
    groups: Option<(Buffer<u32>, Buffer<u32>)>,
}

impl Search<'_> {
    fn go_from(&mut self, start: u32) -> Result<(), AlgorithmError> {
        self.enter(start)?;
        while let Some((node, place)) = self.path.last().copied() {
            self.meter.tick(1)?;
            if (place as usize) < self.lists.places(node).end {
                let top = self.path.len() - 1;
                self.path[top].1 += 1;
                self.look_at(node, self.lists.at(place as usize))?;
            } else {
                self.path.pop();
                self.leave(node)?;
            }
        }
        Ok(())
    }

    fn enter(&mut self, node: u32) -> Result<(), AlgorithmError> {
        self.last += 1;
        (self.numbers[node as usize], self.lowest[node as usize]) = (self.last, self.last);
        self.open.push(node)?;
        Ok(self.path.push((node, self.lists.places(node).start as u32))?)
    }

    #[inline]
    fn look_at(&mut self, node: u32, next: u32) -> Result<(), AlgorithmError> {
        if self.numbers[next as usize] == 0 {
            return self.enter(next);
        }
        if self.components[next as usize] == NONE {
            let lowest = &mut self.lowest[node as usize];
            *lowest = (*lowest).min(self.numbers[next as usize]);
        }
        Ok(())
    }

    /// Completes a node, after all nodes below it in the search tree were visited.
    fn leave(&mut self, node: u32) -> Result<(), AlgorithmError> {
        let lowest = self.lowest[node as usize];
        if let Some((before, _)) = self.path.last().copied() {
            let of_before = &mut self.lowest[before as usize];
            *of_before = (*of_before).min(lowest);
        }
        if lowest == self.numbers[node as usize] {
            let begin = self.open.iter().rposition(|open| *open == node).unwrap_or(0);
            let members = &self.open[begin..];
            let smallest = members.iter().copied().min().unwrap_or(node);
            members.iter().for_each(|member| self.components[*member as usize] = smallest);
            self.meter.tick(members.len() as u32)?;
            if let Some((nodes, ends)) = &mut self.groups {
                nodes.extend_from_slice(members)?;
                ends.push(nodes.len() as u32)?;
            }
            let (open, ..) = self.open.parts();
            open.truncate(begin);
        }
        Ok(())
    }
}
