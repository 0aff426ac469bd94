//! [`Figures`]: the samples of one measure on one side, and their text on pages: medians with their spread,
//! ratios of medians, times and sizes with three digits.

use serde_json::{Value, json};

/// The unit of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// Bytes; a megabyte is a million.
    Size,
    /// A number of things.
    Count,
}

impl Unit {
    /// The name of the unit in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "ns",
            Self::Size => "bytes",
            Self::Count => "count",
        }
    }

    /// The unit that has this name in results; `None` if there is none.
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Time, Self::Size, Self::Count].into_iter().find(|unit| unit.name() == name)
    }

    /// The units in which pages show figures, in rising order, each with its size in the base unit
    /// (nanoseconds or bytes).
    fn steps(self) -> &'static [(f64, &'static str)] {
        match self {
            Self::Time => &[(1.0, "ns"), (1e3, "µs"), (1e6, "ms"), (1e9, "s")],
            Self::Size => &[(1.0, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB")],
            Self::Count => &[(1.0, "times")],
        }
    }
}

/// The samples of one measure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// The samples, in the order of measurement.
    pub samples: Vec<f64>,
}

impl Figures {
    /// The middle sample, or the mean of the two in the middle. None without samples.
    pub fn median(&self) -> Option<f64> {
        let sorted = self.sorted();
        let middle = sorted.len() / 2;
        let upper = *sorted.get(middle)?;
        Some(if sorted.len() % 2 == 1 { upper } else { (sorted[middle - 1] + upper) / 2.0 })
    }

    /// The least sample that is not exceeded by the share `part` of all samples: with 0.99, one sample in a
    /// hundred is greater.
    pub fn quantile(&self, part: f64) -> Option<f64> {
        let sorted = self.sorted();
        let rank = (part * sorted.len() as f64).ceil() as usize;
        sorted.get(rank.max(1) - 1).copied()
    }

    /// The least sample.
    pub fn min(&self) -> Option<f64> {
        self.sorted().first().copied()
    }

    /// The greatest sample.
    pub fn max(&self) -> Option<f64> {
        self.sorted().last().copied()
    }

    fn sorted(&self) -> Vec<f64> {
        let mut sorted = self.samples.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted
    }

    /// The median and its spread, as `1.50 ms (1.36-1.71)`; without the spread if all samples give the same
    /// text.
    pub fn text(&self, unit: Unit) -> String {
        let (Some(median), Some(min), Some(max)) = (self.median(), self.min(), self.max()) else {
            return "-".into();
        };
        let (scale, name) = step_of(median, unit);
        let (low, high) = (digits(min / scale), digits(max / scale));
        let spread = if low == high { String::new() } else { format!(" ({low}-{high})") };
        format!("{} {name}{spread}", digits(median / scale))
    }

    /// The samples as JSON, for the results file.
    pub fn json(&self) -> Value {
        self.samples.iter().copied().map(number).collect()
    }

    /// Reads samples from the results file; `None` if the value is not a list of numbers.
    pub fn of_json(value: &Value) -> Option<Self> {
        let samples = value.as_array()?.iter().map(Value::as_f64);
        Some(Self { samples: samples.collect::<Option<_>>()? })
    }
}

/// A figure as a JSON number; a whole figure becomes an integer.
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { json!(value as u64) } else { json!(value) }
}

/// The text of one figure on pages.
pub fn text_of(value: f64, unit: Unit) -> String {
    let (scale, name) = step_of(value, unit);
    format!("{} {name}", digits(value / scale))
}

/// The median of `theirs` divided by that of `ours`. Above 1, Varvite is faster or needs less memory.
pub fn ratio(theirs: &Figures, ours: &Figures) -> Option<f64> {
    let (theirs, ours) = (theirs.median()?, ours.median()?);
    (ours > 0.0).then_some(theirs / ours)
}

/// The text of a ratio, with one or two decimals below 10; a ratio below 0.1 is `1/N`.
pub fn ratio_text(ratio: f64) -> String {
    match ratio {
        r if r >= 10.0 => format!("{r:.0}"),
        r if r >= 1.0 => format!("{r:.1}"),
        r if r >= 0.1 => format!("{r:.2}"),
        r => format!("1/{:.0}", 1.0 / r),
    }
}

fn step_of(value: f64, unit: Unit) -> (f64, &'static str) {
    let steps = unit.steps();
    // Without this factor, a value just below the next unit would be rounded to four digits.
    *steps.iter().rev().find(|(scale, _)| value >= 0.9995 * scale).unwrap_or(&steps[0])
}

/// The text of a value with three digits, or with all digits of its integer part if it has more than three.
fn digits(value: f64) -> String {
    match value {
        0.0 => "0".into(),
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

/// The text of a count, with its digits in groups of three.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(samples: &[f64]) -> Figures {
        Figures { samples: samples.to_vec() }
    }

    #[test]
    fn the_median_is_the_middle_or_between_the_two_in_the_middle() {
        assert_eq!(figures(&[3.0, 1.0, 2.0]).median(), Some(2.0));
        assert_eq!(figures(&[4.0, 1.0, 2.0, 3.0]).median(), Some(2.5));
        assert_eq!(figures(&[]).median(), None);
    }

    #[test]
    fn a_quantile_is_a_sample() {
        let samples: Vec<f64> = (1..=100).map(f64::from).collect();
        let all = figures(&samples);
        assert_eq!(
            [0.0, 0.5, 0.9, 0.99, 1.0].map(|part| all.quantile(part)),
            [1.0, 50.0, 90.0, 99.0, 100.0].map(Some)
        );
        assert_eq!(figures(&[]).quantile(0.5), None);
    }

    #[test]
    fn a_figure_has_its_spread_in_its_own_unit() {
        assert_eq!(figures(&[1.5e6, 1.36e6, 14.8e6]).text(Unit::Time), "1.50 ms (1.36-14.8)");
        assert_eq!(figures(&[2e9]).text(Unit::Size), "2.00 GB");
        assert_eq!(figures(&[]).text(Unit::Time), "-");
    }

    #[test]
    fn figures_have_three_digits_across_units() {
        let texts =
            [999.0, 999.9, 1234.0, 99_960.0, 999_960.0, 460_138_468.0].map(|v| text_of(v, Unit::Size));
        assert_eq!(texts, ["999 B", "1.00 kB", "1.23 kB", "100 kB", "1.00 MB", "460 MB"]);
    }

    #[test]
    fn the_ratio_is_theirs_over_ours() {
        assert_eq!(ratio(&figures(&[6.0]), &figures(&[2.0])), Some(3.0));
        assert_eq!(ratio(&figures(&[6.0]), &figures(&[0.0])), None);
        assert_eq!([0.004, 0.456, 4.56, 45.6].map(ratio_text), ["1/250", "0.46", "4.6", "46"]);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 1234, 16_500_000].map(thousands).join(" "), "7 1,234 16,500,000");
    }
}
