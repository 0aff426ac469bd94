//! [`Columns`]: describes nodes as JSON objects, the same in all answers.

use std::borrow::Cow;

use serde::Serialize;
use varvite::error::optional;
use varvite::{Graph, Property};
use varvite_cpg::characters::first_line;
use varvite_cpg::{SiteCursor, Sites};
use varvite_show::{Beginning, LabelNames};

use crate::fault::Result;

/// The most characters of a text in a description, and the bytes that are read for them.
const CHARS_MAX: usize = 200;
const BYTES_MAX: usize = (CHARS_MAX + 1) * 4;

/// A node. Absent parts are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Node {
    pub(crate) node: u32,
    label: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
}

/// The columns that describe nodes.
pub(crate) struct Columns {
    labels: LabelNames,
    sites: Sites,
    name: Option<Property>,
    full_name: Option<Property>,
    code: Option<Property>,
}

impl Columns {
    pub(crate) fn open(graph: &Graph) -> Result<Self> {
        let property = |name| optional(graph.property(name));
        Ok(Self {
            labels: LabelNames::of(graph)?,
            sites: Sites::open(graph)?,
            name: property("NAME")?,
            full_name: property("FULL_NAME")?,
            code: property("CODE")?,
        })
    }

    /// The labels of a node, joined by `&`.
    pub(crate) fn label(&self, node: u32) -> &str {
        self.labels.of_node(node)
    }

    /// Whether a node has a label.
    pub(crate) fn has_label(&self, node: u32, label: &str) -> bool {
        self.label(node).split('&').any(|known| known == label)
    }

    /// The CODE of a node, of at most `bytes_max` bytes.
    pub(crate) fn code(&self, node: u32, bytes_max: usize) -> Option<Beginning> {
        Beginning::of(self.code.as_ref()?, node, bytes_max)
    }

    /// A reader for many nodes.
    pub(crate) fn nodes(&self) -> Nodes<'_> {
        Nodes { columns: self, cursor: self.sites.cursor() }
    }
}

/// Describes nodes, one after another.
pub(crate) struct Nodes<'c> {
    columns: &'c Columns,
    cursor: SiteCursor<'c>,
}

impl Nodes<'_> {
    /// The description of a node.
    pub(crate) fn of(&mut self, node: u32) -> Node {
        let Columns { name, full_name, code, .. } = self.columns;
        let text = |texts: &Option<Property>| {
            let beginning = Beginning::of(texts.as_ref()?, node, BYTES_MAX)?;
            Some(line(&beginning.text, beginning.is_cut))
        };
        let name = text(name);
        let full_name = text(full_name).filter(|full_name| Some(full_name) != name.as_ref());
        let site = self.cursor.at(node);
        Node {
            node,
            label: self.columns.label(node).to_owned(),
            path: site.file.map(str::to_owned),
            line: site.line,
            code: text(code),
            name,
            full_name,
        }
    }

    /// The METHOD that contains a node.
    pub(crate) fn method_of(&mut self, node: u32) -> Option<u32> {
        self.cursor.method(node)
    }
}

/// The beginning of the first line of a text, which goes on if `is_cut`.
fn line(text: &str, is_cut: bool) -> String {
    match first_line(text, CHARS_MAX) {
        Cow::Borrowed(line) if is_cut => format!("{line}…"),
        line => line.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_has_the_beginning_of_a_text() {
        let shown = |text: &str| line(text, false);
        assert_eq!(shown("int main(void)\n{\n}"), "int main(void)…");
        assert_eq!(shown("a = b\n"), "a = b");
        assert_eq!(shown(&"ä".repeat(CHARS_MAX)), "ä".repeat(CHARS_MAX));
        assert_eq!(shown(&"ä".repeat(CHARS_MAX + 1)), format!("{}…", "ä".repeat(CHARS_MAX)));
        assert_eq!(shown(""), "");
        assert_eq!(line("a", true), "a…");
    }
}
