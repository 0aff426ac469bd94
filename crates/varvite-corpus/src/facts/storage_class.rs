//! [`is_static`]: whether the code of a function of C says `static`.

/// The most characters of a function's code that are looked at.
const HEAD_MAX: usize = 1024;

/// A part of code, as far as words are looked for in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Code,
    Text,
    Comment,
    LineComment,
}

/// Whether the head of a function has the word `static`. Parentheses and brackets are passed over: they hold
/// attributes, arguments of macros, and parameters.
pub(super) fn is_static(code: &str) -> bool {
    let (mut place, mut depth, mut word, mut last) = (Place::Code, 0usize, String::new(), ' ');
    for character in code.chars().take(HEAD_MAX) {
        let before = place;
        place = next(place, last, character);
        let is_code = before == Place::Code && place == Place::Code;
        match character {
            '(' | '[' if is_code => depth += 1,
            ')' | ']' if is_code => depth = depth.saturating_sub(1),
            '{' | ';' if is_code && depth == 0 => return false,
            _ => {}
        }
        if is_code && depth == 0 && (character.is_alphanumeric() || character == '_') {
            word.push(character);
        } else if word == "static" {
            return true;
        } else {
            word.clear();
        }
        // A backslash ends with the character after it, and neither `*` nor `/` belongs to two marks.
        let is_mark = (before == Place::Comment) != (place == Place::Comment);
        last = if last == '\\' || is_mark { ' ' } else { character };
    }
    false
}

/// The place after a character.
fn next(place: Place, last: char, character: char) -> Place {
    match (place, last, character) {
        (Place::Code, _, '"') => Place::Text,
        (Place::Code, '/', '*') => Place::Comment,
        (Place::Code, '/', '/') => Place::LineComment,
        (Place::Text, '\\', _) => Place::Text,
        (Place::Text, _, '"') => Place::Code,
        (Place::Comment, '*', '/') => Place::Code,
        (Place::LineComment, _, '\n') => Place::Code,
        _ => place,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_and_macros_do_not_hide_the_word() {
        for code in [
            "static int f(void)",
            "static\nint f(void) { return 1; }",
            "__attribute__((unused)) static int f(void)",
            "__attribute__((section(\"a)\\\"(b\"))) inline static int f(void)",
            "__declspec(noinline) static int f(void)",
            "[[maybe_unused]]static int f(void)",
            "UNUSED(x) static int f(void)",
            "// (\nstatic int f(void)",
            "/*/ ( */ static int f(void)",
        ] {
            assert!(is_static(code), "{code}");
        }
    }

    #[test]
    fn parameters_bodies_and_texts_do_not_make_a_function_static() {
        for code in [
            "int f(int a[static 2])",
            "int f(void) { static int n; }",
            "int f(void) /* static */ {",
            "int f(void); static int g(void)",
            "int static_f(void)",
            "__attribute__((section(\") static (\"))) int f(void)",
            "int f(",
            "",
        ] {
            assert!(!is_static(code), "{code}");
        }
    }
}
