//! `varvite schema`: shows the properties of each label, and the labels that edges connect.

use std::io;

use clap::Args;
use serde_json::{Value as Json, json};
use varvite::columns::{Census, EdgeEnds, PropertyUse};
use varvite::{EdgeLabelId, Graph};
use varvite_cpg::characters::shortened;

use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs, ThreadArgs};
use crate::failure::Outcome;
use crate::output::{Cell, Column, Format, begin_rows, write_document, write_line};
use crate::progress::Progress;

/// Arguments of `varvite schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// Show only this label of nodes or edges
    label: Option<String>,
    /// Show the labels that edges connect, instead of properties; csv and jsonl can show only one of the two
    #[arg(long)]
    edges: bool,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

/// Maximum number of characters of a text that are shown.
const EXAMPLE_CHARS: usize = 60;
/// Maximum number of values of a list that are shown.
const EXAMPLE_VALUES: usize = 5;

/// Reads every value and every edge, and shows the counts.
pub(crate) fn run(args: &SchemaArgs) -> Outcome {
    args.graph.ask_within(&args.memory, |graph| answer(args, graph))
}

fn answer(args: &SchemaArgs, graph: &Graph) -> Outcome {
    let label = args.label.as_deref().map(|label| Wanted::of(graph, label)).transpose()?;
    let census = {
        let bar = Progress::steps();
        Census::of(graph, &args.threads.task().progress(|progress| bar.show(progress)))?
    };
    let view = View { graph, census: &census, wanted: label };
    let format = args.format.format;
    match (format, args.edges) {
        (Format::Json, _) => write_document(&format!("{:#}", view.document()), format)?,
        (Format::Table, false) => {
            view.write_properties(format)?;
            write_line("")?;
            view.write_edges(format)?;
        }
        (_, false) => view.write_properties(format)?,
        (_, true) => view.write_edges(format)?,
    }
    Ok(())
}

/// The label that the user asked about.
enum Wanted<'w> {
    OfNodes(&'w str),
    OfEdges(EdgeLabelId),
}

impl<'w> Wanted<'w> {
    fn of(graph: &Graph, label: &'w str) -> varvite::Result<Self> {
        match (graph.label(label), graph.edge_label(label)) {
            (Ok(_), _) => Ok(Self::OfNodes(label)),
            (Err(_), Ok(id)) => Ok(Self::OfEdges(id)),
            (Err(error), Err(_)) => Err(error),
        }
    }
}

/// A census (counts of all values and edges), and the label to show.
struct View<'v> {
    graph: &'v Graph,
    census: &'v Census,
    wanted: Option<Wanted<'v>>,
}

