//! [`Nodes`]: nodes as texts that Joern can produce too.

use std::fmt::Write;

use varvite::{Graph, Property};

/// The number of UTF-16 units of CODE that stand for a node.
const CODE_UNITS: usize = 60;

/// The label of a node, and its number among the nodes of the label in the imported file.
type Place = (String, u32);

/// The properties that stand for a node.
pub(crate) struct Nodes {
    places: Vec<Place>,
    line: Property,
    column: Property,
    code: Property,
}

impl Nodes {
    pub(crate) fn of(graph: &Graph) -> Self {
        let property = |name| graph.property(name).unwrap();
        let (line, column) = (property("LINE_NUMBER"), property("COLUMN_NUMBER"));
        Self { places: places(graph), line, column, code: property("CODE") }
    }

    /// A node as `(LABEL PLACE LINE COLUMN CODE)`. Absent parts are empty.
    pub(crate) fn text(&self, node: u32) -> String {
        let (label, place) = &self.places[node as usize];
        let of = |property: &Property| property.get(node).map(|value| value.to_string()).unwrap_or_default();
        let code = of(&self.code);
        let code = if code == "<empty>" { "" } else { cut(&code) };
        format!("({label} {place} {} {} {})", of(&self.line), of(&self.column), escaped(code))
    }
}

fn places(graph: &Graph) -> Vec<Place> {
    let mut places = vec![(String::new(), 0); graph.node_count() as usize];
    for label in graph.label_ids() {
        let (origin, name) = (graph.origin(label).unwrap(), &graph.labels()[label.index()].name);
        for (rank, node) in (0..).zip(graph.nodes_of(label).unwrap().iter()) {
            let place = origin.as_ref().map_or(rank, |origin| origin.number(rank).unwrap());
            places[node as usize] = (name.clone(), place);
        }
    }
    places
}

/// The begin of a text. A character that does not fit as a whole is left out.
fn cut(text: &str) -> &str {
    let mut units = 0;
    let is_beyond = |&(_, character): &(usize, char)| {
        units += character.len_utf16();
        units > CODE_UNITS
    };
    text.char_indices().find(is_beyond).map_or(text, |(end, _)| &text[..end])
}

/// A text with control characters as escapes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            control if control.is_control() => write!(escaped, "\\u{:04x}", u32::from(control)).unwrap(),
            other => escaped.push(other),
        }
    }
    escaped
}

#[test]
fn a_long_code_is_cut_before_the_character_that_does_not_fit() {
    assert_eq!(cut(&"a".repeat(61)), "a".repeat(60));
    assert_eq!(cut(&format!("{}\u{1f600}", "a".repeat(59))), "a".repeat(59));
    assert_eq!(cut(&format!("{}\u{1f600}b", "a".repeat(58))), format!("{}\u{1f600}", "a".repeat(58)));
}

#[test]
fn control_characters_are_escaped() {
    assert_eq!(escaped("a\n\t\u{85}\\b"), "a\\n\\u0009\\u0085\\b");
}
