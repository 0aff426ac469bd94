//! The page of `cargo xtask bench-python`: the Python package beside the libraries that its users know. A row
//! has its own peers, so that a new measure or peer needs no column.

use crate::record::figures::{ratio_text, text_of};
use crate::record::results::{Results, Row};
use crate::report::section::{circumstances, graph_words, page_of, section};
use crate::report::table::Column;

/// The side of the package, and its part before Python's objects are made.
const OURS: &str = "Varvite";
const KERNEL: &str = "Varvite without result";
const NETWORKX: &str = "NetworkX";
const IGRAPH: &str = "igraph";
const PARQUET: &str = "Parquet";
const JOERN: &str = "Joern's script and Python";

/// The time in NetworkX from which on a call counts for its target.
const LONG_NS: f64 = 100e6;
const NETWORKX_TIMES: f64 = 20.0;
const IGRAPH_SHARE: f64 = 1.3;
const PARQUET_SHARE: f64 = 1.5;
const JOERN_TIMES: f64 = 20.0;

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "{} {} Python {}; {}. Medians (least-greatest); after a peer, in brackets, its median divided by that \
         of Varvite, bold if the peer is better.",
        graph_words(results),
        circumstances(results),
        results.word("/versions/Python"),
        versions(results),
    );
    let columns = [Column::side(OURS, OURS), Column::new("others", others)];
    let rows = section("", "", results.rows.iter(), &columns);
    page_of(&format!("Python, {}", results.stem()), &words, [targets(results), rows])
}

/// A measure with its target, and whether it is reached.
struct Target {
    measure: &'static str,
    figure: String,
    must: &'static str,
    is_reached: bool,
}

fn targets(results: &Results) -> Option<String> {
    let all = [
        at_most(results, "import", "`import varvite`", "30 ms, stretch 10 ms", 30e6),
        at_most(results, "open", "open to first answer", "5 ms, stretch 1 ms", 5e6),
        at_most(results, "memory_open", "memory of it", "10 MB", 10e6),
        of_parquet(results, "slowest table, of the time from Parquet", "1.5", &["polars_", "duckdb_"]),
        of_parquet(results, "slowest filter, of the time from Parquet", "ahead", &["filter_"]),
        times_of_networkx(results, OURS, "calls of 100 ms or more in NetworkX: times faster"),
        times_of_networkx(results, KERNEL, "the same without Python's objects"),
        slowest_beside_networkx(results),
        slowest_beside_igraph(results),
        functions(results),
    ];
    let line = |Target { measure, figure, must, is_reached }| {
        let reached = if is_reached { "yes" } else { "**no**" };
        format!("| {measure} | {figure} | {must} | {reached} |\n")
    };
    let lines: String = all.into_iter().flatten().map(line).collect();
    (!lines.is_empty())
        .then(|| format!("| measure | figure | must | reached |\n|---|---:|---:|---|\n{lines}"))
}

fn at_most(
    results: &Results,
    name: &str,
    measure: &'static str,
    must: &'static str,
    most: f64,
) -> Option<Target> {
    let row = results.row(name)?;
    let median = row.median(OURS)?;
    Some(Target { measure, figure: text_of(median, row.unit), must, is_reached: median <= most })
}

/// The greatest share that our time has of a peer's, over rows with names that begin so.
fn greatest_share(results: &Results, prefixes: &[&str], peer: &str) -> Option<f64> {
    let rows = prefixes.iter().flat_map(|prefix| results.named(prefix));
    rows.filter_map(|row| Some(1.0 / row.ratio(peer, OURS)?)).max_by(f64::total_cmp)
}

fn of_parquet(
    results: &Results,
    measure: &'static str,
    must: &'static str,
    prefixes: &[&str],
) -> Option<Target> {
    let most = if must == "ahead" { 1.0 } else { PARQUET_SHARE };
    let share = greatest_share(results, prefixes, PARQUET)?;
    Some(Target { measure, figure: ratio_text(share), must, is_reached: share <= most })
}

/// The median of the ratios of long calls of NetworkX to a side.
fn times_of_networkx(results: &Results, side: &str, measure: &'static str) -> Option<Target> {
    let is_long = |row: &&Row| row.median(NETWORKX).is_some_and(|median| median >= LONG_NS);
    let long = results.named("networkx_").filter(is_long);
    let mut ratios: Vec<f64> = long.filter_map(|row| row.ratio(NETWORKX, side)).collect();
    ratios.sort_by(f64::total_cmp);
    let median = *ratios.get(ratios.len() / 2)?;
    let (figure, must) = (ratio_text(median), "20 in the median, stretch 50");
    Some(Target { measure, figure, must, is_reached: median >= NETWORKX_TIMES })
}

fn slowest_beside_networkx(results: &Results) -> Option<Target> {
    let share = greatest_share(results, &["networkx_"], NETWORKX)?;
    let measure = "slowest function, of the time of NetworkX";
    Some(Target { measure, figure: ratio_text(share), must: "none slower", is_reached: share <= 1.0 })
}

