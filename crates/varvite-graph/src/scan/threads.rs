//! [`threads_within`]: the number of threads whose jobs fit into memory.

/// The largest number of threads, at most `threads`, whose jobs fit into `room` bytes even if the largest
/// jobs run at the same time. `jobs` holds the bytes of each job. `None` if the largest job alone does not
/// fit.
pub fn threads_within(mut jobs: Vec<u64>, room: u64, threads: usize) -> Option<usize> {
    jobs.sort_unstable_by(|one, other| other.cmp(one));
    let fits = |threads: &usize| jobs.iter().take(*threads).sum::<u64>() <= room;
    (1..=threads.clamp(1, jobs.len().max(1))).rev().find(fits)
}

#[cfg(test)]
mod tests {
    use super::threads_within;

    #[test]
    fn the_largest_jobs_meet() {
        let within = |room, threads| threads_within(vec![1, 30, 20], room, threads);
        assert_eq!([50, 51].map(|room| within(room, 8)), [Some(2), Some(3)]);
        assert_eq!([29, 30].map(|room| within(room, 8)), [None, Some(1)]);
        assert_eq!([0, 1, 2].map(|threads| within(100, threads)), [Some(1), Some(1), Some(2)]);
        assert_eq!(threads_within(vec![], 0, 8), Some(1));
    }
}
