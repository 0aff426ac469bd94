//! [`SourceText`]: the text of a document, and the bytes at positions in it.

use memchr::memchr2_iter;
use varvite_graph::{OverBudget, Reserved};

use super::range::{Position, Range};

/// The longest name in code units. A longer range is not a name.
const NAME_MAX: u32 = 256;
/// A byte order mark, which is not a part of the first line.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    Utf8,
    Utf16,
    Utf32,
}

impl Unit {
    /// The unit of a document. Indexes that do not name it come from indexers in TypeScript, such as
    /// scip-python and scip-typescript, whose strings are UTF-16.
    fn of(encoding: u64) -> Self {
        match encoding {
            1 => Self::Utf8,
            3 => Self::Utf32,
            _ => Self::Utf16,
        }
    }

    fn len(self, character: char) -> u32 {
        match self {
            Self::Utf8 => character.len_utf8() as u32,
            Self::Utf16 => character.len_utf16() as u32,
            Self::Utf32 => 1,
        }
    }
}

/// A text, its lines and the unit of its columns.
pub(super) struct SourceText<'t> {
    text: &'t str,
    /// The offset of the first byte of each line.
    lines: Vec<usize>,
    unit: Unit,
    _room: Reserved,
}

impl<'t> SourceText<'t> {
    /// Finds the lines of a text, which end with `\n`, `\r\n` or `\r`. `room` pays for their list.
    pub(super) fn of(text: &'t str, encoding: u64, mut room: Reserved) -> Result<Self, OverBudget> {
        let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        let bytes = text.as_bytes();
        let mut lines = Vec::new();
        room.make_room(&mut lines, 1)?;
        lines.push(0);
        for at in memchr2_iter(b'\n', b'\r', bytes) {
            if bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n') {
                room.make_room(&mut lines, 1)?;
                lines.push(at + 1);
            }
        }
        Ok(Self { text, lines, unit: Unit::of(encoding), _room: room })
    }

    /// A cursor at the beginning.
    pub(super) fn cursor(&self) -> TextCursor<'_> {
        TextCursor { source: self, at: Position { line: 0, column: 0 }, byte: 0 }
    }

    /// The number of bytes of the first characters of a text that have at most so many code units, and the
    /// number of their code units.
    fn bytes_of(&self, text: &str, units: u32) -> (usize, u32) {
        let (mut found, mut characters) = (0, text.chars());
        loop {
            let rest = characters.as_str().len();
            let Some(next) = characters.next().map(|next| found + self.unit.len(next)) else {
                return (text.len(), found);
            };
            if next > units {
                return (text.len() - rest, found);
            }
            found = next;
        }
    }

    fn line(&self, line: u32) -> Option<&'t str> {
        let start = *self.lines.get(line as usize)?;
        let end = self.lines.get(line as usize + 1).copied().unwrap_or(self.text.len());
        Some(self.text[start..end].trim_end_matches(['\n', '\r']))
    }
}

/// Finds names in a text. Ranges must come in ascending order of their starts, so that all searches together
/// read the text once.
pub(super) struct TextCursor<'s> {
    source: &'s SourceText<'s>,
    at: Position,
    /// The offset of `at` in its line.
    byte: usize,
}

/// A name in a text, and the rest of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot<'t> {
    /// The line up to the name.
    pub(super) before: &'t str,
    /// The line from the name on.
    pub(super) text: &'t str,
    name_len: usize,
}

impl<'t> Spot<'t> {
    pub(super) fn name(self) -> &'t str {
        &self.text[..self.name_len]
    }

    /// The rest of the line behind the name.
    pub(super) fn behind(self) -> &'t str {
        &self.text[self.name_len..]
    }
}

impl<'s> TextCursor<'s> {
    /// The name at a range. `None` if the text does not have the range, or if the range is longer than a name
    /// or goes over several lines.
    pub(super) fn spot(&mut self, range: Range) -> Option<Spot<'s>> {
        let line = self.source.line(range.start.line)?;
        if self.at.line != range.start.line || self.at.column > range.start.column {
            (self.at, self.byte) = (Position { line: range.start.line, column: 0 }, 0);
        }
        self.advance(line, range.start.column);
        let units = range.end.column.checked_sub(range.start.column)?;
        let is_name = range.start.line == range.end.line && units <= NAME_MAX;
        if self.at != range.start || !is_name {
            return None;
        }
        let (before, text) = line.split_at(self.byte);
        let (name_len, found) = self.source.bytes_of(text, units);
        (found == units).then_some(Spot { before, text, name_len })
    }

    /// Moves to a column, or to the last character before it.
    fn advance(&mut self, line: &str, column: u32) {
        let (bytes, units) = self.source.bytes_of(&line[self.byte..], column - self.at.column);
        self.byte += bytes;
        self.at.column += units;
    }
}

#[cfg(test)]
mod tests {
    use varvite_graph::Budget;

    use super::*;

    fn range(line: u32, start: u32, end: u32) -> Range {
        Range { start: Position { line, column: start }, end: Position { line, column: end } }
    }

    #[track_caller]
    fn check(text: &str, encoding: u64, range: Range, expected: Option<(&str, &str)>) {
        let room = Reserved::nothing_of(&Budget::new(1 << 20));
        let source = SourceText::of(text, encoding, room).unwrap();
        let spot = source.cursor().spot(range).map(|spot| (spot.name(), spot.behind()));
        assert_eq!(spot, expected);
    }

    #[test]
    fn columns_are_counted_in_the_units_of_the_document() {
        let text = "x\n\u{1f680}é f(1)";
        for (encoding, start) in [(1, 7), (2, 4), (3, 3), (0, 4)] {
            check(text, encoding, range(1, start, start + 1), Some(("f", "(1)")));
        }
        // A character of two units has no middle.
        check(text, 2, range(1, 1, 2), None);
        check(text, 1, range(1, 2, 3), None);
    }

    #[test]
    fn lines_end_in_three_ways_and_byte_order_marks_are_no_text() {
        let text = "\u{feff}a b\r\nc\rd\n\ne";
        for (line, name) in [(0, "a"), (1, "c"), (2, "d"), (4, "e")] {
            let behind = if line == 0 { " b" } else { "" };
            check(text, 2, range(line, 0, 1), Some((name, behind)));
        }
        check(text, 2, range(3, 0, 1), None);
        check(text, 2, range(5, 0, 1), None);
    }

    #[test]
    fn a_range_beyond_its_line_has_no_name() {
        check("f(", 2, range(0, 0, 2), Some(("f(", "")));
        check("f(\n()", 2, range(0, 0, 3), None);
        check("f(\n()", 2, range(0, 5, 6), None);
        let two_lines =
            Range { start: Position { line: 0, column: 0 }, end: Position { line: 1, column: 1 } };
        check("f(\n()", 2, two_lines, None);
        check(&"x".repeat(300), 2, range(0, 0, 257), None);
    }

    #[test]
    fn a_cursor_goes_on_where_it_was() {
        let room = Reserved::nothing_of(&Budget::new(1 << 20));
        let source = SourceText::of("é a b c", 2, room).unwrap();
        let mut cursor = source.cursor();
        assert_eq!(cursor.spot(range(0, 1, 9)), None);
        let names = [2, 4, 4, 6].map(|start| cursor.spot(range(0, start, start + 1)).unwrap().name());
        assert_eq!(names, ["a", "b", "b", "c"]);
        assert_eq!([7, 8, 9].map(|start| cursor.spot(range(0, start, 9)).is_some()), [false; 3]);
    }
}
