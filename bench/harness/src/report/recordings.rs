//! The page of `make bench-record`: how much recording slows programs down, beside valgrind's own tools. A
//! row has a side for each way to run a program.

use crate::record::figures::{Unit, ratio_text, text_of, thousands};
use crate::record::results::{Results, Row};
use crate::report::section::{circumstances, page_of, section};
use crate::report::table::Column;

/// The sides, by their names in results.
const ALONE: &str = "alone";
const NONE: &str = "none";
const CACHEGRIND: &str = "cachegrind";
const RECORDED: &str = "recorded";
const ACCESSES: &str = "accesses";
const SAMPLED: &str = "sampled";
const ALONE_FOR_LACKEY: &str = "alone for lackey";
const LACKEY: &str = "lackey";

/// The sides with the whole work, and their titles.
const WHOLE: [(&str, &str); 6] = [
    (ALONE, "alone"),
    (NONE, "`--tool=none`"),
    (CACHEGRIND, "cachegrind"),
    (RECORDED, "`trace record`"),
    (ACCESSES, ".. `--no-instructions`"),
    (SAMPLED, ".. `--sample 1ms/100ms`"),
];

/// The beginnings of the names of rows, which end with the program.
const TIME: &str = "time/";
const PROCESSOR: &str = "processor/";
const RECORDS: &str = "records/";
const FILE: &str = "file/";
const MEMORY: &str = "memory/";

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "{} {}; the load before the first round was {}. {} rounds; each runs all ways in turn. Medians (least-greatest).",
        circumstances(results),
        results.word("/versions/valgrind"),
        results.word("/load_before"),
        results.word("/rounds"),
    );
    let sections = [
        targets(results),
        section("## Time", TIME_WORDS, results.named(TIME), &sides(WHOLE)),
        section("## Times as long as alone", "", results.named(TIME), &slow_downs()),
        section("## Processor time", PROCESSOR_WORDS, results.named(PROCESSOR), &sides(WHOLE)),
        section("## Lackey", LACKEY_WORDS, lackey_rows(results), &of_lackey()),
        section("## Traces", TRACES_WORDS, results.named(RECORDS), &of_traces(results)),
    ];
    page_of(&format!("Recordings, {}", results.stem()), &words, sections)
}

const TIME_WORDS: &str = "The time by the clock, with the start of valgrind, which takes half a second.";

const PROCESSOR_WORDS: &str = "The processor time of all processes. A recording compresses its records on another processor \
    while the program runs.";

const LACKEY_WORDS: &str =
    "Lackey gets a small part of the work, and is compared with the program at that work.";

const TRACES_WORDS: &str = "Of recordings with all records. Memory is the most that the recording command had, without the \
    program.";

fn sides(sides: impl IntoIterator<Item = (&'static str, &'static str)>) -> Vec<Column<'static>> {
    sides.into_iter().map(|(side, title)| Column::side(title, side)).collect()
}

/// The time of each way, divided by that of the program alone.
fn slow_downs() -> Vec<Column<'static>> {
    let others = WHOLE.into_iter().skip(1);
    others.map(|(side, title)| Column::new(title, move |row| factor(row, side, ALONE))).collect()
}

fn factor(row: &Row, side: &str, base: &str) -> String {
    row.ratio(side, base).map_or_else(|| "-".to_owned(), ratio_text)
}

fn lackey_rows(results: &Results) -> impl Iterator<Item = &Row> {
    results.named(TIME).filter(|row| row.median(LACKEY).is_some())
}

fn of_lackey() -> Vec<Column<'static>> {
    let mut columns = sides([(ALONE_FOR_LACKEY, "alone"), (LACKEY, "`trace record --lackey`")]);
    columns.push(Column::new("times as long", |row| factor(row, LACKEY, ALONE_FOR_LACKEY)));
    columns
}

fn of_traces(results: &Results) -> Vec<Column<'_>> {
    let of = |name: &'static str| {
        move |row: &Row, side: &str| results.row(&format!("{name}{}", row.title))?.median(side)
    };
    let (times, files, memories) = (of(TIME), of(FILE), of(MEMORY));
    let shown = |found: Option<String>| found.unwrap_or_else(|| "-".to_owned());
    let records = |row: &Row| row.median(RECORDED);
    vec![
        Column::new("records", move |row| shown(records(row).map(|records| thousands(records as u64)))),
        Column::new("million records a second", move |row| {
            let speed = records(row).zip(times(row, RECORDED)).map(|(records, ns)| records * 1e3 / ns);
            shown(speed.map(|speed| format!("{speed:.0}")))
        }),
        Column::new("bytes a record", move |row| {
            let each = files(row, RECORDED).zip(records(row)).map(|(bytes, records)| bytes / records);
            shown(each.map(|each| format!("{each:.3}")))
        }),
        Column::new("memory", move |row| {
            shown(memories(row, RECORDED).map(|bytes| text_of(bytes, Unit::Size)))
        }),
    ]
}

/// A measure with its target.
struct Target {
    measure: &'static str,
    must: &'static str,
    stretch: &'static str,
    /// The figure must be below this.
    most: f64,
    figure: fn(&Results, &str) -> Option<f64>,
    text: fn(f64) -> String,
}

