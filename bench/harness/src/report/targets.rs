//! The targets of Varvite on a graph of the size of Linux `drivers/net`, and their results.

use crate::record::figures::text_of;
use crate::record::results::{JOERN, Results, Row, SIDES};
use crate::report::plans_table::thread_ratios;

/// The least number of nodes of a graph to which the targets apply.
const NODES_MIN: u32 = 10_000_000;

const US: f64 = 1e3;
const MS: f64 = 1e6;
const S: f64 = 1e9;
const MB: f64 = 1e6;
const GB: f64 = 1e9;

/// A limit on the median of one profile.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the row in results.
    pub row: &'static str,
    /// Index of the profile in [`SIDES`].
    pub side: usize,
    /// The limit of the figure.
    pub limit: f64,
    /// A better value to reach, if there is one.
    pub stretch: Option<f64>,
}

const fn target(row: &'static str, side: usize, limit: f64, stretch: f64) -> Target {
    Target { row, side, limit, stretch: Some(stretch) }
}

const fn limit(row: &'static str, side: usize, limit: f64) -> Target {
    Target { row, side, limit, stretch: None }
}

const DIRECT: usize = 1;
const COMPACT: usize = 2;
const ARCHIVE: usize = 3;

/// All targets. A target that was set without a profile is listed for direct and for compact.
pub const TARGETS: [Target; 38] = [
    target("open", DIRECT, 10.0 * MS, MS),
    target("open", COMPACT, 10.0 * MS, MS),
    limit("open_resident", DIRECT, 30.0 * MB),
    limit("open_resident", COMPACT, 30.0 * MB),
    target("import", DIRECT, 32.0 * S, 15.0 * S),
    target("import", COMPACT, 32.0 * S, 15.0 * S),
    target("import", ARCHIVE, 32.0 * S, 15.0 * S),
    target("import_resident", DIRECT, 6.0 * GB, 2.0 * GB),
    target("import_resident", COMPACT, 6.0 * GB, 2.0 * GB),
    target("import_resident", ARCHIVE, 6.0 * GB, 2.0 * GB),
    target("file", COMPACT, 520.0 * MB, 400.0 * MB),
    target("file", ARCHIVE, 260.0 * MB, 200.0 * MB),
    limit("everything_resident", DIRECT, 1.5 * GB),
    target("everything_resident", COMPACT, 0.6 * GB, 0.4 * GB),
    target("ast_below_methods", DIRECT, 290.0 * MS, 150.0 * MS),
    limit("ast_below_methods", COMPACT, 400.0 * MS),
    target("ast_below_methods_count", DIRECT, 20.0 * MS, 5.0 * MS),
    target("ast_below_methods_count", COMPACT, 20.0 * MS, 5.0 * MS),
    target("cfg_reachability", DIRECT, 180.0 * MS, 100.0 * MS),
    target("cfg_reachability", COMPACT, 180.0 * MS, 100.0 * MS),
    target("identifier_up", DIRECT, 150.0 * MS, 60.0 * MS),
    target("identifier_up", COMPACT, 150.0 * MS, 60.0 * MS),
    target("name_equality_cold", DIRECT, 15.0 * MS, 5.0 * MS),
    target("name_equality_cold", COMPACT, 15.0 * MS, 5.0 * MS),
    target("name_equality_index_cold", DIRECT, 60.0 * US, 20.0 * US),
    target("name_equality_index_cold", COMPACT, 60.0 * US, 20.0 * US),
    target("code_contains", DIRECT, 40.0 * MS, 15.0 * MS),
    target("code_contains", COMPACT, 40.0 * MS, 15.0 * MS),
    limit("method_name_regex", DIRECT, 15.0 * MS),
    limit("method_name_regex", COMPACT, 15.0 * MS),
    target("callee_names_pipeline", DIRECT, 60.0 * MS, 30.0 * MS),
    target("callee_names_pipeline", COMPACT, 60.0 * MS, 30.0 * MS),
    target("descendants_by_label", DIRECT, 30.0 * MS, 8.0 * MS),
    target("descendants_by_label", COMPACT, 30.0 * MS, 8.0 * MS),
    target("identifier_method", DIRECT, 60.0 * MS, 20.0 * MS),
    target("identifier_method", COMPACT, 60.0 * MS, 20.0 * MS),
    limit("transitive_callers", DIRECT, 30.0 * MS),
    limit("transitive_callers", COMPACT, 30.0 * MS),
];

/// The prefix of the names of questions of scanners.
const QUERY: &str = "query_";
/// The target for the speed of each question of scanners, as a multiple of the speed of flatgraph's own
/// steps, and a better value to reach.
const QUERY_RATIO: (f64, f64) = (3.0, 10.0);

