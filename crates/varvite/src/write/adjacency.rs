//! Adjacency columns of a new file.

use varvite_format::{Keys, Profile, Purpose, members};
use varvite_store::PreparedColumn;

use super::encoder::{Encoder, take_out_empty};
use crate::error::Result;

/// The lists of one edge label in one direction.
#[derive(Clone, Copy, Debug)]
pub struct ListsInput<'a> {
    /// Where the list of each node starts, and the end of the last: one more than there are nodes.
    pub offsets: &'a [u32],
    /// The neighbours.
    pub neighbors: &'a [u32],
}

/// Three columns, ready to be written.
#[derive(Debug)]
pub struct PreparedAdjacency {
    pub(super) nodes: PreparedColumn,
    pub(super) offsets: PreparedColumn,
    pub(super) neighbors: PreparedColumn,
}

/// How often an edge label is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// In the innermost loops: speed before size. Offsets are kept for all nodes, and the direct profile has plain
    /// neighbours.
    Hot,
    /// Now and then: size before speed.
    Cold,
}

/// If at least one node in this many has a list, hot offsets are kept for all nodes, which saves two
/// loads in a hop.
const DENSE: usize = 4;

impl Encoder {
    /// The columns of one direction of an edge label.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn adjacency(&self, input: ListsInput<'_>, heat: Heat) -> Result<PreparedAdjacency> {
        let nodes = input.offsets.len() - 1;
        let (bitmap, starts) = take_out_empty(input.offsets);
        let sources: Vec<u32> = members(&bitmap).collect();
        let lists = Keys::Lists { nodes: &sources, offsets: &starts };
        let purpose = if heat == Heat::Hot { Purpose::HotIds } else { Purpose::Ids };
        let neighbors = self.ints(input.neighbors, lists, purpose)?;
        let lists_of_one = starts.len() == input.neighbors.len() + 1;
        let for_all = self.profile != Profile::Archive && heat == Heat::Hot;
        if for_all && !lists_of_one && sources.len() * DENSE >= nodes {
            let everyone: Vec<u64> = all(nodes);
            let offsets = self.ints(input.offsets, Keys::Index, Purpose::HotOffsets)?;
            return Ok(PreparedAdjacency { nodes: self.set(&everyone, nodes as u32)?, offsets, neighbors });
        }
        Ok(PreparedAdjacency {
            nodes: self.set(&bitmap, nodes as u32)?,
            offsets: self.offsets(&starts)?,
            neighbors,
        })
    }
}

/// A bitmap of `nodes` ones.
fn all(nodes: usize) -> Vec<u64> {
    let mut bitmap = vec![u64::MAX; nodes.div_ceil(64)];
    if let Some(last) = bitmap.last_mut().filter(|_| !nodes.is_multiple_of(64)) {
        *last = (1 << (nodes % 64)) - 1;
    }
    bitmap
}

/// For each entry of the in-lists: the place of its edge in the out-list of its source. The k-th of several parallel
/// edges in one direction is the k-th in the other.
///
/// None if the two directions do not hold the same edges, with the node where they differ.
///
/// # Errors
/// The node whose in-list does not fit the out-lists.
pub fn pair_places(out: ListsInput<'_>, in_: ListsInput<'_>) -> std::result::Result<Vec<u32>, u32> {
    let nodes = out.offsets.len() - 1;
    // Out-edges by target; those of one target stay in the order of sources and places.
    let mut next: Vec<u32> = in_.offsets.to_vec();
    let mut arriving = vec![(0u32, 0u32); in_.neighbors.len()];
    for source in 0..nodes {
        let list = out.offsets[source] as usize..out.offsets[source + 1] as usize;
        for (place, target) in out.neighbors[list].iter().enumerate() {
            let slot = &mut next[*target as usize];
            if *slot >= in_.offsets[*target as usize + 1] {
                return Err(*target);
            }
            arriving[*slot as usize] = (source as u32, place as u32);
            *slot += 1;
        }
    }
    let mut places = vec![0u32; in_.neighbors.len()];
    let mut entries: Vec<(u32, u32)> = Vec::new();
    for target in 0..nodes {
        let list = in_.offsets[target] as usize..in_.offsets[target + 1] as usize;
        entries.clear();
        entries.extend(in_.neighbors[list.clone()].iter().copied().zip(list.start as u32..));
        entries.sort();
        for ((source, entry), (expected, place)) in entries.iter().zip(&arriving[list]) {
            if source != expected {
                return Err(target as u32);
            }
            places[*entry as usize] = *place;
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_edges_pair_in_order() {
        // 0 -> 1, 2, 1;  in-list of 1: 0, 0;  of 2: 0.
        let out = ListsInput { offsets: &[0, 3, 3, 3], neighbors: &[1, 2, 1] };
        let in_ = ListsInput { offsets: &[0, 0, 2, 3], neighbors: &[0, 0, 0] };
        assert_eq!(pair_places(out, in_), Ok(vec![0, 2, 1]));
    }

    #[test]
    fn directions_that_differ_are_named_by_the_target() {
        let out = ListsInput { offsets: &[0, 1, 1, 1], neighbors: &[2] };
        let in_ = ListsInput { offsets: &[0, 0, 0, 1], neighbors: &[1] };
        assert_eq!(pair_places(out, in_), Err(2));
    }
}
