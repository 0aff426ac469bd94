//! [`Timeline`]: the memory in use during a run.

/// Maximum number of intervals. If there would be more, pairs of intervals are merged.
const MOMENTS_MAX: usize = 4096;
/// Number of milliseconds of an interval in a short run. This is heaptrack's interval between time stamps.
const INTERVAL_MS: u64 = 10;

/// The memory in use during a run, with a [`Moment`] for each of at most 4,096 intervals of equal length. If
/// a run is longer, its intervals are longer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The millisecond in which the first interval begins.
    pub from_ms: u64,
    /// Length of an interval in milliseconds.
    pub interval_ms: u64,
    /// The intervals from `from_ms` on.
    pub moments: Vec<Moment>,
}

/// The memory in use and the calls in an interval of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// The number of calls of functions that allocate.
    pub calls: i64,
    /// The number of bytes in use at the end of the interval.
    pub live_bytes: i64,
    /// The maximum number of bytes in use within the interval.
    pub peak_bytes: i64,
    /// The largest sample of the process's resident memory in bytes; 0 if there is no sample.
    pub resident_bytes: u64,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { from_ms: 0, interval_ms: INTERVAL_MS, moments: Vec::new() }
    }
}

impl Timeline {
    /// The beginning of an interval, in milliseconds of the run.
    pub fn begins_at(&self, interval: usize) -> u64 {
        self.from_ms.saturating_add(self.interval_ms.saturating_mul(interval as u64))
    }

    /// Adds the counts of a period that begins at a millisecond of the run. Periods must be added in the
    /// order of time; if a period comes too late, its counts are added to the last interval.
    pub(crate) fn add(&mut self, ms: u64, moment: Moment) {
        while ms / self.interval_ms >= MOMENTS_MAX as u64 {
            self.lengthen();
        }
        let place = (ms / self.interval_ms) as usize;
        let last = self.moments.last().copied().unwrap_or_default();
        // An interval without events has the values of the last interval before it that has events.
        let still = Moment { calls: 0, peak_bytes: last.live_bytes, ..last };
        if place > self.moments.len() {
            self.moments.resize(place, still);
        }
        if place == self.moments.len() {
            self.moments.push(moment.after(still));
        } else if let Some(last) = self.moments.last_mut() {
            *last = last.then(moment);
        }
    }

    /// Makes intervals twice as long, by merging pairs.
    fn lengthen(&mut self) {
        self.interval_ms *= 2;
        let pairs = self.moments.chunks(2).map(|pair| match pair {
            [first, second] => first.then(*second),
            pair => pair[0],
        });
        self.moments = pairs.collect();
    }

    /// The timeline with at most `count` intervals. Each interval of the result is made from several of the
    /// current intervals.
    pub fn in_intervals(&self, count: usize) -> Self {
        let together = self.moments.len().div_ceil(count.max(1)).max(1);
        let moments = self
            .moments
            .chunks(together)
            .filter_map(|several| several.iter().copied().reduce(|first, second| first.then(second)));
        let interval_ms = self.interval_ms.saturating_mul(together as u64);
        Self { from_ms: self.from_ms, interval_ms, moments: moments.collect() }
    }
}

impl Moment {
    /// Merges this interval with the next one.
    fn then(self, next: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(next.calls),
            live_bytes: next.live_bytes,
            peak_bytes: self.peak_bytes.max(next.peak_bytes),
            resident_bytes: self.resident_bytes.max(next.resident_bytes),
        }
    }

    /// This interval, adjusted for the memory in use at its beginning, which is the memory in use at the end
    /// of the previous interval, `still`.
    fn after(self, still: Self) -> Self {
        Self {
            peak_bytes: self.peak_bytes.max(still.live_bytes),
            resident_bytes: if self.resident_bytes == 0 { still.resident_bytes } else { self.resident_bytes },
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(calls: i64, live_bytes: i64, peak_bytes: i64, resident_bytes: u64) -> Moment {
        Moment { calls, live_bytes, peak_bytes, resident_bytes }
    }

    #[test]
    fn an_interval_has_all_that_happened_in_it() {
        let mut timeline = Timeline::default();
        timeline.add(0, moment(2, 5, 9, 100));
        timeline.add(9, moment(1, 4, 6, 300));
        timeline.add(10, moment(3, 1, 2, 0));
        assert_eq!(timeline.moments, [moment(3, 4, 9, 300), moment(3, 1, 4, 300)]);
    }

    #[test]
    fn nothing_changes_as_long_as_nothing_is_told() {
        let mut timeline = Timeline::default();
        timeline.add(0, moment(2, 5, 9, 100));
        timeline.add(35, moment(1, 8, 8, 0));
        let still = moment(0, 5, 5, 100);
        assert_eq!(timeline.moments, [moment(2, 5, 9, 100), still, still, moment(1, 8, 8, 100)]);
    }

    #[test]
    fn a_long_run_has_long_intervals_and_the_same_sums() {
        let mut timeline = Timeline::default();
        for ms in (0..1_000_000).step_by(7) {
            timeline.add(ms, moment(1, ms as i64, ms as i64 + 3, 0));
        }
        assert_eq!((timeline.interval_ms, timeline.moments.len()), (320, 3125));
        assert_eq!(timeline.moments.iter().map(|it| it.calls).sum::<i64>(), 142_858);
        assert_eq!(timeline.moments[3124], moment(46, 999_999, 1_000_002, 0));
    }

    #[test]
    fn any_time_finds_an_interval() {
        let mut timeline = Timeline::default();
        timeline.add(3, moment(1, 1, 1, 1));
        timeline.add(u64::MAX, moment(1, 2, 2, 1));
        // A call that comes too late.
        timeline.add(0, moment(1, 3, 3, 1));
        assert!(timeline.moments.len() <= MOMENTS_MAX);
        assert_eq!(timeline.moments.last(), Some(&moment(2, 3, 3, 1)));
        assert_eq!(timeline.moments.iter().map(|it| it.calls).sum::<i64>(), 3);
    }

    #[test]
    fn fewer_intervals_have_the_same_sums() {
        let mut timeline = Timeline::default();
        (0..10).for_each(|it| timeline.add(10 * it, moment(1, it as i64, it as i64, 0)));
        let few = timeline.in_intervals(4);
        assert_eq!((few.interval_ms, few.moments.len()), (30, 4));
        assert_eq!(few.moments[0], moment(3, 2, 2, 0));
        assert_eq!(few.moments.iter().map(|it| it.calls).sum::<i64>(), 10);
        assert_eq!(timeline.in_intervals(0).moments.len(), 1);
    }
}
