//! `varvite heap diff`: what one run allocates that another does not.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use varvite_profile::Counts;
use varvite_profile::layer::{DiffClass, DiffFrame, DiffRow, HeapDiff, HeapLayer, Measure};

use super::asked::{MeasureWord, count_cells, count_columns, open_any, write_totals};
use super::told::{filled, known_line, place};
use crate::arguments::{GraphArgs, MemoryArgs, OutputArgs};
use crate::commands::profile_json::{counts_json, percent, totals_json};
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, Rows, write_document, write_text};

/// Calls of a backtrace that are told.
const FRAMES_MAX: usize = 64;

/// Arguments of `varvite heap diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The profile before: a graph that has it as a layer, or a file of heaptrack
    #[command(flatten)]
    before: GraphArgs,
    /// The profile after: a graph or a file of heaptrack [default: the same file]
    #[arg(value_name = "AFTER")]
    after: Option<PathBuf>,
    /// The profile before, if it was imported with --name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// The profile after, if it was imported with --name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    to: String,
    /// What is told of together
    #[arg(long, value_enum, default_value_t)]
    by: ByWord,
    /// What changed most of comes first
    #[arg(long, value_enum, default_value_t)]
    sort: MeasureWord,
    /// Show so many rows at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    memory: MemoryArgs,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ByWord {
    /// Functions that allocate
    #[default]
    Function,
    /// Backtraces
    Backtrace,
}

/// A row, with its calls.
type Row = (Vec<DiffFrame>, DiffRow);

/// Shows what changed, most of it first, and how much of both could be matched.
pub(super) fn run(args: &DiffArgs) -> Outcome {
    let path = args.after.as_deref().unwrap_or(&args.before.file);
    if path == args.before.file && args.name == args.to {
        return Err(Failure::Usage(
            "these are the same profile: name another file, or another profile with --name and --to"
                .to_owned(),
        ));
    }
    let before = open_any(&args.before, &args.name, &args.memory)?;
    let after = open_any(&args.before.at(path), &args.to, &args.memory)?;
    let (diff, measure) = (HeapDiff::of(&before, &after), Measure::from(args.sort));
    let mut rows = rows(args.by, &diff, measure);
    let found = rows.len();
    rows.truncate(args.limit);
    Ok(write(args, [&before, &after], &diff, (&rows, found))?)
}

fn rows(by: ByWord, diff: &HeapDiff, measure: Measure) -> Vec<Row> {
    match by {
        ByWord::Backtrace => {
            let rows = diff.by_backtrace(measure).into_iter();
            rows.map(|row| (diff.frames(row.backtrace, FRAMES_MAX), row)).collect()
        }
        ByWord::Function => {
            let mut rows: Vec<(DiffFrame, DiffRow)> = diff.by_function();
            rows.retain(|(_, row)| row.change(measure) != 0);
            rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.change(measure).unsigned_abs()));
            rows.into_iter().map(|(frame, row)| (vec![frame], row)).collect()
        }
    }
}

fn write(
    args: &DiffArgs,
    sides: [&HeapLayer; 2],
    diff: &HeapDiff,
    (rows, found): (&[Row], usize),
) -> io::Result<()> {
    let (format, measure) = (args.format.format, Measure::from(args.sort));
    if format == Format::Json {
        let [before, after] =
            sides.map(|side| json!({ "command": side.command, "totals": totals_json(&side.totals) }));
        let rows: Vec<Json> = rows.iter().map(document).collect();
        let all = json!({
            "before": before, "after": after, "matched": matched(diff), "rows": rows, "rows_found": found,
        });
        return write_document(&format!("{all:#}"), format);
    }
    if format == Format::Table {
        sides.iter().try_for_each(|side| write_totals(&side.command, &side.totals))?;
        write_text(&sentence(diff))?;
    }
    let mut table = Rows::begin(format, columns(format, measure))?;
    for row in rows {
        table.push(cells(format, measure, row))?;
    }
    table.finish()
}

