//! [`Excerpt`]: the line of a query that has a fault, with `^^^` under the fault.

use std::fmt;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use varvite_cpg::characters::whole;

use crate::syntax::Span;
use crate::visible::visible;

/// The greatest number of columns before the fault, of the fault, and after it. Longer lines are cut.
const COLUMNS_MAX: usize = 50;

/// The first line of a fault.
pub(crate) struct Excerpt {
    /// The number of the line; the first has the number 1.
    pub(crate) line: usize,
    /// The number of the fault's first character in the line; the first has the number 1.
    pub(crate) column: usize,
    before: String,
    fault: String,
    after: String,
}

impl Excerpt {
    /// The line of `query` in which `span` begins. A place beyond the query is its end.
    pub(crate) fn of(query: &str, span: Span) -> Self {
        let start = boundary(query, span.start);
        let first = query[..start].rfind('\n').map_or(0, |end| end + 1);
        let last = query[start..].find('\n').map_or(query.len(), |length| start + length);
        let end = boundary(query, span.end).clamp(start, last);
        Self {
            line: query[..start].matches('\n').count() + 1,
            column: query[first..start].chars().count() + 1,
            before: end_of(&visible(&query[first..start])),
            fault: beginning_of(&visible(&query[start..end])),
            after: beginning_of(&visible(query[end..last].trim_end_matches('\r'))),
        }
    }
}

/// The line, and below it the marks.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { before, fault, after, .. } = self;
        let (indent, marks) = (" ".repeat(before.width()), "^".repeat(fault.width().max(1)));
        write!(f, "  {before}{fault}{after}\n  {indent}{marks}")
    }
}

/// The last place up to `place` that is between characters.
fn boundary(query: &str, place: usize) -> usize {
    whole(query, place).len()
}

/// The beginning of `text` that fits.
fn beginning_of(text: &str) -> String {
    match fitting(text.char_indices()) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// The end of `text` that fits.
fn end_of(text: &str) -> String {
    match fitting(text.char_indices().rev()) {
        None => text.to_owned(),
        Some((last, character)) => format!("…{}", &text[last + character.len_utf8()..]),
    }
}

/// The first character that does not fit.
fn fitting(mut characters: impl Iterator<Item = (usize, char)>) -> Option<(usize, char)> {
    let mut columns = 0;
    characters.find(|(_, character)| {
        columns += character.width().unwrap_or(0);
        columns > COLUMNS_MAX
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, span: std::ops::Range<usize>, place: (usize, usize), expected: &str) {
        let excerpt = Excerpt::of(query, Span { start: span.start, end: span.end });
        assert_eq!((excerpt.line, excerpt.column), place);
        assert_eq!(excerpt.to_string(), expected);
    }

    #[test]
    fn marks_are_under_the_fault() {
        check("cpg.cal.l", 4..7, (1, 5), "  cpg.cal.l\n      ^^^");
    }

    #[test]
    fn only_the_line_of_the_fault_is_shown() {
        check("val a = 1\r\nval b == 2\r\nb", 17..19, (2, 7), "  val b == 2\n        ^^");
    }

    #[test]
    fn a_fault_of_several_lines_is_marked_in_the_first() {
        check("a(\n  b\n)", 1..8, (1, 2), "  a(\n   ^");
    }

    #[test]
    fn the_end_of_the_query_has_one_mark() {
        check("cpg.", 4..4, (1, 5), "  cpg.\n      ^");
        check("", 0..0, (1, 1), "  \n  ^");
    }

    #[test]
    fn wide_characters_and_tabs_move_the_marks() {
        check("\t\"大小\" x", 10..11, (1, 7), "      \"大小\" x\n             ^");
    }

    #[test]
    fn invisible_characters_are_shown() {
        check("a \u{202e}b", 2..5, (1, 3), "  a \\u{202e}b\n    ^^^^^^^^");
    }

    #[test]
    fn long_lines_are_cut_around_the_fault() {
        let query = format!("{}x{}", "a".repeat(60), "b".repeat(60));
        let (before, after) = ("a".repeat(50), "b".repeat(50));
        check(&query, 60..61, (1, 61), &format!("  …{before}x{after}…\n  {}^", " ".repeat(51)));
        let fault = format!("{}…", "a".repeat(50));
        check(&query, 0..60, (1, 1), &format!("  {fault}x{}…\n  {}", "b".repeat(49), "^".repeat(51)));
    }

    #[test]
    fn a_place_that_the_query_does_not_have_is_moved_into_it() {
        check("é", 1..9, (1, 1), "  é\n  ^");
        check("é", 7..9, (1, 2), "  é\n   ^");
    }
}
