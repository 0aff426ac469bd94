//! Tests of `varvite import`.

use std::fs;

use crate::command::{Folder, ZLIB, send, varvite};

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
    let summary = varvite(&["import", ZLIB, "-o", &path, "--report", "json"]).json();
    assert_eq!((&summary["nodes"], &summary["edges"]), (&44073.into(), &512785.into()));
    assert_eq!(summary["file_bytes"], fs::metadata(path).unwrap().len());
}

/// An import reads its source more than once, but a pipe can be read only once.
#[cfg(target_os = "linux")]
#[test]
fn a_graph_is_not_imported_from_a_pipe() {
    let folder = Folder::new();
    let document = "<?xml version=\"1.0\"?><graphml><graph edgedefault=\"directed\"/></graphml>";
    for source in ["/dev/stdin", &folder.path("")] {
        let words = ["import", source, "-o", &folder.path("a.varvite")];
        send(document, &words).fails(3, &[source, "not a regular file"]);
        send(document, &[&words[..], &["--format", "graphml"]].concat()).fails(3, &["not a regular file"]);
        send(document, &[&words[..], &["--format", "flatgraph"]].concat()).fails(3, &["not a regular file"]);
    }
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
fn a_damaged_column_of_the_source_is_named_with_its_offset() {
    let folder = Folder::new();
    let (source, target) = (folder.path("damaged.bin"), folder.path("a.varvite"));
    let good = fs::read(ZLIB).unwrap();
    let is_frame = |at: &usize| good[*at..].starts_with(&[0x28, 0xb5, 0x2f, 0xfd]);
    let frames: Vec<usize> = (0..good.len()).filter(is_frame).collect();
    for at in [frames[0], frames[frames.len() / 2], frames[frames.len() - 1]] {
        let mut bytes = good.clone();
        bytes[at..at + 4].fill(0xff);
        fs::write(&source, bytes).unwrap();
        let message = varvite(&["import", &source, "-o", &target]).fails(3, &["damaged.bin", "at byte"]);
        assert!(["edges", "property", "string pool"].iter().any(|part| message.contains(part)), "{message}");
        assert_eq!(folder.files().len(), 1);
    }
}

/// Three kinds of nodes, each with as many nodes as flatgraph can number, exceed the limit of a Varvite
/// graph.
#[test]
fn more_nodes_than_a_graph_can_number_are_refused() {
    let folder = Folder::new();
    let (source, target) = (folder.path("vast.bin"), folder.path("a.varvite"));
    let kind = |label| format!(r#"{{"nodeLabel":"{label}","nnodes":2147483647,"deletions":null}}"#);
    // An empty frame, for a string pool without strings.
    let frame = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0];
    let blob = |element, start| {
        format!(r#"{{"type":"{element}","startOffset":{start},"compressedLength":9,"decompressedLength":0}}"#)
    };
    let manifest = format!(
        r#"{{"version":0,"nodes":[{},{},{}],"edges":[],"properties":[],"stringPoolLength":{},"stringPoolBytes":{}}}"#,
        kind("A"),
        kind("B"),
        kind("C"),
        blob("int", 16),
        blob("byte", 25),
    );
    let file = [&b"FLT GRPH"[..], &34u64.to_le_bytes(), &frame, &frame, manifest.as_bytes()].concat();
    fs::write(&source, file).unwrap();
    varvite(&["import", &source, "-o", &target]).fails(3, &["vast.bin", "6442450941 nodes, the limit"]);
    assert_eq!(folder.files().len(), 1);
}

/// A full disk is simulated by a limit on the size of files, beyond which the system refuses writes.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_is_named_and_nothing_is_left_on_it() {
    let folder = Folder::new();
    let path = folder.path("a.varvite");
    for precious in [false, true] {
        if precious {
            fs::write(&path, "mine").unwrap();
        }
        for profile in ["direct", "archive"] {
            let script = "trap '' XFSZ; ulimit -f 1000; exec \"$@\"";
            let words = ["import", ZLIB, "-o", &path, "--force", "--profile", profile];
            let output = std::process::Command::new("sh")
                .args(["-c", script, "sh", env!("CARGO_BIN_EXE_varvite")])
                .args(words)
                .output()
                .unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{message}");
            assert!(
                message.starts_with("varvite: cannot write") && message.contains("File too large"),
                "{message}"
            );
            assert_eq!(folder.files().len(), usize::from(precious), "{message}");
        }
    }
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[test]
fn the_source_is_not_replaced() {
    let folder = Folder::new();
    let path = folder.path("cpg.bin");
    fs::copy(ZLIB, &path).unwrap();
    varvite(&["import", &path, "-o", &path, "--force"]).fails(2, &["names the source"]);
    assert_eq!(fs::read(&path).unwrap(), fs::read(ZLIB).unwrap());
}

#[test]
fn a_file_that_is_no_foreign_graph_is_named_for_what_it_is() {
    let folder = Folder::new();
    let (out, text, zip) = (folder.path("out"), folder.path("a.txt"), folder.path("a.zip"));
    fs::write(&text, "int main(void) { return 0; }").unwrap();
    varvite(&["import", &text, "-o", &out]).fails(3, &["a.txt", "not a flatgraph file"]);
    let table = folder.path("n.CSV");
    fs::write(&table, "id:ID,name\n1,a\n").unwrap();
    for more in [&["-o", &out][..], &[]] {
        let message = varvite(&[&["import", &table][..], more].concat()).fails(3, &["n.CSV", "--nodes FILE"]);
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    let message = varvite(&["import", &text]).fails(2, &["--output FILE", "--into GRAPH"]);
    assert_eq!(message.lines().count(), 1, "{message}");
    fs::write(&zip, b"PK\x03\x04 and so on, longer than a header").unwrap();
    varvite(&["import", &zip, "-o", &out]).fails(3, &["a.zip", "zip file"]);
    varvite(&["import", crate::command::zlib(), "-o", &out]).fails(3, &["already a Varvite graph"]);
    varvite(&["import", &folder.path("none"), "-o", &out]).fails(3, &["none", "No such file"]);
    assert_eq!(folder.files().len(), 3);
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

#[test]
fn an_import_that_would_take_too_much_memory_says_so_before_it_starts() {
    let folder = Folder::new();
    let words = ["import", ZLIB, "-o", &folder.path("g.varvite"), "--memory", "1M"];
    varvite(&words).fails(6, &["zlib.cpg.bin", "bytes of memory are needed", "with --memory"]);
    assert!(folder.files().is_empty());
}
