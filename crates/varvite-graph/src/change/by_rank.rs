//! [`ByRank`]: sorts edges, which arrive in the order of the adjacency lists, by their ranks.

use std::sync::Arc;

use varvite_store::{Scratch, Tape};

use super::sorted_ends::{SHARE, piece_of};
use super::sorter::{read_head, write_head};
use crate::error::Result;

/// The minimum number of ranks in a part, whatever the memory limit.
const LEAST: usize = 1 << 10;
/// An id that no node has.
const NOBODY: u32 = u32::MAX;

/// Edges to be sorted by rank; each rank is below `len`. With a temporary file, the ranks are divided into
/// ranges: the edges of each range are written to a part of their own, and the parts are read back one after
/// another.
pub(super) struct ByRank {
    /// The number of ranks in a part.
    part_len: u32,
    len: u32,
    /// The parts. A part has its edges in the order in which they were added: for each edge, a key made of
    /// the rank and the source, then the target.
    parts: Vec<Tape>,
    /// All edges, indexed by rank, if there is no temporary file.
    edges: Vec<(u32, u32)>,
}

impl ByRank {
    pub(super) fn new(len: u32, scratch: Option<&Arc<Scratch>>) -> Self {
        let Some(scratch) = scratch else {
            let edges = vec![(NOBODY, NOBODY); len as usize];
            return Self { part_len: len, len, parts: Vec::new(), edges };
        };
        let part_len = scratch.memory() / SHARE / size_of::<(u32, u32)>();
        let part_len = part_len.clamp(LEAST, u32::MAX as usize) as u32;
        let parts = len.div_ceil(part_len) as usize;
        let piece = piece_of(Some(scratch), parts);
        let parts = (0..parts).map(|_| Tape::new(Some(scratch), piece)).collect();
        Self { part_len, len, parts, edges: Vec::new() }
    }

    /// Adds an edge, which replaces an earlier edge with the same rank.
    pub(super) fn push(&mut self, rank: u32, (source, target): (u32, u32)) -> Result<()> {
        let Some(part) = self.parts.get_mut((rank / self.part_len.max(1)) as usize) else {
            self.edges[rank as usize] = (source, target);
            return Ok(());
        };
        write_head(part, u64::from(rank) << 32 | u64::from(source), target)
    }

    /// Calls `visit` with the source and the target of each edge, in the order of ranks. Stops at the first
    /// rank that has no edge, and returns that rank.
    pub(super) fn for_each(self, mut visit: impl FnMut(u32, u32) -> Result<()>) -> Result<Option<u32>> {
        let Self { part_len, len, mut parts, mut edges } = self;
        parts.iter_mut().try_for_each(Tape::settle)?;
        let mut first = 0;
        for part in parts {
            edges.clear();
            edges.resize((len - first).min(part_len) as usize, (NOBODY, NOBODY));
            let mut reader = part.reader();
            while let Some((key, target)) = read_head(&mut reader)? {
                edges[((key >> 32) as u32 - first) as usize] = (key as u32, target);
            }
            if let Some(missing) = visit_all(&edges, &mut visit)? {
                return Ok(Some(first + missing));
            }
            first += edges.len() as u32;
        }
        if first == len { Ok(None) } else { visit_all(&edges, &mut visit) }
    }
}

fn visit_all(edges: &[(u32, u32)], visit: &mut impl FnMut(u32, u32) -> Result<()>) -> Result<Option<u32>> {
    for (rank, (source, target)) in (0..).zip(edges) {
        if *source == NOBODY {
            return Ok(Some(rank));
        }
        visit(*source, *target)?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    #[test]
    fn edges_come_back_by_rank_and_the_first_that_is_missing_is_told() {
        let scratch = Scratch::beside(Arc::new(MemoryVfs::new()), Path::new("file"), 1).unwrap();
        let scratch = Arc::new(scratch);
        let count = 5_000u32;
        for (scratch, missing) in
            [(None, None), (Some(&scratch), None), (None, Some(77)), (Some(&scratch), Some(4_321))]
        {
            let mut by_rank = ByRank::new(count, scratch);
            for rank in (0..count).map(|number| number * 7919 % count).filter(|rank| Some(*rank) != missing) {
                by_rank.push(rank, (rank / 3, rank / 5)).unwrap();
            }
            let mut edges = Vec::new();
            let visit = |source, target| {
                edges.push((source, target));
                Ok(())
            };
            assert_eq!(by_rank.for_each(visit).unwrap(), missing);
            assert!(edges.into_iter().eq((0..missing.unwrap_or(count)).map(|rank| (rank / 3, rank / 5))));
        }
    }
}
