//! Values as text, the way Java writes them, and the hash that facts sum over.
//!
//! A float has as many digits as are needed to read back the same number, but at least two; of these the
//! nearest to the number; and an exponent below 0.001 and from 10,000,000 on. Java 19 and later print the
//! same.

use std::fmt::LowerExp;
use std::str::FromStr;

/// FNV-1a of 64 bits.
pub(super) fn fnv64(text: impl AsRef<[u8]>) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    text.as_ref().iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The text of a float of either width.
pub(super) fn float_text<Float: Copy + LowerExp + FromStr + PartialEq>(number: Float) -> String {
    java_text(&shortest_of_two_digits(number))
}

/// Rust writes 5e-324 where Java writes 4.9E-324: it takes one digit where one is enough, and goes up at a
/// tie.
fn shortest_of_two_digits<Float: Copy + LowerExp + FromStr + PartialEq>(number: Float) -> String {
    let shortest = format!("{number:e}");
    let digits = shortest.split('e').next().unwrap_or_default();
    let precision = digits.split_once('.').map_or(1, |(_, fraction)| fraction.len());
    let nearest = format!("{number:.precision$e}");
    let reads_back = nearest.parse().is_ok_and(|read: Float| read == number);
    if reads_back { nearest } else { shortest }
}

/// Rewrites `-1.25e-7` as Java does.
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

/// The digits with a point after the first `whole` of them, and at least one digit behind it.
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
