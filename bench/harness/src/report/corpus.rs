//! The page of `make bench-corpus`: thousands of graphs in one process and on Spark, beside Spark on Parquet
//! and NetworkX.

use crate::record::figures::{ratio_text, text_of, thousands};
use crate::record::results::{Results, Row};
use crate::report::section::{circumstances, page_of, section};
use crate::report::table::Column;

/// The side of Varvite.
const OURS: &str = "Varvite";
/// The peer of a row that has several.
const PARQUET: &str = "Spark, Parquet";
/// The sides of rows about executors.
const EXECUTORS: [&str; 2] = ["one executor", "two executors"];
const EVEN: [&str; 2] = ["busier", "less busy"];

const FILES_LEAST: f64 = 10_000.0;
const OPEN_NS_MAX: f64 = 10e9;
const OPEN_BYTES_MAX: f64 = 200e6;
const FIND_TIMES: f64 = 5.0;
const NODES_TIMES: f64 = 0.15;
const SHUFFLE_SHARE: f64 = 0.05;
const EXECUTORS_TIMES: f64 = 1.3;
const EVEN_SHARE: f64 = 1.2;

pub(super) fn page(results: &Results) -> String {
    let [files, nodes, edges, bases] = ["files", "nodes", "edges", "bases"]
        .map(|of| thousands(results.number(&format!("/corpus/{of}")) as u64));
    let bytes = text_of(results.number("/corpus/bytes"), crate::record::figures::Unit::Size);
    let words = format!(
        "{files} graphs, copies of {bases} small ones with renamed METHODs: {nodes} nodes, {edges} edges, {bytes}. {} Python \
         {}, Spark {}, NetworkX {}. Medians (least-greatest); after a peer, in brackets, its figure divided by that of \
         Varvite, bold if the peer is better.",
        circumstances(results),
        results.word("/versions/Python"),
        results.word("/versions/pyspark"),
        results.word("/versions/networkx"),
    );
    let columns = [Column::side(OURS, OURS), Column::new("others", others)];
    let rows = section("## All rows", ROWS_WORDS, results.rows.iter(), &columns);
    page_of(&format!("Many graphs, {}", results.stem()), &words, [targets(results), rows])
}

const ROWS_WORDS: &str = "Commands of Varvite are processes, with their start; Spark is a session that is already open, with \
    two threads (`local[2]`), and a sample includes the listing of its files. Merged Parquet is one table of all graphs, which \
    Spark wrote: to have it, somebody collects the graphs again after each change. Rows of nodes go to no place (format \
    `noop`). Rows about executors are the same read on a cluster of this machine, with one core for each executor; processor \
    time is that of its JVM and its Python. NetworkX gets the edges from the Python package, within its time.";

/// A measure with its target, and whether it is reached.
struct Target {
    measure: String,
    figure: String,
    must: &'static str,
    is_reached: bool,
    /// Whether a run of few graphs tells nothing about it, since it is a time or memory.
    is_of_many: bool,
}

fn targets(results: &Results) -> Option<String> {
    let all = [
        open(results),
        find(results),
        nodes(results),
        components(results),
        executors(results),
        clones(results),
    ];
    let has_many = results.number("/corpus/files") >= FILES_LEAST;
    let lines = all.into_iter().flatten().map(|Target { measure, figure, must, is_reached, is_of_many }| {
        let reached = match (is_of_many && !has_many, is_reached) {
            (true, _) => "too small",
            (false, true) => "yes",
            (false, false) => "**no**",
        };
        format!("| {measure} | {figure} | {must} | {reached} |\n")
    });
    let lines: String = lines.collect();
    (!lines.is_empty())
        .then(|| format!("| measure | figure | must | reached |\n|---|---:|---:|---|\n{lines}"))
}

/// The target of a row's figure, if the row was measured.
fn limited(results: &Results, name: &str, measure: &str, must: &'static str, most: f64) -> Option<Target> {
    let row = results.row(name)?;
    let median = row.median(OURS)?;
    Some(Target {
        measure: measure.to_owned(),
        figure: text_of(median, row.unit),
        must,
        is_reached: median <= most,
        is_of_many: true,
    })
}

