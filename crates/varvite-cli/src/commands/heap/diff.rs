//! `varvite heap diff`: compares the profiles of two runs.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value as Json, json};
use varvite_profile::layer::{DiffClass, DiffFrame, DiffRow, HeapDiff, HeapLayer};
use varvite_profile::{Counts, Measures, Slot, heaptrack};

use super::asked::{ReadArgs, open_any};
use super::measured::{SortArgs, count_cells, count_columns, run_json, title_of, write_run};
use super::told::{filled, known_line, place};
use crate::arguments::{AccessArgs, GraphArgs, OutputArgs};
use crate::commands::profile_json::{counts_json, percent};
use crate::commands::profile_words::foremost;
use crate::failure::{Failure, Outcome};
use crate::output::{Column, Format, begin_rows, write_document, write_text};

/// Maximum number of calls of a backtrace that are shown.
const FRAMES_MAX: usize = 64;

/// Arguments of `varvite heap diff`.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The first profile: a graph that has one, or a profile file
    file: PathBuf,
    #[command(flatten)]
    access: AccessArgs,
    /// The second profile: a graph that has one, or a profile file [default: the same file]
    #[arg(value_name = "AFTER")]
    after: Option<PathBuf>,
    /// Name of the profile in the first graph, if it was imported with --name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    name: String,
    /// Name of the profile in the second graph, if it was imported with --name
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    to: String,
    /// Group rows by
    #[arg(long, value_enum, default_value_t)]
    by: ByWord,
    #[command(flatten)]
    sort: SortArgs,
    /// Show at most N rows
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    limits: ReadArgs,
    #[command(flatten)]
    format: OutputArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ByWord {
    /// Allocating functions
    #[default]
    Function,
    /// Backtraces
    Backtrace,
}

/// A row, with the calls of its backtrace.
type Row = (Vec<DiffFrame>, DiffRow);

/// Shows the changes, the largest first, and the share of both profiles that was matched.
pub(super) fn run(args: &DiffArgs) -> Outcome {
    let before = GraphArgs::with_access(&args.file, args.access);
    let after = before.at(args.after.as_deref().unwrap_or(&args.file));
    if after.file == before.file && args.name == args.to {
        return Err(Failure::Usage(
            "both sides are the same profile; give a second file, or choose two profiles with --name and \
             --to"
                .to_owned(),
        ));
    }
    let open = |graph: &GraphArgs, name: &str| open_any(graph, name, args.sort.name(), &args.limits);
    let sides = comparable(open(&before, &args.name)?, open(&after, &args.to)?)?;
    let [before, after] = &sides;
    let (diff, measure) = (HeapDiff::of(before, after), args.sort.of(&before.measures)?);
    let mut rows = rows(args.by, &diff, measure);
    let found = rows.len();
    rows.truncate(args.limit);
    Ok(write(args, &sides, (&diff, measure), (&rows, found))?)
}

/// Reduces both profiles to the measures that they have in common. Fails if one profile is sampled and the
/// other one counted, since such values are not comparable.
fn comparable(before: HeapLayer, after: HeapLayer) -> Result<[HeapLayer; 2], Failure> {
    if before.sampling.is_some() != after.sampling.is_some() {
        let (sampled, counted) =
            if before.sampling.is_some() { (&before, &after) } else { (&after, &before) };
        return Err(Failure::Usage(format!(
            "{} has sampled values (estimates), {} has exact counts: they cannot be compared",
            title_of(sampled),
            title_of(counted)
        )));
    }
    let common = before.measures.in_common(&after.measures);
    if common.is_empty() {
        let [before, after] =
            [&before, &after].map(|side| side.measures.names().collect::<Vec<_>>().join(", "));
        return Err(Failure::Usage(format!(
            "the profiles have no common measure: {before} before, {after} after"
        )));
    }
    Ok([before, after].map(|side| side.in_slots_of(&common)))
}

fn rows(by: ByWord, diff: &HeapDiff, measure: Slot) -> Vec<Row> {
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
    sides: &[HeapLayer; 2],
    (diff, measure): (&HeapDiff, Slot),
    (rows, found): (&[Row], usize),
) -> io::Result<()> {
    let (format, measures) = (args.format.format, &sides[0].measures);
    if format == Format::Json {
        let [before, after] = sides.each_ref().map(run_json);
        let rows: Vec<Json> = rows.iter().map(|row| document(row, measures)).collect();
        let matched = matched(diff, measures);
        let all = json!({ "before": before, "after": after, "matched": matched, "rows": rows, "rows_found": found });
        return write_document(&format!("{all:#}"), format);
    }
    sides.iter().try_for_each(|side| write_run(side, format))?;
    if format == Format::Table {
        write_text(&sentence(diff, measures))?;
    }
    let mut table = begin_rows(format, columns(format, measure, measures))?;
    for row in rows {
        table.push(cells((format, measures), measure, row))?;
    }
    table.finish()
}

