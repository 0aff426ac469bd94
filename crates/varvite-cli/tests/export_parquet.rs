//! Tests of `varvite export --format parquet`.

use std::fs;
use std::path::Path;

use crate::command::{Answer, Folder, varvite, zlib};

fn export(output: &str, more: &[&str]) -> Answer {
    varvite(&[&["export", zlib(), "-o", output, "--format", "parquet"], more].concat())
}

#[test]
fn the_folder_has_the_counts_of_the_graph() {
    let folder = Folder::new();
    let path = folder.path("tables");
    let text = export(&path, &["--memory", "64M"]).text();
    assert!(text.contains("44,073 nodes, 512,785 edges"), "{text}");
    let index: serde_json::Value =
        serde_json::from_slice(&fs::read(Path::new(&path).join("_varvite.json")).unwrap()).unwrap();
    let sum = |kind: &str| -> u64 {
        let tables = index["tables"].as_array().unwrap().iter().filter(|table| table["kind"] == kind);
        tables.map(|table| table["rows"].as_u64().unwrap()).sum()
    };
    assert_eq!((sum("nodes"), sum("edges")), (44_073, 512_785));
}

#[test]
fn an_existing_folder_is_refused_or_replaced_as_a_whole() {
    let folder = Folder::new();
    let path = folder.path("tables");
    export(&path, &[]).text();
    export(&path, &[]).fails(3, &["tables exists already", "--force"]);
    let table = Path::new(&path).join("nodes/METHOD.parquet");
    fs::write(&table, "old").unwrap();
    export(&path, &["--force"]).text();
    assert!(fs::read(&table).unwrap().starts_with(b"PAR1"));
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn a_table_that_no_export_made_is_kept() {
    let folder = Folder::new();
    let path = folder.path("tables");
    export(&path, &[]).text();
    let mine = Path::new(&path).join("nodes/mine.parquet");
    fs::write(&mine, "mine").unwrap();
    export(&path, &["--force"]).fails(3, &["tables has nodes/mine.parquet, which no export made"]);
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    fs::remove_file(&mine).unwrap();
    let index = Path::new(&path).join("_varvite.json");
    for text in ["", "{}", r#"{"format": "other", "tables": []}"#, "[[[["] {
        fs::write(&index, text).unwrap();
        export(&path, &["--force"]).fails(3, &["tables has another _varvite.json"]);
    }
    assert_eq!(folder.files().len(), 1);
}

#[test]
fn content_that_no_export_made_is_kept() {
    let folder = Folder::new();
    let path = folder.path("home");
    fs::create_dir(&path).unwrap();
    let mine = Path::new(&path).join("thesis.doc");
    fs::write(&mine, "mine").unwrap();
    export(&path, &["--force"]).fails(3, &["home has no _varvite.json", "choose another folder"]);
    assert_eq!(fs::read(&mine).unwrap(), b"mine");
    let file = folder.path("file");
    fs::write(&file, "mine").unwrap();
    export(&file, &["--force"]).fails(3, &["file"]);
    assert_eq!(fs::read(&file).unwrap(), b"mine");
    assert_eq!(folder.files().len(), 2);
}

#[test]
fn parts_and_too_little_memory_are_refused() {
    let folder = Folder::new();
    let path = folder.path("tables");
    export(&path, &["--part", "ast", "--of", "inflate"]).fails(2, &["parquet holds whole graphs"]);
    export(&path, &["--memory", "100K"]).fails(6, &["bytes of memory are needed", "--memory"]);
    assert_eq!(folder.files().len(), 0);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing() {
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    let folder = Folder::new();
    let path = folder.path("tables");
    let mut command = crate::command::listening();
    command.args(["export", zlib(), "-o", &path, "--format", "parquet"]).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let began = Instant::now();
    // The folder is made by the first step of the export, whose other steps take longer than the signal.
    while !Path::new(&folder.path(".tables.partial")).join("nodes").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "the export did not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.unwrap().success());
    let answer = Answer::of(child.wait_with_output().unwrap());
    answer.fails(130, &["stopped; no file was changed"]);
    assert_eq!(folder.files().len(), 0);
}
