//! Adjacency columns of a new file.

use thiserror::Error;
use varvite_format::{Fault, InputError, Keys, Profile, Purpose, members};
use varvite_store::PreparedColumn;

use super::encoder::Encoder;
use super::input::ListsInput;
use super::owners::take_out_empty;
use super::seen::{EdgesSeen, PlacesSeen};
use crate::change_error::ChangeError;
use crate::error::Result;

/// The reason why the entries of out-lists and in-lists cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PairError {
    /// The in-list of this node does not match the edges to this node in the out-lists.
    #[error("the in-list of node {0} does not match the out-lists")]
    Others(u32),
    /// The lists are invalid.
    #[error(transparent)]
    Lists(#[from] InputError),
}

impl PairError {
    /// The node at which the directions differ; 0 for invalid lists.
    pub fn node(&self) -> u32 {
        match self {
            Self::Others(node) => *node,
            Self::Lists(_) => 0,
        }
    }
}

/// The columns of an edge label in one direction (owners, offsets, neighbours), ready to be written.
#[derive(Debug)]
pub struct PreparedAdjacency {
    pub(super) seen: EdgesSeen,
    pub(super) nodes: PreparedColumn,
    pub(super) offsets: PreparedColumn,
    pub(super) neighbors: PreparedColumn,
}

/// The places of the edges of a label, ready to be written.
#[derive(Debug)]
pub struct PreparedPlaces {
    pub(super) column: PreparedColumn,
    pub(super) seen: PlacesSeen,
}

/// How often readers follow an edge label. This decides between encodings for speed and for size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heat {
    /// Readers follow the label in the innermost loops, so speed matters more than size. Offsets are stored
    /// for all nodes, and neighbours are not packed in the direct profile.
    Hot,
    /// Readers follow the label rarely, so size matters more than speed.
    Cold,
}

/// If at least one node in every `DENSE` nodes has a list, the offsets of a hot label are stored for all
/// nodes, which saves two loads per hop.
const DENSE: usize = 4;

impl Encoder {
    /// Encodes the columns of one direction of an edge label.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for offsets that do not ascend from 0 to the number of neighbours, or a
    /// neighbour that is not a node; a column larger than the format can hold;
    /// [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub fn adjacency(&self, input: ListsInput<'_>, heat: Heat) -> Result<PreparedAdjacency, ChangeError> {
        let nodes = input.check()? as usize;
        let (bitmap, starts) = take_out_empty(input.offsets);
        let sources: Vec<u32> = members(&bitmap).collect();
        let seen = EdgesSeen::of_owners(input, sources.iter().copied(), &starts)?;
        let lists = Keys::Lists { nodes: &sources, offsets: &starts };
        let purpose = if heat == Heat::Hot { Purpose::HotIds } else { Purpose::Ids };
        let neighbors = self.ints(input.neighbors, lists, purpose)?;
        let lists_of_one = starts.len() == input.neighbors.len() + 1;
        let for_all = self.profile != Profile::Archive && heat == Heat::Hot;
        if for_all && !lists_of_one && sources.len() * DENSE >= nodes {
            let everyone: Vec<u64> = all(nodes);
            let offsets = self.ints(input.offsets, Keys::Index, Purpose::HotOffsets)?;
            let nodes = self.bitmap(&everyone, nodes as u32)?;
            return Ok(PreparedAdjacency { seen, nodes, offsets, neighbors });
        }
        let (nodes, offsets) = (self.bitmap(&bitmap, nodes as u32)?, self.offsets(&starts)?);
        Ok(PreparedAdjacency { seen, nodes, offsets, neighbors })
    }

    /// Encodes the column of places: for each entry of the in-lists, the place of its edge in the out-list of
    /// its source, as [`pair_places`] finds it.
    ///
    /// # Errors
    /// [`ChangeError::Input`] if the number of places differs from that of entries; the errors of
    /// [`Encoder::adjacency`]. Whether the places belong to edges of the out-lists is checked when both
    /// directions are [added](super::GraphWriter::add_edge_label).
    pub fn places(&self, in_: ListsInput<'_>, places: &[u32]) -> Result<PreparedPlaces, ChangeError> {
        let seen = PlacesSeen::of(in_, places)?;
        Ok(PreparedPlaces { column: self.numbers(places)?, seen })
    }
}

