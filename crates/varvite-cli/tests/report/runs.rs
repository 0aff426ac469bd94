//! The section about what ran.

use super::page::number;
use super::report;
use crate::command::{Folder, varvite};

const PROFILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data");
const TRACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");

#[test]
fn a_profile_has_its_totals_drawings_functions_and_lines() {
    let folder = Folder::new();
    let graph = folder.import("zlib.varvite", "compact");
    varvite(&["import", "--into", &graph, &format!("{PROFILES}/zlib.heaptrack.zst")]).text();
    let page = report(&graph, &["--sections", "runs"]);
    let top = varvite(&["heap", "top", &graph, "--format", "json"]).json();
    assert_eq!(number(page.fact("calls")), top["totals"]["calls"].as_u64().unwrap());
    assert_eq!(page.fact("command"), "./zwork");
    let functions = page.table("Functions by their own cost");
    for (place, row) in functions.rows.iter().enumerate().take(5) {
        assert_eq!(number(&row[2]), top["rows"][place]["own"]["calls"].as_u64().unwrap(), "{row:?}");
    }
    let lines = page.table("Source lines by their own cost");
    let first = [lines.column("place")[0], lines.column("source")[0]];
    assert!(first[0] == "zutil.c:302" && first[1].contains("malloc"), "{first:?}");
    let code = varvite(&["heap", "on-code", &graph, "--format", "json"]).json();
    assert_eq!(lines.numbers("calls")[0], code["rows"][0]["own"]["calls"].as_u64().unwrap());
    // The flame graph has a frame for main, and the timeline a bar for each interval.
    assert!(page.text.contains("<title>main: 1,8") && page.text.contains("memory over time"), "drawings");
    let files = report(&graph, &["--sections", "files"]);
    let hot = files.table("Files by lines");
    let zutil = hot.column("file").iter().position(|file| *file == "zutil.c").unwrap();
    assert_eq!(hot.numbers("HEAP_CALLS")[zutil], 1205);
}

#[test]
fn a_trace_has_its_functions_and_source_lines_with_cache_lines() {
    let folder = Folder::new();
    let graph = folder.path("shapes.varvite");
    varvite(&["import", &format!("{TRACE}/shapes.cpg.bin"), "-o", &graph, "--source", TRACE])
        .text_beside_complaints();
    let binary = format!("{TRACE}/shapes");
    varvite(&["import", "--into", &graph, &format!("{TRACE}/shapes.vtrace"), "--binary", &binary]).text();
    let page = report(&graph, &["--sections", "runs"]);
    let functions = page.table("Functions by instructions");
    let words = ["find", &graph, "METHOD", "--columns", "TRACE_INSTRUCTIONS,TRACE_CACHE_LINES", "--order-by"];
    let words =
        [&words[..], &["TRACE_INSTRUCTIONS", "--descending", "--limit", "3", "--format", "json"]].concat();
    let rows = varvite(&words).json();
    for (place, row) in rows.as_array().unwrap().iter().enumerate() {
        assert_eq!(functions.numbers("instructions")[place], row["TRACE_INSTRUCTIONS"].as_u64().unwrap());
        assert_eq!(functions.numbers("cache lines")[place], row["TRACE_CACHE_LINES"].as_u64().unwrap());
    }
    let lines = page.table("Source lines by instructions");
    assert!(!lines.titles.contains(&"cache lines".to_owned()), "{:?}", lines.titles);
    let note = "counts of cache lines for functions, and none for source lines";
    assert!(page.paragraphs.iter().any(|it| it.contains(note)), "{:?}", page.paragraphs);
    assert!(lines.column("source").iter().all(|source| !source.is_empty()));
    assert!(lines.rows.len() > 5);
}

#[test]
fn a_graph_without_runs_says_so() {
    let page = report(crate::command::zlib(), &["--sections", "runs"]);
    assert!(page.paragraphs[0].contains("no layers of runs"), "{:?}", page.paragraphs);
}