/// The counts of all backtraces of a class, summed over both profiles.
fn both(diff: &HeapDiff, class: DiffClass) -> Counts {
    let [mut sum, after] = diff.of_class(class);
    sum += after;
    sum
}

/// For a measure, the amount in matched backtraces, the amount in those matched by lines, and the total.
fn shares(diff: &HeapDiff, measure: Slot) -> [i64; 3] {
    let of = |class| measure.of(&both(diff, class)).max(0);
    let all = DiffClass::ALL.map(of).into_iter().fold(0, i64::saturating_add);
    [all - of(DiffClass::Alone), of(DiffClass::Lines), all]
}

/// The matched share in words.
fn sentence(diff: &HeapDiff, measures: &Measures) -> String {
    let told = |(slot, noun): (Slot, &str)| {
        let [matched, lines, all] = shares(diff, slot);
        format!("{} of {noun} ({} by lines)", percent(matched, all), percent(lines, all))
    };
    let mut slots: Vec<(Slot, &str)> =
        foremost(measures).into_iter().map(|(slot, measure)| (slot, measure.noun())).collect();
    if *measures == heaptrack::measures() {
        slots.push((heaptrack::LEAKED_BYTES, "bytes leaked"));
    }
    format!("in common backtraces: {}", slots.into_iter().map(told).collect::<Vec<_>>().join(", "))
}

/// The matched share as JSON.
fn matched(diff: &HeapDiff, measures: &Measures) -> Json {
    let share = |measure| {
        let [matched, _, all] = shares(diff, measure);
        (all > 0).then(|| matched as f64 / all as f64)
    };
    let classes = DiffClass::ALL.map(|class| {
        let [before, after] = diff.of_class(class);
        (
            class.name().to_owned(),
            json!({ "before": counts_json(&before, measures), "after": counts_json(&after, measures) }),
        )
    });
    let shares = measures.iter().map(|(slot, measure)| (measure.name().to_owned(), share(slot).into()));
    let (classes, shares) = (serde_json::Map::from_iter(classes), serde_json::Map::from_iter(shares));
    json!({ "share": shares, "by": classes })
}

fn columns(format: Format, measure: Slot, measures: &Measures) -> Vec<Column> {
    if format == Format::Table {
        let name = measures.get(measure).map_or("", |measure| measure.name());
        let numbers = [format!("{name}_before"), format!("{name}_after"), "change".to_owned()];
        let texts = ["matched", "function", "callers"].map(Column::text);
        return numbers.map(Column::number).into_iter().chain(texts).collect();
    }
    let mut columns = vec![Column::text("function"), Column::text("file"), Column::number("line")];
    columns.extend([Column::text("callers"), Column::text("matched")]);
    columns.extend(["before_", "after_"].into_iter().flat_map(|prefix| count_columns(prefix, measures)));
    columns
}

fn cells((format, measures): (Format, &Measures), measure: Slot, (frames, row): &Row) -> Vec<Json> {
    let first = frames.first().cloned().unwrap_or_default();
    let callers: Vec<String> = frames.iter().skip(1).map(in_a_line).collect();
    let callers = if callers.is_empty() { Json::Null } else { callers.join(" < ").into() };
    if format == Format::Table {
        let numbers = [measure.of(&row.before), measure.of(&row.after), row.change(measure)];
        let ends = [row.class.name().into(), in_a_line(&first).into(), callers];
        return numbers.into_iter().map(Json::from).chain(ends).collect();
    }
    let lead = [first.function.into(), filled(&first.file).into(), known_line(first.line).into()];
    let numbers = [&row.before, &row.after].into_iter().flat_map(|it| count_cells(it, measures));
    lead.into_iter().chain([callers, row.class.name().into()]).chain(numbers).collect()
}

fn in_a_line(frame: &DiffFrame) -> String {
    format!("{}{}", frame.function, place(&frame.file, frame.line))
}

fn document((frames, row): &Row, measures: &Measures) -> Json {
    let frames = frames.iter().map(|frame| {
        json!({ "function": frame.function, "file": filled(&frame.file), "line": known_line(frame.line) })
    });
    let [before, after, change] =
        [row.before, row.after, row.after.since(&row.before)].map(|it| counts_json(&it, measures));
    json!({
        "frames": frames.collect::<Vec<_>>(), "matched": row.class.name(), "before": before, "after": after,
        "change": change,
    })
}