const TARGETS: [Target; 5] = [
    Target {
        measure: "slow-down with all records",
        must: "100",
        stretch: "50",
        most: 100.0,
        figure: |results, program| results.row(&format!("{TIME}{program}"))?.ratio(RECORDED, ALONE),
        text: ratio_text,
    },
    Target {
        measure: "times as long as cachegrind",
        must: "3",
        stretch: "",
        most: 3.0,
        figure: |results, program| results.row(&format!("{TIME}{program}"))?.ratio(RECORDED, CACHEGRIND),
        text: ratio_text,
    },
    Target {
        measure: "slow-down with `--sample 1ms/100ms`",
        must: "15",
        stretch: "8",
        most: 15.0,
        figure: |results, program| results.row(&format!("{TIME}{program}"))?.ratio(SAMPLED, ALONE),
        text: ratio_text,
    },
    Target {
        measure: "bytes a record",
        must: "0.5, as lackey's before",
        stretch: "",
        most: 0.5,
        figure: |results, program| {
            let median = |name| results.row(&format!("{name}{program}"))?.median(RECORDED);
            Some(median(FILE)? / median(RECORDS)?)
        },
        text: |bytes| format!("{bytes:.3}"),
    },
    Target {
        measure: "the recorder's memory",
        must: "64 MB",
        stretch: "",
        most: 64e6,
        figure: |results, program| {
            let row = results.row(&format!("{MEMORY}{program}"))?;
            [RECORDED, ACCESSES, SAMPLED].into_iter().filter_map(|side| row.median(side)).reduce(f64::max)
        },
        text: |bytes| text_of(bytes, Unit::Size),
    },
];

fn targets(results: &Results) -> Option<String> {
    let programs: Vec<&str> = results.named(TIME).map(|row| &*row.title).collect();
    let lines: String = TARGETS.iter().map(|target| target.line(results, &programs)).collect();
    let head = format!("| measure | {} | must | stretch | reached |\n", programs.join(" | "));
    let rule = format!("|---|{}---|---|---|\n", "---:|".repeat(programs.len()));
    (!programs.is_empty()).then(|| head + &rule + &lines)
}

impl Target {
    fn line(&self, results: &Results, programs: &[&str]) -> String {
        let figures: Vec<Option<f64>> =
            programs.iter().map(|program| (self.figure)(results, program)).collect();
        let cells = figures.iter().map(|figure| figure.map_or_else(|| "-".to_owned(), self.text));
        let cells: Vec<String> = cells.collect();
        let is_reached = figures.iter().flatten().all(|figure| *figure <= self.most);
        let reached = match (figures.contains(&None), is_reached) {
            (true, _) => "not measured",
            (false, true) => "yes",
            (false, false) => "**no**",
        };
        format!(
            "| {} | {} | {} | {} | {reached} |\n",
            self.measure,
            cells.join(" | "),
            self.must,
            self.stretch
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn results() -> Results {
        let versions = json!({"valgrind": "valgrind-3.19.0"});
        let about = json!({"bench": "record", "date": "2026-01-31", "name": "record", "rounds": 5, "load_before": 0.5, "versions": versions});
        let mut results = Results { circumstances: about, rows: Vec::new() };
        for (program, factor) in [("zlib", 20.0), ("lua", 120.0)] {
            let time = results.row_mut(&format!("{TIME}{program}"), program, Unit::Time);
            time.extend(ALONE, [0.9e8, 1e8, 1.1e8]);
            [(CACHEGRIND, 1e9), (RECORDED, factor * 1e8), (SAMPLED, 7e8)]
                .into_iter()
                .for_each(|(side, ns)| time.add(side, ns));
            let mut add = |name: &str, unit, value| {
                results.row_mut(&format!("{name}{program}"), program, unit).add(RECORDED, value);
            };
            add(RECORDS, Unit::Count, 400e6);
            add(FILE, Unit::Size, 50e6);
            add(MEMORY, Unit::Size, 18e6);
        }
        let time = results.row_mut(&format!("{TIME}zlib"), "zlib", Unit::Time);
        [(ALONE_FOR_LACKEY, 4e6), (LACKEY, 8e9)].into_iter().for_each(|(side, ns)| time.add(side, ns));
        results
    }

    #[test]
    fn programs_have_times_factors_and_the_sizes_of_their_traces() {
        let page = page(&results());
        for line in [
            "| zlib | 100 ms (90.0-110) | - | 1.00 s | 2.00 s | - | 700 ms |",
            "| zlib | - | 10 | 20 | - | 7.0 |",
            "| zlib | 4.00 ms | 8.00 s | 2000 |",
            "| lua | 400,000,000 | 33 | 0.125 | 18.0 MB |",
            "valgrind-3.19.0; the load\nbefore the first round was 0.5. 5 rounds;",
        ] {
            assert!(page.contains(line), "{line}\n{page}");
        }
        assert!(!page.contains("| lua | - | - | - |"), "lackey has not run lua\n{page}");
    }

    #[test]
    fn a_target_is_reached_if_all_programs_reach_it() {
        let page = page(&results());
        for line in [
            "| slow-down with all records | 20 | 120 | 100 | 50 | **no** |",
            "| times as long as cachegrind | 2.0 | 12 | 3 |  | **no** |",
            "| slow-down with `--sample 1ms/100ms` | 7.0 | 7.0 | 15 | 8 | yes |",
            "| bytes a record | 0.125 | 0.125 | 0.5, as lackey's before |  | yes |",
            "| the recorder's memory | 18.0 MB | 18.0 MB | 64 MB |  | yes |",
        ] {
            assert!(page.contains(line), "{line}\n{page}");
        }
        let nothing = Results { circumstances: json!({"bench": "record"}), rows: Vec::new() };
        assert!(!super::page(&nothing).contains("| measure |"));
    }
}
