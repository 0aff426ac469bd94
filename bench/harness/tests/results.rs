//! Checks that the files in `bench/results` equal the output of the tools: each page follows from the JSON
//! beside it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use varvite_bench::record::results::Results;
use varvite_bench::record::results_file;
use varvite_bench::report::page;
use varvite_bench::runs::java::JavaResults;
use varvite_bench::walks::results::WalkResults;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The paths of all JSON files in `bench/results`.
fn kept() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("bench/results")).unwrap().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The page and the JSON that the tool makes of a JSON file. The page of codecs is a part of a guide, and the
/// tool cannot read their JSON.
fn made_again(path: &Path) -> (Option<String>, Value) {
    let value = read(path);
    if value.get("jmh").is_some() {
        let results = JavaResults::read(path).unwrap();
        return (Some(results.page()), results.json());
    }
    if value.get("streams").is_some() {
        return (None, value);
    }
    if value.get("fanout").is_some() {
        let results = WalkResults::of_json(&value).unwrap();
        return (Some(results.page()), results.json());
    }
    let results = Results::of_json(value).unwrap();
    (Some(page::page(&results)), results.json())
}

#[test]
fn every_page_is_made_from_the_results_beside_it() {
    assert!(kept().len() >= 5);
    for path in kept() {
        let (page, value) = made_again(&path);
        let name = path.display();
        let is_as_written = fs::read_to_string(&path).unwrap() == results_file::text_of(&value);
        assert!(is_as_written, "{name} is not as the tool writes it");
        if let Some(page) = page {
            let is_made_of_it = fs::read_to_string(path.with_extension("md")).unwrap() == page;
            assert!(
                is_made_of_it,
                "the page beside {name}: make it again with `varvite-bench report {name}`"
            );
        }
    }
}

#[test]
fn the_readmes_show_digests_of_results_that_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (page, mark, put) in [
        ("README.md", "<!-- bench -->", put_main as fn(&Path, &Path)),
        ("README.md", "<!-- walks -->", put_walks as fn(&Path, &Path)),
        ("bindings/java/README.md", "<!-- bench -->", put_java as fn(&Path, &Path)),
    ] {
        let shown = fs::read_to_string(root().join(page)).unwrap();
        let (_, digest) = shown.split_once(mark).unwrap();
        let (_, link) = digest.split_once("bench/results/").unwrap();
        let (stem, _) = link.split_once(".md)").unwrap();
        let copy = folder.path().join("README.md");
        fs::write(&copy, &shown).unwrap();
        put(&root().join(format!("bench/results/{stem}.json")), &copy);
        assert_eq!(fs::read_to_string(&copy).unwrap(), shown, "{page}");
    }
}

fn put_main(results: &Path, readme: &Path) {
    page::put_into_readme(&Results::of_json(read(results)).unwrap(), readme).unwrap();
}

fn put_walks(results: &Path, readme: &Path) {
    let digest = WalkResults::of_json(&read(results)).unwrap().digest();
    page::put_between("walks", &format!("{digest}\n"), readme).unwrap();
}

fn put_java(results: &Path, readme: &Path) {
    page::put_between_marks(&JavaResults::read(results).unwrap().digest(), readme).unwrap();
}
