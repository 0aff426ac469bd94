//! The page of `cargo xtask bench-joern`: Joern on flatgraph and on mapped files.

use crate::record::figures::text_of;
use crate::record::results::{FLATGRAPH, Results, Row};
use crate::report::section::{circumstances, page_of, section};
use crate::report::table::{Column, exact};
use crate::report::targets::must;

const MAPPED: &str = "mapped";
/// The side (a column of results) of a script that runs on a graph without nodes.
const EMPTY: &str = "empty";
/// The names of the measures, in the order in which the page shows them.
const MEASURES: [&str; 14] = [
    "open, new JVM",
    "open, new JVM, AOT cache",
    "open, warm JVM",
    "heap after opening",
    "heap after the queries",
    "resident at most",
    "first round",
    "first round, AOT cache",
    "best round",
    "best round, AOT cache",
    "data flow, first",
    "data flow, best",
    "smallest heap for the queries",
    "smallest heap for the overlays",
];
/// The target for a script: it takes at most this many nanoseconds more than the same script on a graph
/// without nodes.
const SCRIPT_NS_MAX: f64 = 5e8;

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "Profile `{}`; {} {} virtual machines of each side that took turns, serial collector. Queries and data \
         flow: time of the processors.",
        results.word("/profile"),
        circumstances(results),
        results.word("/rounds"),
    );
    let columns = || {
        let share = |row: &Row| row.ratio(MAPPED, FLATGRAPH).map_or_else(String::new, exact);
        [
            Column::side("flatgraph", FLATGRAPH),
            Column::side("mapped", MAPPED),
            Column::new("of flatgraph's", share),
        ]
    };
    let must = Column::new("must", |row| must(results, row, MAPPED));
    let judged: Vec<_> = columns().into_iter().chain([must]).collect();
    let beyond = Column::new("beyond a graph without nodes", beyond);
    let scripts: Vec<_> = columns().into_iter().chain([beyond]).collect();
    let title = format!("Joern on {}, {}", results.word("/graph/file"), results.word("/date"));
    let sections = [
        section("", "", MEASURES.iter().filter_map(|name| results.row(name)), &judged),
        section("", "", results.named("script_"), &scripts),
        answers(results),
        section("## Queries, the best round", "", results.named("best: "), &judged),
    ];
    page_of(&title, &words, sections)
}

/// The additional time of a script over its time on a graph without nodes, with the target.
fn beyond(row: &Row) -> String {
    let Some((ours, empty)) = row.median(MAPPED).zip(row.median(EMPTY)) else { return String::new() };
    let [more, most] = [ours - empty, SCRIPT_NS_MAX].map(|ns| text_of(ns, row.unit));
    let is_reached = if ours - empty <= SCRIPT_NS_MAX { "yes" } else { "**no**" };
    format!("{more}, at most {most}: {is_reached}")
}

fn answers(results: &Results) -> Option<String> {
    let differing = results.circumstances["differing"].as_u64()?;
    Some(format!("Of {} answers {differing} differ.\n", results.word("/answers")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    #[test]
    fn each_measure_and_query_has_a_line_with_its_target() {
        let mut results = Results {
            circumstances: json!({"bench": "joern", "differing": 0, "answers": 1}),
            rows: Vec::new(),
        };
        for (name, title, theirs, ours) in [
            ("best: callers", "callers", 2e6, 1e6),
            ("data flow, best", "data flow, best", 9e6, 9.1e6),
            ("script_cold", "`joern --script`, cold", 9e9, 8e9),
        ] {
            let row = results.row_mut(name, title, Unit::Time);
            row.add(FLATGRAPH, theirs);
            row.add(MAPPED, ours);
        }
        results.rows[2].add(EMPTY, 7.6e9);
        let page = page(&results);
        for line in [
            "| callers | 2.00 ms | 1.00 ms | 0.50 | 1.3 of flatgraph's: yes |",
            "| data flow, best | 9.00 ms | 9.10 ms | 1.01 | 1 of flatgraph's: **no** |",
            "| `joern --script`, cold | 9.00 s | 8.00 s | 0.89 | 400 ms, at most 500 ms: yes |",
            "Of 1 answers 0 differ.",
        ] {
            assert_eq!(page.matches(line).count(), 1, "{line}: {page}");
        }
    }
}
