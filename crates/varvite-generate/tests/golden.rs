//! Compares the sources of a small schema with golden files. `BLESS=1` writes the golden files anew. The
//! module `generated` of the Java binding compiles them, with all warnings as errors.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use varvite_generate::{Folder, SourceFile, java};

use crate::schema::small;

const PACKAGE: &str = "golden.small";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/java")
}

fn generated() -> Vec<SourceFile> {
    java::sources(&small(), &PACKAGE.parse().unwrap()).unwrap()
}

#[test]
fn sources_are_the_golden_ones() {
    if std::env::var_os("BLESS").is_some() {
        Folder::new(folder()).write(&generated()).unwrap();
    }
    let golden = fs::read_dir(folder().join("golden/small")).unwrap().map(|entry| entry.unwrap().path());
    let golden: BTreeMap<String, String> = golden
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (format!("golden/small/{name}"), fs::read_to_string(path).unwrap())
        })
        .collect();
    let generated: BTreeMap<String, String> =
        generated().into_iter().map(|file| (file.path, file.text)).collect();
    assert_eq!(
        golden.keys().collect::<Vec<_>>(),
        generated.keys().collect::<Vec<_>>(),
        "make bless, read the diff"
    );
    for (path, text) in generated {
        assert_eq!(golden[&path], text, "{path} has changed: make bless, and read the diff");
    }
}

#[test]
fn names_of_files_differ_in_more_than_capitals() {
    let names: Vec<String> = generated().iter().map(|file| file.path.to_lowercase()).collect();
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(names.len(), distinct.len());
    assert!(names.iter().all(|name| name.is_ascii()));
}
