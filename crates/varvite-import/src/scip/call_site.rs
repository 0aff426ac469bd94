//! Whether the source shows a call behind the name of a method.

/// The most blanks that are read between a name and the parenthesis behind it, or the word before it. A
/// reference costs at most so many steps, however long its line is.
const BLANKS_MAX: usize = 256;
/// How many bytes of type arguments are read before the opening parenthesis of a call.
const TYPE_ARGUMENTS_MAX: usize = 512;
/// Languages whose type arguments are in brackets.
const BRACKETS: [&str; 2] = ["go", "scala"];
/// Words that declare the function whose name follows.
const DECLARING: [&str; 6] = ["def", "fn", "fun", "func", "function", "sub"];
/// How many bytes of a call's text are shown.
const CODE_MAX: usize = 100;

/// Whether `behind`, the rest of the line behind a name, begins the arguments of a call. This is an opening
/// parenthesis, possibly after at most [`BLANKS_MAX`] blanks, after type arguments (`<T>`, `::<T>`, in Go and
/// Scala `[T]`), after `?.` (an optional call) or after `!` (a macro, or TypeScript's assertion). In many
/// languages a parenthesis in the next line belongs to another statement, so it does not count.
pub(super) fn is_called(behind: &str, language: &str) -> bool {
    let rest = behind.strip_prefix("?.").or_else(|| behind.strip_prefix('!')).unwrap_or(behind);
    let rest = after_type_arguments(rest, language).unwrap_or(rest);
    rest[blanks(rest.bytes())..].starts_with('(')
}

/// Whether `before`, the line up to a name, ends with a word that declares a function. scip-python, for
/// example, notes all declarations of an overloaded function but the first as references.
pub(super) fn is_declared(before: &str) -> bool {
    let words = &before[..before.len() - blanks(before.bytes().rev())];
    let is_word = |word: &&str| {
        words
            .strip_suffix(*word)
            .is_some_and(|rest| !rest.ends_with(|last: char| last.is_alphanumeric() || last == '_'))
    };
    words.len() < before.len() && DECLARING.iter().any(is_word)
}

/// The number of blanks at the beginning of `bytes`, at most [`BLANKS_MAX`].
fn blanks(bytes: impl Iterator<Item = u8>) -> usize {
    bytes.take(BLANKS_MAX).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The text behind type arguments. `None` if `text` does not begin with type arguments.
fn after_type_arguments<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let text = text.strip_prefix("::").unwrap_or(text);
    match text.as_bytes().first()? {
        b'<' => after_pair(text, b'<', b'>'),
        b'[' if BRACKETS.iter().any(|known| known.eq_ignore_ascii_case(language)) => {
            after_pair(text, b'[', b']')
        }
        _ => None,
    }
}

/// The text behind the closing character that belongs to the opening one at the beginning of `text`.
fn after_pair(text: &str, open: u8, close: u8) -> Option<&str> {
    let (mut depth, mut before) = (0usize, 0);
    for (at, byte) in text.bytes().enumerate().take(TYPE_ARGUMENTS_MAX) {
        match byte {
            b';' => return None,
            // The arrow of a function type closes nothing.
            _ if byte == close && !matches!(before, b'=' | b'-') => {
                depth -= 1;
                if depth == 0 {
                    return text.get(at + 1..);
                }
            }
            _ if byte == open => depth += 1,
            _ => {}
        }
        before = byte;
    }
    None
}

/// The text of a call at the beginning of `text`: a name of `name_len` bytes, and its arguments if they are
/// short and end in the same line.
pub(super) fn code_of(text: &str, name_len: usize) -> &str {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate().skip(name_len).take(CODE_MAX) {
        match byte {
            b'(' => depth += 1,
            b')' if depth <= 1 => return &text[..=at],
            b')' => depth -= 1,
            _ => {}
        }
    }
    &text[..name_len]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_after_blanks_and_type_arguments_begin_a_call() {
        for (behind, language) in [
            ("()", ""),
            (" \t(1)", "python"),
            ("<T>(x)", "typescript"),
            ("<A, B<C>>(x)", "typescript"),
            ("<(a: A) => B>(x)", "typescript"),
            ("::<Vec<u8>>()", "rust"),
            ("?.(x)", "typescript"),
            ("!(x)", "rust"),
            ("[int](x)", "Go"),
            ("[List[Int]] (x)", "scala"),
        ] {
            assert!(is_called(behind, language), "{behind}");
        }
    }

    #[test]
    fn other_texts_do_not_begin_a_call() {
        for (behind, language) in [
            ("", ""),
            (", x)", ""),
            (")", ""),
            (" + (1)", ""),
            ("\n(1)", ""),
            (" < b", ""),
            ("<a; b>(c)", ""),
            ("<", ""),
            ("::", ""),
            ("[0](x)", "python"),
            (".apply(x)", ""),
            (" != (x)", ""),
            ("`x`", "typescript"),
        ] {
            assert!(!is_called(behind, language), "{behind}");
        }
        assert!(!is_called(&format!("<{}>(x)", "x".repeat(600)), ""));
    }

    #[test]
    fn a_name_after_a_declaring_word_is_declared() {
        for before in ["def ", "    async def\t", "pub fn ", "export function ", "func (r *T) func "] {
            assert!(is_declared(before), "{before}");
        }
        for before in ["", "def", "return ", "undef ", "my_def ", "x = "] {
            assert!(!is_declared(before), "{before}");
        }
    }

    #[test]
    fn only_some_blanks_around_a_name_are_read() {
        let blanks = |count| " ".repeat(count);
        assert!(is_called(&(blanks(BLANKS_MAX) + "(x)"), ""));
        assert!(!is_called(&(blanks(BLANKS_MAX + 1) + "(x)"), ""));
        assert!(is_declared(&("def".to_owned() + &blanks(BLANKS_MAX))));
        assert!(!is_declared(&("def".to_owned() + &blanks(BLANKS_MAX + 1))));
    }

    #[test]
    fn the_text_of_a_call_ends_with_its_arguments() {
        let code = |behind: &str| code_of(&format!("f{behind}"), 1).to_owned();
        assert_eq!(code("(1, g(2)) + 3"), "f(1, g(2))");
        assert_eq!(code("<T>(1)"), "f<T>(1)");
        assert_eq!(code("(1,"), "f");
        assert_eq!(code(&format!("({})", "é".repeat(100))), "f");
    }
}