/// A bitmap of `nodes` set bits.
fn all(nodes: usize) -> Vec<u64> {
    let mut bitmap = vec![u64::MAX; nodes.div_ceil(64)];
    if let Some(last) = bitmap.last_mut().filter(|_| !nodes.is_multiple_of(64)) {
        *last = (1 << (nodes % 64)) - 1;
    }
    bitmap
}

/// For each entry of the in-lists, the place of its edge in the out-list of its source. The k-th of several
/// parallel edges in one direction is the k-th in the other.
///
/// # Errors
/// The node whose in-list does not match the out-lists, or an error of invalid lists.
pub fn pair_places(out: ListsInput<'_>, in_: ListsInput<'_>) -> std::result::Result<Vec<u32>, PairError> {
    let (nodes, targets) = (out.check()?, in_.check()?);
    if nodes != targets {
        let (expected, found) = (nodes.into(), targets.into());
        return Err(InputError::new("offsets", Fault::Count { what: "in-lists", expected, found }).into());
    }
    // Out-edges grouped by target; the edges of one target stay in the order of sources and places.
    let mut next: Vec<u32> = in_.offsets.to_vec();
    let mut arriving = vec![(0u32, 0u32); in_.neighbors.len()];
    for source in 0..nodes as usize {
        let list = out.offsets[source] as usize..out.offsets[source + 1] as usize;
        for (place, target) in out.neighbors[list].iter().enumerate() {
            if *target >= nodes {
                return Err(out.first_beyond(nodes).into());
            }
            let slot = &mut next[*target as usize];
            if *slot >= in_.offsets[*target as usize + 1] {
                return Err(PairError::Others(*target));
            }
            arriving[*slot as usize] = (source as u32, place as u32);
            *slot += 1;
        }
    }
    let mut places = vec![0u32; in_.neighbors.len()];
    let mut entries: Vec<(u32, u32)> = Vec::new();
    for (target, (ends, arrived)) in in_.offsets.windows(2).zip(&next).enumerate() {
        let list = ends[0] as usize..ends[1] as usize;
        // The out-lists have fewer edges to this target than its in-list has.
        if *arrived as usize != list.end {
            return Err(PairError::Others(target as u32));
        }
        entries.clear();
        entries.extend(in_.neighbors[list.clone()].iter().copied().zip(list.start as u32..));
        entries.sort();
        for ((source, entry), (expected, place)) in entries.iter().zip(&arriving[list]) {
            if source != expected {
                return Err(PairError::Others(target as u32));
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
        // Edges: 0 -> 1, 0 -> 2, 0 -> 1. The in-list of 1 is 0, 0; the in-list of 2 is 0.
        let out = ListsInput { offsets: &[0, 3, 3, 3], neighbors: &[1, 2, 1] };
        let in_ = ListsInput { offsets: &[0, 0, 2, 3], neighbors: &[0, 0, 0] };
        assert_eq!(pair_places(out, in_), Ok(vec![0, 2, 1]));
    }

    #[test]
    fn directions_that_differ_are_named_by_the_target() {
        let out = ListsInput { offsets: &[0, 1, 1, 1], neighbors: &[2] };
        let in_ = ListsInput { offsets: &[0, 0, 0, 1], neighbors: &[1] };
        assert_eq!(pair_places(out, in_), Err(PairError::Others(2)));
    }

    #[test]
    fn lists_that_can_not_be_are_no_lists_to_pair() {
        let sound = ListsInput { offsets: &[0, 1, 1], neighbors: &[1] };
        let told = |out, in_| pair_places(out, in_).unwrap_err().to_string();
        let none = ListsInput { offsets: &[], neighbors: &[] };
        assert_eq!(told(none, sound), "argument offsets: expected at least 1 ends of lists, found 0");
        let beyond = ListsInput { offsets: &[0, 1, 1], neighbors: &[7] };
        assert_eq!(told(beyond, sound), "argument neighbors: expected a neighbor 0 from 0 to 1, found 7");
        // The in-list has an edge that no out-list has.
        let empty = ListsInput { offsets: &[0, 0, 0], neighbors: &[] };
        assert_eq!(pair_places(empty, sound), Err(PairError::Others(0)));
    }
}
