//! A shortest path between two nodes, by breadth-first searches from both ends, as in NetworkX: the search
//! with the smaller level goes on, and the first node that both have found is on a shortest path.

use super::buffer::Buffer;
use super::csr::Csr;
use super::error::AlgorithmError;
use super::subgraph::Subgraph;
use crate::walk::Meter;

impl Subgraph {
    /// The nodes of a path with the fewest edges from one node to another, with both ends; `None` if there is
    /// no path.
    ///
    /// Costs a read of the edges of the nodes that the two searches reach, and 8 bytes for each node of the
    /// subgraph; the system gives this memory when it is first used. Runs on one thread. Needs decoded lists
    /// in both directions.
    ///
    /// # Errors
    /// [`AlgorithmError::NotSelected`]; [`AlgorithmError`].
    pub fn shortest_path(&self, source: u32, target: u32) -> Result<Option<Vec<u32>>, AlgorithmError> {
        let ends = self.members.indexes(&[source, target])?;
        self.limits.check()?;
        if source == target {
            return Ok(Some(vec![source]));
        }
        let mut there = Side::begin(self, self.decoded_out()?, ends[0])?;
        let mut back = Side::begin(self, self.decoded_in()?, ends[1])?;
        let mut meter = self.limits.meter();
        while !there.level.is_empty() && !back.level.is_empty() {
            let meeting = match there.level.len() <= back.level.len() {
                true => there.advance(&back, &mut meter)?,
                false => back.advance(&there, &mut meter)?,
            };
            if let Some(meeting) = meeting {
                let mut path = there.way(meeting);
                path.reverse();
                path.extend(back.way(meeting).into_iter().skip(1));
                path.iter_mut().for_each(|node| *node = self.members.node(*node));
                return Ok(Some(path));
            }
        }
        self.limits.check_damage()?;
        Ok(None)
    }
}

/// The search from one end.
struct Side<'a> {
    lists: &'a Csr,
    /// For each member, one more than the member from which the search found it, or than itself for the end;
    /// 0 for members that it has not found.
    parents: Buffer<u32>,
    level: Buffer<u32>,
}

impl<'a> Side<'a> {
    fn begin(subgraph: &Subgraph, lists: &'a Csr, end: u32) -> Result<Self, AlgorithmError> {
        let work = &subgraph.limits.work;
        let mut parents = Buffer::filled(work, 0, subgraph.members.len())?;
        let mut level = Buffer::new(work);
        parents[end as usize] = end + 1;
        level.push(end)?;
        Ok(Self { lists, parents, level })
    }

    fn has(&self, node: u32) -> bool {
        self.parents[node as usize] != 0
    }

    /// Finds the next level, up to the first node that the other search has found too, which is returned.
    fn advance(&mut self, other: &Self, meter: &mut Meter) -> Result<Option<u32>, AlgorithmError> {
        let mut next_level = Buffer::new(&self.level.budget());
        for node in &*self.level {
            let list = self.lists.list(*node);
            meter.tick(1 + list.len() as u32)?;
            for next in list {
                if self.parents[*next as usize] == 0 {
                    self.parents[*next as usize] = node + 1;
                    next_level.push(*next)?;
                }
                if other.has(*next) {
                    return Ok(Some(*next));
                }
            }
        }
        self.level = next_level;
        Ok(None)
    }

    /// The nodes from a node back to the end.
    fn way(&self, node: u32) -> Vec<u32> {
        let before = |node: &u32| {
            let parent = self.parents[*node as usize] - 1;
            (parent != *node).then_some(parent)
        };
        std::iter::successors(Some(node), before).collect()
    }
}
