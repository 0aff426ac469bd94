//! The tool `schema`: labels with their properties, the labels that edges connect, and layers.

use std::cmp::Reverse;
use std::iter;

use serde::Deserialize;
use varvite::Graph;
use varvite::columns::{Census, EdgeEnds, PropertyUse};
use varvite::inspect::LayerInfo;
use varvite_show::escaped;

use crate::fault::Result;
use crate::graphs::NamedGraph;
use crate::limits::Call;
use crate::page::{Page, Reply};

/// The number of pairs of labels that are shown for each edge label, if the call names no label.
const ENDS_MAX: usize = 8;

/// The arguments.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Schema {
    label: Option<String>,
}

impl Schema {
    pub(super) fn answer(&self, graph: &NamedGraph, call: &Call, page: &Page) -> Result<Reply> {
        let census = graph.census(call)?;
        let (name, graph) = (&graph.name, &graph.graph);
        if let Some(label) = &self.label
            && graph.edge_label(label).is_err()
        {
            graph.label(label)?;
        }
        let mut lines = Vec::new();
        if self.label.is_none() {
            let edges: u64 = census.edges.iter().map(|ends| ends.edges).sum();
            lines.push(format!("graph {name}: {} nodes, {edges} edges", graph.node_count()));
        }
        lines.extend(self.labels(graph, census));
        lines.extend(self.edges(graph, census));
        if self.label.is_none() {
            lines.extend(LayerInfo::all(graph)?.iter().map(layer));
        }
        let lines = lines.iter().map(|line| escaped(line).into_owned()).collect();
        Ok(Reply::of(Vec::new(), lines, page))
    }

    /// A line for each label set: its count, and its properties.
    fn labels(&self, graph: &Graph, census: &Census) -> Vec<String> {
        let line = |(label, nodes): &(String, u64)| {
            let own = census.properties.iter().filter(|row| row.label == *label && is_of_nodes(graph, row));
            let own: Vec<String> = own.map(|row| property(graph, row)).collect();
            let own = if own.is_empty() { "no properties".to_owned() } else { own.join(", ") };
            format!("{label} ({nodes}): {own}")
        };
        census.labels.iter().filter(|(label, _)| self.wants(label)).map(line).collect()
    }

    /// The labels that each edge label connects, the most frequent first, and its properties.
    fn edges(&self, graph: &Graph, census: &Census) -> Vec<String> {
        let names = graph.edge_labels().iter().map(|label| label.name.as_str()).enumerate();
        names.flat_map(|(id, name)| self.edges_of(graph, census, id, name)).collect()
    }

    fn edges_of(&self, graph: &Graph, census: &Census, id: usize, name: &str) -> Vec<String> {
        let is_named = self.label.as_deref() == Some(name);
        let ends = census.edges.iter().filter(|ends| ends.edge_label.index() == id);
        let ends = ends.filter(|ends| is_named || self.wants(&ends.source) || self.wants(&ends.target));
        let mut ends: Vec<&EdgeEnds> = ends.collect();
        if ends.is_empty() {
            return Vec::new();
        }
        ends.sort_by_key(|ends| Reverse(ends.edges));
        let own = census.properties.iter().filter(|row| row.label == name && !is_of_nodes(graph, row));
        let own: Vec<String> = own.map(|row| property(graph, row)).collect();
        let own = if own.is_empty() { String::new() } else { format!(" (properties: {})", own.join(", ")) };
        let pair = |ends: &&EdgeEnds| format!("{} -> {} {}", ends.source, ends.target, ends.edges);
        if self.label.is_some() {
            let title = format!("edges {name}{own}:");
            return iter::once(title).chain(ends.iter().map(|ends| format!("  {}", pair(ends)))).collect();
        }
        let shown: Vec<String> = ends.iter().take(ENDS_MAX).map(pair).collect();
        let more = match ends.len().saturating_sub(ENDS_MAX) {
            0 => String::new(),
            more => format!(", .. and {more} more: schema with label {name}"),
        };
        vec![format!("edges {name}{own}: {}{more}", shown.join(", "))]
    }

    /// Whether a label set, whose labels are joined by `&`, has the label that the client asks for.
    fn wants(&self, set: &str) -> bool {
        self.label.as_deref().is_none_or(|label| set.split('&').any(|name| name == label))
    }
}

fn is_of_nodes(graph: &Graph, row: &PropertyUse) -> bool {
    graph.properties()[row.property.index()].edge_label.is_none()
}

/// A property: its name and type, and the share of owners if not all have it.
fn property(graph: &Graph, row: &PropertyUse) -> String {
    let info = &graph.properties()[row.property.index()];
    let share = match row.owners == row.of {
        true => String::new(),
        false => format!(" {} of {}", row.owners, row.of),
    };
    format!("{} {}{share}", info.name, info.value_type.name())
}

/// A layer. The names of a part of the code graph itself stand above already.
fn layer(info: &LayerInfo) -> String {
    let source = info.source().map(|source| format!(" of {source}")).unwrap_or_default();
    let names = [&info.labels, &info.edge_labels, &info.properties].map(|names| names.as_slice()).concat();
    let names = if info.may_be_dropped() { format!(": {}", names.join(", ")) } else { String::new() };
    format!("layer {}{source}{names}", info.layer.name)
}
