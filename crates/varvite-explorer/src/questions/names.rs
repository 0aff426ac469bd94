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

/// The bytes of the lines of nodes between two looks at the clock.
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

/// The names in the lines of a source, sorted by their places.
pub(super) fn names_in(subject: &Subject<'_>, source: &Source, on_lines: &NodesOnLines) -> Result<Vec<Name>> {
    let Some(links) = Links::open(subject.graph)? else { return Ok(Vec::new()) };
    let (mut names, mut bytes) = (BTreeMap::new(), 0);
    for node in subject.work.watch(&on_lines.nodes) {
        let node = *node?;
        let Some(line) = links.line.number(node) else { continue };
        let Some(text) = source.line(line) else { continue };
        bytes += text.len();
        if bytes >= BYTES_OF_LOOK {
            bytes = 0;
            subject.work.check()?;
        }
        let Some((name, target)) = links.of(subject, node) else { continue };
        if let Some(at) = place_in(text, &name, links.column_of(node)) {
            names.entry((line, at)).or_insert_with(|| Name {
                line,
                column: text[..at].encode_utf16().count(),
                length: name.encode_utf16().count(),
                node: target,
            });
        }
    }
    Ok(without_overlaps(names.into_values()))
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

/// The place of a name in a line, in bytes: the first whole word that is not before the column, or else the
/// first one. Some frontends count columns from 0, and tabs as several, so the column is a hint.
fn place_in(text: &str, name: &str, column: usize) -> Option<usize> {
    let is_part = |character: char| character == '_' || character.is_alphanumeric();
    let is_whole = |at: &usize| {
        let (before, behind) = (&text[..*at], &text[at + name.len()..]);
        let goes_on_before = before.ends_with(is_part) && name.starts_with(is_part);
        let goes_on_behind = behind.starts_with(is_part) && name.ends_with(is_part);
        !goes_on_before && !goes_on_behind
    };
    let first = |from: usize| text[from..].match_indices(name).map(|(at, _)| from + at).find(is_whole);
    let hint = text.char_indices().nth(column.saturating_sub(1)).map_or(text.len(), |(at, _)| at);
    first(hint).or_else(|| first(0))
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
            assert_eq!(place_in(text, name, column), expected, "{text} {name} {column}");
        }
    }

    #[test]
    fn names_inside_of_names_are_left_out() {
        let name = |column, length| Name { line: 1, column, length, node: 0 };
        let kept = without_overlaps([name(0, 5), name(2, 1), name(5, 2)].into_iter());
        assert_eq!(kept.iter().map(|name| name.column).collect::<Vec<_>>(), [0, 5]);
    }
}
