//! The names in the lines of a source on which a user can click, and the nodes to which they lead.

use std::collections::BTreeMap;

use serde::Serialize;
use varvite::error::optional;
use varvite::{Adjacency, Graph, Property};
use varvite_show::Beginning;

use super::on_lines::NodesOnLines;
use super::source::Source;
use super::subject::Subject;
use crate::fault::Result;
use crate::limits::Work;

/// The bytes of lines that are read between two looks at the clock.
const BYTES_OF_LOOK: usize = 1 << 20;
/// The longest name on which a user can click, in bytes.
const NAME_BYTES_MAX: usize = 1000;

/// A name in a line.
#[derive(Debug, Serialize)]
pub(super) struct Name {
    line: i64,
    /// The first character, from 0, and the number of characters, in UTF-16 units as in JavaScript.
    column: usize,
    length: usize,
    /// The node to which the name leads.
    node: u32,
}

/// The names in lines.
pub(super) struct Names {
    /// Sorted by their places.
    pub(super) names: Vec<Name>,
    /// Whether there are more.
    pub(super) is_cut: bool,
}

/// A name that is looked for in its line: its line and column, its text, and the node to which it leads.
type Wanted = (i64, usize, String, u32);

impl Names {
    /// The names in the lines of a source. A line may hold a whole program: each line is read once, from name
    /// to name, and at half of the question's time the rest is left out.
    pub(super) fn of(subject: &Subject<'_>, source: &Source, on_lines: &NodesOnLines) -> Result<Self> {
        let Some(links) = Links::open(subject.graph)? else {
            return Ok(Self { names: Vec::new(), is_cut: false });
        };
        let budget = subject.work.budget();
        let mut wanted: Vec<Wanted> = Vec::new();
        for node in subject.work.watch(&on_lines.nodes) {
            let node = *node?;
            let Some(line) = links.line.number(node).filter(|line| source.line(*line).is_some()) else {
                continue;
            };
            if let Some((name, target)) = links.of(subject, node) {
                budget.take(size_of::<Wanted>() + name.len())?;
                wanted.push((line, links.column_of(node), name, target));
            }
        }
        wanted.sort_by_key(|(line, column, ..)| (*line, *column));
        let (names, is_late) = placed(&wanted, source, subject.work);
        Ok(Self { names: without_overlaps(names.into_values()), is_cut: is_late || on_lines.is_cut })
    }
}

/// The places of names, and whether the time was not enough for all.
fn placed(wanted: &[Wanted], source: &Source, work: &Work) -> (BTreeMap<(i64, usize), Name>, bool) {
    let mut names = BTreeMap::new();
    for of_line in wanted.chunk_by(|one, other| one.0 == other.0) {
        let Some(text) = of_line.first().and_then(|(line, ..)| source.line(*line)) else { continue };
        let mut cursor = Cursor::of(text);
        for (line, column, name, node) in of_line {
            if cursor.bytes_read >= BYTES_OF_LOOK {
                cursor.bytes_read = 0;
                if work.is_half_over() {
                    return (names, true);
                }
            }
            if let Some((at, units)) = cursor.place_of(name, *column) {
                let length = name.encode_utf16().count();
                names.entry((*line, at)).or_insert(Name { line: *line, column: units, length, node: *node });
            }
        }
    }
    (names, false)
}

/// Reads a line forwards, for names with ascending columns.
struct Cursor<'t> {
    text: &'t str,
    /// The place of the last column.
    at: Place,
    /// The place of the name that was found last.
    found: Place,
    /// The bytes that were read since the last look at the clock.
    bytes_read: usize,
}

/// A place in a line, in bytes, characters and UTF-16 units.
#[derive(Clone, Copy, Default)]
struct Place {
    bytes: usize,
    chars: usize,
    units: usize,
}

impl<'t> Cursor<'t> {
    fn of(text: &'t str) -> Self {
        Self { text, at: Place::default(), found: Place::default(), bytes_read: 0 }
    }

    /// The place of a name in bytes and in UTF-16 units: the first whole word that is not before the column,
    /// or else the first one of the line. Some frontends count columns from 0, and tabs as several, so the
    /// column is a hint.
    fn place_of(&mut self, name: &str, column: usize) -> Option<(usize, usize)> {
        self.skip_to(column.saturating_sub(1));
        let at = match self.first_whole(name, self.at.bytes) {
            Some(at) => at,
            None => self.first_whole(name, 0)?,
        };
        let mut place = if at >= self.found.bytes { self.found } else { Place::default() };
        self.bytes_read += at - place.bytes;
        place.pass(&self.text[place.bytes..at]);
        self.found = place;
        Some((at, place.units))
    }

    /// Moves to a character, which is not before that of the call before.
    fn skip_to(&mut self, chars: usize) {
        let rest = &self.text[self.at.bytes..];
        let ahead = chars.saturating_sub(self.at.chars);
        let len = rest.char_indices().nth(ahead).map_or(rest.len(), |(at, _)| at);
        self.bytes_read += len;
        self.at.pass(&rest[..len]);
    }

