//! The files of a run: the results file with its date, the page beside it, and the digest in a README.

use std::fs;
use std::path::Path;

use crate::Failure;
use crate::record::results::Results;
use crate::report::{asks, codecs, corpus, graph, java, joern, python, recordings, walks};

/// The page of a run, with all tables and texts. `None` for the benchmark of codecs, whose tables are in the
/// guide to codecs.
pub fn page(results: &Results) -> Option<String> {
    match &*results.word("/bench") {
        "graph" => Some(graph::page(results)),
        "ask" => Some(asks::page(results)),
        "corpus" => Some(corpus::page(results)),
        "java" => Some(java::page(results)),
        "joern" => Some(joern::page(results)),
        "python" => Some(python::page(results)),
        "record" => Some(recordings::page(results)),
        "walks" => Some(walks::page(results)),
        _ => None,
    }
}

/// Writes the results file and the page to `folder`, and prints the page and a verdict on each target.
///
/// # Errors
/// Errors of the file system.
pub fn keep(results: &Results, folder: &Path) -> Result<(), Failure> {
    let path = folder.join(results.stem());
    fs::create_dir_all(folder)?;
    write(&path.with_extension("json"), &results.text())?;
    match page(results) {
        Some(page) => {
            write(&path.with_extension("md"), &page)?;
            print!("{page}");
        }
        None => print!("{}", codecs::digest(results, &format!("{}.json", results.stem()))),
    }
    let verdicts = super::targets::verdicts(results);
    if !verdicts.is_empty() {
        println!("\n{}", verdicts.join("\n"));
    }
    eprintln!("written: {}", path.with_extension("json").display());
    Ok(())
}

/// Puts the digest of a run between the marks of the page that shows it, with a link to the page of the run.
///
/// # Errors
/// The page has no marks, the page cannot be read or written, or a row of the digest was not measured.
pub fn put_digest(results: &Results, root: &Path) -> Result<(), Failure> {
    let link = format!("bench/results/{}.md", results.stem());
    let samples = format!("../../bench/results/{}.json", results.stem());
    let (path, name, slot) = match &*results.word("/bench") {
        "graph" => ("README.md", "bench", graph::digest(results, &link)?),
        "java" => ("bindings/java/README.md", "bench", java::digest(results, &format!("../../{link}"))),
        "walks" => ("README.md", "walks", walks::digest(results, &link)),
        "codecs" => ("docs/guide/choosing-a-codec.md", "codecs", codecs::digest(results, &samples)),
        other => return Err(Failure(format!("results of {other} have no digest"))),
    };
    let path = root.join(path);
    let text = fs::read_to_string(&path).map_err(|error| failed("read", &path, &error))?;
    let filled = fill(&text, name, &slot);
    let missing = || Failure(format!("{}: no <!-- {name} --> and <!-- /{name} -->", path.display()));
    write(&path, &filled.ok_or_else(missing)?)
}

/// The text with the part between the marks replaced by `slot`; `None` if a mark is missing.
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
        let circumstances = json!({"bench": "graph", "date": "2026-01-31", "only": "query_"});
        let results = Results { circumstances, rows: Vec::new() };
        let folder = tempfile::tempdir().unwrap();
        let readme = folder.path().join("README.md");
        let marks = "<!-- bench -->\na\n<!-- /bench -->\n";
        fs::write(&readme, marks).unwrap();
        assert!(put_digest(&results, folder.path()).unwrap_err().0.contains("leave out --only"));
        assert_eq!(fs::read_to_string(&readme).unwrap(), marks);
    }
}
