//! Formats numbers for users: digits in groups, sizes in units, counts with their nouns.

/// A number with its digits in groups of three.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A number of bytes as text, in a unit that needs few digits, such as `12.5 MB`.
pub fn sized(bytes: u64) -> String {
    match bytes {
        0..1_000 => counted(bytes, "byte"),
        1_000..999_950 => format!("{:.1} kB", bytes as f64 / 1e3),
        999_950..10_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// A count with its noun: `1 node`, `2 nodes`, `2 processes`.
pub fn counted(number: u64, noun: &str) -> String {
    let ending = match (number, noun.ends_with('s')) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{} {noun}{ending}", thousands(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_a_noun_of_their_number() {
        let counts = [(1, "node"), (0, "node"), (1, "process"), (2000, "process")];
        let counts = counts.map(|(number, noun)| counted(number, noun));
        assert_eq!(counts, ["1 node", "0 nodes", "1 process", "2,000 processes"]);
    }

    #[test]
    fn sizes_have_few_digits() {
        let sizes = [0, 1, 999, 1_000, 14_513, 999_949, 999_950, 9_876_543_210, 1 << 40].map(sized);
        let expected = [
            "0 bytes",
            "1 byte",
            "999 bytes",
            "1.0 kB",
            "14.5 kB",
            "999.9 kB",
            "1.0 MB",
            "9876.5 MB",
            "1099.5 GB",
        ];
        assert_eq!(sizes, expected);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 16_490_240].map(thousands), ["0", "999", "1,000", "16,490,240"]);
        assert_eq!([counted(1, "row"), counted(1234, "row")], ["1 row", "1,234 rows"]);
    }
}
