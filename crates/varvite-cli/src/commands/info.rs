//! `varvite info`: shows the schema and counts of a file, and the storage of each column.

use std::io;

use clap::Args;
use serde_json::Value as Json;
use varvite::inspect::Info;
use varvite::{Graph, PropertyInfo};

use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::Outcome;
use crate::output::{
    Column, Format, begin_rows, counted, escaped, shortened, sized, thousands, write_document, write_line,
};

/// Width of titles in characters.
const TITLE_WIDTH: usize = 13;
/// Width of a line in characters.
const LINE_WIDTH: usize = 100;
/// Maximum number of names of one kind that are shown.
const WORDS_MAX: usize = 60;

/// Arguments of `varvite info`.
#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    graph: GraphArgs,
    /// Also show the storage of each column: values, bytes, codec, encoding. csv and json always include it
    #[arg(long)]
    columns: bool,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    format: OutputArgs,
}

/// Describes the file. Reads only the file's directory, and no columns.
pub(crate) fn run(args: &InfoArgs) -> Outcome {
    args.graph.ask(|graph| answer(args, graph))
}

fn answer(args: &InfoArgs, graph: &Graph) -> Outcome {
    let info = Info::of(graph);
    match if args.json { Format::Json } else { args.format.format } {
        Format::Table => {
            write_summary(&args.graph.file.to_string_lossy(), &info)?;
            if args.columns {
                write_line("")?;
                write_rows(Format::Table, columns(&info))?;
            }
        }
        Format::Csv => write_rows(Format::Csv, columns(&info))?,
        format => write_document(&info.to_json(), format)?,
    }
    Ok(())
}

/// Writes a summary that is short enough for a screen.
fn write_summary(file: &str, info: &Info) -> io::Result<()> {
    write_line(&format!(
        "{}: {}, {}, {}, {} profile, format version {}",
        escaped(file),
        counted(info.nodes.into(), "node"),
        counted(info.edges, "edge"),
        sized(info.file_bytes),
        info.profile.name(),
        info.format_version,
    ))?;
    let layers = info.layers.iter().map(|row| format!("{} ({} {})", row.name, row.tool, row.version));
    write_list("layers", layers.collect())?;
    let labels = info.labels.iter().filter(|row| row.nodes > 0);
    write_counts("labels", labels.map(|row| (row.name.as_str(), row.nodes)).collect())?;
    let edge_labels = info.edge_labels.iter().filter(|row| row.edges > 0);
    write_counts("edge labels", edge_labels.map(|row| (row.name.as_str(), row.edges)).collect())?;
    let properties = info.properties.iter().filter(|(_, owners)| *owners > 0);
    let properties: Vec<(String, u64)> =
        properties.map(|(row, owners)| (property_name(row), *owners)).collect();
    write_counts("properties", properties.iter().map(|(name, owners)| (name.as_str(), *owners)).collect())?;
    let indexes = info.indexes.iter();
    let indexes = indexes.map(|row| format!("{} ({})", row.property, counted(row.texts, "text")));
    write_list("indexes", indexes.collect())?;
    let log = &info.log;
    if log.records > 0 {
        let commits = counted(log.records, "small commit");
        write_line(&format!("{:TITLE_WIDTH$}{commits}, {}", "log", sized(log.bytes)))?;
    }
    if log.leftover_bytes > 0 {
        let bytes = counted(log.leftover_bytes, "byte");
        write_line(&format!("{:TITLE_WIDTH$}{bytes} of a commit that was not finished", "left over"))?;
    }
    let bytes = info.columns.iter().filter(|row| row.shared_with.is_none()).map(|row| row.bytes).sum();
    let count = counted(info.columns.iter().filter(|row| row.count > 0).count() as u64, "column");
    write_line(&format!("{:TITLE_WIDTH$}{count}, {}", "stored in", sized(bytes)))
}

fn property_name(property: &PropertyInfo) -> String {
    match &property.edge_label {
        Some(label) => format!("{} of {label}", property.name),
        None => property.name.clone(),
    }
}

/// Writes names and their counts, the largest count first.
fn write_counts(title: &str, mut rows: Vec<(&str, u64)>) -> io::Result<()> {
    rows.sort_by(|(name, number), (other_name, other)| other.cmp(number).then_with(|| name.cmp(other_name)));
    write_list(title, rows.iter().map(|(name, number)| format!("{name} {}", thousands(*number))).collect())
}

/// Writes a title and words beside it, on as many lines as needed. At most [`WORDS_MAX`] words are written,
/// and nothing if there are no words.
fn write_list(title: &str, words: Vec<String>) -> io::Result<()> {
    let more = words.len().saturating_sub(WORDS_MAX);
    let mut line = format!("{title:TITLE_WIDTH$}");
    for (number, word) in words.iter().take(WORDS_MAX).enumerate() {
        let word = shortened(word);
        if line.chars().count() + word.chars().count() > LINE_WIDTH && number > 0 {
            write_line(line.trim_end())?;
            line = " ".repeat(TITLE_WIDTH);
        }
        let is_last = number + 1 == words.len();
        line.push_str(&word);
        line.push_str(if is_last { "" } else { ", " });
    }
    if more > 0 {
        line.push_str(&format!("and {} more", thousands(more as u64)));
    }
    if words.is_empty() { Ok(()) } else { write_line(line.trim_end()) }
}

/// The titles of a table, and its rows.
type Section = (Vec<Column>, Vec<Vec<Json>>);

/// The columns of the graph that have values. If a column has the same content as another, it has no bytes of
/// its own.
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

fn text(text: &str) -> Json {
    text.into()
}

fn write_rows(format: Format, (titles, cells): Section) -> io::Result<()> {
    let mut rows = begin_rows(format, titles)?;
    cells.into_iter().try_for_each(|cells| rows.push(cells))?;
    rows.finish()
}
