//! The page of `cargo xtask bench-java`: the Java binding beside flatgraph, Rust, RocksDB and LMDB.

use crate::record::figures::{Unit, text_of};
use crate::record::results::{FLATGRAPH, Results, Row};
use crate::report::prose::wrapped;
use crate::report::section::{circumstances, graph_words, machine_words, page_of, section};
use crate::report::table::{Column, table};

/// The number of rounds of each loop in Rust, per turn.
pub const ROUNDS: &str = "7";
/// The beginning of the names of rows about allocated bytes.
pub const ALLOCATED: &str = "allocated_";
/// The ways to read a value, each with the beginning of its rows' names and its title.
pub const READS: [(&str, &str); 2] =
    [("first8_", "get, the first 8 bytes read"), ("sum_", "get, all bytes summed")];

pub(super) fn page(results: &Results) -> String {
    let words = format!(
        "{} {} {} turns of loops in Java ({}), {ROUNDS} rounds of each in Rust, and values by key ({}); flatgraph: {}. \
         Medians (least-greatest). Bytes allocated for each call in brackets where there are any.",
        graph_words(results),
        circumstances(results),
        results.word("/turns"),
        results.word("/settings/loops"),
        results.word("/settings/values"),
        results.word("/settings/flatgraph"),
    );
    let values = |(prefix, title): (&str, &str)| {
        let cell = |title, side| Column::new(title, move |row: &Row| cell(results, row, side));
        let columns = [
            cell("RocksDB 11.8.1 (JNI), copied", "rocksdb_copied"),
            cell("LMDB, copied", "lmdb_copied"),
            cell("Varvite, copied", "varvite_copied"),
            cell("LMDB, borrowed", "lmdb_borrowed"),
            cell("Varvite, borrowed", "varvite_borrowed"),
        ];
        section(&format!("## {title}"), "", results.named(prefix), &columns)
    };
    let [first, sum] = READS.map(values);
    let title = format!("Java, {}", results.stem());
    page_of(&title, &words, [Some(loops(results)), first, sum, Some(wrapped(GET_WORDS) + "\n")])
}

const GET_WORDS: &str = "Values are random bytes, found by a 16-byte key; keys come in an order without a pattern, the same \
    for all, and are in memory before the clock starts. RocksDB does not compress, was compacted before, and its block cache \
    is larger than the data; LMDB reads in one transaction that stays open. Both stores also take writes, which a Varvite \
    file does not.";

/// The digest for the README of the binding: the table of loops, and a link to the page.
pub(super) fn digest(results: &Results, link: &str) -> String {
    let words = format!(
        "{} {}, Java {}. Medians (least-greatest); bytes allocated for each call in brackets where there are any. \
         [Full results]({link}), with values by key beside RocksDB and LMDB.",
        graph_words(results),
        machine_words(results),
        results.word("/versions/java"),
    );
    format!("{}\n\n{}", wrapped(&words), loops(results))
}

/// The table of loops, opening and heap.
fn loops(results: &Results) -> String {
    let is_loop =
        |row: &&Row| ![ALLOCATED, READS[0].0, READS[1].0].iter().any(|prefix| row.name.starts_with(prefix));
    let over = |row: &Row| row.ratio("java", "rust").map_or_else(String::new, |over| format!("{over:.2}"));
    let columns = [
        Column::new("flatgraph 0.1.15", |row| cell(results, row, FLATGRAPH)),
        Column::new("Varvite, Java", |row| cell(results, row, "java")),
        Column::side("Varvite, Rust", "rust"),
        Column::new("Java over Rust", over),
        Column::ratios("times flatgraph", [(FLATGRAPH, "java")]),
    ];
    table("", results.rows.iter().filter(is_loop), &columns)
}

/// The text of a figure, followed by the bytes that a call allocates.
fn cell(results: &Results, row: &Row, side: &str) -> String {
    let bytes = results.row(&format!("{ALLOCATED}{}", row.name)).and_then(|row| row.median(side));
    let bytes = bytes.map_or_else(String::new, |bytes| format!(" [{}]", text_of(bytes, Unit::Size)));
    row.text(side) + &bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_loop_is_held_against_rust_and_flatgraph() {
        let mut results = Results { circumstances: json!({}), rows: Vec::new() };
        let row = results.row_mut("ast", "AST", Unit::Time);
        row.extend("java", [100e6, 120e6]);
        row.extend("rust", [90e6, 110e6]);
        row.add(FLATGRAPH, 330e6);
        results.row_mut("allocated_ast", "AST", Unit::Size).add(FLATGRAPH, 2e6);
        results.row_mut("first8_16", "16 B", Unit::Time).add("lmdb_copied", 80.0);
        let expected = "| AST | 330 ms [2.00 MB] | 110 ms (100-120) | 100 ms (90.0-110) | 1.10 | 3.0 |";
        assert_eq!(loops(&results).lines().skip(2).collect::<Vec<_>>(), [expected]);
        assert!(page(&results).contains("| 16 B | - | 80.0 ns | - | - | - |"));
    }
}
