//! The page of `make bench-walks`: walks, algorithms over whole graphs, and cancelling.

use std::collections::BTreeSet;

use crate::record::figures::{Unit, ratio_text, text_of, thousands};
use crate::record::results::{Results, Row};
use crate::report::prose::wrapped;
use crate::report::section::{circumstances, page_of, section};
use crate::report::table::Column;

/// The beginning of the names of rows about allocated bytes.
pub const ALLOCATED: &str = "allocated_";
/// The beginning of the names of rows about the label reads of a round.
pub const LABELS: &str = "labels_";
/// The beginning of the names of rows about algorithms over whole graphs.
pub const ALGORITHM: &str = "algorithm_";
/// The beginning of the names of rows about the times from cancelling work to its end.
pub const CANCELLED: &str = "cancelled_";
/// Varvite as a side in rows about algorithms.
pub const OWN: &str = "Varvite";
/// The sides that walk: Varvite in Rust and in Java, and its peers.
pub const SIDES: [&str; 4] = [RUST, IN_JAVA, NEO4J, TINKERGRAPH];
/// The side of Varvite in Rust.
pub const RUST: &str = "Varvite, Rust";
/// The side of Varvite in Java.
pub const IN_JAVA: &str = "Varvite, Java";
/// The side of Neo4j, with which all others are compared in rows of walks.
pub const NEO4J: &str = "Neo4j";
/// The side of TinkerGraph, the other peer of Varvite's walks.
pub const TINKERGRAPH: &str = "TinkerGraph";

pub(super) fn page(results: &Results) -> String {
    let [nodes, found] = ["nodes", "results"].map(|of| thousands(results.number(&format!("/{of}")) as u64));
    let words = format!(
        "The tree of {} levels and fan-out {}: {nodes} nodes, of which {found} are found. {} Import of the tables by `varvite \
         import --format neo4j-csv`: {:.2} s.",
        results.word("/levels"),
        results.word("/fanout"),
        circumstances(results),
        results.number("/import/seconds"),
    );
    let title = format!("Walks, {}", results.word("/date"));
    let sections = [walks(results), limits(results)]
        .into_iter()
        .chain(details(results))
        .chain([algorithms(results), cancelling(results)]);
    page_of(&title, &words, sections)
}

/// The table of walks: the times of each side, and Neo4j's times as multiples of them.
fn walks(results: &Results) -> Option<String> {
    let times = |side: &'static str| {
        let cell = move |row: &Row| times_faster(results, row, side).map_or_else(String::new, ratio_text);
        (side != NEO4J).then(|| Column::new(format!("{side}: times faster"), cell))
    };
    let columns = SIDES.iter().map(|side| Column::side(*side, side));
    let columns: Vec<_> = columns.chain(SIDES.iter().filter_map(|side| times(side))).collect();
    let text = section("", "", rows(results), &columns)?;
    Some(format!("{text}\n{}\n", wrapped(WORDS)))
}

/// The rows of walks.
fn rows(results: &Results) -> impl Iterator<Item = &Row> {
    let others = [ALLOCATED, LABELS, ALGORITHM, CANCELLED];
    results.rows.iter().filter(move |row| !others.iter().any(|prefix| row.name.starts_with(prefix)))
}

/// Tables of quantiles, time per node, allocated bytes and label reads per node.
fn details(results: &Results) -> [Option<String>; 4] {
    let nodes = results.number("/nodes").max(1.0);
    let columns = |cell: fn(&Row, &str, f64) -> Option<String>| {
        let cell = |side: &'static str| move |row: &Row| cell(row, side, nodes).unwrap_or_else(|| "-".into());
        SIDES.map(|side| Column::new(side, cell(side)))
    };
    let quantiles = columns(|row, side, _| {
        let figures = row.sides.get(side)?;
        Some(format!(
            "{} / {}",
            text_of(figures.quantile(0.9)?, row.unit),
            text_of(figures.quantile(0.99)?, row.unit)
        ))
    });
    let node = columns(|row, side, nodes| Some(text_of(row.median(side)? / nodes, row.unit)));
    let bytes = columns(|row, side, _| Some(text_of(row.median(side)?, row.unit)));
    let labels = columns(|row, side, nodes| Some(format!("{:.2}", row.median(side)? / nodes)));
    [
        section("## 90 % and 99 % of the rounds", "", rows(results), &quantiles),
        section("## Time of a node", "", rows(results), &node),
        section("## Allocated bytes of a round", "", results.named(ALLOCATED), &bytes),
        section("## Reads of labels, a node", "", results.named(LABELS), &labels),
    ]
}

