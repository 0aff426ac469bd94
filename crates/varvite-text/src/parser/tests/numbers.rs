//! Numbers: integers with their suffixes and limits, and floats.

use super::{check, check_syntax};

#[test]
fn integers_are_decimal_or_hexadecimal() {
    check("1_000", "1000");
    check("0x2A", "42");
    check("0Xff_ff", "65535");
    check("2147483647", "2147483647");
    check("-2147483648", "-2147483648");
}

#[test]
fn long_integers_have_a_suffix() {
    check("30064771072L", "30064771072");
    check("9223372036854775807l", "9223372036854775807");
    check("0xFFFFFFFFL", "4294967295");
}

#[test]
fn hexadecimal_digits_are_bits() {
    check("0xFFFFFFFF", "-1");
    check("0xFFFFFFFFFFFFFFFFL", "-1");
}

#[test]
fn floats_have_a_fraction_an_exponent_or_a_suffix() {
    check("1.5", "1.5");
    check("1e3", "1000.0");
    check("1.5E-1", "0.15");
    check("2f", "2.0");
    check("1_0.2_5d", "10.25");
}

#[test]
fn a_dot_before_a_name_is_a_step() {
    check("1.max(2)", "(call (. 1 max) 2)");
    check("1.l", "(. 1 l)");
}

#[test]
fn numbers_that_are_too_large_are_faults() {
    check_syntax("f(«2147483649»)", "the number is too large: write `L` after it");
    check_syntax("«0x100000000»", "the number is too large: write `L` after it");
    check_syntax("«9223372036854775808L»", "the number is too large");
    check_syntax("«99999999999999999999»", "the number is too large");
    check_syntax("«0x10000000000000000L»", "the number is too large");
    check_syntax("«1e999»", "the number is too large");
}

#[test]
fn letters_after_a_number_are_a_fault() {
    check_syntax("f(«12abc»)", "`abc` follows a number: write a space or an operator between");
    check_syntax("«0x»", "`x` follows a number: write a space or an operator between");
}
