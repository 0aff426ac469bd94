//! [`Paired`]: the ratio of two sides that were measured in pairs, with its 95 % confidence interval.

use std::fmt;

use crate::record::figures::Figures;
use crate::record::results::Row;

/// The smallest number of pairs for which a 95 % interval exists.
pub const PAIRS_MIN: u32 = 6;

/// The median ratio of the pairs, and the 95 % interval of this median.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// The median.
    pub median: f64,
    /// The ends of the interval; `None` for fewer pairs than [`PAIRS_MIN`].
    pub interval: Option<(f64, f64)>,
}

impl Paired {
    /// The ratios of `after` to `before`; `None` if a side was not measured.
    pub fn of(row: &Row, before: &str, after: &str) -> Option<Self> {
        let pairs = row.sides.get(after)?.samples.iter().zip(&row.sides.get(before)?.samples);
        let mut samples: Vec<f64> =
            pairs.map(|(after, before)| after / before.max(f64::MIN_POSITIVE)).collect();
        samples.sort_unstable_by(f64::total_cmp);
        let outside = ratios_outside(samples.len());
        let interval = (samples.len() >= PAIRS_MIN as usize)
            .then(|| (samples[outside], samples[samples.len() - 1 - outside]));
        Some(Self { median: Figures { samples }.median()?, interval })
    }

    /// Whether the whole interval lies above `limit`.
    pub fn is_above(&self, limit: f64) -> bool {
        self.interval.is_some_and(|(low, _)| low > limit)
    }
}

impl fmt::Display for Paired {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = formatter.precision().unwrap_or(2);
        write!(formatter, "{:.digits$}", self.median)?;
        let Some((low, high)) = self.interval else { return Ok(()) };
        write!(formatter, " ({low:.digits$} to {high:.digits$})")
    }
}

/// The number of values, at each end of `count` sorted values, that lie outside of the 95 % interval of the
/// median. It is the largest number `n` with this property: by the binomial distribution, if many sets of
/// `count` values were drawn, fewer than 2.5 % of the sets would have at most `n` values on one given side of
/// the true median.
fn ratios_outside(count: usize) -> usize {
    let mut term = 0.5f64.powi(count as i32);
    let mut sum = 0.0;
    for below in 0..count {
        sum += term;
        if sum > 0.025 {
            return below.saturating_sub(1);
        }
        term *= (count - below) as f64 / (below + 1) as f64;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;

    fn paired(ratios: &[f64]) -> Paired {
        let mut row = Row::new("q", "q", Unit::Time);
        row.extend("before", vec![1e6; ratios.len()]);
        row.extend("after", ratios.iter().map(|ratio| ratio * 1e6));
        Paired::of(&row, "before", "after").unwrap()
    }

    #[test]
    fn the_interval_of_a_median_is_that_of_tables() {
        // The ends of the interval in David and Nagaraja: ranks 1 and 6 of 6 values, 2 and 9 of 10, 4 and 12
        // of 15, 6 and 15 of 20.
        assert_eq!([6, 10, 15, 20].map(ratios_outside), [0, 1, 3, 5]);
    }

    #[test]
    fn a_ratio_is_above_a_limit_if_its_whole_interval_is() {
        assert!(paired(&[1.05, 1.04, 1.06, 1.05, 1.07, 1.09]).is_above(1.03));
        assert!(!paired(&[1.05, 1.02, 1.06, 1.05, 1.07, 1.09]).is_above(1.03));
        assert!(!paired(&[1.05]).is_above(1.03));
    }

    #[test]
    fn a_ratio_has_its_interval_if_there_are_enough_pairs() {
        assert_eq!(format!("{:.3}", paired(&[1.1; 6])), "1.100 (1.100 to 1.100)");
        assert_eq!(paired(&[1.1, 1.2, 1.3]).to_string(), "1.20");
    }
}
