//! Files of results: a dated file, a page beside it, and the digest in the README.

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::peers::side::{ROUNDS_MAX, TURN_NS};
use crate::record::figures::thousands;
use crate::record::results::Results;
use crate::record::results_file;
use crate::report::changes_table::changes_section;
use crate::report::columns_table::columns_section;
use crate::report::digest::digest;
use crate::report::plans_table::plans_section;
use crate::report::prose::wrapped;
use crate::report::table::{main_table, memory_table, questions_table, where_flatgraph_wins};
use crate::report::targets;

/// Puts a text between the marks of the page at `path`.
///
/// # Errors
/// The page has no marks, or cannot be read or written.
pub fn put_between_marks(slot: &str, path: &Path) -> Result<(), Failure> {
    put_between("bench", slot, path)
}

/// Puts a text between the marks `<!-- NAME -->` and `<!-- /NAME -->` of the page at `path`.
///
/// # Errors
/// As for [`put_between_marks`].
pub fn put_between(name: &str, slot: &str, path: &Path) -> Result<(), Failure> {
    let page = fs::read_to_string(path).map_err(|error| failed("read", path, &error))?;
    let filled = fill(&page, name, slot)
        .ok_or_else(|| Failure(format!("{}: no <!-- {name} --> and <!-- /{name} -->", path.display())))?;
    write(path, &filled)
}

/// The page of a run: all tables and texts for people.
pub fn page(results: &Results) -> String {
    format!(
        "# {}, {}\n\n{}\n\n{}\n## Two ways to ask flatgraph\n\n{}\n{}\n\n{}{}{}## Resident memory\n\n{}\n\n{}",
        results.subject.name,
        text(results, "date"),
        wrapped(&introduction(results)),
        main_table(results),
        questions(results),
        wrapped(&where_flatgraph_wins(results)),
        columns_section(results).map_or_else(String::new, |section| section + "\n"),
        plans_section(results).map_or_else(String::new, |section| section + "\n"),
        changes_section(results).map_or_else(String::new, |section| section + "\n"),
        MEMORY_WORDS,
        memory_table(results),
    )
}

/// A verdict on each target, for developers of Varvite; empty if the targets do not apply to the graph.
pub fn verdicts(results: &Results) -> String {
    match targets::apply_to(results.subject.nodes) {
        true => format!("\nPASS: the stretch too.\n{}\n", targets::verdicts(results).join("\n")),
        false => String::new(),
    }
}

const MEMORY_WORDS: &str = "\
`VmRSS` when the rounds were done, before any collection. Varvite: a fresh process for each workload and profile; mapped
pages of the file count, though the system may drop them. flatgraph: one JVM for all, in this order, so that
its figure includes all that the heap keeps.";

/// The section about questions that Joern's steps answer too: the table and the text that explains it.
fn questions(results: &Results) -> String {
    let joern = results.circumstances["versions"]["joern"].as_str().unwrap_or("of an unknown version");
    let words = format!(
        "flatgraph answers these twice: by the steps that its users write in Scala (Joern {joern}), and by plain Java loops over \
         its accessors, written for this comparison. Varvite took turns with both, one JVM after the other."
    );
    format!("{}\n\n{}", wrapped(&words), questions_table(results))
}

/// The graph, the circumstances and how to read the table, in three sentences.
fn introduction(results: &Results) -> String {
    let subject = &results.subject;
    let circumstances = &results.circumstances;
    let machine = &circumstances["machine"];
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("unknown").to_owned();
    format!(
        "{}: {} nodes and {} edges. {}, {} cores, {:.0} GB, load {} when it began; {}; flatgraph {} on Java {}; commit {}. \
         Medians of up to {} samples, each the median of rounds for {} s or of {} rounds, sides in turn, with the least and the greatest; \
         ratios are of medians: above 1 Varvite is better, below 1 flatgraph.",
        subject.file,
        thousands(u64::from(subject.nodes)),
        thousands(subject.edges),
        word(&machine["processor"]),
        machine["cores"],
        machine["memory_bytes"].as_f64().unwrap_or(0.0) / 1e9,
        machine["load"],
        word(&circumstances["versions"]["rustc"]),
        word(&circumstances["versions"]["flatgraph"]),
        word(&circumstances["versions"]["java"]),
        word(&circumstances["commit"]["hash"]),
        circumstances["samples"],
        TURN_NS / 1e9,
        ROUNDS_MAX,
    )
}

fn text<'a>(results: &'a Results, key: &str) -> &'a str {
    results.circumstances[key].as_str().unwrap_or_default()
}

/// Writes the JSON and the page to `folder`, and returns their file name without extension.
///
/// # Errors
/// Errors of the file system.
pub fn keep(results: &Results, folder: &Path) -> Result<String, Failure> {
    fs::create_dir_all(folder)?;
    let stem = format!("{}-{}", text(results, "date"), results.subject.name);
    write(&folder.join(format!("{stem}.json")), &results_file::text_of(&results.json()))?;
    write(&folder.join(format!("{stem}.md")), &page(results))?;
    Ok(stem)
}

/// Puts the digest of a run between the marks of the README at `path`, with a link to the page.
///
/// # Errors
/// The README has no marks, or cannot be read or written; or not all rows of the digest were measured.
pub fn put_into_readme(results: &Results, path: &Path) -> Result<(), Failure> {
    let link = format!("bench/results/{}-{}.md", text(results, "date"), results.subject.name);
    put_between_marks(&digest(results, &link)?, path)
}

/// The text with the part between the marks replaced.
fn fill(text: &str, name: &str, slot: &str) -> Option<String> {
    let (opening, closing) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&opening)?;
    let (_, after) = rest.split_once(&closing)?;
    Some(format!("{before}{opening}{slot}{closing}{after}"))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| failed("write", path, &error))
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::results::Subject;
    use serde_json::json;

    #[test]
    fn the_slot_is_replaced_and_nothing_else() {
        let text = "a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n";
        let filled = fill(text, "bench", "new\n").unwrap();
        assert_eq!(filled, "a\n<!-- bench -->\nnew\n<!-- /bench -->\nb\n");
        assert_eq!(fill(&filled, "bench", "new\n").unwrap(), filled);
        assert_eq!(fill("no marks", "bench", "new"), None);
    }

    #[test]
    fn a_run_of_some_questions_leaves_the_readme_as_it_is() {
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 1, edges: 1 };
        let circumstances = json!({"date": "2026-01-31", "only": "query_"});
        let results = Results { subject, circumstances, rows: Vec::new(), memory: Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let readme = folder.path().join("README.md");
        let marks = "<!-- bench -->\na\n<!-- /bench -->\n";
        fs::write(&readme, marks).unwrap();
        assert!(put_into_readme(&results, &readme).unwrap_err().0.contains("leave out --only"));
        assert_eq!(fs::read_to_string(&readme).unwrap(), marks);
    }
}
