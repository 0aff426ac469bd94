//! Results as Markdown: the main table, the table of questions that Joern's steps answer too, memory after
//! each workload, and the measures in which flatgraph is ahead.

use crate::record::figures::ratio_text;
use crate::record::results::{FLATGRAPH, JOERN, PROFILES, Results, Row, SIDES};

/// The main table: the questions that flatgraph answers only by loops.
pub fn main_table(results: &Results) -> String {
    let ratios = "times better: direct / compact / archive";
    let mut table = header(&["", "flatgraph", "Varvite direct", "compact", "archive", ratios]);
    for row in results.rows.iter().filter(|row| {
        let has_own_table = row.is_about_columns() || row.is_about_plans() || row.is_about_changes();
        !row.has_steps() && !has_own_table && !row.is_about_loading()
    }) {
        let mut cells = vec![row.title.clone()];
        cells.extend(loops_and_profiles(row));
        cells.push(ratios_of(row, FLATGRAPH));
        table.push_str(&line(&cells));
    }
    table
}

/// The table of questions that Joern's steps answer too: flatgraph's times by loops and by steps, and
/// Varvite's ratios to both.
pub fn questions_table(results: &Results) -> String {
    let (steps, loops) = ("flatgraph by Joern's steps", "flatgraph by plain loops");
    let ratios = ["times faster than the steps: direct / compact / archive", "than the loops"];
    let mut table = header(&["", steps, loops, "Varvite direct", "compact", "archive", ratios[0], ratios[1]]);
    for row in results.rows.iter().filter(|row| row.has_steps()) {
        let mut cells = vec![row.title.clone()];
        cells.push(figure(row, JOERN));
        cells.extend(loops_and_profiles(row));
        cells.extend([JOERN, FLATGRAPH].map(|peer| ratios_of(row, peer)));
        table.push_str(&line(&cells));
    }
    table
}

/// Resident memory after each workload.
pub fn memory_table(results: &Results) -> String {
    let mut table = header(&["resident after", "flatgraph", "Varvite direct", "compact", "archive"]);
    for row in &results.memory {
        let mut cells = vec![row.title.clone()];
        cells.extend(loops_and_profiles(row));
        table.push_str(&line(&cells));
    }
    table
}

/// One sentence that lists the measures in which flatgraph is ahead of a profile, and whether flatgraph used
/// loops or steps.
pub fn where_flatgraph_wins(results: &Results) -> String {
    let lost = results.rows.iter().flat_map(|row| match row.has_steps() {
        true => vec![lost_to(row, JOERN, ", by its steps"), lost_to(row, FLATGRAPH, ", by plain loops")],
        false => vec![lost_to(row, FLATGRAPH, "")],
    });
    let lost: Vec<String> = lost.flatten().collect();
    match lost.is_empty() {
        true => "flatgraph is ahead nowhere in this run.".into(),
        false => format!("flatgraph is ahead of the profiles in brackets in: {}.", lost.join("; ")),
    }
}

fn lost_to(row: &Row, peer: usize, way: &str) -> Option<String> {
    let behind = |side: &usize| row.ratio(peer, *side).is_some_and(|ratio| ratio < 1.0);
    let profiles: Vec<&str> = PROFILES.filter(behind).map(|side| SIDES[side]).collect();
    (!profiles.is_empty()).then(|| format!("{}{way} ({})", row.title, profiles.join(", ")))
}

/// The cells of flatgraph by plain loops and of the profiles, in this order.
fn loops_and_profiles(row: &Row) -> impl Iterator<Item = String> {
    std::iter::once(FLATGRAPH).chain(PROFILES).map(|side| figure(row, side))
}

pub(crate) fn figure(row: &Row, side: usize) -> String {
    row.cells[side].as_ref().map_or_else(|| "-".into(), |figures| figures.text(row.unit))
}

/// The ratios to all profiles, as `3.1 / 2.0 / 0.9`; ratios below 1 are bold, because the peer is better
/// there.
fn ratios_of(row: &Row, peer: usize) -> String {
    if row.cells[peer].is_none() {
        return String::new();
    }
    let text = |side| match row.ratio(peer, side) {
        Some(ratio) if ratio < 1.0 => format!("**{}**", ratio_text(ratio)),
        Some(ratio) => ratio_text(ratio),
        None => "-".into(),
    };
    PROFILES.map(text).collect::<Vec<_>>().join(" / ")
}

pub(crate) fn header(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    let rule: Vec<&str> =
        cells.iter().enumerate().map(|(i, _)| if i == 0 { "---" } else { "---:" }).collect();
    format!("{}| {} |\n", line(&cells), rule.join(" | "))
}

pub(crate) fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use crate::record::results::Subject;
    use serde_json::Value;

    fn results() -> Results {
        let mut walk = Row::new("ast_below_methods", "AST below", Unit::Time);
        for (side, ms) in [635.0, 290.0, 400.0, 800.0].into_iter().enumerate() {
            walk.add(side, ms * 1e6);
        }
        let mut import = Row::new("import", "import", Unit::Time);
        import.add(1, 2e9);
        import.add(1, 4e9);
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 1, edges: 1 };
        let rows = vec![walk, import];
        Results { subject, circumstances: Value::Null, rows, memory: Vec::new() }
    }

    #[test]
    fn a_row_has_a_figure_for_each_side_and_ratios() {
        let expected = "\
|  | flatgraph | Varvite direct | compact | archive | times better: direct / compact / archive |
| --- | ---: | ---: | ---: | ---: | ---: |
| AST below | 635 ms | 290 ms | 400 ms | 800 ms | 2.2 / 1.6 / **0.79** |
| import | - | 3.00 s (2.00-4.00) | - | - |  |
";
        assert_eq!(main_table(&results()), expected);
    }

    fn asked_both_ways() -> Row {
        let mut row = Row::new("query_copy_loops", "5. copy loops", Unit::Time);
        for (side, ms) in [30.0, 20.0, 40.0, 60.0, 50.0].into_iter().enumerate() {
            row.add(side, ms * 1e6);
        }
        row
    }

    #[test]
    fn questions_have_a_table_with_both_ways() {
        let mut results = results();
        results.rows = vec![asked_both_ways()];
        assert_eq!(main_table(&results).lines().count(), 2);
        let table = questions_table(&results);
        let expected = "| 5. copy loops | 50.0 ms | 30.0 ms | 20.0 ms | 40.0 ms | 60.0 ms | 2.5 / 1.2 / **0.83** \
                        | 1.5 / **0.75** / **0.50** |";
        assert_eq!(table.lines().last(), Some(expected));
    }

    #[test]
    fn where_flatgraph_wins_is_said_with_the_way_it_was_asked() {
        let mut results = results();
        results.rows.push(asked_both_ways());
        let expected = "flatgraph is ahead of the profiles in brackets in: AST below (archive); \
                        5. copy loops, by its steps (archive); 5. copy loops, by plain loops (compact, archive).";
        assert_eq!(where_flatgraph_wins(&results), expected);
    }
}