/// The target for the speed of plans on two threads, as a multiple of that on one, in the median of all.
const THREADS_MEDIAN: f64 = 1.6;
/// The target for each single plan on two threads: apart from noise, none is slower than on one.
const THREADS_LEAST: f64 = 0.97;

/// Whether the targets apply to a graph with `nodes` nodes.
pub fn apply_to(nodes: u32) -> bool {
    nodes >= NODES_MIN
}

/// One line for each target: `pass`, `PASS` if even the better value is reached, or `FAIL`.
pub fn verdicts(results: &Results) -> Vec<String> {
    let ratios = results.rows.iter().filter(|row| row.name.starts_with(QUERY));
    let ratios = ratios.flat_map(|row| [DIRECT, COMPACT].map(|side| ratio_verdict(row, side)));
    let limits = TARGETS.iter().map(|target| verdict(target, results));
    limits.chain(ratios).chain(threads_verdicts(results)).flatten().collect()
}

/// The verdicts on plans on two threads: one on the median speed, one on the slowest plan.
fn threads_verdicts(results: &Results) -> [Option<String>; 2] {
    let ratios = thread_ratios(results);
    [("in the median", ratios.median(), THREADS_MEDIAN), ("at least", ratios.min(), THREADS_LEAST)].map(
        |(what, ratio, target)| {
            let word = if ratio? < target { "FAIL" } else { "pass" };
            Some(format!(
                "{word}  plans on two threads: {:.2} times as fast {what} (target: {target})",
                ratio?
            ))
        },
    )
}

fn ratio_verdict(row: &Row, side: usize) -> Option<String> {
    let median = |side: usize| row.cells[side].as_ref()?.median();
    let ratio = median(JOERN)? / median(side)?;
    let (least, stretch) = QUERY_RATIO;
    let word = match ratio {
        _ if ratio < least => "FAIL",
        _ if ratio >= stretch => "PASS",
        _ => "pass",
    };
    let (title, side) = (&row.title, SIDES[side]);
    Some(format!(
        "{word}  {title}, {side}: {ratio:.1} times as fast as the steps (target: {least}, stretch {stretch})"
    ))
}

fn verdict(target: &Target, results: &Results) -> Option<String> {
    let row = results.row(target.row)?;
    let median = row.cells[target.side].as_ref()?.median()?;
    let word = match target.stretch {
        _ if median >= target.limit => "FAIL",
        Some(stretch) if median < stretch => "PASS",
        _ => "pass",
    };
    let stretch = target.stretch.map(|stretch| format!(", stretch {}", text_of(stretch, row.unit)));
    Some(format!(
        "{word}  {}, {}: {} (target: under {}{})",
        row.title,
        SIDES[target.side],
        text_of(median, row.unit),
        text_of(target.limit, row.unit),
        stretch.unwrap_or_default(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use crate::record::results::Subject;
    use serde_json::Value;

    fn check(ms: f64, expected: &str) {
        let mut row = Row::new("cfg_reachability", "CFG", Unit::Time);
        row.add(DIRECT, ms * MS);
        let subject = Subject { name: "net".into(), file: "net.cpg.bin".into(), nodes: NODES_MIN, edges: 0 };
        let results = Results { subject, circumstances: Value::Null, rows: vec![row], memory: Vec::new() };
        assert_eq!(verdicts(&results), [expected]);
    }

    #[test]
    fn a_limit_is_passed_missed_or_passed_by_far() {
        check(150.0, "pass  CFG, direct: 150 ms (target: under 180 ms, stretch 100 ms)");
        check(200.0, "FAIL  CFG, direct: 200 ms (target: under 180 ms, stretch 100 ms)");
        check(50.0, "PASS  CFG, direct: 50.0 ms (target: under 180 ms, stretch 100 ms)");
    }

    #[test]
    fn a_question_of_scanners_is_held_against_the_steps() {
        let mut row = Row::new("query_copy_loops", "copy loops", Unit::Time);
        row.add(JOERN, 40.0 * MS);
        row.add(DIRECT, 10.0 * MS);
        row.add(COMPACT, 20.0 * MS);
        let verdicts = [DIRECT, COMPACT].map(|side| ratio_verdict(&row, side).unwrap());
        assert_eq!(
            verdicts[0],
            "pass  copy loops, direct: 4.0 times as fast as the steps (target: 3, stretch 10)"
        );
        assert_eq!(
            verdicts[1],
            "FAIL  copy loops, compact: 2.0 times as fast as the steps (target: 3, stretch 10)"
        );
    }
}
