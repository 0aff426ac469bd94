//! [`FilePages`]: an estimate of the resident file pages that belong to a group of graphs.

use std::time::Instant;

/// Pages are not counted again if the bytes of file pages have decreased by at most this number. Such
/// decreases also occur because the system updates its figure in batches.
const SHRINK_MIN: u64 = 1 << 20;
/// The pause after a count, as a multiple of the time that the count took.
const COUNT_PAUSE: u32 = 20;

/// The latest figures about the resident file pages of the process.
#[derive(Clone, Copy, Debug)]
pub(super) struct FilePages {
    /// The resident bytes of files outside the group at the last count.
    pub(super) others: u64,
    /// The resident bytes of all files at the last check.
    pub(super) last: u64,
    /// The number of bytes by which resident file pages have decreased since the last count.
    fallen: u64,
    /// The earliest time of the next count. A count takes long if there are many files.
    count_at: Option<Instant>,
}

impl FilePages {
    pub(super) fn new(others: u64) -> Self {
        Self { others, last: others, fallen: 0, count_at: None }
    }

    /// Makes the next check count the pages again.
    pub(super) fn count_next(&mut self) {
        self.fallen = u64::MAX;
    }

    /// An upper bound of the group's part of the `file` resident bytes of the process. If the number of these
    /// bytes has decreased since the last count, counts the pages of the group.
    pub(super) fn of_maps(&mut self, file: u64, count: impl FnOnce() -> Option<u64>) -> u64 {
        self.fallen = self.fallen.saturating_add(self.last.saturating_sub(file));
        self.last = file;
        if self.fallen > SHRINK_MIN && self.count_at.is_none_or(|at| Instant::now() >= at) {
            let start = Instant::now();
            self.note(file, count().unwrap_or(file));
            self.count_at = Some(Instant::now() + start.elapsed() * COUNT_PAUSE);
        }
        file.saturating_sub(self.others)
    }

    /// Records the result of a count: `of_maps` of the `file` resident bytes belong to the group.
    pub(super) fn note(&mut self, file: u64, of_maps: u64) {
        *self = Self { last: file, count_at: self.count_at, ..Self::new(file.saturating_sub(of_maps)) };
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn pages_that_come_are_of_the_map() {
        let mut pages = FilePages::new(10 << 20);
        let never = || -> Option<u64> { panic!("nothing is counted") };
        assert_eq!(pages.of_maps(25 << 20, never), 15 << 20);
        assert_eq!(pages.of_maps(25 << 20, never), 15 << 20);
    }

    #[test]
    fn pages_that_go_are_a_reason_to_count() {
        let mut pages = FilePages { last: 40 << 20, ..FilePages::new(10 << 20) };
        assert_eq!(pages.of_maps(30 << 20, || Some(25 << 20)), 25 << 20);
        assert_eq!(pages.of_maps(32 << 20, || None), 27 << 20);
    }

    #[test]
    fn pages_that_go_little_by_little_are_counted_too() {
        let mut pages = FilePages::new(100 << 20);
        let never = || -> Option<u64> { panic!("nothing is counted") };
        // Other files are closed, and then the group reads the same number of bytes.
        let less = (100 << 20) - SHRINK_MIN / 2;
        for file in [less, 100 << 20, less, 100 << 20] {
            pages.of_maps(file, never);
        }
        assert_eq!(pages.of_maps(less, || Some(50 << 20)), 50 << 20);
    }

    #[test]
    fn counts_that_take_long_are_rare() {
        let mut pages = FilePages::new(100 << 20);
        let slow = || {
            std::thread::sleep(Duration::from_millis(50));
            Some(1)
        };
        assert_eq!(pages.of_maps(90 << 20, slow), 1);
        pages.of_maps(80 << 20, || panic!("counted at once"));
        pages.count_at = Some(Instant::now());
        assert_eq!(pages.of_maps(80 << 20, || Some(2)), 2);
    }
}
