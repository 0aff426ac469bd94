//! Samples of a time, and the reported figures: median, longest, spread.

use std::time::{Duration, Instant};

/// Seconds of one piece of work, one sample for each round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples(Vec<f64>);

impl Samples {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64());
    }

    /// The median in seconds; 0 without samples.
    pub(crate) fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    }

    /// The longest sample in seconds; 0 without samples.
    pub(crate) fn longest(&self) -> f64 {
        self.0.iter().copied().fold(0.0, f64::max)
    }

    /// Half of the difference between the longest and the shortest sample, as a share of the median.
    pub(crate) fn spread(&self) -> f64 {
        let (least, most) = self.0.iter().fold((f64::MAX, 0f64), |(l, m), s| (l.min(*s), m.max(*s)));
        if self.0.is_empty() { 0.0 } else { (most - least) / 2.0 / self.median().max(f64::MIN_POSITIVE) }
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::json!(self.0)
    }
}

/// Adds the time of `work` to `total`.
pub(crate) fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    *total += start.elapsed();
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_and_the_spread_half_the_width() {
        let mut samples = Samples::default();
        for seconds in [3, 1, 2] {
            samples.add(Duration::from_secs(seconds));
        }
        assert_eq!((samples.median(), samples.longest(), samples.spread()), (2.0, 3.0, 0.5));
        assert_eq!((Samples::default().median(), Samples::default().spread()), (0.0, 0.0));
    }
}
