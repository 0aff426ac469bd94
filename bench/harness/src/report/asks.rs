//! The page of `make bench-ask`: queries in Joern's language, warm and cold, fifty processes on one file, and
//! the questions of agents.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::record::figures::{Figures, Unit, ratio_text, text_of};
use crate::record::results::{JOERN, Results, Row};
use crate::report::prose::wrapped;
use crate::report::section::{circumstances, graph_words, page_of, section};
use crate::report::table::Column;

/// Varvite's side.
pub const OURS: &str = "varvite";
/// The sides of questions of agents, beside [`OURS`].
pub const GREP: &str = "grep";
/// The side of a list of ctags.
pub const CTAGS: &str = "ctags";
/// The beginning of the names of rows about warm queries. The rest is the query's id.
pub const WARM: &str = "warm/";
/// The beginning of the names of rows about the translation and compilation of queries.
pub const COMPILE: &str = "compile/";
/// The beginning of the names of rows about processes that answer one query.
pub const COLD: &str = "cold/";
/// The row of a process that answers nothing.
pub const FLOOR: &str = "process";
/// The beginning of the names of rows about answers to one of fifty processes.
pub const CROWD: &str = "crowd/";
/// The row of the memory of fifty processes.
pub const PSS: &str = "pss";
/// The row of the part of that memory that no file holds.
pub const ANONYMOUS: &str = "pss_anonymous";
/// The beginning of the names of rows about the bytes of answers to agents.
pub const AGENT: &str = "agent/";
/// The beginning of the names of rows with 1 for a right answer, and 0 for another one.
pub const RIGHT: &str = "right/";

/// Queries that take Joern less than this many nanoseconds have a limit of their own.
const SHORT_NS: f64 = 1e6;
const SHORT_NS_MAX: f64 = 2e5;
const COLD_NS_MAX: f64 = 5e7;
const PSS_MAX: f64 = 2e9;
const EXPLORE_NS_MAX: f64 = 1e8;
const ANSWER_BYTES_MAX: f64 = 8e3;
/// The number of slow processes that the page lists.
const SLOWEST: usize = 20;

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "{} {} At the end the load was {}. Queries are those of this repository: everyday questions, the reference card and \
         pairs of a start and a step (`conformance/joern-text`), and those of the guide (`docs/guide/from-joern.md`, by their \
         line).",
        graph_words(results),
        circumstances(results),
        results.word("/machine/load_after"),
    );
    let title =
        format!("Queries in Joern's language on {}, {}", results.word("/graph/file"), results.word("/date"));
    page_of(
        &title,
        &words,
        [targets(results), by_source(results), warm(results), cold(results), crowd(results), agent(results)],
    )
}

/// A measure with its target.
struct Target {
    measure: String,
    figure: String,
    must: String,
    is_reached: bool,
}

impl Target {
    fn new(measure: &str, figure: String, must: &str, is_reached: bool) -> Self {
        Self { measure: measure.to_owned(), figure, must: must.to_owned(), is_reached }
    }
}

fn targets(results: &Results) -> Option<String> {
    let all = [warm_targets(results), cold_targets(results), crowd_targets(results), agent_targets(results)];
    let lines = all.into_iter().flatten().map(|Target { measure, figure, must, is_reached }| {
        format!("| {measure} | {figure} | {must} | {} |\n", if is_reached { "yes" } else { "**no**" })
    });
    let lines: String = lines.collect();
    (!lines.is_empty())
        .then(|| format!("| measure | figure | must | reached |\n|---|---:|---:|---|\n{lines}"))
}

/// Whether Joern takes long enough for a ratio.
fn is_long(row: &Row) -> bool {
    row.median(JOERN).is_some_and(|ns| ns >= SHORT_NS)
}

fn ratios<'r>(rows: impl Iterator<Item = &'r Row>) -> Figures {
    Figures { samples: rows.filter_map(|row| row.ratio(JOERN, OURS)).collect() }
}

