//! [`Pairing`]: pairs the entries of an edge list with those of the other graph's list.
//!
//! Among several edges between the same two nodes, the k-th in one list is paired with the k-th in the other.

/// Pairs of entries of two lists.
#[derive(Default)]
pub(super) struct Pairing {
    /// For each entry of the first list, the index of its partner in the second list, or [`UNPAIRED`].
    pub(super) second_of_first: Vec<u32>,
    /// For each entry of the second list, the index of its partner in the first list, or [`UNPAIRED`].
    pub(super) first_of_second: Vec<u32>,
    sorted: [Vec<(u32, u32)>; 2],
}

pub(super) const UNPAIRED: u32 = u32::MAX;

impl Pairing {
    /// Pairs the entries of two lists. Both lists contain nodes of the second graph. An entry of the first
    /// list is `None` if its node has no partner in the second graph.
    pub(super) fn of(&mut self, first: &[Option<u32>], second: &[u32]) {
        self.second_of_first.clear();
        self.first_of_second.clear();
        let are_same = first.len() == second.len()
            && first.iter().zip(second).all(|(first, second)| *first == Some(*second));
        if are_same {
            self.second_of_first.extend(0..first.len() as u32);
            self.first_of_second.extend(0..first.len() as u32);
            return;
        }
        self.second_of_first.resize(first.len(), UNPAIRED);
        self.first_of_second.resize(second.len(), UNPAIRED);
        self.sorted.iter_mut().for_each(Vec::clear);
        self.sorted[0].extend((0..).zip(first).filter_map(|(place, node)| Some(((*node)?, place))));
        self.sorted[1].extend((0..).zip(second).map(|(place, node)| (*node, place)));
        self.sorted.iter_mut().for_each(|sorted| sorted.sort_unstable());
        let mut next = self.sorted[1].iter().peekable();
        for (node, place) in &self.sorted[0] {
            while next.next_if(|(other, _)| other < node).is_some() {}
            if let Some((_, other)) = next.next_if(|(other, _)| other == node) {
                self.second_of_first[*place as usize] = *other;
                self.first_of_second[*other as usize] = *place;
            }
        }
    }

    /// Whether the paired entries are in the same order in both lists.
    pub(super) fn is_in_order(&self) -> bool {
        self.second_of_first.iter().filter(|place| **place != UNPAIRED).is_sorted()
    }

    /// Whether both lists are equal.
    pub(super) fn is_same(&self) -> bool {
        self.second_of_first.len() == self.first_of_second.len()
            && (0..).zip(&self.first_of_second).all(|(place, other)| *other == place)
    }

    /// The number of entries at the start of the second list that are paired and have the same order in the
    /// first list.
    pub(super) fn prefix(&self) -> usize {
        let mut last = None;
        let is_next = |place: &&u32| {
            let rises = **place != UNPAIRED && last.is_none_or(|last| last < **place);
            last = Some(**place);
            rises
        };
        self.first_of_second.iter().take_while(is_next).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(first: &[u32], second: &[u32]) -> (Vec<u32>, bool, usize) {
        let mut pairing = Pairing::default();
        let first: Vec<Option<u32>> = first.iter().map(|node| Some(*node).filter(|node| *node > 0)).collect();
        pairing.of(&first, second);
        let places = pairing.second_of_first.iter().map(|place| place.wrapping_add(1)).collect();
        (places, pairing.is_in_order(), pairing.prefix())
    }

    #[test]
    fn parallel_edges_are_paired_in_their_order() {
        assert_eq!(paired(&[7, 8, 7], &[7, 8, 7]), (vec![1, 2, 3], true, 3));
        assert_eq!(paired(&[7, 8, 7], &[7, 7, 8]), (vec![1, 3, 2], false, 2));
        assert_eq!(paired(&[7, 7], &[9, 7]), (vec![2, 0], true, 0));
    }

    #[test]
    fn what_has_no_partner_is_in_no_pair() {
        assert_eq!(paired(&[0, 8, 0], &[5, 8]), (vec![0, 2, 0], true, 0));
        assert_eq!(paired(&[], &[5]), (vec![], true, 0));
        assert_eq!(paired(&[5, 6], &[5, 4, 6]), (vec![1, 3], true, 1));
    }
}
