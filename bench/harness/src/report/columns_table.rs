//! Results of questions about columns as Markdown: times of Varvite and of column engines on the same number
//! of threads, the loading of engines, and the rows in which an engine is faster.

use crate::record::column_engine::{ColumnEngine, ENGINES};
use crate::record::figures::{ratio_text, text_of};
use crate::record::results::{COMPACT, COMPACT_1, COMPACT_2, FLATGRAPH, Results, Row};
use crate::report::table::{figure, header, line};

/// The index of Varvite's side on `threads` threads.
fn ours_on(threads: u32) -> usize {
    if threads == 1 { COMPACT_1 } else { COMPACT_2 }
}

/// The section about columns: the table and the text that explains it. `None` for a run without such
/// questions.
pub(crate) fn columns_section(results: &Results) -> Option<String> {
    let rows: Vec<&Row> = results.rows.iter().filter(|row| row.is_about_columns()).collect();
    if rows.is_empty() {
        return None;
    }
    let parts = [introduction(results), table(&rows), where_engines_win(&rows)];
    let [introduction, table, won] = parts;
    let wrapped = crate::report::prose::wrapped;
    Some(format!("## Questions about columns\n\n{}\n\n{table}\n{}\n", wrapped(&introduction), wrapped(&won)))
}

fn introduction(results: &Results) -> String {
    let version = |engine: &str| match results.circumstances["versions"][engine].as_str() {
        Some(version) => version.to_owned(),
        None => "left out".into(),
    };
    let asked =
        |engine: &ColumnEngine| format!("{} {} over {}", engine.title, version(engine.name), engine.asks);
    let engines: Vec<String> = ENGINES.iter().map(asked).collect();
    format!(
        "Asked of the nodes as one table of nine columns and of the CALL edges as another: {}, Varvite in the profile \
         `compact` by a plan, on as many threads; flatgraph by plain loops, on one. All sides give the same answers. {}",
        engines.join(", "),
        loading(results),
    )
}

/// The times in which each side made its file. The text compares no times, because the files have different
/// content.
fn loading(results: &Results) -> String {
    let text = |name: &str, side: usize| {
        let row = results.row(name)?;
        Some(text_of(row.cells[side].as_ref()?.median()?, row.unit))
    };
    let Some(exported) = text("table_export", COMPACT) else { return String::new() };
    let mut told = format!("`varvite query --format csv` wrote both tables in {exported}");
    for engine in ENGINES {
        let side = engine.main_side();
        if let (Some(time), Some(size)) = (text("table_load", side), text("table_file", side)) {
            told += &format!("; {} loaded them in {time} into {size}", engine.title);
        }
    }
    if let Some(size) = text("file", COMPACT) {
        told += &format!("; the `compact` file, with all edges and properties, has {size}");
    }
    told + "."
}

fn table(rows: &[&Row]) -> String {
    let mut titles = vec![String::new(), "flatgraph".into()];
    titles.extend(columns_of("Varvite", &[("compact_1", 1), ("compact_2", 2)]));
    titles.extend(ENGINES.iter().flat_map(|engine| columns_of(engine.title, engine.sides)));
    let ratios = ENGINES.iter().map(|engine| match engine.sides {
        [_] => format!("than {}", engine.title),
        sides => {
            let threads: Vec<String> = sides.iter().map(|(_, threads)| format!("on {threads}")).collect();
            format!("than {}: {} threads", engine.title, threads.join(" / "))
        }
    });
    titles.extend(
        (0..).zip(ratios).map(|(at, ratio)| if at == 0 { format!("times faster {ratio}") } else { ratio }),
    );
    let mut table = header(&titles.iter().map(String::as_str).collect::<Vec<_>>());
    for row in rows {
        let mut cells = vec![row.title.clone()];
        cells.extend([FLATGRAPH, COMPACT_1, COMPACT_2].map(|side| shown(row, side)));
        cells.extend(ENGINES.iter().flat_map(ColumnEngine::indexes).map(|(side, _)| shown(row, side)));
        cells.extend(ENGINES.iter().map(|engine| {
            let ratios = engine.indexes().map(|(side, threads)| ratio(row, side, ours_on(threads)));
            ratios.collect::<Vec<_>>().join(" / ")
        }));
        table.push_str(&line(&cells));
    }
    table
}

/// The titles of an engine's columns; the first title contains the name of the engine.
fn columns_of(engine: &str, sides: &[(&str, u32)]) -> Vec<String> {
    let words =
        |threads: u32| if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    let mut columns: Vec<String> = sides.iter().map(|(_, threads)| words(*threads)).collect();
    columns[0] = format!("{engine}, {}", columns[0]);
    columns
}

/// The text of a figure, or the note that Varvite has no plan for the question.
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

/// One sentence that lists the questions in which an engine is faster.
fn where_engines_win(rows: &[&Row]) -> String {
    let sides = ENGINES.iter().flat_map(|engine| engine.indexes().map(move |side| (engine, side)));
    let won = sides.filter_map(|(engine, (side, threads))| {
        let ahead =
            rows.iter().filter(|row| row.ratio(side, ours_on(threads)).is_some_and(|ratio| ratio < 1.0));
        let titles: Vec<&str> = ahead.map(|row| row.title.as_str()).collect();
        let on = if threads == 1 { "1 thread".to_owned() } else { threads.to_string() };
        let words = || format!("{} on {on} is ahead in: {}.", engine.title, titles.join("; "));
        (!titles.is_empty()).then(words)
    });
    let won: Vec<String> = won.collect();
    if won.is_empty() { "No column engine is ahead in this run.".into() } else { won.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use crate::record::results::SIDES;

    /// The indexes of the sides of DuckDB on one thread and on two, and of the one side of Polars.
    fn engines() -> [usize; 3] {
        ["duckdb_1", "duckdb_2", "polars_2"].map(|name| SIDES.iter().position(|side| *side == name).unwrap())
    }

    fn row(name: &str, figures: &[(usize, f64)]) -> Row {
        let mut row = Row::new(name, &format!("title of {name}"), Unit::Time);
        figures.iter().for_each(|(side, ms)| row.add(*side, ms * 1e6));
        row
    }

    #[test]
    fn each_engine_is_held_against_as_many_threads() {
        let [duckdb_1, duckdb_2, polars_2] = engines();
        let figures = [(COMPACT_1, 4.0), (COMPACT_2, 2.0), (duckdb_1, 2.0), (duckdb_2, 1.0), (polars_2, 6.0)];
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
        let [duckdb_1, duckdb_2, _] = engines();
        let row = row("column_mean", &[(duckdb_1, 2.0), (duckdb_2, 1.0)]);
        let expected =
            "| title of column_mean | - | not there | not there | 2.00 ms | 1.00 ms | - | - / - | - |";
        assert_eq!(table(&[&row]).lines().last(), Some(expected));
        assert_eq!(where_engines_win(&[&row]), "No column engine is ahead in this run.");
    }
}
