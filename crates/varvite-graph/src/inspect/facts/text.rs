//! Writes values as text in the same form as Java, and hashes texts for the sums in facts.
//!
//! A float is written with the least number of digits, but at least two, that read back as the same number.
//! If several texts of that length read back, the nearest to the number is written. Numbers below 0.001, and
//! numbers of 10,000,000 or more, are written with an exponent. Java 19 and later print the same texts.

use std::fmt::LowerExp;
use std::str::FromStr;

/// The 64-bit FNV-1a hash.
pub(super) fn fnv64(text: impl AsRef<[u8]>) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    text.as_ref().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The text of a 32-bit or 64-bit float.
pub(super) fn float_text<Float: Copy + LowerExp + FromStr + PartialEq>(number: Float) -> String {
    java_text(&shortest_of_two_digits(number))
}

/// The shortest text, of at least two digits, that reads back as `number`, in scientific notation. Rust's own
/// text differs from Java's: Rust writes 5e-324, with one digit, where Java writes 4.9E-324, and Rust rounds
/// ties up.
fn shortest_of_two_digits<Float: Copy + LowerExp + FromStr + PartialEq>(number: Float) -> String {
    let shortest = format!("{number:e}");
    let digits = shortest.split('e').next().unwrap_or_default();
    let precision = digits.split_once('.').map_or(1, |(_, fraction)| fraction.len());
    let nearest = format!("{number:.precision$e}");
    let reads_back = nearest.parse().is_ok_and(|read: Float| read == number);
    if reads_back { nearest } else { shortest }
}

/// Rewrites scientific notation such as `-1.25e-7` in the form of Java.
fn java_text(scientific: &str) -> String {
    let (sign, size) = match scientific.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", scientific),
    };
    let Some((mantissa, exponent)) = size.split_once('e') else {
        return if size == "inf" { format!("{sign}Infinity") } else { size.to_owned() };
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    match exponent {
        -3..0 => format!("{sign}0.{}{digits}", "0".repeat(-exponent as usize - 1)),
        0..7 => format!("{sign}{}", with_point_at(exponent as usize + 1, digits)),
        _ => format!("{sign}{}E{exponent}", with_point_at(1, digits)),
    }
}

/// The digits with a decimal point after the first `whole` digits, and at least one digit after the point.
fn with_point_at(whole: usize, digits: &str) -> String {
    let padded = format!("{digits:0<width$}", width = whole + 1);
    format!("{}.{}", &padded[..whole], &padded[whole..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_published_ones() {
        assert_eq!(fnv64(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv64("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv64("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn floats_read_as_in_java() {
        let doubles = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (100.0, "100.0"),
            (0.001, "0.001"),
            (0.00099, "9.9E-4"),
            (9_999_999.0, "9999999.0"),
            (10_000_000.0, "1.0E7"),
            (5e-324, "4.9E-324"),
            (2e23, "2.0E23"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (number, text) in doubles {
            assert_eq!(float_text(number), text);
        }
        assert_eq!(float_text(0.1f32), "0.1");
        assert_eq!(float_text(f32::MAX), "3.4028235E38");
    }
}