fn slowest_beside_igraph(results: &Results) -> Option<Target> {
    let share = greatest_share(results, &["networkx_"], IGRAPH)?;
    let measure = "slowest function, of the time of igraph without its conversion";
    Some(Target { measure, figure: ratio_text(share), must: "1.3", is_reached: share <= IGRAPH_SHARE })
}

fn functions(results: &Results) -> Option<Target> {
    let ratio = results.row("functions")?.ratio(JOERN, OURS)?;
    let (measure, must) = ("functions as tensors: times faster than a script of Joern and Python", "20");
    Some(Target { measure, figure: ratio_text(ratio), must, is_reached: ratio >= JOERN_TIMES })
}

/// The versions of the packages.
fn versions(results: &Results) -> String {
    let all = results.circumstances.pointer("/versions").and_then(|versions| versions.as_object());
    let packages = all.into_iter().flatten().filter(|(name, _)| *name != "Python" && *name != "rustc");
    let words = packages.map(|(name, version)| format!("{name} {}", version.as_str().unwrap_or("unknown")));
    words.collect::<Vec<_>>().join(", ")
}

/// The figures of all sides but ours, each with its ratio.
fn others(row: &Row) -> String {
    let sides = row.sides.keys().filter(|side| *side != OURS);
    let cells = sides.map(|side| format!("{side} {}{}", row.text(side), ratio(row, side)));
    cells.collect::<Vec<_>>().join("; ")
}

fn ratio(row: &Row, side: &str) -> String {
    match row.ratio(side, OURS) {
        None => String::new(),
        Some(ratio) if ratio < 1.0 => format!(" [**{}**]", ratio_text(ratio)),
        Some(ratio) => format!(" [{}]", ratio_text(ratio)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    #[test]
    fn a_row_has_its_own_peers_with_ratios() {
        let versions = json!({"Python": "3.11.7", "polars": "2.1.0"});
        let about = json!({"date": "2026-01-31", "name": "python-zlib", "versions": versions});
        let mut results = Results { circumstances: about, rows: Vec::new() };
        let open = results.row_mut("open", "open", Unit::Time);
        [("NetworkX", 40e6), (OURS, 2e6)].into_iter().for_each(|(side, time)| open.add(side, time));
        let scan = results.row_mut("scan", "scan", Unit::Time);
        [("Parquet", 1e6), (OURS, 2e6)].into_iter().for_each(|(side, time)| scan.add(side, time));
        let page = page(&results);
        assert!(page.contains("| open | 2.00 ms | NetworkX 40.0 ms [20] |"), "{page}");
        assert!(page.contains("| scan | 2.00 ms | Parquet 1.00 ms [**0.50**] |"), "{page}");
        assert!(page.contains("Python 3.11.7; polars 2.1.0."), "{page}");
    }

    #[test]
    fn each_target_is_reached_or_missed() {
        let mut results = Results { circumstances: json!({"name": "python-zlib"}), rows: Vec::new() };
        for (name, sides) in [
            ("import", vec![(OURS, 40e6)]),
            ("open", vec![(OURS, 2e6), (NETWORKX, 40e6)]),
            ("polars_METHOD", vec![(OURS, 3e6), (PARQUET, 2e6)]),
            ("filter_sql", vec![(OURS, 3e6), (PARQUET, 2e6)]),
            ("networkx_AST_short", vec![(OURS, 5e6), (NETWORKX, 10e6), (IGRAPH, 1e6)]),
            ("networkx_AST_long", vec![(OURS, 10e6), (KERNEL, 2e6), (NETWORKX, 150e6)]),
            ("functions", vec![(OURS, 1e9), (JOERN, 30e9)]),
        ] {
            let row = results.row_mut(name, name, Unit::Time);
            sides.into_iter().for_each(|(side, ns)| row.add(side, ns));
        }
        let page = page(&results);
        for line in [
            "| `import varvite` | 40.0 ms | 30 ms, stretch 10 ms | **no** |",
            "| open to first answer | 2.00 ms | 5 ms, stretch 1 ms | yes |",
            "| slowest table, of the time from Parquet | 1.5 | 1.5 | yes |",
            "| slowest filter, of the time from Parquet | 1.5 | ahead | **no** |",
            "in NetworkX: times faster | 15 | 20 in the median, stretch 50 | **no** |",
            "| the same without Python's objects | 75 | 20 in the median, stretch 50 | yes |",
            "| slowest function, of the time of NetworkX | 0.50 | none slower | yes |",
            "| slowest function, of the time of igraph without its conversion | 5.0 | 1.3 | **no** |",
            "a script of Joern and Python | 30 | 20 | yes |",
        ] {
            assert!(page.contains(line), "{line}\n{page}");
        }
        assert!(!page.contains("memory of it"), "{page}");
    }
}
