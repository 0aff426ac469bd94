//! `varvite info`: what a file holds, and how each column is stored.

use clap::Args;
use serde_json::Value as Json;
use varvite::{Graph, Info};

use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::Outcome;
use crate::output::{Column, Format, Rows, Summary, counted, megabytes, write_document};

/// Arguments of `varvite info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// In csv, the columns of the file alone are shown
    #[command(flatten)]
    format: OutputArgs,
}

/// Describes the file. Reads its directory, and no column.
pub(crate) fn run(args: &InfoArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &InfoArgs, graph: &Graph) -> Outcome {
    let info = Info::of(graph);
    match if args.json { Format::Json } else { args.format.format } {
        Format::Table => write_tables(&args.graph.file.to_string_lossy(), &info),
        Format::Csv => write_rows(Format::Csv, columns(&info)),
        format => write_document(&info.to_json(), format),
    }
}

fn write_tables(file: &str, info: &Info) -> Outcome {
    let sentence = format!(
        "{file}: {}, {}, {}, {} profile, format version {}",
        counted(info.nodes.into(), "node"),
        counted(info.edges, "edge"),
        megabytes(info.file_bytes),
        info.profile.name(),
        info.format_version,
    );
    write_line(sentence)?;
    write_section("Layers", layers(info))?;
    write_section("Labels that nodes have", labels(info))?;
    write_section("Edge labels", edge_labels(info))?;
    write_section("Properties", properties(info))?;
    if !info.indexes.is_empty() {
        write_section("Indexes", indexes(info))?;
    }
    write_section("Columns", columns(info))
}

/// Titles, and rows below them.
type Section = (Vec<Column>, Vec<Vec<Json>>);

fn layers(info: &Info) -> Section {
    let titles = vec![Column::text("layer"), Column::text("made by"), Column::text("version")];
    let rows = info.layers.iter();
    let rows = rows.map(|row| vec![text(&row.name), text(&row.tool), text(&row.version)]);
    (titles, rows.collect())
}

fn labels(info: &Info) -> Section {
    let titles = vec![Column::text("label"), Column::number("nodes"), Column::text("layer")];
    let rows = info.labels.iter().filter(|row| row.nodes > 0);
    let rows = rows.map(|row| vec![text(&row.name), row.nodes.into(), layer_name(info, row.layer)]);
    (titles, rows.collect())
}

fn edge_labels(info: &Info) -> Section {
    let titles = vec![Column::text("label"), Column::number("edges"), Column::text("layer")];
    let rows = info.edge_labels.iter();
    let rows = rows.map(|row| vec![text(&row.name), row.edges.into(), layer_name(info, row.layer)]);
    (titles, rows.collect())
}

fn properties(info: &Info) -> Section {
    let titles = ["property", "of", "type", "values"].map(Column::text);
    let titles = titles.into_iter().chain([Column::number("owners")]).collect();
    let rows = info.properties.iter().map(|(row, owners)| {
        let of = row.edge_label.as_ref().map_or_else(|| "nodes".to_owned(), |label| format!("edges {label}"));
        let (value_type, values) = (text(row.value_type.name()), text(row.cardinality.name()));
        vec![text(&row.name), of.into(), value_type, values, (*owners).into()]
    });
    (titles, rows.collect())
}

fn indexes(info: &Info) -> Section {
    let numbers = ["texts", "nodes", "bytes"].map(Column::number);
    let titles = [Column::text("property")].into_iter().chain(numbers).collect();
    let rows = info.indexes.iter();
    let rows =
        rows.map(|row| vec![text(&row.property), row.texts.into(), row.nodes.into(), row.bytes.into()]);
    (titles, rows.collect())
}

/// Columns with values. One that is the same as another has no bytes of its own.
fn columns(info: &Info) -> Section {
    let numbers = ["values", "bytes", "bits per value"].map(Column::number);
    let titles = [Column::text("column")].into_iter().chain(numbers);
    let titles = titles.chain([Column::text("codec"), Column::text("encoding")]).collect();
    let rows = info.columns.iter().filter(|row| row.count > 0).map(|row| {
        let (bytes, bits, encoding) = match (&row.shared_with, &row.parts_shared_with) {
            (Some(other), _) => (0, 0.0, format!("same as {other}")),
            (None, Some(other)) => {
                (row.bytes, row.bits_per_value(), format!("{}, shares bytes with {other}", row.encoding))
            }
            (None, None) => (row.bytes, row.bits_per_value(), row.encoding.clone()),
        };
        let bits = format!("{bits:.2}").into();
        vec![text(&row.name), row.count.into(), bytes.into(), bits, text(&row.codec), encoding.into()]
    });
    (titles, rows.collect())
}

fn layer_name(info: &Info, index: u32) -> Json {
    info.layers.get(index as usize).map(|layer| layer.name.as_str()).into()
}

fn text(text: &str) -> Json {
    text.into()
}

fn write_section(title: &str, section: Section) -> Outcome {
    write_line(format!("\n{title}"))?;
    write_rows(Format::Table, section)
}

fn write_line(sentence: String) -> Outcome {
    Summary { sentence, fields: Vec::new() }.write(Format::Table)
}

fn write_rows(format: Format, (titles, cells): Section) -> Outcome {
    let mut rows = Rows::begin(format, titles)?;
    cells.into_iter().try_for_each(|cells| rows.push(cells))?;
    rows.finish()
}
