//! Floating-point numbers as texts, in the form of Java 19 and later, because the tests compare facts about a
//! graph with those that Java programs computed. A text has as many digits as are needed to read back the
//! same number, but at least two. Of all texts with that many digits, the one nearest to the number is
//! chosen; if two are equally near, the one with an even last digit. Numbers below 0.001 and numbers from
//! 10,000,000 on are written with an exponent.

use std::fmt::LowerExp;
use std::str::FromStr;

/// The text of `Float.toString`.
pub(crate) fn f32_text(number: f32) -> String {
    java_text(scientific(number))
}

/// The text of `Double.toString`.
pub(crate) fn f64_text(number: f64) -> String {
    java_text(scientific(number))
}

/// The number in scientific notation with Java's digits. They differ from the shortest digits in Rust, which
/// are rounded up at a tie and may be a single digit: Rust writes 5e-324, but Java 4.9E-324.
fn scientific<Float: Copy + LowerExp + FromStr + PartialEq>(number: Float) -> String {
    let shortest = format!("{number:e}");
    let mantissa = shortest.split('e').next().unwrap_or_default();
    let precision = mantissa.split_once('.').map_or(1, |(_, fraction)| fraction.len());
    let nearest = format!("{number:.precision$e}");
    let reads_back = nearest.parse().is_ok_and(|read: Float| read == number);
    if reads_back { nearest } else { shortest }
}

/// Rewrites a number such as `-1.25e-7` in Java's form.
fn java_text(scientific: String) -> String {
    let (sign, size) = match scientific.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", scientific.as_str()),
    };
    let Some((mantissa, exponent)) = size.split_once('e') else {
        return if size == "inf" { format!("{sign}Infinity") } else { size.to_string() };
    };
    let exponent: i32 = exponent.parse().expect("Rust writes the exponent as an integer");
    let digits = mantissa.replace('.', "");
    let digits = digits.trim_end_matches('0');
    match exponent {
        -3..0 => format!("{sign}0.{}{digits}", "0".repeat(-exponent as usize - 1)),
        0..7 => format!("{sign}{}", with_point_at(exponent as usize + 1, digits)),
        _ => format!("{sign}{}E{exponent}", with_point_at(1, digits)),
    }
}

/// The digits, with a decimal point after the first `whole` digits and at least one digit after the point.
fn with_point_at(whole: usize, digits: &str) -> String {
    let padded = format!("{digits:0<width$}", width = whole + 1);
    format!("{}.{}", &padded[..whole], &padded[whole..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_read_as_in_java() {
        let cases = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (100.0, "100.0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.001, "0.001"),
            (0.00099, "9.9E-4"),
            (9_999_999.0, "9999999.0"),
            (10_000_000.0, "1.0E7"),
            (-12_345_678.5, "-1.23456785E7"),
            (2e23, "2.0E23"),
            (5e-324, "4.9E-324"),
            (2f64.powi(-44), "5.684341886080802E-14"),
            (f64::MAX, "1.7976931348623157E308"),
            (f64::NAN, "NaN"),
            (-f64::NAN, "NaN"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ];
        for (number, text) in cases {
            assert_eq!(f64_text(number), text);
        }
    }

    #[test]
    fn floats_have_the_digits_of_their_own_width() {
        assert_eq!(f32_text(0.1), "0.1");
        assert_eq!(f32_text(f32::from_bits(1)), "1.4E-45");
        assert_eq!(f32_text(f32::MAX), "3.4028235E38");
        assert_eq!(f32_text(2f32.powi(-12)), "2.4414062E-4");
    }
}
