//! Results as Markdown: the main table, memory after each workload, and where the peer wins.

use crate::figures::ratio_text;
use crate::musts;
use crate::results::{FLATGRAPH, PROFILES, Results, Row, SIDES};

/// The main table; with a column of limits for a graph that they are about.
pub fn main_table(results: &Results) -> String {
    let with_musts = musts::apply_to(results.subject.nodes);
    let ratios = "times better: direct / compact / archive";
    let mut head = vec!["", "flatgraph", "Varvite direct", "compact", "archive", ratios];
    head.extend(with_musts.then_some("must be under"));
    let mut table = header(&head);
    for row in &results.rows {
        let mut cells = vec![row.title.clone()];
        cells.extend(figures(row));
        cells.push(ratios_of(row));
        cells.extend(with_musts.then(|| musts::cell(&row.name, row.unit)));
        table.push_str(&line(&cells));
    }
    table
}

/// Resident memory after each workload.
pub fn memory_table(results: &Results) -> String {
    let mut table = header(&["resident after", "flatgraph", "Varvite direct", "compact", "archive"]);
    for row in &results.memory {
        let mut cells = vec![row.title.clone()];
        cells.extend(figures(row));
        table.push_str(&line(&cells));
    }
    table
}

/// One sentence on the measures where flatgraph is ahead of a profile.
pub fn where_flatgraph_wins(results: &Results) -> String {
    let lost = results.rows.iter().filter_map(|row| {
        let behind = |side: &usize| row.ratio(*side).is_some_and(|ratio| ratio < 1.0);
        let profiles: Vec<&str> = PROFILES.filter(behind).map(|side| SIDES[side]).collect();
        (!profiles.is_empty()).then(|| format!("{} ({})", row.title, profiles.join(", ")))
    });
    let lost: Vec<String> = lost.collect();
    match lost.is_empty() {
        true => "flatgraph is ahead nowhere in this run.".into(),
        false => format!("flatgraph is ahead of the profiles in brackets in: {}.", lost.join("; ")),
    }
}

fn figures(row: &Row) -> impl Iterator<Item = String> {
    row.cells.iter().map(|cell| cell.as_ref().map_or_else(|| "-".into(), |figures| figures.text(row.unit)))
}

/// `3.1 / 2.0 / 0.9`; what is below 1 is set in bold, for there the peer wins.
fn ratios_of(row: &Row) -> String {
    if row.cells[FLATGRAPH].is_none() {
        return String::new();
    }
    let text = |side| match row.ratio(side) {
        Some(ratio) if ratio < 1.0 => format!("**{}**", ratio_text(ratio)),
        Some(ratio) => ratio_text(ratio),
        None => "-".into(),
    };
    PROFILES.map(text).collect::<Vec<_>>().join(" / ")
}

fn header(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    let rule: Vec<&str> =
        cells.iter().enumerate().map(|(i, _)| if i == 0 { "---" } else { "---:" }).collect();
    format!("{}| {} |\n", line(&cells), rule.join(" | "))
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Unit;
    use crate::results::Subject;
    use serde_json::Value;

    fn results(nodes: u32) -> Results {
        let mut walk = Row::new("ast_below_methods", "AST below", Unit::Time);
        for (side, ms) in [635.0, 290.0, 400.0, 800.0].into_iter().enumerate() {
            walk.add(side, ms * 1e6);
        }
        let mut import = Row::new("import", "import", Unit::Time);
        import.add(1, 2e9);
        import.add(1, 4e9);
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes, edges: 1 };
        let rows = vec![walk, import];
        Results { subject, circumstances: Value::Null, rows, memory: Vec::new() }
    }

    #[test]
    fn a_small_graph_has_no_limits() {
        let expected = "\
|  | flatgraph | Varvite direct | compact | archive | times better: direct / compact / archive |
| --- | ---: | ---: | ---: | ---: | ---: |
| AST below | 635 ms | 290 ms | 400 ms | 800 ms | 2.2 / 1.6 / **0.79** |
| import | - | 3.00 s (2.00-4.00) | - | - |  |
";
        assert_eq!(main_table(&results(1000)), expected);
    }

    #[test]
    fn a_large_graph_has_limits() {
        let table = main_table(&results(20_000_000));
        assert!(table.contains("| direct 290 ms, compact 400 ms |\n"), "{table}");
    }

    #[test]
    fn where_the_peer_wins_is_said() {
        let expected = "flatgraph is ahead of the profiles in brackets in: AST below (archive).";
        assert_eq!(where_flatgraph_wins(&results(1)), expected);
    }
}