/// Neo4j's time for the same walk as a multiple of the side's time. If Neo4j has no walk of this name, the
/// time of its depth-first walk is used.
fn times_faster(results: &Results, row: &Row, side: &str) -> Option<f64> {
    let theirs = row.median(NEO4J).or_else(|| results.row("depth_first")?.median(NEO4J));
    Some(theirs? / row.median(side)?)
}

/// The sentence about walks through the tree with one more level (`--long`); `None` if the run had no such
/// walks.
fn limits(results: &Results) -> Option<String> {
    let of = &results.circumstances["limits"];
    let words = format!(
        "A tree of {} nodes with {} for the state of a walk: depth-first takes {} and holds {} at most; breadth-first \
         ends with the error \"{}\".",
        thousands(of["nodes"].as_u64()?),
        text_of(of["budget"].as_f64()?, Unit::Size),
        text_of(of["depth_first_ns"].as_f64()?, Unit::Time),
        text_of(of["depth_first_bytes"].as_f64()?, Unit::Size),
        of["breadth_first_error"].as_str()?,
    );
    Some(wrapped(&words) + "\n")
}

/// The table of algorithms over whole graphs, beside peers.
pub fn algorithms(results: &Results) -> Option<String> {
    let [nodes, edges] =
        ["nodes", "edges"].map(|of| thousands(results.number(&format!("/kronecker/{of}")) as u64));
    let words = format!(
        "A Kronecker graph of scale {}: {nodes} nodes, {edges} edges, each followed both ways. Each side has it in memory in its own \
         form; answers are compared. Varvite uses all cores, and so does PageRank of the others; their breadth-first \
         searches use one.",
        results.word("/kronecker/scale"),
    );
    let fastest = |row: &Row| {
        let times = fastest_other(row, OWN).zip(row.median(OWN)).map(|(other, own)| other / own);
        times.map_or_else(String::new, |times| format!("{} times as long", ratio_text(times)))
    };
    let mut columns = sides_of(results.named(ALGORITHM));
    columns.insert(columns.len().min(1), Column::new("the fastest other takes", fastest));
    section("## Algorithms over whole graphs", &words, results.named(ALGORITHM), &columns)
}

/// The median of the fastest side other than `side`.
pub(super) fn fastest_other(row: &Row, side: &str) -> Option<f64> {
    let others = row.sides.iter().filter(|(other, _)| *other != side);
    others.filter_map(|(_, figures)| figures.median()).min_by(f64::total_cmp)
}

/// The table of the times from cancelling work to its end.
pub fn cancelling(results: &Results) -> Option<String> {
    let words = "From the moment when another thread sets the flag to the error; algorithms with the decoding of their lists, \
                 in which the flag may be set too. In Java walks by the engine are cancelled, and the threads of others \
                 interrupted. Out of time: from the end of the time that the walk may take, with its compilation.";
    section("## Cancelling", words, results.named(CANCELLED), &sides_of(results.named(CANCELLED)))
}

/// A column for each side that was measured in any of the rows. Varvite's columns come first.
fn sides_of<'r>(rows: impl Iterator<Item = &'r Row>) -> Vec<Column<'r>> {
    let sides: BTreeSet<&str> = rows.flat_map(|row| row.sides.keys().map(String::as_str)).collect();
    let (own, others): (Vec<_>, Vec<_>) = sides.into_iter().partition(|side| side.starts_with(OWN));
    own.into_iter().chain(others).map(|side| Column::side(side, side)).collect()
}

