//! `varvite import --into` of a heap profile, and `varvite heap`: from heaptrack's file to the answer.

use std::fs;

use crate::command::{Folder, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data");
const GRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.cpg.bin");

fn profile(name: &str) -> String {
    format!("{DATA}/{name}.heaptrack.zst")
}

fn graph(folder: &Folder) -> String {
    let graph = folder.path("zlib.varvite");
    varvite(&["import", GRAPH, "-o", &graph]).text();
    graph
}

#[test]
fn a_profile_becomes_counts_of_the_code_that_can_be_asked_for() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let text = varvite(&["import", "--into", &graph, &profile("zlib")]).text();
    for told in ["layer heap: ", " of 1,812 calls (", "zwork"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    let top = varvite(&["heap", "top", &graph]).text();
    assert!(top.starts_with("./zwork: 1,812 calls, 401 temporary, "), "{top}");
    let json = varvite(&["heap", "top", &graph, "--by", "place", "--format", "json"]).json();
    let totals = &json["totals"];
    let [calls, temporary, runtime] =
        ["calls", "temporary", "runtime_ms"].map(|name| totals[name].as_u64().unwrap());
    assert_eq!((calls, temporary, runtime), (1812, 401, 2082));
    let first = &json["rows"][0];
    assert_eq!(
        (&first["function"], &first["line"], &first["own"]["calls"]),
        (&"zcalloc".into(), &302.into(), &1205.into())
    );
    let leaks =
        varvite(&["heap", "top", &graph, "--by", "module", "--sort", "leaked", "--format", "csv"]).text();
    assert!(leaks.starts_with("module,calls,temporary,leaked_bytes,peak_bytes,all_calls,"), "{leaks}");
    let hot =
        varvite(&["find", &graph, "METHOD", "HEAP_CALLS=1205", "--columns", "NAME", "--format", "json"])
            .json();
    assert_eq!(hot[0]["NAME"], "zcalloc");
    assert!(varvite(&["verify", &graph]).text().contains("whole"));
    varvite(&["drop-layer", &graph, "heap"]).text();
    varvite(&["heap", "top", &graph]).fails(2, &["no heap profile"]);
}

#[test]
fn what_is_wrong_with_a_profile_is_told_in_a_line() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let before = fs::read(&graph).unwrap();
    let raw = folder.path("raw");
    fs::write(&raw, "v 10400 3\nx 4 main\n").unwrap();
    varvite(&["import", "--into", &graph, &raw]).fails(3, &["heaptrack --interpret", "line 2"]);
    fs::write(&raw, "v 10600 9\n").unwrap();
    varvite(&["import", "--into", &graph, &raw]).fails(3, &["version 9"]);
    let little = ["import", "--into", &graph, &profile("zlib"), "--memory", "4K"];
    varvite(&little).fails(6, &["4096 bytes of memory", "--memory"]);
    assert_eq!(fs::read(&graph).unwrap(), before);
    // Of another program: taken, with a word about it.
    let other = varvite(&["import", "--into", &graph, &profile("sqlite"), "--name", "sqlite"]);
    assert!(other.errors().contains("of the same program?"), "{}", other.errors());
    varvite(&["import", "--into", &graph, &profile("sqlite")]).fails(3, &["already, as layer heap/sqlite"]);
    varvite(&["heap", "top", &graph]).fails(2, &["--name", "sqlite"]);
}
