//! [`RankedBits`]: a set of numbers in memory as a bitmap, with ranks in constant time.

/// A set of numbers below some limit.
#[derive(Debug)]
pub struct RankedBits {
    words: Box<[u64]>,
    /// For each word, the number of members in all words before it.
    ranks: Box<[u32]>,
}

impl RankedBits {
    /// Bytes that a set of numbers below `limit` takes.
    #[doc(hidden)]
    #[inline]
    pub fn bytes(limit: u32) -> u64 {
        u64::from(limit).div_ceil(64) * 12
    }

    /// Makes a set. `fill` is called with a function that adds a member; members that are not below `limit`
    /// are ignored.
    #[doc(hidden)]
    pub fn of(limit: u32, fill: impl FnOnce(&mut dyn FnMut(u32))) -> Self {
        let mut words = vec![0; (limit as usize).div_ceil(64)].into_boxed_slice();
        fill(&mut |member| {
            if let Some(word) = words.get_mut(member as usize / 64) {
                *word |= 1 << (member % 64);
            }
        });
        let ranks = words.iter().scan(0u32, |sum, word: &u64| {
            *sum += word.count_ones();
            Some(*sum - word.count_ones())
        });
        Self { ranks: ranks.collect(), words }
    }

    #[inline(always)]
    #[doc(hidden)]
    pub fn contains(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// The number of members.
    #[doc(hidden)]
    #[inline]
    pub fn count(&self) -> u32 {
        self.words.last().zip(self.ranks.last()).map_or(0, |(word, rank)| rank + word.count_ones())
    }

    /// The number of members below `number`.
    #[inline]
    #[doc(hidden)]
    pub fn rank(&self, number: u32) -> usize {
        let index = number as usize / 64;
        match self.words.get(index).zip(self.ranks.get(index)) {
            Some((word, rank)) => (rank + (word & ((1 << (number % 64)) - 1)).count_ones()) as usize,
            None => self.count() as usize,
        }
    }

    /// The members, ascending.
    #[doc(hidden)]
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.words).flat_map(|(index, word)| {
            std::iter::successors(Some(*word), |left| Some(left & left.wrapping_sub(1)))
                .take_while(|left| *left != 0)
                .map(move |left| index * 64 + left.trailing_zeros())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_have_the_ranks_of_their_order() {
        let members = [0, 1, 63, 64, 130, 191, 199];
        let bits =
            RankedBits::of(200, |add| members.iter().chain(&[256, u32::MAX]).for_each(|member| add(*member)));
        assert!(bits.iter().eq(members));
        assert_eq!(bits.count(), 7);
        for number in 0..300 {
            assert_eq!(bits.contains(number), members.contains(&number), "{number}");
            assert_eq!(bits.rank(number), members.iter().filter(|member| **member < number).count());
        }
        assert!(RankedBits::of(0, |_| ()).iter().next().is_none());
    }
}
