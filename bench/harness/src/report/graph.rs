//! The page of `make bench`: Varvite beside flatgraph, column engines and a key-value store.

use crate::Failure;
use crate::peers::side::{ROUNDS_MAX, TURN_NS};
use crate::record::column_engine::{ColumnEngine, ENGINES};
use crate::record::figures::{Figures, text_of};
use crate::record::interval::Paired;
use crate::record::results::{
    CHANGE, CHANGED, COLUMN, COMPACT, COMPACT_1, COMPACT_2, FLATGRAPH, JOERN, LOG, MEMORY, PLAN, PROFILES,
    REDB, Results, Row, TABLE, UNSYNCED,
};
use crate::report::prose::wrapped;
use crate::report::section::{circumstances, graph_words, machine_words, page_of, section};
use crate::report::table::{Column, exact, table};

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "{} {} flatgraph {}. Medians of up to {} samples, each the median of rounds for {} s or of {ROUNDS_MAX} rounds, sides \
         in turn, with the least and the greatest; ratios are of medians: above 1 Varvite is better, below 1 flatgraph.",
        graph_words(results),
        circumstances(results),
        results.word("/versions/flatgraph"),
        results.word("/samples"),
        TURN_NS / 1e9,
    );
    let title = format!("{}, {}", results.word("/name"), results.word("/date"));
    let sections = [
        section(
            "",
            "",
            main_rows(results),
            &columns("flatgraph", "times better: direct / compact / archive"),
        ),
        steps(results),
        Some(wrapped(&where_flatgraph_wins(results)) + "\n"),
        column_questions(results),
        plans(results),
        commits(results),
        reads(results),
        section("## Resident memory", MEMORY_WORDS, results.named(MEMORY), &columns("flatgraph", "")[..4]),
    ];
    page_of(&title, &words, sections)
}

const MEMORY_WORDS: &str = "`VmRSS` when the rounds were done, before any collection. Varvite: a fresh process for each \
    workload and profile; mapped pages of the file count, though the system may drop them. flatgraph: one JVM for all, in \
    this order, so that its figure includes all that the heap keeps.";

/// Five columns: flatgraph with plain loops, the three profiles, and the profiles' ratios to flatgraph.
fn columns(loops: &str, ratios: &str) -> [Column<'static>; 5] {
    let [direct, compact, archive] = PROFILES;
    [
        Column::side(loops, FLATGRAPH),
        Column::side("Varvite direct", direct),
        Column::side("compact", compact),
        Column::side("archive", archive),
        Column::ratios(ratios, PROFILES.map(|side| (FLATGRAPH, side))),
    ]
}

fn has_own_table(row: &Row) -> bool {
    [COLUMN, PLAN, CHANGE, TABLE, MEMORY].iter().any(|prefix| row.name.starts_with(prefix))
}

/// The rows of questions that flatgraph answers only by loops.
fn main_rows(results: &Results) -> impl Iterator<Item = &Row> {
    results.rows.iter().filter(|row| !has_own_table(row) && !row.sides.contains_key(JOERN))
}

/// The questions that Joern's steps answer too: flatgraph's times with loops and with steps, and Varvite's
/// ratios to both.
fn steps(results: &Results) -> Option<String> {
    let words = format!(
        "flatgraph answers these twice: by the steps that its users write in Scala (Joern {}), and by plain Java loops over \
         its accessors, written for this comparison. Varvite took turns with both, one JVM after the other.",
        results.word("/versions/joern"),
    );
    let to_steps = PROFILES.map(|side| (JOERN, side));
    let mut columns = Vec::from(columns("flatgraph by plain loops", "than the loops"));
    columns.insert(0, Column::side("flatgraph by Joern's steps", JOERN));
    columns.insert(5, Column::ratios("times faster than the steps: direct / compact / archive", to_steps));
    let rows = results.rows.iter().filter(|row| row.sides.contains_key(JOERN));
    section("## Two ways to ask flatgraph", &words, rows, &columns)
}

