//! [`NewRanks`]: the ranks of the edges that a diff adds.

/// The rank of a new edge that was left out, because an end of it is removed.
pub(super) const LEFT_OUT: u32 = u32::MAX;

/// The rank of each new edge, or [`LEFT_OUT`]. Edges of one label that come one after another take eight bytes together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NewRanks {
    len: u32,
    /// The first edge of each run, and its rank. Ranks rise with the edges of a run, unless they were left out.
    runs: Vec<(u32, u32)>,
}

impl NewRanks {
    /// How many edges there are.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// Takes up the rank of the next edge.
    pub(super) fn push(&mut self, rank: u32) {
        let expected = self.runs.last().map(|(first, of_first)| of_run(*of_first, self.len - first));
        if expected != Some(rank) {
            self.runs.push((self.len, rank));
        }
        self.len += 1;
    }

    /// The rank of an edge.
    ///
    /// # Panics
    /// If there is no such edge.
    pub(super) fn get(&self, edge: usize) -> u32 {
        assert!(edge < self.len(), "edge {edge} of {}", self.len);
        let edge = edge as u32;
        let (first, rank) = self.runs[self.runs.partition_point(|(first, _)| *first <= edge) - 1];
        of_run(rank, edge - first)
    }
}

fn of_run(first: u32, index: u32) -> u32 {
    if first == LEFT_OUT { LEFT_OUT } else { first + index }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_come_back_whether_they_rise_or_not() {
        let all = [5, 6, 7, LEFT_OUT, LEFT_OUT, 8, 0, 1, 9, 2, LEFT_OUT, 0];
        let mut ranks = NewRanks::default();
        all.iter().for_each(|rank| ranks.push(*rank));
        assert_eq!((0..ranks.len()).map(|edge| ranks.get(edge)).collect::<Vec<u32>>(), all);
        assert_eq!(ranks.runs.len(), 8);
    }
}