fn open(results: &Results) -> Vec<Target> {
    let files = thousands(results.number("/corpus/files") as u64);
    let opened = format!("{files} files opened in one process");
    let all = [
        limited(results, "open", &opened, "10 s, stretch 2 s", OPEN_NS_MAX),
        limited(results, "open_memory", "its peak memory", "200 MB", OPEN_BYTES_MAX),
    ];
    all.into_iter().flatten().collect()
}

/// The target of a peer's figure divided by ours.
fn compared(
    row: Option<&Row>,
    measure: &str,
    must: &'static str,
    [peer, side]: [&str; 2],
    least: f64,
) -> Vec<Target> {
    let ratio = row.and_then(|row| row.ratio(peer, side));
    let target = |ratio: f64| Target {
        measure: measure.to_owned(),
        figure: ratio_text(ratio),
        must,
        is_reached: ratio >= least,
        is_of_many: true,
    };
    ratio.map(target).into_iter().collect()
}

fn find(results: &Results) -> Vec<Target> {
    let measure = "METHODs by a regular expression: times faster than Spark on Parquet";
    compared(results.row("find"), measure, "5, stretch 20", [PARQUET, OURS], FIND_TIMES)
}

fn nodes(results: &Results) -> Vec<Target> {
    let row = results.row("nodes");
    let speed =
        row.and_then(|row| row.median(OURS)).map_or(0.0, |ns| results.number("/nodes/rows") * 1e9 / ns);
    let measure = format!(
        "{} nodes in a second through Spark's Python worker, of those from Parquet",
        thousands(speed as u64)
    );
    compared(row, &measure, "0.15, stretch 0.5", [PARQUET, OURS], NODES_TIMES)
}

fn components(results: &Results) -> Vec<Target> {
    if results.row("components").is_none() {
        return Vec::new();
    }
    let [sent, edges, followed, files] = ["sent_bytes", "edge_bytes", "followed_bytes", "files"]
        .map(|of| results.number(&format!("/components/{of}")));
    let [share, of_followed] = [edges, followed].map(|bytes| sent / bytes.max(1.0));
    vec![Target {
        measure: format!(
            "components over calls across {} files, equal to NetworkX's: bytes between tasks, of all edges \
             (of those that components follow)",
            thousands(files as u64)
        ),
        figure: format!("{:.2} % ({:.1} %)", 100.0 * share, 100.0 * of_followed),
        must: "5 %",
        is_reached: share < SHUFFLE_SHARE,
        is_of_many: false,
    }]
}

fn executors(results: &Results) -> Vec<Target> {
    let row = results.row("executors");
    let mut all =
        compared(row, "two executors in place of one: times faster", "1.3", EXECUTORS, EXECUTORS_TIMES);
    let ratio = results.row("executors_even").and_then(|row| row.ratio(EVEN[0], EVEN[1]));
    all.extend(ratio.map(|ratio| Target {
        measure: "processor time of the busier one, of that of the other".to_owned(),
        figure: format!("{:.0} %", 100.0 * ratio),
        must: "at most 120 %",
        is_reached: ratio <= EVEN_SHARE,
        is_of_many: true,
    }));
    all
}

fn clones(results: &Results) -> Vec<Target> {
    let [planted, found, wrong, links, linked] = ["planted", "found", "false", "links", "linked"]
        .map(|of| results.number(&format!("/clones/{of}")) as u64);
    if planted == 0 {
        return Vec::new();
    }
    let target = |measure: String, figure: u64, must, wanted: u64| Target {
        measure,
        figure: thousands(figure),
        must,
        is_reached: figure == wanted,
        is_of_many: false,
    };
    let [of_planted, of_links] = [planted, links].map(thousands);
    vec![
        target(format!("planted clones that are found, of {of_planted}"), found, "all", planted),
        target("other functions in their groups".into(), wrong, "0", 0),
        target(format!("planted names of other files that are linked, of {of_links}"), linked, "all", links),
    ]
}