/// What both profiles come to in backtraces of a class.
fn both(diff: &HeapDiff, class: DiffClass) -> Counts {
    let [mut sum, after] = diff.of_class(class);
    sum += after;
    sum
}

/// What could be matched, what of it by lines, and all.
fn shares(diff: &HeapDiff, measure: Measure) -> [i64; 3] {
    let of = |class| measure.of(&both(diff, class)).max(0);
    let all = DiffClass::ALL.map(of).into_iter().fold(0, i64::saturating_add);
    [all - of(DiffClass::Alone), of(DiffClass::Lines), all]
}

/// How much could be matched, for people.
fn sentence(diff: &HeapDiff) -> String {
    let told = |measure, noun: &str| {
        let [matched, lines, all] = shares(diff, measure);
        format!("{} of {noun} ({} by lines)", percent(matched, all), percent(lines, all))
    };
    format!(
        "in backtraces that both have: {}, {}, {}",
        told(Measure::Calls, "calls"),
        told(Measure::PeakBytes, "bytes at the peak"),
        told(Measure::LeakedBytes, "bytes leaked"),
    )
}

/// The same for programs.
fn matched(diff: &HeapDiff) -> Json {
    let share = |measure| {
        let [matched, _, all] = shares(diff, measure);
        (all > 0).then(|| matched as f64 / all as f64)
    };
    let classes = DiffClass::ALL.map(|class| {
        let [before, after] = diff.of_class(class);
        (class.name().to_owned(), json!({ "before": counts_json(&before), "after": counts_json(&after) }))
    });
    let shares = Measure::ALL.map(|measure| (measure.name().to_owned(), share(measure).into()));
    let (classes, shares) = (serde_json::Map::from_iter(classes), serde_json::Map::from_iter(shares));
    json!({ "share": shares, "by": classes })
}

fn columns(format: Format, measure: Measure) -> Vec<Column> {
    if format == Format::Table {
        let name = measure.name();
        let numbers = [format!("{name}_before"), format!("{name}_after"), "change".to_owned()];
        let texts = ["matched", "function", "callers"].map(Column::text);
        return numbers.map(Column::number).into_iter().chain(texts).collect();
    }
    let mut columns = vec![Column::text("function"), Column::text("file"), Column::number("line")];
    columns.extend([Column::text("callers"), Column::text("matched")]);
    columns.extend(["before_", "after_"].into_iter().flat_map(count_columns));
    columns
}

fn cells(format: Format, measure: Measure, (frames, row): &Row) -> Vec<Json> {
    let first = frames.first().cloned().unwrap_or_default();
    let callers: Vec<String> = frames.iter().skip(1).map(in_a_line).collect();
    let callers = if callers.is_empty() { Json::Null } else { callers.join(" < ").into() };
    if format == Format::Table {
        let numbers = [measure.of(&row.before), measure.of(&row.after), row.change(measure)];
        let ends = [row.class.name().into(), in_a_line(&first).into(), callers];
        return numbers.into_iter().map(Json::from).chain(ends).collect();
    }
    let lead = [first.function.into(), filled(&first.file).into(), known_line(first.line).into()];
    let numbers = [&row.before, &row.after].into_iter().flat_map(count_cells);
    lead.into_iter().chain([callers, row.class.name().into()]).chain(numbers).collect()
}

fn in_a_line(frame: &DiffFrame) -> String {
    format!("{}{}", frame.function, place(&frame.file, frame.line))
}

fn document((frames, row): &Row) -> Json {
    let frames = frames.iter().map(|frame| {
        json!({ "function": frame.function, "file": filled(&frame.file), "line": known_line(frame.line) })
    });
    json!({
        "frames": frames.collect::<Vec<_>>(), "matched": row.class.name(), "before": counts_json(&row.before),
        "after": counts_json(&row.after),
        "change": counts_json(&Counts {
            calls: row.change(Measure::Calls),
            temporary: row.change(Measure::Temporary),
            leaked_bytes: row.change(Measure::LeakedBytes),
            peak_bytes: row.change(Measure::PeakBytes),
        }),
    })
}
