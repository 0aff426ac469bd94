//! Results of questions about columns as Markdown: times of Varvite and of column engines on as many threads, what
//! engines loaded, and where they are ahead.

use crate::figures::{ratio_text, text_of};
use crate::results::{COMPACT, COMPACT_1, COMPACT_2, DUCKDB_1, DUCKDB_2, FLATGRAPH, POLARS_2, Results, Row};
use crate::table::{figure, header, line};

/// Sides in the order of the table.
const SHOWN: [usize; 6] = [FLATGRAPH, COMPACT_1, COMPACT_2, DUCKDB_1, DUCKDB_2, POLARS_2];
/// What is compared: an engine, Varvite on as many threads, and the words for it.
const AGAINST: [(usize, usize, &str); 3] = [
    (DUCKDB_1, COMPACT_1, "DuckDB on 1 thread"),
    (DUCKDB_2, COMPACT_2, "DuckDB on 2"),
    (POLARS_2, COMPACT_2, "Polars on 2"),
];

/// Questions about columns, with the words that the table needs; none for a run without any.
pub(crate) fn columns_section(results: &Results) -> Option<String> {
    let rows: Vec<&Row> = results.rows.iter().filter(|row| row.is_about_columns()).collect();
    if rows.is_empty() {
        return None;
    }
    let parts = [introduction(results), table(&rows), where_engines_win(&rows)];
    let [introduction, table, won] = parts;
    let wrapped = crate::prose::wrapped;
    Some(format!("## Questions about columns\n\n{}\n\n{table}\n{}\n", wrapped(&introduction), wrapped(&won)))
}

fn introduction(results: &Results) -> String {
    let version = |engine: &str| match results.circumstances["versions"][engine].as_str() {
        Some(version) => version.to_owned(),
        None => "left out".into(),
    };
    format!(
        "Asked of the nodes as one table of nine columns and of the CALL edges as another: DuckDB {} over its database file, Polars {} \
         over Parquet, Varvite in the profile `compact` by a plan, on as many threads; flatgraph by plain loops, on one. All sides give \
         the same answers. {}",
        version("duckdb"),
        version("polars"),
        loading(results),
    )
}

/// What it took to make the files; no comparison, since they hold different things.
fn loading(results: &Results) -> String {
    let text = |name: &str, side: usize| {
        let row = results.row(name)?;
        Some(text_of(row.cells[side].as_ref()?.median()?, row.unit))
    };
    let Some(exported) = text("table_export", COMPACT) else { return String::new() };
    let mut told = format!("`varvite query --format csv` wrote both tables in {exported}");
    for (engine, side) in [("DuckDB", DUCKDB_2), ("Polars", POLARS_2)] {
        if let (Some(time), Some(size)) = (text("table_load", side), text("table_file", side)) {
            told += &format!("; {engine} loaded them in {time} into {size}");
        }
    }
    if let Some(size) = text("file", COMPACT) {
        told += &format!("; the `compact` file, with all edges and properties, has {size}");
    }
    told + "."
}

fn table(rows: &[&Row]) -> String {
    let mut table = header(&[
        "",
        "flatgraph",
        "Varvite, 1 thread",
        "2 threads",
        "DuckDB, 1 thread",
        "2 threads",
        "Polars, 2 threads",
        "times faster than DuckDB: on 1 / on 2 threads",
        "than Polars",
    ]);
    for row in rows {
        let mut cells = vec![row.title.clone()];
        cells.extend(SHOWN.map(|side| shown(row, side)));
        let [one, two, polars] = AGAINST.map(|(engine, ours, _)| ratio(row, engine, ours));
        cells.extend([format!("{one} / {two}"), polars]);
        table.push_str(&line(&cells));
    }
    table
}

/// A figure; of a question that Varvite has no plan for, that.
fn shown(row: &Row, side: usize) -> String {
    match row.cells[side] {
        None if [COMPACT_1, COMPACT_2].contains(&side) => "not there".into(),
        _ => figure(row, side),
    }
}

fn ratio(row: &Row, engine: usize, ours: usize) -> String {
    match row.ratio(engine, ours) {
        Some(ratio) if ratio < 1.0 => format!("**{}**", ratio_text(ratio)),
        Some(ratio) => ratio_text(ratio),
        None => "-".into(),
    }
}

/// One sentence on the questions that an engine answers sooner.
fn where_engines_win(rows: &[&Row]) -> String {
    let won = AGAINST.into_iter().filter_map(|(engine, ours, words)| {
        let ahead = rows.iter().filter(|row| row.ratio(engine, ours).is_some_and(|ratio| ratio < 1.0));
        let titles: Vec<&str> = ahead.map(|row| row.title.as_str()).collect();
        (!titles.is_empty()).then(|| format!("{words} is ahead in: {}.", titles.join("; ")))
    });
    let won: Vec<String> = won.collect();
    if won.is_empty() { "No column engine is ahead in this run.".into() } else { won.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::Unit;

    fn row(name: &str, figures: &[(usize, f64)]) -> Row {
        let mut row = Row::new(name, &format!("title of {name}"), Unit::Time);
        figures.iter().for_each(|(side, ms)| row.add(*side, ms * 1e6));
        row
    }

    #[test]
    fn each_engine_is_held_against_as_many_threads() {
        let figures = [(COMPACT_1, 4.0), (COMPACT_2, 2.0), (DUCKDB_1, 2.0), (DUCKDB_2, 1.0), (POLARS_2, 6.0)];
        let row = row("column_labels", &figures);
        let expected = "| title of column_labels | - | 4.00 ms | 2.00 ms | 2.00 ms | 1.00 ms | 6.00 ms \
                        | **0.50** / **0.50** | 3.0 |";
        assert_eq!(table(&[&row]).lines().last(), Some(expected));
        let won = "DuckDB on 1 thread is ahead in: title of column_labels. \
                   DuckDB on 2 is ahead in: title of column_labels.";
        assert_eq!(where_engines_win(&[&row]), won);
    }

    #[test]
    fn a_question_without_a_plan_is_not_there() {
        let row = row("column_mean", &[(DUCKDB_1, 2.0), (DUCKDB_2, 1.0)]);
        let expected =
            "| title of column_mean | - | not there | not there | 2.00 ms | 1.00 ms | - | - / - | - |";
        assert_eq!(table(&[&row]).lines().last(), Some(expected));
        assert_eq!(where_engines_win(&[&row]), "No column engine is ahead in this run.");
    }
}
