//! Texts and characters.

use super::{check, check_fault, check_syntax, check_unfinished};
use crate::error::Reason;

#[test]
fn escapes_are_replaced() {
    check(r#""a\n\t\r\b\f\\\"\'b""#, r#""a\n\t\r\u{8}\u{c}\\\"'b""#);
    check(r#""\u0041\u00e9\ud83d\ude00""#, "\"Aé😀\"");
}

#[test]
fn texts_in_three_quotes_have_no_escapes() {
    check(r#""""a\d"b""""#, r#""a\\d\"b""#);
    check("\"\"\"a\nb\"\"\"", r#""a\nb""#);
    check(r#""""""""#, r#""""#);
}

#[test]
fn more_than_three_quotes_at_the_end_belong_to_the_text() {
    check(r#""""a"""""#, r#""a\"""#);
    check(&"\"".repeat(8), r#""\"\"""#);
}

#[test]
fn an_empty_text_is_a_text() {
    check("f(\"\")", "(call f \"\")");
}

#[test]
fn a_character_is_a_text() {
    check("f('a')", "(call f \"a\")");
    check(r"f('\n', '\'', '\\', '\u00e9', '大')", r#"(call f "\n" "'" "\\" "é" "大")"#);
}

#[test]
fn a_text_ends_in_its_line() {
    let message = "the text has no closing `\"` in its line: write `\\n` for a line end, or \"\"\" around several lines";
    check_syntax("f(«\"a)»\n.l", message);
    check_syntax("f(«\"a)»", message);
    check_syntax("f(«\"a\\»", message);
    check_syntax("f(«\"a\\»\n\")", message);
}

#[test]
fn a_text_in_three_quotes_ends() {
    check_unfinished("f(«\"\"\"»a\"\")", "the text that \"\"\" begins has no closing \"\"\"");
}

#[test]
fn unknown_escapes_are_faults() {
    let advice = r#"write `\\d` for a backslash, or """ around the text"#;
    check_syntax(r#"f("a«\d»+")"#, &format!(r"`\d` is no escape: {advice}"));
    let message = r"`\u` needs four hexadecimal digits of a character, such as `\u00e9`";
    check_syntax(r#""«\u12»""#, message);
    check_syntax(r#""«\ud83d»x""#, message);
    check_syntax(r#""«\u»+0e9""#, message);
}

#[test]
fn a_character_is_one() {
    let message = "`'` goes around one character: write `\"` around a text";
    check_syntax("f(«'»ab')", message);
    check_syntax("f(«'»", message);
    check_syntax("«'»\n'", message);
    check_syntax("«'»'", message);
    check_syntax("«'»\\", message);
}

#[test]
fn interpolated_texts_are_refused() {
    let check = |query, message| check_fault(query, Reason::Interpolation, message);
    check("f(«s\"»${a}\")", "`s\"..\"` is an interpolated text: join texts with `+`, as in `\"a\" + x`");
    check("f(«raw\"»a\")", "`raw\"..\"` is an interpolated text: write the text between \"\"\" and \"\"\"");
    check(
        "a «contains\"»b\"",
        "`contains\"..\"` is an interpolated text: write a space between a name and a text",
    );
}
