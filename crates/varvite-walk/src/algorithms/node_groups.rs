//! [`NodeGroups`]: nodes in groups, such as the nodes of each component or of each level of a search.

use super::buffer::Buffer;
use super::error::AlgorithmError;
use super::subgraph::Subgraph;

/// Groups of nodes, in order.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeGroups {
    nodes: Vec<u32>,
    /// The end of each group.
    ends: Vec<u32>,
}

impl NodeGroups {
    /// Groups with these ends.
    pub(super) fn new(nodes: Vec<u32>, ends: Vec<u32>) -> Self {
        Self { nodes, ends }
    }

    /// All nodes, group after group.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no groups.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The nodes of a group, by the group's number from 0; `None` after the last group.
    pub fn get(&self, group: usize) -> Option<&[u32]> {
        let end = *self.ends.get(group)?;
        let begin = if group == 0 { 0 } else { self.ends[group - 1] };
        self.nodes.get(begin as usize..end as usize)
    }

    /// The groups, in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u32]> {
        (0..self.len()).map(|group| self.get(group).unwrap_or_default())
    }
}

impl Subgraph {
    /// The nodes of each weakly connected component. Components have the order of their smallest nodes, and
    /// the nodes of a component are ascending.
    ///
    /// Costs the same as [`components`](Self::components), and 12 more bytes for each node.
    ///
    /// # Errors
    /// [`AlgorithmError`].
    pub fn component_groups(&self) -> Result<NodeGroups, AlgorithmError> {
        let components = self.components()?;
        let work = &self.limits.work;
        // The number of nodes of each component by its smallest member; later the place for its next node.
        let mut places = Buffer::filled(work, 0u32, components.len())?;
        let smallest = |component: &u32| self.members.index(*component).map_or(0, |index| index as usize);
        components.values().iter().for_each(|component| places[smallest(component)] += 1);
        self.limits.check()?;
        let (mut ends, mut end) = (Buffer::new(work), 0);
        for place in places.iter_mut().filter(|count| **count > 0) {
            let begin = end;
            end += *place;
            *place = begin;
            ends.push(end)?;
        }
        let mut nodes = Buffer::filled(work, 0u32, components.len())?;
        for (node, component) in components.iter() {
            let place = &mut places[smallest(&component)];
            nodes[*place as usize] = node;
            *place += 1;
        }
        self.limits.check()?;
        Ok(NodeGroups::new(nodes.into_items(), ends.into_items()))
    }
}