fn warm_targets(results: &Results) -> Vec<Target> {
    let long: Vec<&Row> = results.named(WARM).filter(|row| is_long(row)).collect();
    let short: Vec<&Row> = results.named(WARM).filter(|row| !is_long(row)).collect();
    let mut targets = Vec::new();
    if let Some(median) = ratios(long.iter().copied()).median() {
        let slower = long.iter().filter(|row| is_slower(row)).count();
        let of = format!("{} queries that take Joern 1 ms or more", long.len());
        targets.push(Target::new(
            &format!("{of}: times faster, median"),
            ratio_text(median),
            "5, stretch 20",
            median >= 5.0,
        ));
        targets.push(Target::new(&format!("{of}: slower than Joern"), slower.to_string(), "0", slower == 0));
    }
    if !short.is_empty() {
        let over = short.iter().filter(|row| row.median(OURS).is_some_and(|ns| ns > SHORT_NS_MAX)).count();
        let of = format!("{} other queries: longer than 0.2 ms", short.len());
        targets.push(Target::new(&of, over.to_string(), "0", over == 0));
    }
    targets
}

fn is_slower(row: &Row) -> bool {
    row.ratio(JOERN, OURS).is_some_and(|ratio| ratio < 1.0)
}

fn cold_targets(results: &Results) -> Vec<Target> {
    let medians: Vec<f64> = results.named(COLD).filter_map(|row| row.median(OURS)).collect();
    let share =
        100.0 * medians.iter().filter(|ns| **ns < COLD_NS_MAX).count() as f64 / medians.len().max(1) as f64;
    let median = Figures { samples: medians.clone() }.median();
    let figure = median.map(|median| format!("{share:.0} %, median {}", text_of(median, Unit::Time)));
    let of = format!("{} processes `varvite ask`: under 50 ms", medians.len());
    figure.map(|figure| Target::new(&of, figure, "90 %", share >= 90.0)).into_iter().collect()
}

fn crowd_targets(results: &Results) -> Vec<Target> {
    let Some(explore) = results.row(&format!("{CROWD}explore")) else { return Vec::new() };
    let [failures, waits, processes] =
        ["failures", "lock_waits", "processes"].map(|of| results.number(&format!("/crowd/{of}")));
    let quantile = explore.sides.get(OURS).and_then(|figures| figures.quantile(0.99)).unwrap_or(f64::MAX);
    let pss = results.row(PSS).and_then(|row| row.sides.get(OURS)?.max()).unwrap_or(f64::MAX);
    vec![
        Target::new(
            &format!("{processes} processes on one file: failures"),
            failures.to_string(),
            "0",
            failures == 0.0,
        ),
        Target::new("looks at which one of them waited for a lock", waits.to_string(), "0", waits == 0.0),
        Target::new("their memory, greatest sum of PSS", text_of(pss, Unit::Size), "2 GB", pss < PSS_MAX),
        Target::new(
            "their `explore`, 99 of 100",
            text_of(quantile, Unit::Time),
            "100 ms",
            quantile <= EXPLORE_NS_MAX,
        ),
    ]
}

fn agent_targets(results: &Results) -> Vec<Target> {
    let right: Vec<f64> = results.named(RIGHT).filter_map(|row| row.median(OURS)).collect();
    if right.is_empty() {
        return Vec::new();
    }
    let count = right.iter().filter(|right| **right > 0.0).count();
    let most = results.named(AGENT).filter_map(|row| row.median(OURS)).fold(0.0, f64::max);
    vec![
        Target::new(
            "questions of an agent: right",
            format!("{count} of {}", right.len()),
            "all",
            count == right.len(),
        ),
        Target::new("the longest answer", text_of(most, Unit::Size), "8 kB", most < ANSWER_BYTES_MAX),
    ]
}

/// A line for each source of queries.
fn by_source(results: &Results) -> Option<String> {
    let source = |row: &Row| row.title.split('/').next().unwrap_or_default().to_owned();
    let sources: BTreeSet<String> = results.named(WARM).map(source).collect();
    let lines = sources.iter().map(|name| {
        let rows: Vec<&Row> = results.named(WARM).filter(|row| source(row) == *name).collect();
        let long = ratios(rows.iter().copied().filter(|row| is_long(row)));
        let all = ratios(rows.iter().copied());
        let text = |ratio: Option<f64>| ratio.map_or_else(|| "-".into(), ratio_text);
        let slower = rows.iter().filter(|row| is_slower(row)).count();
        format!(
            "| {name} | {} | {} | {} | {} | {slower} |\n",
            rows.len(),
            text(all.median()),
            long.samples.len(),
            text(long.median())
        )
    });
    let lines: String = lines.collect();
    (!lines.is_empty()).then(|| {
        format!(
            "| source | queries | times faster, median | 1 ms or more in Joern | times faster, median | slower |\n\
             |---|---:|---:|---:|---:|---:|\n{lines}"
        )
    })
}

