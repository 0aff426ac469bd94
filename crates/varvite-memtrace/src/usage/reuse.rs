//! [`Reuse`]: how many other cache lines a program uses between two uses of the same line.
//!
//! This number, the *reuse distance* or *stack distance*, tells which cache would have held the line: one of
//! more lines than the distance, if it replaces the line that was used longest ago. The algorithm is that of
//! Bennett and Kruskal, "LRU Stack Processing" (IBM Journal of Research and Development 19, 1975): a mark at
//! the last use of each line, and a tree of sums that counts the marks after a time. The tree is Fenwick's
//! ("A New Data Structure for Cumulative Frequency Tables", 1994).
//!
//! When the lines exceed the memory, half of them are left out, chosen by a hash of their number, then half
//! of the rest, and so on. A distance among a part of the lines, divided by that part, estimates the distance
//! among all of them: Waldspurger and others, "Efficient MRC Construction with SHARDS" (FAST 2015).
//!
//! When the times exceed the tree, the marks move to the first times, in the same order.

use std::collections::HashMap;

/// The estimated memory for a line, in bytes: its entry in a hash table that has just grown, and entries for
/// two times, each of a line and a sum.
const LINE_BYTES: usize = 2 * size_of::<(u64, u64)>() + 2 * (size_of::<u64>() + size_of::<u32>());
/// The fewest lines that are kept, even with less memory. A power of two.
const LINES_MIN: usize = 1 << 10;
/// The most lines that are kept: a `u32` numbers their times.
const LINES_MAX: usize = 1 << 30;

/// The reuse distances of a sequence of uses of lines, as a histogram.
pub(super) struct Reuse {
    /// The time of the last use of each line.
    last: HashMap<u64, u32>,
    /// The line that was used at each time. The time of its last use may be later.
    lines: Vec<u64>,
    /// Sums of marks, by time, as a Fenwick tree.
    sums: Vec<u32>,
    lines_max: usize,
    /// The number of lowest bits that must be zero in the hash of a line that is kept.
    skipped_bits: u32,
    /// The time at which the current window began.
    window: u32,
    /// The number of uses at each distance: 0, 1, 2 to 3, 4 to 7 and so on.
    counts: [u64; 64],
    first_uses: u64,
    uses: u64,
    before: Option<u64>,
}

impl Reuse {
    /// Begins without uses, in about `memory_bytes`.
    pub(super) fn new(memory_bytes: usize) -> Self {
        let lines_max = (memory_bytes / LINE_BYTES).clamp(LINES_MIN, LINES_MAX);
        Self {
            last: HashMap::new(),
            lines: Vec::new(),
            sums: Vec::new(),
            lines_max,
            skipped_bits: 0,
            window: 0,
            counts: [0; 64],
            first_uses: 0,
            uses: 0,
            before: None,
        }
    }

    /// Notes that a line is used.
    #[inline]
    pub(super) fn touch(&mut self, line: u64) {
        self.uses += 1;
        if self.before == Some(line) {
            self.counts[0] += u64::from(self.is_kept(line)) << self.skipped_bits;
            return;
        }
        self.before = Some(line);
        if self.is_kept(line) {
            self.touch_other(line);
        }
    }

