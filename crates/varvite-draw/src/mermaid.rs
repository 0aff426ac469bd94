//! Writes a drawing as a flowchart of Mermaid, which GitHub, GitLab and many editors draw inside Markdown.
//!
//! Source: <https://mermaid.js.org/syntax/flowchart.html>. In a quoted text, `#35;` means the character with
//! the number 35. All punctuation that Mermaid or HTML could read is written in this way.

use std::fmt::Write as _;
use std::io::Write;

use varvite_show::shortened;

use crate::drawing::Drawing;
use crate::error::Result;

impl Drawing {
    /// Writes the drawing in Mermaid. Each node has its label, its code or name, and its location.
    ///
    /// # Errors
    /// [`DrawError`](crate::DrawError) for an error of the writer.
    pub fn write_mermaid(&self, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "---\ntitle: \"{}\"\n---\nflowchart TD", escaped(&self.title))?;
        for node in &self.nodes {
            let texts = [Some(node.label.clone()), Some(node.text.clone()), node.place()];
            let lines = texts.iter().flatten().filter(|line| !line.is_empty()).map(|line| escaped(line));
            writeln!(out, "  n{}[\"{}\"]", node.id, lines.collect::<Vec<_>>().join("<br/>"))?;
        }
        let is_mixed = self.edge_labels().len() > 1;
        for edge in &self.edges {
            let [source, target] = [edge.source, edge.target].map(|position| self.nodes[position].id);
            match edge.text(is_mixed) {
                text if text.is_empty() => writeln!(out, "  n{source} --> n{target}")?,
                text => writeln!(out, "  n{source} -->|\"{}\"| n{target}", escaped(&text))?,
            }
        }
        Ok(())
    }
}

/// A text for between double quotes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in shortened(text).chars() {
        match character {
            ' ' | '_' | '.' | ',' | ':' | '=' | '+' | '-' | '*' | '/' | '(' | ')' => safe.push(character),
            _ if character.is_ascii_punctuation() => {
                write!(safe, "#{};", u32::from(character)).expect("writing to a string does not fail");
            }
            _ => safe.push(character),
        }
    }
    safe
}
