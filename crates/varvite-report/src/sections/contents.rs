//! What is in the graph: counts, labels, edges, layers.

use varvite::inspect::{Info, LayerInfo};
use varvite_show::{sized, thousands};

use crate::error::Result;
use crate::html::{Cell, Page, Table, Title};
use crate::report::Facts;

/// The number of labels that a table shows.
const LABELS: usize = 25;
/// The number of layers that the table shows.
const LAYERS: usize = 40;

pub(super) fn write(facts: &Facts<'_>, page: &mut Page) -> Result<()> {
    let (graph, info) = (facts.code.graph, Info::of(facts.code.graph));
    let files = info.labels.iter().find(|label| label.name == "FILE").map_or(0, |label| label.nodes);
    page.facts(&[
        ("nodes", thousands(info.nodes.into())),
        ("edges", thousands(info.edges)),
        ("functions with code", thousands(facts.functions.all.len() as u64)),
        ("files", thousands(files)),
        ("files with their source", thousands(facts.code.source_count())),
        ("layers", thousands(info.layers.len() as u64)),
        ("size of the graph", sized(info.file_bytes)),
    ]);
    let labels = info.labels.iter().map(|label| (label.name.as_str(), label.nodes));
    let labels = counts("Labels of nodes", "label", "nodes", labels.collect());
    let edges = info.edge_labels.iter().map(|label| (label.name.as_str(), label.edges));
    let edges = counts("Labels of edges", "label", "edges", edges.collect());
    let properties = info.properties.iter().filter(|(property, _)| property.edge_label.is_none());
    let properties = properties.map(|(property, owners)| (property.name.as_str(), *owners));
    page.tables(&[labels, edges, counts("Properties of nodes", "property", "nodes", properties.collect())]);
    layers(&LayerInfo::all(graph)?, page);
    Ok(())
}

/// A table of names with their counts, the largest first.
fn counts(caption: &str, name: &str, noun: &str, mut rows: Vec<(&str, u64)>) -> Table {
    rows.retain(|(_, count)| *count > 0);
    rows.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(other.0)));
    let mut table = Table::new(caption, vec![Title::text(name), Title::number(noun)]);
    for (name, count) in rows.iter().take(LABELS) {
        table.push(vec![Cell::Code((*name).to_owned()), Cell::Number(*count)]);
    }
    table.of_all(rows.len() as u64, "name");
    table
}

fn layers(layers: &[LayerInfo], page: &mut Page) {
    let texts = ["layer", "made by", "version"].map(Title::text);
    let numbers = ["nodes", "edges", "properties", "bytes"].map(Title::number);
    let mut table = Table::new("Layers", texts.into_iter().chain(numbers).collect());
    for info in layers.iter().take(LAYERS) {
        table.push(vec![
            Cell::Text(info.layer.name.clone()),
            Cell::Text(info.layer.tool.clone()),
            Cell::Text(info.layer.version.clone()),
            Cell::Number(info.nodes),
            Cell::Number(info.edges),
            Cell::Number(info.properties.len() as u64),
            Cell::Number(info.bytes),
        ]);
    }
    table.of_all(layers.len() as u64, "layer");
    page.table(&table);
}
