//! Varvite's targets, and whether a run reaches them.

use crate::record::figures::text_of;
use crate::record::results::{ARCHIVE, COMPACT, DIRECT, JOERN, Results, Row};
use crate::report::graph::thread_ratios;
use crate::report::walks::{IN_JAVA, NEO4J, RUST, fastest_other};

/// The targets of `make bench` apply to graphs of at least this many nodes, which is about the size of the
/// graph of Linux `drivers/net`.
const NODES_MIN: f64 = 10e6;

const US: f64 = 1e3;
const MS: f64 = 1e6;
const S: f64 = 1e9;
const MB: f64 = 1e6;
const GB: f64 = 1e9;

/// A target: a limit on the figures of some sides in some rows.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// The name of the row. A name that ends with `*` stands for all rows whose names begin with the part
    /// before it.
    rows: &'static str,
    sides: &'static [&'static str],
    limit: Limit,
    /// A better value for the limit, which would be good to reach, if there is one.
    stretch: Option<f64>,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    /// The median is at most this.
    Median(f64),
    /// Every sample is at most this.
    Greatest(f64),
    /// The side is at least this many times as fast as the named side.
    Times(&'static str, f64),
    /// The median is at most this share of the named side's median.
    Share(&'static str, f64),
}

use Limit::{Greatest, Median, Share, Times};

const fn limit(rows: &'static str, sides: &'static [&'static str], limit: Limit) -> Target {
    Target { rows, sides, limit, stretch: None }
}

const fn target(rows: &'static str, sides: &'static [&'static str], of: Limit, stretch: f64) -> Target {
    Target { stretch: Some(stretch), ..limit(rows, sides, of) }
}

const BOTH: &[&str] = &[DIRECT, COMPACT];
const ALL: &[&str] = &[DIRECT, COMPACT, ARCHIVE];

const GRAPH: &[Target] = &[
    target("open", BOTH, Median(10.0 * MS), MS),
    limit("open_resident", BOTH, Median(30.0 * MB)),
    target("import", ALL, Median(32.0 * S), 15.0 * S),
    target("import_resident", ALL, Median(6.0 * GB), 2.0 * GB),
    target("file", &[COMPACT], Median(520.0 * MB), 400.0 * MB),
    target("file", &[ARCHIVE], Median(260.0 * MB), 200.0 * MB),
    limit("everything_resident", &[DIRECT], Median(1.5 * GB)),
    target("everything_resident", &[COMPACT], Median(0.6 * GB), 0.4 * GB),
    target("ast_below_methods", &[DIRECT], Median(290.0 * MS), 150.0 * MS),
    limit("ast_below_methods", &[COMPACT], Median(400.0 * MS)),
    target("ast_below_methods_count", BOTH, Median(20.0 * MS), 5.0 * MS),
    target("cfg_reachability", BOTH, Median(180.0 * MS), 100.0 * MS),
    target("identifier_up", BOTH, Median(150.0 * MS), 60.0 * MS),
    target("name_equality_cold", BOTH, Median(15.0 * MS), 5.0 * MS),
    target("name_equality_index_cold", BOTH, Median(60.0 * US), 20.0 * US),
    target("code_contains", BOTH, Median(40.0 * MS), 15.0 * MS),
    limit("method_name_regex", BOTH, Median(15.0 * MS)),
    target("callee_names_pipeline", BOTH, Median(60.0 * MS), 30.0 * MS),
    target("descendants_by_label", BOTH, Median(30.0 * MS), 8.0 * MS),
    target("identifier_method", BOTH, Median(60.0 * MS), 20.0 * MS),
    limit("transitive_callers", BOTH, Median(30.0 * MS)),
    target("query_*", BOTH, Times(JOERN, 3.0), 10.0),
];

const JAVA: &[Target] = &[
    limit("*", &["java"], Share("rust", 1.15)),
    limit("open", &["java"], Median(20.0 * MS)),
    limit("heap", &["java"], Median(5.0 * MB)),
    limit("first8_*", &["varvite_copied"], Times("rocksdb_copied", 1.0)),
    limit("first8_*", &["varvite_copied"], Times("lmdb_copied", 1.0)),
    limit("first8_*", &["varvite_borrowed"], Median(150.0)),
    limit("sum_*", &["varvite_copied"], Times("rocksdb_copied", 1.0)),
    limit("sum_*", &["varvite_copied"], Times("lmdb_copied", 1.0)),
];

/// Stands for the fastest of all other sides.
const OTHERS: &str = "the fastest other";

const WALKS: &[Target] = &[
    limit("depth_first", &[RUST], Times(NEO4J, 50.0)),
    limit("depth_first", &[IN_JAVA], Times(NEO4J, 40.0)),
    limit("depth_first_function", &[IN_JAVA], Median(35.0 * MS)),
    limit("breadth_first", &[RUST, IN_JAVA], Median(20.0 * MS)),
    limit("allocated_*", &[RUST, IN_JAVA], Median(0.0)),
    limit("algorithm_*", &["Varvite"], Share(OTHERS, 1.3)),
    limit("cancelled_*", &["Varvite", RUST, IN_JAVA, "Varvite, Java, out of time"], Greatest(50.0 * MS)),
];

const MAPPED: &[&str] = &["mapped"];

const IN_JOERN: &[Target] = &[
    limit("open, warm JVM", MAPPED, Median(50.0 * MS)),
    limit("heap after opening", MAPPED, Median(5.0 * MB)),
    limit("first round*", MAPPED, Share("flatgraph", 0.7)),
    limit("best round*", MAPPED, Share("flatgraph", 1.0)),
    limit("data flow, best", MAPPED, Share("flatgraph", 1.0)),
    limit("smallest heap for the queries", MAPPED, Share("flatgraph", 0.2)),
    limit("smallest heap for the overlays", MAPPED, Share("flatgraph", 0.5)),
    limit("best: *", MAPPED, Share("flatgraph", 1.3)),
];

/// The target for the median speed of plans on two threads, as a multiple of their speed on one.
const THREADS_MEDIAN: f64 = 1.6;
/// The target for the slowest plan: apart from noise, no plan is slower on two threads than on one.
const THREADS_LEAST: f64 = 0.97;

fn targets_of(results: &Results) -> &'static [Target] {
    match &*results.word("/bench") {
        "graph" if results.number("/graph/nodes") >= NODES_MIN => GRAPH,
        "java" => JAVA,
        "joern" => IN_JOERN,
        "walks" | "algorithms" => WALKS,
        _ => &[],
    }
}

/// One line for each target: `pass` if the limit holds, `PASS` if the stretch value is reached too, or
/// `FAIL`.
pub fn verdicts(results: &Results) -> Vec<String> {
    let targets = targets_of(results);
    let all = targets.iter().flat_map(|target| {
        let rows = results.rows.iter().filter(|row| target.is_for(row));
        rows.flat_map(|row| target.sides.iter().filter_map(|side| target.verdict(row, side)))
    });
    let threads = (!targets.is_empty()).then(|| threads_verdicts(results));
    all.chain(threads.into_iter().flatten().flatten()).collect()
}

/// The target for `side` in a row, in words, and whether it is reached; empty if there is no target.
pub(super) fn must(results: &Results, row: &Row, side: &str) -> String {
    let is_its = |target: &&Target| target.is_for(row) && target.sides.contains(&side);
    let target = targets_of(results).iter().find(is_its);
    let reached = target.and_then(|target| Some((target, target.limit.outcome(row, side)?)));
    reached.map_or_else(String::new, |(target, outcome)| {
        format!("{}: {}", target.limit.words(row), if outcome.is_reached { "yes" } else { "**no**" })
    })
}

/// The verdicts on plans on two threads: one on the median speed, one on the slowest plan.
fn threads_verdicts(results: &Results) -> [Option<String>; 2] {
    let ratios = thread_ratios(results);
    [("in the median", ratios.median(), THREADS_MEDIAN), ("at least", ratios.min(), THREADS_LEAST)].map(
        |(what, ratio, target)| {
            let ratio = ratio?;
            let word = if ratio < target { "FAIL" } else { "pass" };
            Some(format!("{word}  plans on two threads: {ratio:.2} times as fast {what} (target: {target})"))
        },
    )
}

impl Target {
    fn is_for(&self, row: &Row) -> bool {
        match self.rows.strip_suffix('*') {
            Some(prefix) => row.name.starts_with(prefix),
            None => row.name == self.rows,
        }
    }

    fn verdict(&self, row: &Row, side: &str) -> Option<String> {
        let Outcome { figure, text, is_reached } = self.limit.outcome(row, side)?;
        let is_stretched = self.stretch.is_some_and(|stretch| match self.limit {
            Times(..) => figure >= stretch,
            _ => figure < stretch,
        });
        let word = if !is_reached {
            "FAIL"
        } else if is_stretched {
            "PASS"
        } else {
            "pass"
        };
        let stretch = self.stretch.map_or_else(String::new, |stretch| match self.limit {
            Times(..) => format!(", stretch {stretch}"),
            _ => format!(", stretch {}", text_of(stretch, row.unit)),
        });
        Some(format!("{word}  {}, {side}: {text} (target: {}{stretch})", row.title, self.limit.words(row)))
    }
}

/// The measured figure that a limit applies to, and its text.
struct Outcome {
    figure: f64,
    text: String,
    is_reached: bool,
}

impl Limit {
    /// The limit, in words.
    fn words(self, row: &Row) -> String {
        match self {
            Median(most) | Greatest(most) => format!("at most {}", text_of(most, row.unit)),
            Times(peer, least) => format!("{least} times as fast as {peer}"),
            Share(peer, most) => format!("{most} of {peer}'s"),
        }
    }

    /// The figure that this limit applies to; `None` if one of the sides was not measured.
    fn outcome(self, row: &Row, side: &str) -> Option<Outcome> {
        let (figure, limit) = match self {
            Median(most) => (row.median(side)?, most),
            Greatest(most) => (row.sides.get(side)?.max()?, most),
            Times(peer, least) => (row.ratio(peer, side)?, least),
            Share(OTHERS, most) => (row.median(side)? / fastest_other(row, side)?, most),
            Share(peer, most) => (row.median(side)? / row.median(peer)?, most),
        };
        let (text, is_reached) = match self {
            Median(_) | Greatest(_) => (text_of(figure, row.unit), figure <= limit),
            Times(..) => (format!("{figure:.1} times as fast"), figure >= limit),
            Share(..) => (format!("{figure:.2}"), figure <= limit),
        };
        Some(Outcome { figure, text, is_reached })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    /// The verdicts on one row.
    fn told(bench: &str, name: &str, samples: &[(&str, f64)]) -> Vec<String> {
        let mut row = Row::new(name, "title", Unit::Time);
        samples.iter().for_each(|(side, sample)| row.add(side, *sample));
        let circumstances = json!({"bench": bench, "graph": {"nodes": NODES_MIN}});
        verdicts(&Results { circumstances, rows: vec![row] })
    }

    #[test]
    fn a_limit_is_passed_missed_or_passed_by_far() {
        for (ms, expected) in [
            (150.0, "pass  title, direct: 150 ms"),
            (200.0, "FAIL  title, direct: 200 ms"),
            (50.0, "PASS  title, direct: 50.0 ms"),
        ] {
            let verdict = format!("{expected} (target: at most 180 ms, stretch 100 ms)");
            assert_eq!(told("graph", "cfg_reachability", &[(DIRECT, ms * MS)]), [verdict]);
        }
    }

    #[test]
    fn a_question_of_scanners_is_held_against_the_steps() {
        let sides = [(JOERN, 40.0), (DIRECT, 10.0), (COMPACT, 20.0)];
        let expected = [
            "pass  title, direct: 4.0 times as fast (target: 3 times as fast as joern, stretch 10)",
            "FAIL  title, compact: 2.0 times as fast (target: 3 times as fast as joern, stretch 10)",
        ];
        assert_eq!(told("graph", "query_copy_loops", &sides), expected);
    }

    #[test]
    fn java_is_held_against_rust_and_other_stores() {
        let loops =
            told("java", "ast_below_methods", &[("java", 110.0), ("rust", 100.0), ("flatgraph", 1.0)]);
        assert_eq!(loops, ["pass  title, java: 1.10 (target: 1.15 of rust's)"]);
        let sides = [
            ("varvite_copied", 100.0),
            ("rocksdb_copied", 1600.0),
            ("lmdb_copied", 80.0),
            ("varvite_borrowed", 200.0),
        ];
        let expected = [
            "pass  title, varvite_copied: 16.0 times as fast (target: 1 times as fast as rocksdb_copied)",
            "FAIL  title, varvite_copied: 0.8 times as fast (target: 1 times as fast as lmdb_copied)",
            "FAIL  title, varvite_borrowed: 200 ns (target: at most 150 ns)",
        ];
        assert_eq!(told("java", "first8_16", &sides), expected);
    }

    #[test]
    fn walks_allocate_nothing_and_end_soon_when_cancelled() {
        let failed = |name: &str, side: &str, sample: f64| {
            told("walks", name, &[(side, sample)])[0].starts_with("FAIL")
        };
        assert!(failed("allocated_depth_first", RUST, 8.0) && !failed("allocated_depth_first", RUST, 0.0));
        assert!(
            failed("cancelled_PageRank", "Varvite", 60.0 * MS) && !failed("cancelled_walk", RUST, 2.0 * MS)
        );
        let sides = [("Varvite", 2.0), ("igraph", 6.0), ("NetworKit", 1.0)];
        assert_eq!(
            told("walks", "algorithm_page_rank", &sides),
            ["FAIL  title, Varvite: 2.00 (target: 1.3 of the fastest other's)"]
        );
    }
}