/// The paragraph about walks in the README.
pub(super) fn digest(results: &Results, link: &str) -> String {
    let told = |side: &str, name: &str| {
        let row = results.row(name);
        let Some((row, time)) = row.and_then(|row| Some((row, row.median(side)?))) else { return "-".into() };
        let times = times_faster(results, row, side).filter(|_| side != NEO4J);
        text_of(time, row.unit)
            + &times.map_or_else(String::new, |times| format!(" ({} times)", ratio_text(times)))
    };
    let words = format!(
        "A [walk](docs/guide/walks.md) depth-first through {} nodes takes Neo4j embedded {}, Varvite {} in Rust, {} in Java, \
         and {} there with a function of the caller's; breadth-first {}, {} and {}. [All results]({link}).",
        thousands(results.number("/nodes") as u64),
        told(NEO4J, "depth_first"),
        told(RUST, "depth_first"),
        told(IN_JAVA, "depth_first"),
        told(IN_JAVA, "depth_first_function"),
        told(NEO4J, "breadth_first"),
        told(RUST, "breadth_first"),
        told(IN_JAVA, "breadth_first"),
    );
    wrapped(&words) + "\n"
}

/// The text below the table of walks.
const WORDS: &str = "A round is one walk from the root: uniqueness none, `HAS_B` from an `A` and `HAS_A` from a `B`; a \
    `B` whose value is true is a result, and the walk counts its results. Sides are processes that take \
    turns, each with its tree in memory, and stand still between their turns; Neo4j's transaction is \
    inside the clock, finding the root outside. All sides find the same number. A walk depth first with \
    a function has an evaluator of the caller, as Neo4j's walks have. TinkerGraph runs loops over its \
    vertices, and Gremlin's `repeat`. Varvite reads a node's labels once; Neo4j calls `hasLabel` as many \
    times as the table shows. Walks of a name that Neo4j does not have are compared with its walk depth \
    first.";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn results() -> Results {
        let mut results =
            Results { circumstances: json!({"bench": "walks", "nodes": 100}), rows: Vec::new() };
        let row = results.row_mut("depth_first", "depth first", Unit::Time);
        row.extend("Varvite, Rust", [2e6, 1e6, 3e6]);
        row.add(NEO4J, 160e6);
        results.row_mut("gremlin", "gremlin", Unit::Time).add("TinkerGraph", 320e6);
        results.row_mut("labels_depth_first", "depth first", Unit::Count).add(NEO4J, 220.0);
        let row = results.row_mut("algorithm_page_rank", "PageRank", Unit::Time);
        [("Varvite", 2e6), ("igraph", 6e6), ("NetworKit", 1e6)]
            .into_iter()
            .for_each(|(side, ns)| row.add(side, ns));
        results
    }

    #[test]
    fn a_walk_is_a_line_with_all_sides_and_their_ratios() {
        let page = page(&results());
        for line in [
            "| depth first | 2.00 ms (1.00-3.00) | - | 160 ms | - | 80 |  |  |",
            "| gremlin | - | - | - | 320 ms |  |  | 0.50 |",
            "| depth first | 3.00 ms / 3.00 ms | - | 160 ms / 160 ms | - |",
            "| depth first | 20.0 µs | - | 1.60 ms | - |",
            "| depth first | - | - | 2.20 | - |",
            "| PageRank | 2.00 ms | 0.50 times as long | 1.00 ms | 6.00 ms |",
        ] {
            assert!(page.contains(line), "{line}: {page}");
        }
    }

    #[test]
    fn the_digest_says_how_many_times_faster_walks_are() {
        let digest = digest(&results(), "a.md").replace('\n', " ");
        let expected = "takes Neo4j embedded 160 ms, Varvite 2.00 ms (80 times) in Rust, - in Java";
        assert!(digest.contains(expected), "{digest}");
    }
}
