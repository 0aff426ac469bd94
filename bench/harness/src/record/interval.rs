//! The 95 % interval of a median, and the ratios of pairs.

use crate::record::figures::Figures;

/// The least number of pairs for which a 95 % interval exists.
pub const PAIRS_MIN: u32 = 6;

/// The 95 % interval of the median of sorted values.
pub(crate) fn interval_of(sorted: &[f64]) -> (f64, f64) {
    let below = ratios_outside(sorted.len());
    (sorted[below], sorted[sorted.len() - 1 - below])
}

/// The number of values, on each side of `count` sorted values, that lie outside of the 95 % interval of the
/// median. It is the largest number `n` with this property: by the binomial distribution, fewer than 2.5 % of
/// all samples have at most `n` values on one side of the true median.
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

/// The ratios of pairs, after to before, rising.
pub(crate) fn ratios_of(before: &Figures, after: &Figures) -> Figures {
    let pairs = after.samples.iter().zip(&before.samples);
    let mut samples: Vec<f64> = pairs.map(|(after, before)| after / before).collect();
    samples.sort_unstable_by(f64::total_cmp);
    Figures { samples }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_median_is_that_of_tables() {
        // David and Nagaraja: the ranks 1 and 6 of 6 values, 2 and 9 of 10, 4 and 12 of 15, 6 and 15 of 20.
        assert_eq!([6, 10, 15, 20].map(ratios_outside), [0, 1, 3, 5]);
    }
}
