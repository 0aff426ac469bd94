//! The costs of changes of a graph, as Markdown.

use crate::record::figures::Figures;
use crate::record::interval::{PAIRS_MIN, interval_of, ratios_of};
use crate::record::results::{CHANGED, COMPACT, LOG, REDB, Results, Row, UNSYNCED};
use crate::report::prose::wrapped;
use crate::report::table::{figure, header, line};

/// The section about commits beside those of a key-value store: the table and the text that explains it.
/// `None` for a run without such rows.
pub(crate) fn changes_section(results: &Results) -> Option<String> {
    let (reading, rows): (Vec<&Row>, Vec<&Row>) = results
        .rows
        .iter()
        .filter(|row| row.is_about_changes())
        .partition(|row| row.is_about_reading_changes());
    let sections =
        [(!rows.is_empty()).then(|| commits(results, &rows)), (!reading.is_empty()).then(|| reads(&reading))];
    let sections: Vec<String> = sections.into_iter().flatten().collect();
    (!sections.is_empty()).then(|| sections.join("\n"))
}

fn commits(results: &Results, rows: &[&Row]) -> String {
    let version = results.circumstances["versions"]["redb"].as_str().unwrap_or("of an unknown version");
    let words = format!(
        "Edges that are appended to the largest label with lists of the `compact` file, which is opened, changed and synced on the clock, \
         each time from the same state; the same as records of a log, by a program that holds the graph open; and as \
         many random keys of eight bytes as a commit of redb {version}, on a store of a million that is open. All of them are durable.",
    );
    let titles = ["", "a commit", "without its syncs", "a record of a log", "redb"];
    let mut table = header(&titles);
    for row in rows {
        let mut cells = vec![row.title.clone()];
        cells.extend([COMPACT, UNSYNCED, LOG, REDB].map(|side| figure(row, side)));
        table.push_str(&line(&cells));
    }
    format!("## Changes\n\n{}\n\n{table}", wrapped(&words))
}

/// The part about questions to a graph before and after changes.
fn reads(rows: &[&Row]) -> String {
    let words = "This table compares the `compact` file with a changed copy of it, in pairs; readers of the copy merge its \
         changes. In the first rows the copy has 1 % of the edges removed and appended again, with sources drawn \
         evenly, so that answers stay the same; in the others it has 1 % new nodes without children, appended to the \
         tree. Times are those of a step, or of the whole question if it has no steps. The ratio is the median of the \
         pairs, with its 95 % interval.";
    let mut table = header(&["", "as imported", "changed", "ratio"]);
    for row in rows {
        let mut cells = vec![row.title.clone()];
        cells.extend([COMPACT, CHANGED].map(|side| figure(row, side)));
        cells.push(
            row.cells[COMPACT].as_ref().zip(row.cells[CHANGED].as_ref()).map_or_else(String::new, ratio),
        );
        table.push_str(&line(&cells));
    }
    format!("## Reading a graph that has changed\n\n{}\n\n{table}", wrapped(words))
}

fn ratio((before, after): (&Figures, &Figures)) -> String {
    let ratios = ratios_of(before, after);
    let median = ratios.median().unwrap_or_default();
    if ratios.samples.len() < PAIRS_MIN as usize {
        return format!("{median:.2}");
    }
    let (low, high) = interval_of(&ratios.samples);
    format!("{median:.2} ({low:.2} to {high:.2})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use crate::record::results::Subject;
    use serde_json::json;

    #[test]
    fn a_change_has_a_line_with_all_sides() {
        let mut row = Row::new("change_1", "1 edges, durable", Unit::Time);
        for (side, ms) in [(COMPACT, 2.0), (UNSYNCED, 1.0), (REDB, 3.0)] {
            row.add(side, ms * 1e6);
        }
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 3, edges: 5 };
        let circumstances = json!({"versions": {"redb": "4"}});
        let results = Results { subject, circumstances, rows: vec![row], memory: Vec::new() };
        let section = changes_section(&results).unwrap();
        assert!(section.replace('\n', " ").contains("redb 4"), "{section}");
        assert!(section.contains("| 1 edges, durable | 2.00 ms | 1.00 ms | - | 3.00 ms |"), "{section}");
    }

    #[test]
    fn a_question_of_a_changed_graph_has_the_ratio_of_its_pairs() {
        let mut row = Row::new("change_edges_ast_dfs", "moved: AST", Unit::Time);
        for pair in 0..6 {
            row.add(COMPACT, 10.0 + f64::from(pair));
            row.add(CHANGED, (10.0 + f64::from(pair)) * 1.1);
        }
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 3, edges: 5 };
        let results = Results { subject, circumstances: json!({}), rows: vec![row], memory: Vec::new() };
        let section = changes_section(&results).unwrap();
        assert!(section.contains("1.10 (1.10 to 1.10) |"), "{section}");
        assert!(!section.contains("redb"), "{section}");
    }
}
