//! `varvite heap sizes`: shows the allocations of a program by size class.

use std::io;

use clap::Args;
use serde_json::Value as Json;
use varvite_profile::layer::{HeapLayer, SizeRow};

use super::asked::ProfileArgs;
use super::measured::{run_json, write_run};
use crate::arguments::{GraphArgs, OutputArgs};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, write_document};

/// Arguments of `varvite heap sizes`.
#[derive(Debug, Args)]
pub(crate) struct SizesArgs {
    #[command(flatten)]
    profile: ProfileArgs<GraphArgs>,
    #[command(flatten)]
    format: OutputArgs,
}

const COLUMNS: [&str; 7] =
    ["from_bytes", "to_bytes", "calls", "temporary", "bytes", "live_blocks", "live_bytes"];

/// Shows a row for each size class, the smallest sizes first.
pub(super) fn run(args: &SizesArgs) -> Outcome {
    args.profile.ask(Some("calls"), |graph, layer| {
        let graph = graph.ok_or_else(|| args.profile.without_events())?;
        let rows = layer.sizes(graph).map_err(|error| Failure::layer_read(args.profile.file(), error))?;
        Ok(write(layer, &rows, args.format.format)?)
    })
}

fn write(layer: &HeapLayer, rows: &[SizeRow], format: Format) -> io::Result<()> {
    if format == Format::Json {
        let row = |row| Json::Object(COLUMNS.iter().map(|name| (*name).to_owned()).zip(cells(row)).collect());
        let mut all = run_json(layer);
        all["rows"] = rows.iter().map(row).collect();
        return write_document(&format!("{all:#}"), format);
    }
    write_run(layer, format)?;
    let mut table = begin_rows(format, COLUMNS.map(Column::number).to_vec())?;
    for row in rows {
        table.push(cells(row).to_vec())?;
    }
    table.finish()
}

fn cells(row: &SizeRow) -> [Json; 7] {
    let SizeRow { from_bytes, to_bytes, calls, temporary, bytes, live_blocks, live_bytes } = *row;
    [from_bytes, to_bytes, calls, temporary, bytes, live_blocks, live_bytes].map(Json::from)
}
