//! The digest of a run that the README shows: eight rows, one profile, one ratio. All other figures are on
//! the page of the run.

use crate::Failure;
use crate::record::figures::{ratio_text, text_of, thousands};
use crate::record::results::{COMPACT, FLATGRAPH, JOERN, Results, Row};
use crate::report::prose::wrapped;
use crate::report::table::{header, line};

/// The rows of the digest: each name in results, and the title in the README. In the last row flatgraph is
/// faster.
const ROWS: [(&str, &str); 8] = [
    ("open", "open the graph and count its METHODs"),
    ("everything_resident", "resident memory after reading everything"),
    ("file", "size of the file"),
    ("import", "import of the `cpg.bin`, once, synced to disk"),
    ("code_contains", "CALLs whose CODE contains `skb`"),
    ("transitive_callers", "direct and indirect callers of `memcpy`"),
    ("query_unchecked_results", "calls whose result nobody checks"),
    ("name_equality_index_warm", "look a NAME up again, index in memory"),
];

/// Introduction and table, with a link to the page of the run.
///
/// # Errors
/// A row was not measured.
pub(crate) fn digest(results: &Results, link: &str) -> Result<String, Failure> {
    let mut table = header(&["", "flatgraph", "Varvite", "times better"]);
    for (name, title) in ROWS {
        let row = results.row(name).filter(|row| row.cells[COMPACT].is_some());
        let row = row.ok_or_else(|| {
            Failure(format!(
                "the table of the README needs '{name}', which was not measured: leave out --only"
            ))
        })?;
        table.push_str(&line(&cells(row, title)));
    }
    Ok(format!("{}\n\n{table}", wrapped(&introduction(results, link))))
}

fn cells(row: &Row, title: &str) -> [String; 4] {
    let median = |side: usize| row.cells[side].as_ref()?.median();
    let text = |side| median(side).map_or_else(|| "-".into(), |figure| text_of(figure, row.unit));
    let peer = faster_peer(row);
    let ratio = match row.ratio(peer, COMPACT) {
        Some(ratio) if ratio < 1.0 => format!("**{}**", ratio_text(ratio)),
        Some(ratio) => ratio_text(ratio),
        None => String::new(),
    };
    [title.to_owned(), text(peer), text(COMPACT), ratio]
}

/// The index of flatgraph's faster side, if the row has both loops and steps.
fn faster_peer(row: &Row) -> usize {
    let median = |side: usize| row.cells[side].as_ref()?.median();
    match (median(FLATGRAPH), median(JOERN)) {
        (Some(loops), Some(steps)) if steps < loops => JOERN,
        (None, Some(_)) => JOERN,
        _ => FLATGRAPH,
    }
}

fn introduction(results: &Results, link: &str) -> String {
    let said = |pointer: &str| results.circumstances.pointer(pointer).cloned().unwrap_or_default();
    let word = |pointer: &str| said(pointer).as_str().unwrap_or("unknown").to_owned();
    let subject = &results.subject;
    format!(
        "`{}` has {} nodes and {} edges. Varvite in the profile `compact`, flatgraph {} on Java {}; {}, {} cores, {:.0} GB; \
         medians. If flatgraph answers in two ways, by Joern's steps and by plain loops, the faster one counts. \
         Bold: flatgraph is better. [Full results]({link}).",
        subject.file,
        thousands(u64::from(subject.nodes)),
        thousands(subject.edges),
        word("/versions/flatgraph"),
        word("/versions/java"),
        word("/machine/processor"),
        said("/machine/cores"),
        said("/machine/memory_bytes").as_f64().unwrap_or(0.0) / 1e9,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use crate::record::results::Subject;
    use serde_json::json;

    fn results(names: &[&str]) -> Results {
        let rows = names.iter().map(|name| {
            let mut row = Row::new(name, "long title", Unit::Time);
            row.add(FLATGRAPH, 30e6);
            row.add(COMPACT, 20e6);
            row
        });
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 1000, edges: 2 };
        let circumstances = json!({"machine": {"cores": 2}});
        Results { subject, circumstances, rows: rows.collect(), memory: Vec::new() }
    }

    #[test]
    fn the_digest_has_eight_rows_and_a_link() {
        let mut results = results(&ROWS.map(|(name, _)| name));
        results.rows[4].add(JOERN, 10e6);
        results.rows[3].cells[FLATGRAPH] = None;
        let digest = digest(&results, "a.md").unwrap();
        let rows: Vec<&str> = digest.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
        assert_eq!(rows[0], "| open the graph and count its METHODs | 30.0 ms | 20.0 ms | 1.5 |");
        assert_eq!(rows[3], "| import of the `cpg.bin`, once, synced to disk | - | 20.0 ms |  |");
        assert_eq!(rows[4], "| CALLs whose CODE contains `skb` | 10.0 ms | 20.0 ms | **0.50** |");
        assert_eq!(rows.len(), 8);
        assert!(digest.starts_with("`g.cpg.bin` has 1,000 nodes") && digest.contains("(a.md)"), "{digest}");
    }

    #[test]
    fn a_run_of_some_questions_has_no_digest() {
        let failure = digest(&results(&["open"]), "a.md").unwrap_err();
        assert!(failure.0.contains("'everything_resident'") && failure.0.contains("--only"), "{failure}");
    }
}
