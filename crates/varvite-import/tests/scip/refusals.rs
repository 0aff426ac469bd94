//! Indexes that are refused, with the offset in the error.

use varvite::Task;
use varvite_import::scip::ScipError;
use varvite_testing::scip_index::{ScipDocument, ScipIndex, symbol};

use super::{Indexes, index_of};

#[track_caller]
fn check(index: &[u8], what: &str) {
    let indexes = Indexes::new();
    let error = indexes.import(index).map(|(report, _)| report).unwrap_err();
    assert!(matches!(error, ScipError::Source { .. }), "{error:?}");
    let message = error.to_string();
    assert!(message.contains("index.scip: byte ") && message.contains(what), "{message}");
    assert_eq!(message.lines().count(), 1);
    assert!(!indexes.path("g.varvite").exists());
}

#[test]
fn every_truncation_of_an_index_gives_an_error_or_whole_parts() {
    let document = || ScipDocument::at("a.py").occurrence(&[0, 0, 1], &symbol("f()."), 1);
    let (whole, second) =
        (ScipIndex::new().document(document()).document(document()).bytes(), index_of(document()));
    let ends = [ScipIndex::new().bytes().len(), second.len(), whole.len()];
    for len in 0..whole.len() {
        let imported = Indexes::new().import(&whole[..len]);
        assert_eq!(imported.is_ok(), ends.contains(&len), "{len}");
    }
}

#[test]
fn invalid_ranges_are_refused() {
    for range in [
        &[][..],
        &[1],
        &[1, 2],
        &[1, 3, 2],
        &[2, 0, 1, 0],
        &[1, 2, 3, 4, 5],
        &[u64::MAX, 0, 1],
        &[0, 0, 1 << 31],
    ] {
        check(
            &index_of(ScipDocument::at("a").occurrence(range, &symbol("f()."), 0)),
            "a range of an occurrence",
        );
    }
    let enclosing = ScipDocument::at("a").enclosing(&[1, 2, 3], &symbol("f()."), 1, &[4, 0, 3, 0]);
    check(&index_of(enclosing), "a range of an occurrence");
}

#[test]
fn messages_of_another_kind_are_refused() {
    check(&index_of(ScipDocument::at("a").number(2, 7)), "a number in place of a text or message");
    check(&index_of(ScipDocument::at("a").text(6, "x")), "a text or message in place of a number");
    check(&ScipIndex::new().field(2, b"\x0a\x01\xff").bytes(), "not UTF-8");
    check(&ScipIndex::new().field(2, b"\x0b").bytes(), "a field of a type");
    check(&ScipIndex::new().field(3, b"\x0a\x09x").bytes(), "longer than the rest");
    check(&[ScipIndex::new().bytes(), vec![0x10, 7]].concat(), "wrong type");
    check(&[0x12, 0], "begins with its metadata");
    check(b"", "begins with its metadata");
}

#[test]
fn documents_need_a_short_path() {
    check(&index_of(ScipDocument::at("")), "has 0 bytes: 1 to 1024 are allowed");
    check(&index_of(ScipDocument::at(&"x".repeat(1025))), "has 1025 bytes");
}

#[test]
fn an_index_that_does_not_fit_in_memory_is_refused() {
    let index = index_of(ScipDocument::at("a").text(5, &"x".repeat(8 << 20)));
    let error = Indexes::new().import_with(&index, |import| import.task(Task::new().memory(4 << 20)));
    let error = error.map(|(report, _)| report).unwrap_err().to_string();
    assert!(error.contains("bytes of memory are needed"), "{error}");
}

#[test]
fn a_folder_of_sources_must_exist() {
    let indexes = Indexes::new();
    let missing = indexes.path("missing");
    let error = indexes.import_with(&ScipIndex::new().bytes(), |import| import.sources(missing));
    assert!(matches!(error, Err(ScipError::Io { .. })));
    assert!(!indexes.path("g.varvite").exists());
}