/// One sentence that lists the measures in which flatgraph, with loops or with steps, is ahead of a profile.
fn where_flatgraph_wins(results: &Results) -> String {
    let rows = results.rows.iter().filter(|row| !row.name.starts_with(MEMORY));
    let lost = rows.flat_map(|row| match row.sides.contains_key(JOERN) {
        true => vec![lost_to(row, JOERN, ", by its steps"), lost_to(row, FLATGRAPH, ", by plain loops")],
        false => vec![lost_to(row, FLATGRAPH, "")],
    });
    let lost: Vec<String> = lost.flatten().collect();
    match lost.is_empty() {
        true => "flatgraph is ahead nowhere in this run.".into(),
        false => format!("flatgraph is ahead of the profiles in brackets in: {}.", lost.join("; ")),
    }
}

fn lost_to(row: &Row, peer: &str, way: &str) -> Option<String> {
    let behind = |side: &&str| row.ratio(peer, side).is_some_and(|ratio| ratio < 1.0);
    let profiles: Vec<&str> = PROFILES.into_iter().filter(behind).collect();
    (!profiles.is_empty()).then(|| format!("{}{way} ({})", row.title, profiles.join(", ")))
}

/// The side of Varvite that runs on `threads` threads.
fn ours_on(threads: u32) -> &'static str {
    if threads == 1 { COMPACT_1 } else { COMPACT_2 }
}

/// The table of questions about columns, beside column engines on the same number of threads.
fn column_questions(results: &Results) -> Option<String> {
    let version = |engine: &ColumnEngine| match results.word(&format!("/versions/{}", engine.name)) {
        version if version == "unknown" => "left out".into(),
        version => version,
    };
    let engines = ENGINES.iter().map(|of| format!("{} {} over {}", of.title, version(of), of.asks));
    let words = format!(
        "Asked of the nodes as one table of nine columns and of the CALL edges as another: {}, Varvite in the profile \
         `compact` by a plan, on as many threads; flatgraph by plain loops, on one. All sides give the same answers. {}",
        engines.collect::<Vec<_>>().join(", "),
        loading(results),
    );
    let mut columns = vec![Column::side("flatgraph", FLATGRAPH)];
    columns.extend([(1, "Varvite, 1 thread"), (2, "2 threads")].map(|(threads, title)| {
        Column::new(title, move |row: &Row| match row.text(ours_on(threads)) {
            text if text == "-" => "not there".into(),
            text => text,
        })
    }));
    for engine in ENGINES {
        let titled = |threads| format!("{}, {}", engine.title, threads_text(threads));
        columns.extend(engine.sides.iter().map(|(side, threads)| Column::side(titled(*threads), side)));
    }
    for engine in ENGINES {
        let pairs = engine.sides.iter().map(|(side, threads)| (*side, ours_on(*threads)));
        let threads: Vec<String> = engine.sides.iter().map(|(_, threads)| threads.to_string()).collect();
        let title = format!("times faster than {} on {}", engine.title, threads.join(" / "));
        columns.push(Column::ratios(title, pairs));
    }
    let rows: Vec<&Row> = results.named(COLUMN).collect();
    let text = section("## Questions about columns", &words, rows.iter().copied(), &columns)?;
    Some(format!("{text}\n{}\n", wrapped(&where_engines_win(&rows))))
}

fn threads_text(threads: u32) -> String {
    if threads == 1 { "1 thread".into() } else { format!("{threads} threads") }
}

