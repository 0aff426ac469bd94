//! Writes a drawing in DOT, the language of Graphviz.
//!
//! Texts of a graph are in double quotes, with backslashes and quotes escaped and without control characters,
//! so that no text of a graph ends its label.

use std::io::Write;

use varvite_show::shortened;

use crate::drawing::{Drawing, DrawnNode};
use crate::error::Result;

impl Drawing {
    /// Writes the drawing in DOT. Each node has its label, its code or name, and its location.
    ///
    /// # Errors
    /// [`DrawError`](crate::DrawError) for an error of the writer.
    pub fn write_dot(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "digraph {} {{\n  node [shape=box];", quoted(&self.title))?;
        for node in &self.nodes {
            writeln!(out, "  n{} [label=\"{}\"];", node.id, lines(node).join("\\n"))?;
        }
        let is_mixed = self.edge_labels().len() > 1;
        for edge in &self.edges {
            let [source, target] = [edge.source, edge.target].map(|position| self.nodes[position].id);
            let label = match edge.text(is_mixed) {
                text if text.is_empty() => String::new(),
                text => format!(" [label={}]", quoted(&text)),
            };
            writeln!(out, "  n{source} -> n{target}{label};")?;
        }
        Ok(writeln!(out, "}}")?)
    }
}

/// The lines of a node's label.
fn lines(node: &DrawnNode) -> Vec<String> {
    let lines = [Some(node.label.clone()), Some(node.text.clone()), node.place()].into_iter().flatten();
    lines.filter(|line| !line.is_empty()).map(|line| escaped(&line)).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text for between double quotes. Graphviz reads backslashes in labels, such as `\N` for the node's name.
fn escaped(text: &str) -> String {
    shortened(text).replace('\\', "\\\\").replace('"', "\\\"")
}
