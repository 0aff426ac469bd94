//! `varvite trace top`, `lines` and `modules`: rank the code that ran, without a graph.

use std::cmp::Reverse;
use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use varvite_memtrace::code::FileBinaries;
use varvite_memtrace::usage::{AccessCounts, CodeBy, CodeCounts, CodeRow};

use super::note_sampled;
use super::record_cells::hex;
use super::scan::ScanArgs;
use crate::arguments::OutputArgs;
use crate::failure::{Failure, Outcome};
use crate::output::{
    Column, Format, bar, begin_rows, counted, note, remark, shown, sized, thousands, write_document,
    write_line,
};

/// Arguments of the three commands.
#[derive(Debug, Args)]
pub(crate) struct CodeArgs {
    #[command(flatten)]
    scan: ScanArgs,
    /// Measure to sort by, largest first
    #[arg(long, value_enum, default_value_t)]
    sort: SortWord,
    /// Show at most N rows
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Binary that replaces the one in the trace with the same build id or file name
    #[arg(long, value_name = "PATH")]
    binary: Vec<PathBuf>,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SortWord {
    #[default]
    Instructions,
    Loads,
    Stores,
    Bytes,
}

impl SortWord {
    fn of(self, counts: &AccessCounts) -> u64 {
        match self {
            Self::Instructions => counts.instructions,
            Self::Loads => counts.loads,
            Self::Stores => counts.stores,
            Self::Bytes => counts.bytes,
        }
    }
}

/// The names of the counts, in the order of [`numbers`].
const COUNTS: [&str; 4] = ["instructions", "loads", "stores", "bytes"];

fn numbers(counts: &AccessCounts) -> [u64; 4] {
    [counts.instructions, counts.loads, counts.stores, counts.bytes]
}

/// Shows the functions, lines or modules that ran, sorted by a count, the largest first.
pub(super) fn run(args: &CodeArgs, by: CodeBy) -> Outcome {
    for binary in &args.binary {
        FileBinaries::read(binary).map_err(|error| Failure::source(binary, error.to_string()))?;
    }
    let (counts, mut reader) = args.scan.read(CodeCounts::of)?;
    let modules = reader.modules().map_err(Failure::trace(&args.scan.file))?;
    let binaries = FileBinaries::with_replacements(args.binary.clone());
    let mut rows = counts.rows(modules, &binaries, by);
    let (total, is_sampled) = (counts.total(), counts.is_sampled());
    rows.sort_by_key(|row| Reverse(args.sort.of(&row.counts)));
    tell_problems(args, &rows, &total, by);
    if is_sampled {
        note_sampled(&args.scan.file);
    }
    if args.format.format != Format::Json && rows.len() > args.limit {
        let (shown, found) = (thousands(args.limit as u64), thousands(rows.len() as u64));
        note(&format!("{shown} of {found} rows; --limit {} shows all", rows.len()));
    }
    Ok(args.write(&rows, (&total, is_sampled), by)?)
}

/// Notes the reasons why rows lack names: files that could not be used, or a trace without instructions.
fn tell_problems(args: &CodeArgs, rows: &[CodeRow], total: &AccessCounts, by: CodeBy) {
    if total.instructions == 0 && total.loads + total.stores > 0 {
        let file = args.scan.file.display();
        note(&format!("{file} has no instructions, so no code: record without --no-instructions"));
    }
    let mut problems: Vec<String> = rows
        .iter()
        .filter(|_| by != CodeBy::Module)
        .filter_map(|row| Some(format!("{} {}", row.module.as_ref()?, row.problem.as_ref()?)))
        .collect();
    problems.sort();
    problems.dedup();
    problems.iter().for_each(|problem| remark(problem));
}

impl CodeArgs {
    fn write(
        &self,
        rows: &[CodeRow],
        (total, is_sampled): (&AccessCounts, bool),
        by: CodeBy,
    ) -> io::Result<()> {
        let shown_rows = &rows[..rows.len().min(self.limit)];
        match self.format.format {
            Format::Json => {
                let document = json!({
                    "file": self.scan.file.to_string_lossy(),
                    "is_sampled": is_sampled,
                    "total": counts_json(total),
                    "rows": shown_rows.iter().map(|row| document(row, by)).collect::<Vec<_>>(),
                    "rows_found": rows.len(),
                });
                write_document(&format!("{document:#}"), Format::Json)
            }
            Format::Table => {
                write_line(&self.sentence(total))?;
                self.write_table(shown_rows, by)
            }
            format => write_plain(shown_rows, by, format),
        }
    }

    fn sentence(&self, total: &AccessCounts) -> String {
        format!(
            "{}: {}, {}, {}, {} accessed\n",
            shown(&self.scan.file),
            counted(total.instructions, "instruction"),
            counted(total.loads, "load"),
            counted(total.stores, "store"),
            sized(total.bytes),
        )
    }

    /// In a table, counts come first, since a path may be wider than the terminal.
    fn write_table(&self, rows: &[CodeRow], by: CodeBy) -> io::Result<()> {
        let counts = COUNTS.map(Column::number).into_iter();
        let places = place_columns(by).into_iter().map(Column::text);
        let mut table = begin_rows(Format::Table, counts.chain([Column::text("")]).chain(places).collect())?;
        let longest = rows.iter().map(|row| self.sort.of(&row.counts)).max().unwrap_or(0);
        for row in rows {
            let counts = numbers(&row.counts).map(Json::from).into_iter();
            let bar = Json::from(bar(self.sort.of(&row.counts), longest));
            table.push(counts.chain([bar]).chain(place_cells(row, by)).collect())?;
        }
        table.finish()
    }
}

fn write_plain(rows: &[CodeRow], by: CodeBy, format: Format) -> io::Result<()> {
    let places = place_columns(by).into_iter();
    let places = places.map(|name| if name == "line" { Column::number(name) } else { Column::text(name) });
    let mut table = begin_rows(format, places.chain(COUNTS.map(Column::number)).collect())?;
    for row in rows {
        let counts = numbers(&row.counts).map(Json::from).into_iter();
        table.push(place_cells(row, by).into_iter().chain(counts).collect())?;
    }
    table.finish()
}

fn place_columns(by: CodeBy) -> Vec<&'static str> {
    match by {
        CodeBy::Module => vec!["module", "build id", "problem"],
        CodeBy::Function | CodeBy::Line => vec!["function", "file", "line", "module"],
    }
}

fn place_cells(row: &CodeRow, by: CodeBy) -> Vec<Json> {
    let module = row.module.clone().into();
    match by {
        CodeBy::Module => vec![module, filled(hex(&row.build_id)), row.problem.clone().into()],
        CodeBy::Function | CodeBy::Line => {
            vec![row.function.clone().into(), row.file.clone().into(), row.line.into(), module]
        }
    }
}

fn document(row: &CodeRow, by: CodeBy) -> Json {
    let names = place_columns(by).into_iter().map(|name| name.replace(' ', "_"));
    let mut document: serde_json::Map<String, Json> = names.zip(place_cells(row, by)).collect();
    document.insert("counts".to_owned(), counts_json(&row.counts));
    document.into()
}

fn counts_json(counts: &AccessCounts) -> Json {
    COUNTS.iter().map(|name| (*name).to_owned()).zip(numbers(counts).map(Json::from)).collect()
}

fn filled(text: String) -> Json {
    if text.is_empty() { Json::Null } else { text.into() }
}
