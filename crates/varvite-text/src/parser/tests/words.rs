//! Signs that are no part of the language.

use super::{check, check_syntax};

#[test]
fn names_can_have_letters_of_all_languages() {
    check("größe.名前.$a.a_1.A", "(. (. (. (. größe 名前) $a) a_1) A)");
}

#[test]
fn typographic_signs_say_what_to_write() {
    check_syntax("f(«“»a”)", "`“` is no sign of the query language: write `\"` around a text");
    check_syntax(
        "f(«’»a’)",
        "`’` is no sign of the query language: write `'` around a character, `\"` around a text",
    );
    check_syntax("f(x «⇒» x)", "`⇒` is no sign of the query language: write `=>`");
    check_syntax("a «≠» b", "`≠` is no sign of the query language: write `!=`");
    check_syntax("a «–» b", "`–` is no sign of the query language: write `-`");
    check_syntax("a.f(«…»)", "`…` is no sign of the query language: write the query in full");
    check_syntax("a«\u{a0}»+ b", "`\u{a0}` is no sign of the query language: write a plain space");
}

#[test]
fn control_characters_are_shown_as_escapes() {
    check_syntax("a «\u{1b}»[2J", "`\\u{1b}` is no sign of the query language");
    check_syntax("«\u{202e}»a", "`\\u{202e}` is no sign of the query language");
}

#[test]
fn a_name_in_backquotes_ends() {
    check_syntax("a.«`»b", "a name in backquotes has no closing backquote in its line");
    check_syntax("a.«`»`", "a name in backquotes has no closing backquote in its line");
}