    /// The first place of a name, from a byte on, at which it is a whole word.
    fn first_whole(&mut self, name: &str, from: usize) -> Option<usize> {
        let mut places = self.text[from..].match_indices(name).map(|(at, _)| from + at);
        let found = places.find(|at| is_whole(self.text, *at, name));
        self.bytes_read += found.unwrap_or(self.text.len()) - from;
        found
    }
}

impl Place {
    fn pass(&mut self, text: &str) {
        self.bytes += text.len();
        for character in text.chars() {
            self.chars += 1;
            self.units += character.len_utf16();
        }
    }
}

/// Names that begin inside of others are left out.
fn without_overlaps(names: impl Iterator<Item = Name>) -> Vec<Name> {
    let mut kept: Vec<Name> = Vec::new();
    for name in names {
        let is_free =
            kept.last().is_none_or(|last| last.line != name.line || last.column + last.length <= name.column);
        if is_free {
            kept.push(name);
        }
    }
    kept
}

/// The columns that lead from a use of a name to what it names.
struct Links {
    line: Property,
    column: Option<Property>,
    name: Property,
    calls: Option<Adjacency>,
    references: Option<Adjacency>,
}

impl Links {
    fn open(graph: &Graph) -> Result<Option<Self>> {
        let (line, name) = (optional(graph.property("LINE_NUMBER"))?, optional(graph.property("NAME"))?);
        let Some((line, name)) = line.zip(name) else { return Ok(None) };
        Ok(Some(Self {
            line,
            name,
            column: optional(graph.property("COLUMN_NUMBER"))?,
            calls: optional(graph.out("CALL"))?,
            references: optional(graph.out("REF"))?,
        }))
    }

    /// The name of a node, and the node to which it leads: the METHOD that a CALL calls, the declaration of
    /// an identifier, or a declaration itself.
    fn of(&self, subject: &Subject<'_>, node: u32) -> Option<(String, u32)> {
        let first = |edges: &Option<Adjacency>| edges.as_ref().and_then(|edges| edges.first(node));
        let target = match subject.columns.label(node) {
            "CALL" => first(&self.calls),
            "METHOD" | "LOCAL" | "METHOD_PARAMETER_IN" | "MEMBER" | "TYPE_DECL" => Some(node),
            _ => first(&self.references),
        }?;
        let name = |node| Beginning::whole(&self.name, node, NAME_BYTES_MAX);
        let name = if self.name.is_present(node) { name(node) } else { name(target) };
        name.filter(|name| !name.is_empty()).map(|name| (name, target))
    }

    /// The column of a node as frontends count it, from 1.
    fn column_of(&self, node: u32) -> usize {
        let column = self.column.as_ref().and_then(|column| column.number(node));
        column.and_then(|column| usize::try_from(column).ok()).unwrap_or(0)
    }
}

/// Whether the name at a place is not a part of a longer one.
fn is_whole(text: &str, at: usize, name: &str) -> bool {
    let is_part = |character: char| character == '_' || character.is_alphanumeric();
    let (before, behind) = (&text[..at], &text[at + name.len()..]);
    let goes_on_before = before.ends_with(is_part) && name.starts_with(is_part);
    let goes_on_behind = behind.starts_with(is_part) && name.ends_with(is_part);
    !goes_on_before && !goes_on_behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_first_whole_word_from_its_column_on() {
        for (text, name, column, expected) in [
            ("a = a + ab;", "a", 0, Some(0)),
            ("a = a + ab;", "a", 5, Some(4)),
            ("a = a + ab;", "a", 9, Some(0)),
            ("ab + abc", "b", 0, None),
            ("ünder(x)", "x", 7, Some(7)),
            ("x->y.z", "z", 1, Some(5)),
            ("", "x", 1, None),
        ] {
            let found = Cursor::of(text).place_of(name, column).map(|(at, _)| at);
            assert_eq!(found, expected, "{text} {name} {column}");
        }
    }

    #[test]
    fn a_line_is_read_once_for_all_of_its_names() {
        let text = "ä𝒳+ab+".repeat(50_000);
        let mut cursor = Cursor::of(&text);
        for number in 0..50_000 {
            let place = cursor.place_of("ab", 6 * number + 4);
            assert_eq!(place, Some((10 * number + 7, 7 * number + 4)), "{number}");
        }
        // Each byte is passed by the cursor, by the search for the name, and by the count of units.
        assert!(cursor.bytes_read <= 3 * text.len(), "{} of {}", cursor.bytes_read, text.len());
    }

    #[test]
    fn names_inside_of_names_are_left_out() {
        let name = |column, length| Name { line: 1, column, length, node: 0 };
        let kept = without_overlaps([name(0, 5), name(2, 1), name(5, 2)].into_iter());
        assert_eq!(kept.iter().map(|name| name.column).collect::<Vec<_>>(), [0, 5]);
    }
}
