//! Where results go: a dated file, a page beside it, and the table in the README.

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::musts;
use crate::results::Results;
use crate::side::{ROUNDS_MAX, TURN_NS};
use crate::table::{main_table, memory_table, questions_table, where_flatgraph_wins};

const OPENING: &str = "<!-- bench -->\n";
const CLOSING: &str = "<!-- /bench -->";

/// Puts a text between the marks of the page at `path`.
///
/// # Errors
/// The page has no marks, or cannot be read or written.
pub fn put_between_marks(slot: &str, path: &Path) -> Result<(), Failure> {
    let page = fs::read_to_string(path).map_err(|error| failed("read", path, &error))?;
    let filled = fill(&page, OPENING, slot)
        .ok_or_else(|| Failure(format!("{}: no <!-- bench --> and <!-- /bench -->", path.display())))?;
    write(path, &filled)
}

/// Everything that people read of a run, as one page.
pub fn page(results: &Results) -> String {
    let verdicts = match musts::apply_to(results.subject.nodes) {
        true => format!(
            "\n## What it must reach\n\n`PASS`: the stretch too.\n\n```\n{}\n```\n",
            musts::verdicts(results).join("\n")
        ),
        false => String::new(),
    };
    format!(
        "# {}, {}\n\n{}\n\n{}\n## Two ways to ask flatgraph\n\n{}\n{}\n\n## Resident memory\n\n{}\n\n{}{}",
        results.subject.name,
        text(results, "date"),
        introduction(results),
        main_table(results),
        questions(results),
        where_flatgraph_wins(results),
        MEMORY_WORDS,
        memory_table(results),
        verdicts,
    )
}

const MEMORY_WORDS: &str = "\
`VmRSS` when the rounds were done, before any collection. Varvite: a fresh process for each workload and profile; mapped
pages of the file count, though the system may drop them. flatgraph: one JVM for all, in this order, so that it
shows what a heap keeps.";

/// What Joern's steps answer too, with the words that the table needs.
fn questions(results: &Results) -> String {
    let joern = results.circumstances["versions"]["joern"].as_str().unwrap_or("of an unknown version");
    format!(
        "flatgraph answers these twice: by the steps that its users write in Scala (Joern {joern}), and by plain Java loops over \
         its accessors, written for this comparison. Varvite took turns with both, one JVM after the other.\n\n{}",
        questions_table(results)
    )
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

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// Writes the JSON and the page to `folder`; answers their name.
///
/// # Errors
/// What the file system says.
pub fn keep(results: &Results, folder: &Path) -> Result<String, Failure> {
    fs::create_dir_all(folder)?;
    let stem = format!("{}-{}", text(results, "date"), results.subject.name);
    let json = serde_json::to_string_pretty(&results.json())?;
    write(&folder.join(format!("{stem}.json")), &(json + "\n"))?;
    write(&folder.join(format!("{stem}.md")), &page(results))?;
    Ok(stem)
}

/// Puts the tables between the marks of the README at `path`, with a link to the page. A graph with marks of its own, `<!-- bench NAME -->`,
/// gets the questions there and nothing else.
///
/// # Errors
/// The README has no marks, or cannot be read or written; or not all questions were asked, and the graph has no marks of its own.
pub fn put_into_readme(results: &Results, path: &Path) -> Result<(), Failure> {
    let readme = fs::read_to_string(path).map_err(|error| failed("read", path, &error))?;
    let name = &results.subject.name;
    let link = format!("bench/results/{}-{name}.md", text(results, "date"));
    let (introduction, questions) = (introduction(results), questions(results));
    let lost = where_flatgraph_wins(results);
    let own = format!("{introduction}\n\n{questions}\n{lost} [Everything else about this graph]({link}).\n");
    if let Some(filled) = fill(&readme, &format!("<!-- bench {name} -->\n"), &own) {
        return write(path, &filled);
    }
    if !results.circumstances["only"].is_null() {
        return Err(Failure("the main table of the README takes all questions: leave out --only".into()));
    }
    let slot = format!(
        "{introduction}\n\n{}\n{questions}\n{} [Memory after each workload, and all circumstances]({link}).\n",
        main_table(results),
        lost,
    );
    put_between_marks(&slot, path)
}

/// The text with what is between the marks replaced.
fn fill(text: &str, opening: &str, slot: &str) -> Option<String> {
    let (before, rest) = text.split_once(opening)?;
    let (_, after) = rest.split_once(CLOSING)?;
    Some(format!("{before}{opening}{slot}{CLOSING}{after}"))
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
    use crate::results::Subject;
    use serde_json::json;

    #[test]
    fn the_slot_is_replaced_and_nothing_else() {
        let text = "a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n<!-- bench c -->\nold\n<!-- /bench -->\n";
        let filled = fill(text, OPENING, "new\n").unwrap();
        assert_eq!(
            filled,
            "a\n<!-- bench -->\nnew\n<!-- /bench -->\nb\n<!-- bench c -->\nold\n<!-- /bench -->\n"
        );
        assert_eq!(fill(&filled, OPENING, "new\n").unwrap(), filled);
        assert_eq!(fill("no marks", OPENING, "new"), None);
    }

    #[test]
    fn questions_alone_go_to_the_marks_of_their_graph_and_nowhere_else() {
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 1, edges: 1 };
        let circumstances = json!({"date": "2026-01-31", "only": "query_"});
        let results = Results { subject, circumstances, rows: Vec::new(), memory: Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let readme = folder.path().join("README.md");
        let marks = "<!-- bench -->\na\n<!-- /bench -->\n";
        fs::write(&readme, marks).unwrap();
        assert!(put_into_readme(&results, &readme).unwrap_err().0.contains("leave out --only"));
        fs::write(&readme, format!("{marks}<!-- bench g -->\nb\n<!-- /bench -->\n")).unwrap();
        put_into_readme(&results, &readme).unwrap();
        let filled = fs::read_to_string(&readme).unwrap();
        assert!(filled.starts_with(marks), "{filled}");
        assert!(filled.contains("(bench/results/2026-01-31-g.md)") && !filled.contains("\nb\n"), "{filled}");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([7, 1234, 16_500_000].map(thousands).join(" "), "7 1,234 16,500,000");
    }
}