    fn is_kept(&self, line: u64) -> bool {
        let hash = (line ^ line >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash ^ hash >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32 & ((1 << self.skipped_bits) - 1) == 0
    }

    fn touch_other(&mut self, line: u64) {
        if self.lines.len() == 2 * self.lines_max || self.lines.len() >= 2 * self.last.len().max(LINES_MIN) {
            self.move_together();
        }
        let now = self.lines.len() as u32;
        let weight = 1u64 << self.skipped_bits;
        match self.last.insert(line, now) {
            Some(last) => {
                let distance = self.last.len() as u64 - u64::from(self.sum_to(last));
                self.counts[bin(distance << self.skipped_bits)] += weight;
                self.add(last, u32::MAX);
            }
            None => self.first_uses += weight,
        }
        self.lines.push(line);
        self.push_mark();
        if self.last.len() > self.lines_max {
            self.skipped_bits += 1;
            self.move_together();
        }
    }

    /// Gives consecutive times to the last uses of the lines that are kept.
    fn move_together(&mut self) {
        let (lines, window) = (std::mem::take(&mut self.lines), self.window);
        self.sums.clear();
        self.window = 0;
        for (time, line) in (0..).zip(lines) {
            if self.last.get(&line) != Some(&time) {
                continue;
            }
            if !self.is_kept(line) {
                self.last.remove(&line);
                continue;
            }
            self.window += u32::from(time < window);
            self.last.insert(line, self.lines.len() as u32);
            self.lines.push(line);
            self.push_mark();
        }
    }

    /// Appends a mark for the newest time.
    fn push_mark(&mut self) {
        // A node of the tree has the sum of as many times as its number's lowest bit says.
        let node = self.sums.len() + 1;
        let (mut sum, mut child) = (1, 1);
        while child < node & node.wrapping_neg() {
            sum = self.sums[node - child - 1].wrapping_add(sum);
            child *= 2;
        }
        self.sums.push(sum);
    }

    /// Adds a number to the mark at a time.
    fn add(&mut self, time: u32, number: u32) {
        let mut node = time as usize + 1;
        while let Some(sum) = self.sums.get_mut(node - 1) {
            *sum = sum.wrapping_add(number);
            node += node & node.wrapping_neg();
        }
    }

    /// The number of marks up to a time, including it.
    fn sum_to(&self, time: u32) -> u32 {
        let (mut node, mut sum) = (time as usize + 1, 0u32);
        while node > 0 {
            sum = sum.wrapping_add(self.sums[node - 1]);
            node &= node - 1;
        }
        sum
    }

    /// Ends a window of time, and returns the number of different lines that were used in it.
    pub(super) fn end_window(&mut self) -> u64 {
        let before = self.window.checked_sub(1).map_or(0, |time| self.sum_to(time));
        let lines = (self.last.len() as u64 - u64::from(before)) << self.skipped_bits;
        self.window = self.lines.len() as u32;
        // The next use belongs to the next window, even if it is of the same line.
        self.before = None;
        lines
    }

    /// The number of the program's lines for each line that is kept.
    pub(super) fn one_in(&self) -> u64 {
        1 << self.skipped_bits
    }

    /// The number of uses of lines that were not used before.
    pub(super) fn first_uses(&self) -> u64 {
        self.first_uses
    }

    /// The number of uses at each distance: 0, 1, 2 to 3, 4 to 7 and so on. A sample may have too many or too
    /// few of the lines that a program uses most, so that the sum is not the number of uses. The difference
    /// is added to the shortest distance, as in the paper's SHARDS-adj.
    pub(super) fn counts(&self) -> [u64; 64] {
        let mut counts = self.counts;
        let sum = counts.iter().sum::<u64>() + self.first_uses;
        counts[0] = (counts[0] + self.uses).saturating_sub(sum);
        counts
    }
}

/// The index of the bin of a distance.
fn bin(distance: u64) -> usize {
    (64 - distance.leading_zeros() as usize).min(63)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The histogram and the number of first uses, by counting the lines between two uses.
    fn plain(lines: &[u64]) -> ([u64; 64], u64) {
        let (mut counts, mut first_uses) = ([0; 64], 0);
        for (now, line) in lines.iter().enumerate() {
            match lines[..now].iter().rposition(|other| other == line) {
                Some(last) => {
                    let between: std::collections::HashSet<_> = lines[last + 1..now].iter().collect();
                    counts[bin(between.len() as u64)] += 1;
                }
                None => first_uses += 1,
            }
        }
        (counts, first_uses)
    }

    fn reuse(lines: &[u64], memory_bytes: usize) -> Reuse {
        let mut reuse = Reuse::new(memory_bytes);
        lines.iter().for_each(|line| reuse.touch(*line));
        reuse
    }

    #[test]
    fn the_distance_is_the_number_of_other_lines_since() {
        let reuse = reuse(&[7, 7, 8, 9, 8, 7], 1 << 20);
        // 7 again at once; 8 after 9; 7 after 8 and 9.
        assert_eq!((reuse.counts()[..3].to_vec(), reuse.first_uses()), (vec![1, 1, 1], 3));
    }

    #[test]
    fn a_window_has_the_lines_that_were_used_in_it() {
        let mut reuse = reuse(&[1, 2, 3, 1], 1 << 20);
        assert_eq!(reuse.end_window(), 3);
        [1, 1, 5].into_iter().for_each(|line| reuse.touch(line));
        assert_eq!((reuse.end_window(), reuse.end_window()), (2, 0));
    }

    #[test]
    fn lines_beyond_the_memory_are_sampled_and_the_estimate_is_near() {
        // Two loops over 1,000 and 20,000 lines. The memory holds a sixteenth of them.
        let turn = |len: u64| (0..20).flat_map(move |_| 0..len);
        let lines: Vec<u64> = turn(1000).chain(turn(20_000).map(|line| line + 5000)).collect();
        let sampled = reuse(&lines, 0);
        assert!(sampled.one_in() >= 16 && sampled.last.len() <= LINES_MIN);
        let (counts, exact) = (sampled.counts(), reuse(&lines, 1 << 30).counts());
        let share = |counts: [u64; 64], bins: std::ops::Range<usize>| {
            counts[bins].iter().sum::<u64>() as f64 / lines.len() as f64
        };
        for bins in [14..17, 9..12] {
            let (found, expected) = (share(counts, bins.clone()), share(exact, bins));
            assert!((found - expected).abs() < 0.1, "{found} {expected}");
        }
    }

    proptest! {
        #[test]
        fn distances_are_those_of_counting(lines in proptest::collection::vec(0u64..40, 0..400)) {
            let reuse = reuse(&lines, 1 << 20);
            prop_assert_eq!((reuse.counts(), reuse.first_uses()), plain(&lines));
        }

    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn distances_survive_that_times_move_together(seed in any::<u64>()) {
            let mut state = seed;
            let lines: Vec<u64> = (0..6000).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) % 50
            }).collect();
            let reuse = reuse(&lines, 1 << 20);
            prop_assert_eq!((reuse.counts(), reuse.first_uses()), plain(&lines));
        }
    }
}
