//! Writes a part of a graph in DOT, the language of Graphviz.
//!
//! Texts of a graph are in double quotes, with backslashes and quotes escaped and without control characters,
//! so that no text of a graph ends its label.

use std::io::Write;

use varvite::Graph;
use varvite::error::optional;
use varvite_cpg::{Part, Sites};

use crate::error::Result;
use crate::label_names::LabelNames;
use crate::output::shortened;

/// Writes a part as a directed graph with this name. Each node has its label, its name or code, and its line.
///
/// # Errors
/// [`ShowError`](crate::ShowError) if the graph can't be read, or for an error of the writer.
pub fn write_dot(graph: &Graph, part: &Part, name: &str, out: &mut dyn Write) -> Result<()> {
    let (labels, sites) = (LabelNames::of(graph)?, Sites::open(graph)?);
    let texts = [
        optional(graph.property("FULL_NAME"))?,
        optional(graph.property("CODE"))?,
        optional(graph.property("NAME"))?,
    ];
    let mut cursor = sites.cursor();
    let is_method = |node: u32| labels.of_node(node) == "METHOD";
    writeln!(out, "digraph {} {{\n  node [shape=box];", quoted(name))?;
    for node in part.nodes.iter().copied() {
        // FULL_NAME tells METHODs apart; the code of other nodes says more than their name.
        let from = usize::from(!is_method(node));
        let text =
            texts[from..].iter().flatten().find_map(|texts| texts.str(node)).map(|text| text.to_string());
        let site = cursor.at(node);
        let line = site.line.map(|line| format!(":{line}")).unwrap_or_default();
        let place = site.file.map(|file| format!("{file}{line}"));
        let lines = [Some(labels.of_node(node).to_owned()), text, place];
        let lines: Vec<String> = lines.into_iter().flatten().map(|line| escaped(&line)).collect();
        writeln!(out, "  n{node} [label=\"{}\"];", lines.join("\\n"))?;
    }
    let is_mixed = part.edges.iter().any(|edge| edge.label != part.edges[0].label);
    for edge in &part.edges {
        let label = match (is_mixed, edge.count) {
            (false, 1) => String::new(),
            (false, count) => format!(" [label={}]", quoted(&count.to_string())),
            (true, 1) => format!(" [label={}]", quoted(&edge.label)),
            (true, count) => format!(" [label={}]", quoted(&format!("{} {count}", edge.label))),
        };
        writeln!(out, "  n{} -> n{}{label};", edge.source, edge.target)?;
    }
    Ok(writeln!(out, "}}")?)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// A text for between double quotes. Graphviz reads backslashes in labels, such as `\N` for the node's name.
fn escaped(text: &str) -> String {
    shortened(text).replace('\\', "\\\\").replace('"', "\\\"")
}