const WARM_WORDS: &str = "Joern: one JVM, each query until its rounds are no longer getting faster, for at least one second \
    and at most ten; a lazy answer is read to its end. Varvite: one process on all cores, each query compiled once; every \
    cell of the answer is read. Both keep the graph open, and take turns. The last column is the time to translate and \
    compile the query, which a user pays once.";

fn warm(results: &Results) -> Option<String> {
    let compile = |row: &Row| {
        let id = row.name.strip_prefix(WARM).unwrap_or_default();
        results.row(&format!("{COMPILE}{id}")).map_or_else(|| "-".into(), |row| row.text(OURS))
    };
    let columns = [
        Column::side("Joern", JOERN),
        Column::side("Varvite", OURS),
        Column::ratios("times faster", [(JOERN, OURS)]),
        Column::new("compiled in", compile),
    ];
    let text = section("## Warm", WARM_WORDS, results.named(WARM), &columns)?;
    let slower = results.named(WARM).filter(|row| is_slower(row)).map(|row| format!("`{}`", row.title));
    let lists = [
        listed("Joern is faster in", slower.collect()),
        listed("The numbers of rows differ in", ids(results, "/differing", differing_words)),
        listed(
            "Not measured",
            ids(results, "/left_out", |of| format!(" ({})", of["why"].as_str().unwrap_or("?"))),
        ),
    ];
    Some(std::iter::once(text).chain(lists.into_iter().flatten()).collect::<Vec<_>>().join("\n"))
}

fn differing_words(of: &Value) -> String {
    format!(" ({} in Joern, {} in Varvite)", of["joern"], of["varvite"])
}

fn ids(results: &Results, pointer: &str, words: fn(&Value) -> String) -> Vec<String> {
    let list = results.circumstances.pointer(pointer).and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .map(|of| format!("`{}`{}", of["id"].as_str().unwrap_or("?"), words(of)))
        .collect()
}

/// A sentence that lists queries; `None` without any.
fn listed(words: &str, names: Vec<String>) -> Option<String> {
    (!names.is_empty()).then(|| wrapped(&format!("{words}: {}.", names.join("; "))) + "\n")
}

fn cold(results: &Results) -> Option<String> {
    let mut rows: Vec<&Row> = results.named(COLD).collect();
    rows.sort_by(|a, b| b.median(OURS).unwrap_or_default().total_cmp(&a.median(OURS).unwrap_or_default()));
    let floor = results.row(FLOOR).map_or_else(|| "-".into(), |row| row.text(OURS));
    let words = format!(
        "A process for each query; its output, which has all rows, is dropped. The file is in the system's page cache. A \
         process that only prints its version takes {floor}. These {} are the slowest.",
        SLOWEST.min(rows.len())
    );
    let text = section("## Cold", &words, rows.into_iter().take(SLOWEST), &[Column::side("process", OURS)])?;
    let failed = results.circumstances["failed"].as_array().into_iter().flatten();
    let failed = failed.filter_map(Value::as_str).map(|id| format!("`{id}`")).collect();
    Some(
        [Some(text), listed("These end with an error", failed)]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n"),
    )
}

fn crowd(results: &Results) -> Option<String> {
    let crowd = |of: &str| results.word(&format!("/crowd/{of}"));
    let words = format!(
        "Twenty servers for agents, twenty shells and ten series of `varvite ask` on one file, each with one question a second \
         for {} s. A look at all processes, every 0.2 s, reads their PSS (a page that N processes share counts for 1/N in \
         each) and the system's list of locks: {} looks, which saw up to {} of them at once. Failures: {}.",
        crowd("seconds"),
        crowd("looks"),
        crowd("seen"),
        crowd("failures"),
    );
    let quantile = |part: f64| {
        move |row: &Row| {
            let figure = row.sides.get(OURS).and_then(|figures| figures.quantile(part));
            figure.map_or_else(|| "-".into(), |figure| text_of(figure, row.unit))
        }
    };
    let count = |row: &Row| row.sides.get(OURS).map_or(0, |figures| figures.samples.len()).to_string();
    let columns = [
        Column::new("number", count),
        Column::new("median", quantile(0.5)),
        Column::new("99 of 100", quantile(0.99)),
        Column::new("greatest", quantile(1.0)),
    ];
    let memory = [PSS, ANONYMOUS].into_iter().filter_map(|name| results.row(name));
    section("## Fifty processes", &words, results.named(CROWD).chain(memory), &columns)
}

