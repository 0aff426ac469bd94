//! Parts of pages: sections with a table, and sentences about the circumstances of a run.

use crate::record::figures::thousands;
use crate::record::results::{Results, Row};
use crate::report::prose::wrapped;
use crate::report::table::{Column, table};

/// A section of a page: a heading, a paragraph and a table. `None` if there are no rows.
pub(crate) fn section<'r>(
    heading: &str,
    words: &str,
    rows: impl IntoIterator<Item = &'r Row>,
    columns: &[Column<'_>],
) -> Option<String> {
    let table = table("", rows, columns);
    let words = wrapped(words);
    let parts = [heading, &words, &table].map(str::trim_end);
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    (!table.is_empty()).then(|| parts.collect::<Vec<_>>().join("\n\n") + "\n")
}

/// A page that consists of a title, a paragraph and sections.
pub(crate) fn page_of(
    title: &str,
    words: &str,
    sections: impl IntoIterator<Item = Option<String>>,
) -> String {
    let head = format!("# {title}\n\n{}\n", wrapped(words));
    std::iter::once(head).chain(sections.into_iter().flatten()).collect::<Vec<_>>().join("\n")
}

/// A text about the graph of a run and its size.
pub(crate) fn graph_words(results: &Results) -> String {
    let [nodes, edges] =
        ["nodes", "edges"].map(|of| thousands(results.number(&format!("/graph/{of}")) as u64));
    format!("{}: {nodes} nodes and {edges} edges.", results.word("/graph/file"))
}

/// A text about the machine of a run.
pub(crate) fn machine_words(results: &Results) -> String {
    let [processor, cores] = ["processor", "cores"].map(|of| results.word(&format!("/machine/{of}")));
    format!("{processor}, {cores} cores, {:.0} GB", results.number("/machine/memory_bytes") / 1e9)
}

/// A text about the circumstances that every page shows: machine, versions, commit and command.
pub(crate) fn circumstances(results: &Results) -> String {
    let changed = results.circumstances["commit"]["has_changes"] == true;
    let java = results.circumstances.pointer("/versions/java");
    format!(
        "{}, Linux {}, load {}; {}; {}commit {}{}; `{}`.",
        machine_words(results),
        results.word("/machine/kernel"),
        results.word("/machine/load"),
        results.word("/versions/rustc"),
        java.map_or_else(String::new, |_| format!("Java {}; ", results.word("/versions/java"))),
        results.word("/commit/hash"),
        if changed { " with changes" } else { "" },
        results.word("/command"),
    )
}
