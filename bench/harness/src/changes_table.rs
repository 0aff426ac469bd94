//! What changes of a graph cost, as Markdown.

use crate::prose::wrapped;
use crate::results::{COMPACT, LOG, REDB, Results, Row, UNSYNCED};
use crate::table::{figure, header, line};

/// Commits beside those of a key-value store, with the words that the table needs; none for a run without any.
pub(crate) fn changes_section(results: &Results) -> Option<String> {
    let rows: Vec<&Row> = results.rows.iter().filter(|row| row.is_about_changes()).collect();
    if rows.is_empty() {
        return None;
    }
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
    Some(format!("## Changes\n\n{}\n\n{table}", wrapped(&words)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Unit;
    use crate::results::Subject;
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
}
