//! `varvite trace histogram`: the sizes of accesses, the working set over time, and reuse distances.

use std::io;

use clap::Args;
use serde_json::{Value as Json, json};
use varvite_memtrace::usage::{Accesses, LINE_LEN, ReuseRow, SizeRow, Window};

use super::note_sampled;
use super::scan::ScanArgs;
use crate::arguments::OutputArgs;
use crate::failure::Outcome;
use crate::output::{Column, Format, bar, begin_rows, note, sized, thousands, write_document, write_line};

/// Arguments of `varvite trace histogram`.
#[derive(Debug, Args)]
pub(crate) struct HistogramArgs {
    #[command(flatten)]
    scan: ScanArgs,
    /// Number of windows for the working set, each of equally many records
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    windows: u64,
    #[command(flatten)]
    format: OutputArgs,
}

/// Shows the three histograms: as three tables, as fields of a document, or as rows that begin with the name
/// of the histogram.
pub(super) fn run(args: &HistogramArgs) -> Outcome {
    let (accesses, _) =
        args.scan.read(|reader, memory, task| Accesses::of(reader, args.windows, memory, task))?;
    if accesses.one_line_in > 1 {
        note(&format!(
            "cache lines exceed --memory: working sets and reuse distances are estimates from one line in {}",
            thousands(accesses.one_line_in)
        ));
    }
    if accesses.is_sampled {
        note_sampled(&args.scan.file);
    }
    match args.format.format {
        Format::Table => write_tables(&accesses)?,
        Format::Json => write_document(&format!("{:#}", document(args, &accesses)), Format::Json)?,
        format => write_rows(&accesses, format)?,
    }
    Ok(())
}

fn document(args: &HistogramArgs, accesses: &Accesses) -> Json {
    let sizes = accesses.sizes.iter();
    let windows = accesses.windows.iter();
    let reuse = accesses.reuse.iter();
    json!({
        "file": args.scan.file.to_string_lossy(),
        "sizes": sizes.map(|row| json!({"bytes": row.bytes, "loads": row.loads, "stores": row.stores})).collect::<Vec<_>>(),
        "working_set": windows.map(|row| json!({"from_record": row.from, "to_record": row.to, "bytes": row.bytes})).collect::<Vec<_>>(),
        "reuse": reuse.map(|row| json!({"from_lines": row.from_lines, "to_lines": row.to_lines, "uses": row.uses})).collect::<Vec<_>>(),
        "first_uses": accesses.first_uses,
        "one_line_in": accesses.one_line_in,
        "is_sampled": accesses.is_sampled,
    })
}

/// Writes a row for each range of each histogram: the name of the histogram, the range, and its number.
fn write_rows(accesses: &Accesses, format: Format) -> io::Result<()> {
    let columns =
        [Column::text("histogram"), Column::number("from"), Column::number("to"), Column::number("number")];
    let mut rows = begin_rows(format, columns.into())?;
    let mut push =
        |name: &str, from: Json, to: Json, number: u64| rows.push(vec![name.into(), from, to, number.into()]);
    for SizeRow { bytes, loads, stores } in &accesses.sizes {
        push("loads_of_bytes", (*bytes).into(), (*bytes).into(), *loads)?;
        push("stores_of_bytes", (*bytes).into(), (*bytes).into(), *stores)?;
    }
    for Window { from, to, bytes } in &accesses.windows {
        push("working_set_bytes_of_records", (*from).into(), (*to).into(), *bytes)?;
    }
    for ReuseRow { from_lines, to_lines, uses } in &accesses.reuse {
        push("uses_after_lines", (*from_lines).into(), (*to_lines).into(), *uses)?;
    }
    push("first_uses", Json::Null, Json::Null, accesses.first_uses)?;
    rows.finish()
}

fn write_tables(accesses: &Accesses) -> io::Result<()> {
    write_line("Sizes of loads and stores, in bytes")?;
    write_sizes(&accesses.sizes)?;
    write_line("\nWorking set over time: cache lines that a part of the records used")?;
    write_windows(&accesses.windows)?;
    write_line("\nReuse distance: other cache lines used since a line's last use; a larger cache has it")?;
    write_reuse(accesses)
}

fn write_sizes(sizes: &[SizeRow]) -> io::Result<()> {
    let columns = ["bytes", "loads", "stores"].map(Column::number).into_iter();
    let mut rows = begin_rows(Format::Table, columns.chain([Column::text("")]).collect())?;
    let longest = sizes.iter().map(|row| row.loads + row.stores).max().unwrap_or(0);
    for SizeRow { bytes, loads, stores } in sizes {
        let bar = bar(loads + stores, longest);
        rows.push(vec![(*bytes).into(), (*loads).into(), (*stores).into(), bar.into()])?;
    }
    rows.finish()
}

fn write_windows(windows: &[Window]) -> io::Result<()> {
    let columns = [Column::number("to record"), Column::number("working set"), Column::text("")];
    let mut rows = begin_rows(Format::Table, columns.into())?;
    let longest = windows.iter().map(|window| window.bytes).max().unwrap_or(0);
    for window in windows {
        let bar = bar(window.bytes, longest);
        rows.push(vec![window.to.into(), sized(window.bytes).into(), bar.into()])?;
    }
    rows.finish()
}

fn write_reuse(accesses: &Accesses) -> io::Result<()> {
    let columns = [
        Column::text("lines"),
        Column::text("cache"),
        Column::number("uses"),
        Column::number("%"),
        Column::text(""),
    ];
    let mut rows = begin_rows(Format::Table, columns.into())?;
    let uses = accesses.reuse.iter().map(|row| row.uses);
    let (all, longest) =
        (uses.clone().sum::<u64>() + accesses.first_uses, uses.max().unwrap_or(0).max(accesses.first_uses));
    let mut push = |lines: String, cache: String, uses: u64| {
        let share = format!("{:.1}", 100.0 * uses as f64 / all.max(1) as f64);
        rows.push(vec![lines.into(), cache.into(), uses.into(), share.into(), bar(uses, longest).into()])
    };
    for ReuseRow { from_lines, to_lines, uses } in &accesses.reuse {
        let lines = match from_lines == to_lines {
            true => from_lines.to_string(),
            false => format!("{from_lines} to {to_lines}"),
        };
        push(lines, sized((to_lines + 1).saturating_mul(LINE_LEN)), *uses)?;
    }
    push("first use".to_owned(), String::new(), accesses.first_uses)?;
    rows.finish()
}