impl View<'_> {
    fn properties(&self) -> impl Iterator<Item = &PropertyUse> {
        self.census.properties.iter().filter(|row| {
            let of_edges = self.graph.properties()[row.property.index()].edge_label.as_deref();
            match &self.wanted {
                None => true,
                Some(Wanted::OfNodes(label)) => of_edges.is_none() && has_label(&row.label, label),
                Some(Wanted::OfEdges(id)) => of_edges == Some(&self.graph.edge_labels()[id.index()].name),
            }
        })
    }

    fn edges(&self) -> impl Iterator<Item = &EdgeEnds> {
        self.census.edges.iter().filter(|row| match &self.wanted {
            None => true,
            Some(Wanted::OfNodes(label)) => has_label(&row.source, label) || has_label(&row.target, label),
            Some(Wanted::OfEdges(id)) => row.edge_label == *id,
        })
    }

    fn write_properties(&self, format: Format) -> io::Result<()> {
        let columns = [
            Column::text("label"),
            Column::number("count"),
            Column::text("property"),
            Column::text("type"),
            Column::text("values"),
            Column::number("owners"),
            Column::number("share"),
            Column::number("distinct"),
            Column::text("example"),
        ];
        let mut rows = begin_rows(format, columns.into())?;
        for row in self.properties() {
            let info = &self.graph.properties()[row.property.index()];
            rows.put(&self.label_of(row).into())?;
            rows.put(&row.of.into())?;
            rows.put(&info.name.as_str().into())?;
            rows.put(&info.value_type.name().into())?;
            rows.put(&info.cardinality.name().into())?;
            rows.put(&row.owners.into())?;
            match format {
                Format::Table => rows.put(&percent(row).into())?,
                _ => rows.put(&Json::from(share(row)).into())?,
            }
            rows.put(&row.distinct.into())?;
            rows.put(&self.example(row).into())?;
            rows.end_row()?;
        }
        rows.finish()
    }

    fn write_edges(&self, format: Format) -> io::Result<()> {
        let columns =
            [Column::text("edge"), Column::text("source"), Column::text("target"), Column::number("edges")];
        let mut rows = begin_rows(format, columns.into())?;
        for row in self.edges() {
            rows.put(&self.edge_label(row).into())?;
            rows.put(&row.source.as_str().into())?;
            rows.put(&row.target.as_str().into())?;
            rows.put(&row.edges.into())?;
            rows.end_row()?;
        }
        rows.finish()
    }

    /// All rows, those of properties and those of edges, as a document.
    fn document(&self) -> Json {
        let property = |row: &PropertyUse| {
            let info = &self.graph.properties()[row.property.index()];
            json!({
                "label": self.label_of(row),
                "count": row.of,
                "property": info.name,
                "type": info.value_type.name(),
                "values": info.cardinality.name(),
                "owners": row.owners,
                "share": share(row),
                "distinct": row.distinct,
                "example": self.example(row),
            })
        };
        let edges = |row: &EdgeEnds| {
            json!({
                "edge": self.edge_label(row),
                "source": row.source,
                "target": row.target,
                "edges": row.edges,
            })
        };
        let labels = self.census.labels.iter().filter(|(name, _)| match &self.wanted {
            None => true,
            Some(Wanted::OfNodes(label)) => has_label(name, label),
            Some(Wanted::OfEdges(_)) => false,
        });
        json!({
            "labels": labels.map(|(name, nodes)| json!({"label": name, "nodes": nodes})).collect::<Json>(),
            "properties": self.properties().map(property).collect::<Json>(),
            "edges": self.edges().map(edges).collect::<Json>(),
        })
    }

    /// The label of a row. `edges` is put before an edge label, since nodes may have a label of the same
    /// name.
    fn label_of(&self, row: &PropertyUse) -> String {
        match &self.graph.properties()[row.property.index()].edge_label {
            Some(label) => format!("edges {label}"),
            None => row.label.clone(),
        }
    }

    fn edge_label(&self, row: &EdgeEnds) -> &str {
        &self.graph.edge_labels()[row.edge_label.index()].name
    }

    /// An example of a property's values: the first one, or the second one if the first is an empty text.
    /// Long texts are cut.
    fn example(&self, row: &PropertyUse) -> Json {
        let Ok(property) = self.graph.property_at(row.property) else { return Json::Null };
        let is_empty = |cell: &Cell<'_>| cell.is_null() || cell.text() == Some("");
        let first = Cell::of_owner(&property, row.first);
        let shown = if is_empty(&first) { Cell::of_owner(&property, row.second) } else { first };
        match shown.to_json() {
            Json::Array(values) => values.into_iter().take(EXAMPLE_VALUES).map(cut).collect(),
            value => cut(value),
        }
    }
}

/// Whether a label set, whose labels are joined by `&`, contains a label.
fn has_label(set: &str, label: &str) -> bool {
    set == label || set.split('&').any(|name| name == label)
}

fn share(row: &PropertyUse) -> f64 {
    // Four decimals are enough for a share.
    (row.owners as f64 / row.of.max(1) as f64 * 1e4).round() / 1e4
}

fn percent(row: &PropertyUse) -> String {
    format!("{:.1} %", 100.0 * row.owners as f64 / row.of.max(1) as f64)
}

fn cut(value: Json) -> Json {
    match value {
        Json::String(text) => shortened(&text, EXAMPLE_CHARS).into(),
        other => other,
    }
}