/// The figures of all sides but ours, each with its ratio.
fn others(row: &Row) -> String {
    let sides = row.sides.keys().filter(|side| *side != OURS);
    let cells = sides.map(|side| match row.ratio(side, OURS) {
        None => format!("{side} {}", row.text(side)),
        Some(ratio) if ratio < 1.0 => format!("{side} {} [**{}**]", row.text(side), ratio_text(ratio)),
        Some(ratio) => format!("{side} {} [{}]", row.text(side), ratio_text(ratio)),
    });
    cells.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    fn results(files: u32) -> Results {
        let circumstances = json!({
            "bench": "corpus",
            "date": "2026-01-31",
            "name": "corpus",
            "corpus": {"files": files, "nodes": 12_000_000, "edges": 100_000_000, "bases": 6, "bytes": 1e9},
            "components": {"files": 500, "sent_bytes": 1000, "edge_bytes": 100_000, "followed_bytes": 10_000},
            "nodes": {"rows": 1_000_000},
            "clones": {"planted": 5000, "found": 4999, "false": 0, "links": 40, "linked": 40},
        });
        let mut results = Results { circumstances, rows: Vec::new() };
        results.row_mut("open", "open", Unit::Time).add(OURS, 4e9);
        results.row_mut("open_memory", "memory", Unit::Size).add(OURS, 3e8);
        let find = results.row_mut("find", "find", Unit::Time);
        [(OURS, 2e9), (PARQUET, 30e9), ("Spark, merged Parquet", 1e9)]
            .into_iter()
            .for_each(|(side, ns)| find.add(side, ns));
        let nodes = results.row_mut("nodes", "nodes", Unit::Time);
        [(OURS, 10e9), (PARQUET, 1e9)].into_iter().for_each(|(side, ns)| nodes.add(side, ns));
        let components = results.row_mut("components", "components", Unit::Time);
        [(OURS, 10e9), ("NetworkX", 1e9)].into_iter().for_each(|(side, ns)| components.add(side, ns));
        let executors = results.row_mut("executors", "executors", Unit::Time);
        [(EXECUTORS[0], 3e9), (EXECUTORS[1], 2e9)].into_iter().for_each(|(side, ns)| executors.add(side, ns));
        let even = results.row_mut("executors_even", "even", Unit::Time);
        [(EVEN[0], 1.1e9), (EVEN[1], 1e9)].into_iter().for_each(|(side, ns)| even.add(side, ns));
        results
    }

    #[test]
    fn each_target_is_reached_or_missed() {
        let page = page(&results(10_000));
        for line in [
            "| 10,000 files opened in one process | 4.00 s | 10 s, stretch 2 s | yes |",
            "| its peak memory | 300 MB | 200 MB | **no** |",
            "times faster than Spark on Parquet | 15 | 5, stretch 20 | yes |",
            "| 100,000 nodes in a second through Spark's Python worker, of those from Parquet | 0.10 | 0.15, stretch 0.5 | **no** |",
            "of all edges (of those that components follow) | 1.00 % (10.0 %) | 5 % | yes |",
            "| two executors in place of one: times faster | 1.5 | 1.3 | yes |",
            "| 110 % | at most 120 % | yes |",
            "| planted clones that are found, of 5,000 | 4,999 | all | **no** |",
            "| other functions in their groups | 0 | 0 | yes |",
            "| planted names of other files that are linked, of 40 | 40 | all | yes |",
            "| find | 2.00 s | Spark, Parquet 30.0 s [15]; Spark, merged Parquet 1.00 s [**0.50**] |",
        ] {
            assert!(page.contains(line), "{line}\n{page}");
        }
    }

    #[test]
    fn a_short_run_tells_nothing_about_ten_thousand_files() {
        let page_of_few = page(&results(60));
        assert!(page_of_few.contains("| 4.00 s | 10 s, stretch 2 s | too small |"));
        assert!(page_of_few.contains("| 4,999 | all | **no** |"));
        let nothing = Results { circumstances: json!({"bench": "corpus"}), rows: Vec::new() };
        assert!(!page(&nothing).contains("| measure |"));
    }
}
