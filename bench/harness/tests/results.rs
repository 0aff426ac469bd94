//! Checks that each page in `bench/results` is the one that the harness makes from the JSON file beside it.

use std::fs;
use std::path::{Path, PathBuf};

use varvite_bench::record::results::Results;
use varvite_bench::report::page;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_page_is_made_from_the_results_beside_it() {
    let entries = fs::read_dir(root().join("bench/results")).unwrap().map(|entry| entry.unwrap().path());
    let kept: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|of| of == "json")).collect();
    assert!(kept.len() >= 6);
    for path in kept {
        let (results, name) = (Results::read(&path).unwrap(), path.display());
        assert!(fs::read_to_string(&path).unwrap() == results.text(), "{name} is not as the tool writes it");
        assert_eq!(path.file_stem().unwrap().to_str(), Some(&*results.stem()));
        let shown = fs::read_to_string(path.with_extension("md")).ok();
        let hint = format!("the page beside {name}: make it again with `varvite-bench report {name}`");
        assert!(shown == page::page(&results), "{hint}");
    }
}

#[test]
fn pages_show_digests_of_results_that_are_kept() {
    for (page, mark) in [
        ("README.md", "<!-- bench -->"),
        ("README.md", "<!-- walks -->"),
        ("bindings/java/README.md", "<!-- bench -->"),
        ("docs/guide/choosing-a-codec.md", "<!-- codecs -->"),
    ] {
        let (folder, shown) = (tempfile::tempdir().unwrap(), fs::read_to_string(root().join(page)).unwrap());
        let copy = folder.path().join(page);
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(&copy, &shown).unwrap();
        let (_, digest) = shown.split_once(mark).unwrap();
        let (_, link) = digest.split_once("bench/results/").unwrap();
        let (stem, _) = link.split_once('.').unwrap();
        let results = Results::read(&root().join(format!("bench/results/{stem}.json"))).unwrap();
        page::put_digest(&results, folder.path()).unwrap();
        assert_eq!(fs::read_to_string(&copy).unwrap(), shown, "{page}");
    }
}