const AGENT_WORDS: &str = "A script chooses the tool and its arguments. Bytes are those of the whole message of `varvite mcp`, \
    of the lines that `grep -rnw` prints, and of the lines that an agent reads of a list of ctags. An answer is right if it \
    has the names and lines that other tools found: ctags, grep and flatgraph. `-`: the tool cannot be asked.";

fn agent(results: &Results) -> Option<String> {
    let cell = |side: &'static str| {
        move |row: &Row| {
            let number = row.name.strip_prefix(AGENT).unwrap_or_default();
            let right = results.row(&format!("{RIGHT}{number}")).and_then(|right| right.median(side));
            let word = if right.is_some_and(|right| right > 0.0) { "right" } else { "**wrong**" };
            row.median(side)
                .map_or_else(|| "-".into(), |bytes| format!("{word}, {}", text_of(bytes, row.unit)))
        }
    };
    let columns = [OURS, GREP, CTAGS].map(|side| Column::new(side, cell(side)));
    section("## Questions of an agent", AGENT_WORDS, results.named(AGENT), &columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn results() -> Results {
        let circumstances = json!({
            "bench": "ask",
            "differing": [{"id": "card/l", "joern": 2, "varvite": 3}],
            "left_out": [{"id": "card/p", "why": "no"}],
            "failed": ["guide/299"],
            "crowd": {"failures": 0, "lock_waits": 1, "processes": 50},
        });
        let mut results = Results { circumstances, rows: Vec::new() };
        for (id, joern, ours) in [("everyday/a", 2e6, 1e5), ("everyday/b", 4e6, 5e6), ("card/l", 5e5, 3e5)] {
            let row = results.row_mut(&format!("{WARM}{id}"), id, Unit::Time);
            row.add(JOERN, joern);
            row.add(OURS, ours);
            results.row_mut(&format!("{COLD}{id}"), id, Unit::Time).add(OURS, 10.0 * ours);
        }
        results.row_mut("crowd/explore", "explore", Unit::Time).extend(OURS, [1e6, 2e8]);
        results.row_mut(PSS, "sum of PSS", Unit::Size).extend(OURS, [1e9, 1.5e9]);
        for (number, right, bytes) in [("00", 1.0, 500.0), ("01", 0.0, 9000.0)] {
            results.row_mut(&format!("{AGENT}{number}"), "Where?", Unit::Size).add(OURS, bytes);
            results.row_mut(&format!("{RIGHT}{number}"), "Where?", Unit::Count).add(OURS, right);
        }
        results
    }

    #[test]
    fn each_target_has_its_figure() {
        let page = page(&results());
        for line in [
            "| 2 queries that take Joern 1 ms or more: times faster, median | 10 | 5, stretch 20 | yes |",
            "| 2 queries that take Joern 1 ms or more: slower than Joern | 1 | 0 | **no** |",
            "| 1 other queries: longer than 0.2 ms | 1 | 0 | **no** |",
            "| 3 processes `varvite ask`: under 50 ms | 67 %, median 3.00 ms | 90 % | **no** |",
            "| 50 processes on one file: failures | 0 | 0 | yes |",
            "| looks at which one of them waited for a lock | 1 | 0 | **no** |",
            "| their memory, greatest sum of PSS | 1.50 GB | 2 GB | yes |",
            "| their `explore`, 99 of 100 | 200 ms | 100 ms | **no** |",
            "| questions of an agent: right | 1 of 2 | all | **no** |",
            "| the longest answer | 9.00 kB | 8 kB | **no** |",
        ] {
            assert_eq!(page.matches(line).count(), 1, "{line}: {page}");
        }
    }

    #[test]
    fn queries_that_are_slower_or_differ_are_listed() {
        let page = page(&results());
        for words in [
            "| everyday | 2 | 10 | 2 | 10 | 1 |",
            "Joern is faster in: `everyday/b`.",
            "The numbers of rows differ in: `card/l` (2 in Joern, 3 in Varvite).",
            "Not measured: `card/p` (no).",
            "These end with an error: `guide/299`.",
            "| Where? | **wrong**, 9.00 kB | - | - |",
        ] {
            assert_eq!(page.matches(words).count(), 1, "{words}: {page}");
        }
    }
}
