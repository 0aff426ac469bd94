//! `varvite import`.

use std::fs;

use crate::command::{Folder, ZLIB, varvite};

#[test]
fn every_profile_is_written_and_says_what_came_of_it() {
    let folder = Folder::new();
    for profile in ["direct", "compact", "archive"] {
        let path = folder.path(profile);
        let text = varvite(&["import", ZLIB, "-o", &path, "--profile", profile]).text();
        assert!(text.contains("44,073 nodes, 512,785 edges"), "{text}");
        assert_eq!(text.lines().count(), 1);
    }
}

#[test]
fn the_smaller_the_profile_the_smaller_the_file() {
    let folder = Folder::new();
    let len = |profile: &str| fs::metadata(folder.import(profile, profile)).unwrap().len();
    let (direct, compact, archive) = (len("direct"), len("compact"), len("archive"));
    assert!(archive < compact && compact < direct, "{archive} {compact} {direct}");
}

#[test]
fn the_same_input_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::new();
    for profile in ["direct", "compact", "archive"] {
        let import = |name: &str, threads| {
            let path = folder.path(name);
            let words = ["import", ZLIB, "-o", &path, "--profile", profile, "--force", "--threads", threads];
            varvite(&words).text();
            fs::read(path).unwrap()
        };
        assert!(import("a", "1") == import("b", "3"), "{profile}");
    }
}

#[test]
fn the_summary_has_fields_for_programs() {
    let folder = Folder::new();
    let path = folder.path("a.varvite");
    let summary = varvite(&["import", ZLIB, "-o", &path, "--format", "json"]).json();
    assert_eq!((&summary["nodes"], &summary["edges"]), (&44073.into(), &512785.into()));
    assert_eq!(summary["file_bytes"], fs::metadata(path).unwrap().len());
}

#[test]
fn an_archive_may_use_either_codec() {
    let folder = Folder::new();
    let len = |codec| {
        let path = folder.path(codec);
        varvite(&["import", ZLIB, "-o", &path, "--profile", "archive", "--codec", codec]).text();
        fs::metadata(path).unwrap().len()
    };
    assert!(len("zstd") < len("lz4"));
    varvite(&["import", ZLIB, "-o", &folder.path("b"), "--codec", "lz4"]).fails(2, &["--profile archive"]);
}

#[test]
fn an_existing_file_is_refused_and_untouched() {
    let folder = Folder::new();
    let path = folder.path("precious");
    fs::write(&path, "mine").unwrap();
    varvite(&["import", ZLIB, "-o", &path]).fails(3, &["precious exists already", "--force"]);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(folder.files().len(), 1);
    varvite(&["import", ZLIB, "-o", &path, "--force"]).text();
    assert_ne!(fs::read(&path).unwrap(), b"mine");
}

#[test]
fn a_failed_import_leaves_an_existing_file_alone() {
    let folder = Folder::new();
    let (source, path) = (folder.path("cut.bin"), folder.path("precious"));
    fs::write(&source, &fs::read(ZLIB).unwrap()[..1_000_000]).unwrap();
    fs::write(&path, "mine").unwrap();
    varvite(&["import", &source, "-o", &path, "--force"]).fails(3, &["cut.bin", "damaged"]);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    assert_eq!(folder.files().len(), 2);
}

#[test]
fn the_source_is_not_replaced() {
    let folder = Folder::new();
    let path = folder.path("cpg.bin");
    fs::copy(ZLIB, &path).unwrap();
    varvite(&["import", &path, "-o", &path, "--force"]).fails(2, &["replace the source"]);
    assert_eq!(fs::read(&path).unwrap(), fs::read(ZLIB).unwrap());
}

#[test]
fn a_file_that_is_no_foreign_graph_is_named_for_what_it_is() {
    let folder = Folder::new();
    let (out, text, zip) = (folder.path("out"), folder.path("a.txt"), folder.path("a.zip"));
    fs::write(&text, "int main(void) { return 0; }").unwrap();
    varvite(&["import", &text, "-o", &out]).fails(3, &["a.txt", "not a flatgraph file"]);
    fs::write(&zip, b"PK\x03\x04 and so on, longer than a header").unwrap();
    varvite(&["import", &zip, "-o", &out]).fails(3, &["a.zip", "zip file"]);
    varvite(&["import", crate::command::zlib(), "-o", &out]).fails(3, &["Varvite graph already"]);
    varvite(&["import", &folder.path("none"), "-o", &out]).fails(3, &["none", "No such file"]);
    assert_eq!(folder.files().len(), 2);
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new();
    let path = folder.path("missing/a.varvite");
    varvite(&["import", ZLIB, "-o", &path]).fails(3, &["missing", "No such file", "check the path"]);
}

#[test]
fn nothing_but_errors_goes_to_standard_error_in_a_pipe() {
    let folder = Folder::new();
    let answer = varvite(&["import", ZLIB, "-o", &folder.path("a")]);
    assert_eq!(answer.errors(), "");
}
