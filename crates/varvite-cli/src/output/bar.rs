//! [`bar`]: a small bar, to compare the numbers of a column at a glance.

/// The length of the longest bar, in characters.
const WIDTH: u64 = 12;
/// The character for the eighths that are left after whole characters.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar with the length that `number` has if `longest` has the longest bar. Only zero has no bar.
pub(crate) fn bar(number: u64, longest: u64) -> String {
    let eighths = u128::from(number) * u128::from(8 * WIDTH) / u128::from(longest.max(1));
    let eighths = (eighths as usize).max(usize::from(number > 0)).min(8 * WIDTH as usize);
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_has_the_length_of_its_share() {
        let bars = [(0, 10), (1, u64::MAX), (5, 10), (10, 10), (0, 0)].map(|(number, all)| bar(number, all));
        assert_eq!(bars, ["", "▏", "██████", "████████████", ""]);
        assert_eq!((bar(11, 96), bar(u64::MAX, 1)), ("█▍".to_owned(), "█".repeat(12)));
    }
}
