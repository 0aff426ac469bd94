//! `varvite layers`: lists the layers of a graph and their sources.

use std::path::PathBuf;

use clap::Args;
use varvite::Graph;
use varvite::inspect::{Layer, LayerInfo};

use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::Outcome;
use crate::output::{Cell, Column, begin_rows};

/// Arguments of `varvite layers`.
#[derive(Debug, Args)]
pub(crate) struct LayersArgs {
    /// The graph, a .varvite file
    file: PathBuf,
    #[command(flatten)]
    format: OutputArgs,
}

/// Lists the layers in the order in which they were added.
pub(crate) fn run(args: &LayersArgs) -> Outcome {
    GraphArgs::mapped(&args.file).ask(|graph| list(args, graph))
}

fn list(args: &LayersArgs, graph: &Graph) -> Outcome {
    let titles = [
        Column::text("layer"),
        Column::text("tool"),
        Column::text("version"),
        Column::text("source"),
        Column::text("holds"),
        Column::number("nodes"),
        Column::number("edges"),
        Column::number("properties"),
        Column::number("bytes"),
    ];
    let mut rows = begin_rows(args.format.format, titles.into())?;
    for info in LayerInfo::all(graph)? {
        let (source, holds) = (info.source(), holds(&info));
        let Layer { name, tool, version, .. } = &info.layer;
        for text in [name, tool, version] {
            rows.put(&text.as_str().into())?;
        }
        rows.put(&Cell::of_text(source.as_deref()))?;
        rows.put(&holds.as_str().into())?;
        for number in [info.nodes, info.edges, info.properties.len() as u64, info.bytes] {
            rows.put(&number.into())?;
        }
        rows.end_row()?;
    }
    Ok(rows.finish()?)
}

/// The labels and properties of a layer: their names if the layer may be dropped, otherwise only how many
/// there are.
fn holds(info: &LayerInfo) -> String {
    let all = [&info.labels, &info.edge_labels, &info.properties];
    if info.may_be_dropped() && all.iter().any(|names| !names.is_empty()) {
        return all.map(|names| names.as_slice()).concat().join(", ");
    }
    let counts = [
        (info.labels.len(), "label", "labels"),
        (info.edge_labels.len(), "edge label", "edge labels"),
        (info.properties.len(), "property", "properties"),
    ];
    let parts = counts.iter().filter(|(count, ..)| *count > 0);
    let part = |(count, one, many): &(usize, &str, &str)| {
        format!("{count} {}", if *count == 1 { one } else { many })
    };
    parts.map(part).collect::<Vec<_>>().join(", ")
}