/// A text about the time in which each side made its file. It does not compare the times, because the files
/// have different content.
fn loading(results: &Results) -> String {
    let text = |name: &str, side: &str| {
        let row = results.row(name)?;
        Some(text_of(row.median(side)?, row.unit))
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

/// One sentence that lists the questions in which a column engine is faster than Varvite.
fn where_engines_win(rows: &[&Row]) -> String {
    let sides = ENGINES.iter().flat_map(|engine| engine.sides.iter().map(move |side| (engine, side)));
    let won = sides.filter_map(|(engine, (side, threads))| {
        let is_ahead = |row: &&&Row| row.ratio(side, ours_on(*threads)).is_some_and(|ratio| ratio < 1.0);
        let titles: Vec<&str> = rows.iter().filter(is_ahead).map(|row| row.title.as_str()).collect();
        let words =
            || format!("{} on {} is ahead in: {}.", engine.title, threads_text(*threads), titles.join("; "));
        (!titles.is_empty()).then(words)
    });
    let won: Vec<String> = won.collect();
    if won.is_empty() { "No column engine is ahead in this run.".into() } else { won.join(" ") }
}

/// The speed of each plan on two threads, as a multiple of its speed on one.
pub(super) fn thread_ratios(results: &Results) -> Figures {
    Figures { samples: results.named(PLAN).filter_map(|row| row.ratio(COMPACT_1, COMPACT_2)).collect() }
}

/// The table of plans on one thread and on two. The plans that gain least come first.
pub fn plans(results: &Results) -> Option<String> {
    let gain = |row: &Row| row.ratio(COMPACT_1, COMPACT_2).unwrap_or_default();
    let mut rows: Vec<&Row> = results.named(PLAN).collect();
    rows.sort_by(|one, other| gain(one).total_cmp(&gain(other)));
    let ratios = thread_ratios(results);
    let words = format!(
        "Each plan of `examples/plans` in the profile `compact`, run to its last row in a process that has run it before, in \
         turns; text is not written. On two threads they are {:.2} times as fast in the median, {:.2} times at least. A plan of less \
         than a millisecond starts no second thread.",
        ratios.median()?,
        ratios.min()?,
    );
    let columns = [
        Column::side("1 thread", COMPACT_1),
        Column::side("2 threads", COMPACT_2),
        Column::ratios_as(exact, "times as fast", [(COMPACT_1, COMPACT_2)]),
    ];
    section("## Plans on one thread and on two", &words, rows, &columns)
}

/// The table of commits, beside commits of a key-value store.
pub fn commits(results: &Results) -> Option<String> {
    let words = format!(
        "Edges that are appended to the largest label with lists of the `compact` file, which is opened, changed and synced on the clock, \
         each time from the same state; the same as records of a log, by a program that holds the graph open; and as \
         many random keys of eight bytes as a commit of redb {}, on a store of a million that is open. All of them are durable.",
        results.word("/versions/redb"),
    );
    let columns =
        [("a commit", COMPACT), ("without its syncs", UNSYNCED), ("a record of a log", LOG), ("redb", REDB)];
    let columns = columns.map(|(title, side)| Column::side(title, side));
    let rows = results.named(CHANGE).filter(|row| !row.sides.contains_key(CHANGED));
    section("## Changes", &words, rows, &columns)
}

/// The table of questions to a graph before and after changes.
fn reads(results: &Results) -> Option<String> {
    let words = "This table compares the `compact` file with a changed copy of it, in pairs; readers of the copy merge its \
         changes. In the first rows the copy has 1 % of the edges removed and appended again, with sources drawn \
         evenly, so that answers stay the same; in the others it has 1 % new nodes without children, appended to the \
         tree. Times are those of a step, or of the whole question if it has no steps. The ratio is the median of the \
         pairs, with its 95 % interval.";
    let ratio =
        |row: &Row| Paired::of(row, COMPACT, CHANGED).map_or_else(String::new, |ratio| ratio.to_string());
    let columns =
        [Column::side("as imported", COMPACT), Column::side("changed", CHANGED), Column::new("ratio", ratio)];
    let rows = results.named(CHANGE).filter(|row| row.sides.contains_key(CHANGED));
    section("## Reading a graph that has changed", words, rows, &columns)
}

/// The rows of the digest in the README, each as its name in results and its title in the digest. The last
/// row is one in which flatgraph is faster.
const DIGEST: [(&str, &str); 8] = [
    ("open", "open the graph and count its METHODs"),
    ("everything_resident", "resident memory after reading everything"),
    ("file", "size of the file"),
    ("import", "import of the `cpg.bin`, once, synced to disk"),
    ("code_contains", "CALLs whose CODE contains `skb`"),
    ("transitive_callers", "direct and indirect callers of `memcpy`"),
    ("query_unchecked_results", "calls whose result nobody checks"),
    ("name_equality_index_warm", "look a NAME up again, index in memory"),
];

/// The digest: eight rows with one profile and one ratio, and a link to the page of the run.
///
/// # Errors
/// A row was not measured.
pub(super) fn digest(results: &Results, link: &str) -> Result<String, Failure> {
    let rows = DIGEST.iter().map(|(name, title)| {
        let row = results.row(name).filter(|row| row.sides.contains_key(COMPACT));
        let words = "which was not measured: leave out --only";
        let row = row.ok_or_else(|| Failure(format!("the table of the README needs '{name}', {words}")))?;
        let mut shown = Row::new(*name, *title, row.unit);
        for (of, side) in [(faster_peer(row), FLATGRAPH), (COMPACT, COMPACT)] {
            shown.extend(side, row.median(of));
        }
        Ok(shown)
    });
    let rows = rows.collect::<Result<Vec<_>, Failure>>()?;
    let columns = [
        Column::side("flatgraph", FLATGRAPH),
        Column::side("Varvite", COMPACT),
        Column::ratios("times better", [(FLATGRAPH, COMPACT)]),
    ];
    let graph = graph_words(results);
    let words = format!(
        "`{}` has {}; METHODs are its functions, CALLs its calls, CODE their text. Varvite in the storage profile \
         `compact`, flatgraph {} on Java {} by Joern's steps or plain loops, whichever is faster; {}; medians. Bold: \
         flatgraph is better. [Full results]({link}).",
        results.word("/graph/file"),
        graph.split_once(": ").map_or("", |(_, size)| size.trim_end_matches('.')),
        results.word("/versions/flatgraph"),
        results.word("/versions/java"),
        machine_words(results),
    );
    Ok(format!("{}\n\n{}", wrapped(&words), table("", &rows, &columns)))
}

/// flatgraph's faster side in a row, loops or steps, or its only side.
fn faster_peer(row: &Row) -> &'static str {
    match (row.median(FLATGRAPH), row.median(JOERN)) {
        (Some(loops), Some(steps)) if steps < loops => JOERN,
        (None, Some(_)) => JOERN,
        _ => FLATGRAPH,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::figures::Unit;
    use serde_json::json;

    fn row(name: &str, figures: &[(&str, f64)]) -> Row {
        let mut row = Row::new(name, format!("title of {name}"), Unit::Time);
        figures.iter().for_each(|(side, ms)| row.add(side, ms * 1e6));
        row
    }

    fn results(rows: Vec<Row>) -> Results {
        let graph = json!({"file": "g.cpg.bin", "nodes": 1000, "edges": 2});
        Results { circumstances: json!({"bench": "graph", "graph": graph, "machine": {"cores": 2}}), rows }
    }

    #[test]
    fn where_flatgraph_wins_is_said_with_the_way_it_was_asked() {
        let [direct, compact, archive] = PROFILES;
        let sides = [(FLATGRAPH, 30.0), (direct, 20.0), (compact, 40.0), (archive, 60.0)];
        let results = results(vec![row("a", &sides), row("b", &[&sides[..], &[(JOERN, 50.0)]].concat())]);
        let expected = "flatgraph is ahead of the profiles in brackets in: title of a (compact, archive); title of b, by its \
                        steps (archive); title of b, by plain loops (compact, archive).";
        assert_eq!(where_flatgraph_wins(&results), expected);
        let steps = steps(&results).unwrap();
        assert!(steps.contains("| 60.0 ms | 2.5 / 1.2 / **0.83** | 1.5 / **0.75** / **0.50** |"), "{steps}");
        assert!(!steps.contains("title of a"), "{steps}");
    }

    #[test]
    fn each_engine_is_held_against_as_many_threads() {
        let sides =
            [(COMPACT_1, 4.0), (COMPACT_2, 2.0), ("duckdb_1", 2.0), ("duckdb_2", 1.0), ("polars_2", 6.0)];
        let only_engines = row("column_mean", &sides[2..]);
        let text = column_questions(&results(vec![row("column_labels", &sides), only_engines])).unwrap();
        let figures = "| 4.00 ms | 2.00 ms | 2.00 ms | 1.00 ms | 6.00 ms | **0.50** / **0.50** | 3.0 |";
        assert!(text.contains(figures) && text.contains("| - | not there | not there | 2.00 ms |"), "{text}");
        let won = "DuckDB on 1 thread is ahead in: title of column_labels. DuckDB on 2 threads is ahead in:";
        assert!(text.contains(won), "{text}");
    }

    #[test]
    fn the_plan_that_gains_least_comes_first() {
        let plan = |name: &str, one: f64, two: f64| {
            row(&format!("{PLAN}{name}"), &[(COMPACT_1, one), (COMPACT_2, two)])
        };
        let rows = vec![plan("callers", 4.0, 2.0), plan("labels", 3.0, 3.0), plan("tokens", 6.0, 4.0)];
        let text = plans(&results(rows)).unwrap();
        let names: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("| title of plan_")).collect();
        assert_eq!(names.iter().map(|name| &name[..6]).collect::<Vec<_>>(), ["labels", "tokens", "caller"]);
        assert!(
            text.replace('\n', " ").contains("1.50 times as fast in the median, 1.00 times at least"),
            "{text}"
        );
    }

    #[test]
    fn changes_have_a_table_of_commits_and_one_of_reads() {
        let mut read = row("change_edges_ast_dfs", &[]);
        (0..6).map(f64::from).for_each(|pair| {
            read.add(COMPACT, 10.0 + pair);
            read.add(CHANGED, (10.0 + pair) * 1.1);
        });
        let results = results(vec![row("change_1", &[(COMPACT, 2.0), (UNSYNCED, 1.0), (REDB, 3.0)]), read]);
        let (commits, reads) = (commits(&results).unwrap(), reads(&results).unwrap());
        assert!(commits.contains("| title of change_1 | 2.00 ms | 1.00 ms | - | 3.00 ms |"), "{commits}");
        assert!(reads.contains("| 1.10 (1.10 to 1.10) |") && !reads.contains("change_1"), "{reads}");
    }

    #[test]
    fn the_digest_has_eight_rows_and_a_link() {
        let rows = DIGEST.map(|(name, _)| row(name, &[(FLATGRAPH, 30.0), (COMPACT, 20.0)]));
        let mut results = results(rows.into());
        results.rows[4].add(JOERN, 10e6);
        results.rows[3].sides.remove(FLATGRAPH);
        let digest = digest(&results, "a.md").unwrap();
        let rows: Vec<&str> = digest.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
        assert_eq!(rows[0], "| open the graph and count its METHODs | 30.0 ms | 20.0 ms | 1.5 |");
        assert_eq!(rows[3], "| import of the `cpg.bin`, once, synced to disk | - | 20.0 ms |  |");
        assert_eq!(rows[4], "| CALLs whose CODE contains `skb` | 10.0 ms | 20.0 ms | **0.50** |");
        assert_eq!(rows.len(), 8);
        assert!(digest.starts_with("`g.cpg.bin` has 1,000 nodes") && digest.contains("(a.md)"), "{digest}");
    }
}
