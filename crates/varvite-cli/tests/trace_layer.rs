//! Tests of `varvite import --into` with a trace: the counts of METHODs, from the program to the answer.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value as Json;

use crate::command::{Folder, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");

fn data(name: &str) -> String {
    format!("{DATA}/{name}")
}

/// Imports the graph of the program.
fn graph(folder: &Folder) -> String {
    let graph = folder.path("shapes.varvite");
    varvite(&["import", &data("shapes.cpg.bin"), "-o", &graph]).text();
    graph
}

/// A property of METHODs with their NAME and FILENAME, as CSV without node ids. METHODs without a value are
/// left out.
fn column(graph: &str, property: &str) -> String {
    let columns = format!("NAME,FILENAME,{property}");
    let rows = varvite(&["find", graph, "METHOD", "--columns", &columns, "--format", "csv"]).text();
    let rows = rows.lines().filter_map(|row| row.split_once(',')).map(|(_, row)| row);
    rows.filter(|row| !row.ends_with(',')).map(|row| format!("{row}\n")).collect()
}

#[test]
fn a_trace_becomes_properties_that_can_be_asked_for() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let words = ["import", "--into", &graph, &data("shapes.vtrace"), "--binary", &data("shapes")];
    let text = varvite(&words).text();
    for told in [
        "layer trace: 7,446 of 170,646 records placed (4.4 %), at 7 METHODs",
        "Not placed: ",
        "/tmp/shapes/shapes",
    ] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert_eq!(
        column(&graph, "TRACE_INSTRUCTIONS"),
        "NAME,FILENAME,TRACE_INSTRUCTIONS\nfibonacci,main.c,2563\nfill,main.c,1347\nmain,main.c,29\nstep,runs.c,673\nlongest_run,runs.c,334\nstep,squares.c,128\nsum_of_squares,squares.c,396\n"
    );
    let hot = varvite(&["find", &graph, "METHOD", "TRACE_STORES=133", "--format", "json"]).json();
    assert_eq!((&hot[0]["NAME"], &hot[0]["FILENAME"]), (&"step".into(), &"runs.c".into()));
    let report =
        varvite(&[&words[..], &["--name", "again", "--inlined", "--report", "json"]].concat()).json();
    let [records, placed] = ["records", "placed"].map(|name| report[name].as_u64().unwrap());
    let unplaced: u64 = report["unplaced"].as_object().unwrap().values().filter_map(Json::as_u64).sum();
    assert_eq!((records, placed + unplaced, report["methods"].as_u64()), (170_646, 170_646, Some(8)));
    assert!(column(&graph, "TRACE_AGAIN_INSTRUCTIONS").contains("square,shapes.h,64\n"));
    let info = varvite(&["info", &graph]).text();
    assert!(info.contains("trace/again") && info.contains("TRACE_AGAIN_CACHE_LINES"), "{info}");
    assert!(varvite(&["verify", &graph]).text().contains("whole"));
    assert!(varvite(&["facts", &graph]).text().contains("TRACE_LOADS"));
}

#[test]
fn what_can_not_be_placed_changes_nothing_and_says_why() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let before = fs::read(&graph).unwrap();
    let trace = data("shapes.vtrace");
    let into = |trace: &str, more: &[&str]| varvite(&[&["import", "--into", &graph, trace], more].concat());
    let stripped = folder.path("shapes");
    let mut bytes = fs::read(data("shapes")).unwrap();
    // Removes the offset and the number of section headers.
    bytes[0x28..0x30].fill(0);
    bytes[0x3c..0x40].fill(0);
    fs::write(&stripped, bytes).unwrap();
    into(&trace, &["--binary", &stripped])
        .fails(3, &["none of the 170646 records", "in an unusable binary", "was not changed"]);
    fs::remove_file(&stripped).unwrap();
    into(&trace, &["--binary", &trace]).fails(3, &["shapes.vtrace: not an ELF file"]);
    into(&trace, &["--binary", "/nowhere"]).fails(3, &["/nowhere: cannot be read"]);
    into(&trace, &["--binary", &format!("{}@base", data("shapes"))]).fails(2, &["hexadecimal"]);
    into(&trace, &["--name", "a b"]).fails(2, &["\"a b\"", "letters, digits and _"]);
    into(&data("shapes.cpg.bin"), &[]).fails(3, &["neither a Varvite trace nor a profile", "--format"]);
    varvite(&["import", "--into", &graph, &trace, "-o", &graph]).fails(2, &["--into"]);
    varvite(&["import", &trace, "-o", &folder.path("new")]).fails(3, &["this is a trace", "--into"]);
    varvite(&["import", &trace]).fails(2, &["--output"]);
    assert!(fs::read(&graph).unwrap() == before);
    assert_eq!(folder.files(), [Path::new("shapes.varvite")], "nothing half made is left");
}

#[test]
fn a_trace_without_modules_takes_a_binary_by_hand() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let (text, trace) = (folder.path("t.lackey"), folder.path("t.vtrace"));
    // A text like that of a successful run under valgrind: two instructions of `fill`, a store, and an
    // instruction that is in no function.
    fs::write(&text, "I  00401129,1\nI  00401130,7\n S 00404040,4\nI  00000010,1\n==1== Exit code: 0\n")
        .unwrap();
    varvite(&["trace", "convert", &text, "-o", &trace]).text();
    varvite(&["import", "--into", &graph, &trace])
        .fails(3, &["no load addresses of binaries", "--binary PATH@BASE"]);
    let binary = format!("{}@0x400000", data("shapes"));
    let report = varvite(&["import", "--into", &graph, &trace, "--binary", &binary]).text();
    assert!(
        report.contains("3 of 4 records placed (75.0 %), at 1 METHOD") && report.contains("1 in no module"),
        "{report}"
    );
    assert_eq!(column(&graph, "TRACE_BYTES"), "NAME,FILENAME,TRACE_BYTES\nfill,main.c,4\n");
}

#[test]
fn modules_of_dynamorio_come_with_its_traces() {
    let folder = Folder::new();
    let (traces, raw) = (folder.path("run.dir/trace"), folder.path("run.dir/raw"));
    fs::create_dir_all(&traces).unwrap();
    fs::create_dir_all(&raw).unwrap();
    let path = data("shapes");
    let table = format!(
        "Module Table: version 5, count 1\nColumns: ..\n  0,   0, 0x0000556000001000, 0x0000556000002000, 0x0, 0000000000001000, 0x0, v#1,0,{path}\n"
    );
    fs::write(format!("{raw}/modules.log"), table).unwrap();
    let entry = |kind: u16, size: u16, value: u64| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let entries = [
        entry(25, 0, 7),
        entry(22, 4, 9),
        entry(0, 8, 64),
        entry(10, 1, 0x5560_0000_117d),
        entry(0, 8, 128),
        entry(1, 8, 190),
        entry(26, 0, 0),
    ];
    fs::write(format!("{traces}/drmemtrace.app.9.trace"), entries.concat()).unwrap();
    let (graph, trace) = (graph(&folder), folder.path("t.vtrace"));
    varvite(&["trace", "convert", &folder.path("run.dir"), "-o", &trace]).text();
    let modules = varvite(&["trace", "info", &trace, "--format", "json"]).json()["modules"].clone();
    assert_eq!((&modules[0]["path"], &modules[0]["file_offset"]), (&path.into(), &4096.into()));
    let report = varvite(&["import", "--into", &graph, &trace, "--report", "json"]).json();
    assert_eq!((&report["placed"], &report["unplaced"]["no_instruction"]), (&3.into(), &1.into()));
    let counts = varvite(&[
        "find",
        &graph,
        "METHOD",
        "NAME=fibonacci",
        "--columns",
        "TRACE_LOADS,TRACE_STORES,TRACE_BYTES,TRACE_CACHE_LINES",
        "--format",
        "csv",
    ])
    .text();
    assert!(counts.ends_with(",1,1,16,2\n"), "{counts}");
}

/// Whether a program is installed.
fn has(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[test]
fn a_program_is_compiled_recorded_and_placed() {
    if !["gcc", "valgrind"].into_iter().all(has) {
        varvite_model::skip("a_program_is_compiled_recorded_and_placed", "needs gcc and valgrind");
        return;
    }
    let folder = Folder::new();
    let (graph, program, trace) = (graph(&folder), folder.path("built"), folder.path("built.vtrace"));
    let sources = ["main.c", "squares.c", "runs.c"].map(data);
    let status = Command::new("gcc").args(["-g", "-O0", "-o", &program]).args(sources).status().unwrap();
    assert!(status.success());
    let recorded = varvite(&["trace", "record", "-o", &trace, "--lackey", "--", &program]).text();
    // With any compiler, the exit status is the sum of squares, plus the longest run, plus the tenth
    // Fibonacci number, modulo 100.
    assert!(recorded.contains("exit status: 65"), "{recorded}");
    let info = varvite(&["trace", "info", &trace]).text();
    assert!(info.contains("Code in memory") && info.contains(&program), "{info}");
    let report = varvite(&["import", "--into", &graph, &trace, "--report", "json"]).json();
    let modules = report["modules"].as_array().unwrap();
    let module = modules.iter().find(|module| module["path"] == program.as_str()).unwrap();
    assert!(module["problem"].is_null() && module["placed"].as_u64().unwrap() > 1000, "{module}");
    let placed = column(&graph, "TRACE_LOADS");
    for function in
        ["fibonacci,main.c,", "fill,main.c,", "step,runs.c,", "step,squares.c,", "square,shapes.h,"]
    {
        assert!(placed.contains(function), "{function}: {placed}");
    }
    let (callgrind, mut compared) = (callgrind(&folder, &program), 0);
    for row in column(&graph, "TRACE_INSTRUCTIONS").lines().skip(1) {
        let (place, instructions) = row.rsplit_once(',').unwrap();
        let (name, file) = place.split_once(',').unwrap();
        if let Some(expected) = callgrind.get(&(name.to_owned(), file.to_owned())) {
            assert_eq!(instructions.parse(), Ok(*expected), "{row}");
            compared += 1;
        }
    }
    assert_eq!(compared, 8, "{callgrind:?}");
}

/// The numbers of instructions by function and file, from callgrind's output. In it, `fl=` and `fn=` set the
/// file and the function for the following lines of numbers.
fn callgrind(folder: &Folder, program: &str) -> std::collections::HashMap<(String, String), u64> {
    let out = folder.path("callgrind");
    let argument = format!("--callgrind-out-file={out}");
    let status = Command::new("valgrind")
        .args(["-q", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no", &argument, program])
        .status();
    status.unwrap();
    let (mut counts, mut name, mut file) = (std::collections::HashMap::new(), String::new(), String::new());
    let mut is_call = false;
    for line in fs::read_to_string(out).unwrap().lines() {
        if let Some(path) = line.strip_prefix("fl=").or(line.strip_prefix("fi=")).or(line.strip_prefix("fe="))
        {
            file = path.rsplit('/').next().unwrap().to_owned();
        } else if let Some(function) = line.strip_prefix("fn=") {
            name = function.split('\'').next().unwrap().to_owned();
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit()) {
            let own = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
            if !std::mem::take(&mut is_call) {
                *counts.entry((name.clone(), file.clone())).or_default() += own.unwrap_or(0);
            }
        }
    }
    counts
}

#[test]
fn counts_of_samples_are_marked_in_the_graph_and_beside_the_source() {
    let folder = Folder::new();
    let (graph, text, trace) = (graph(&folder), folder.path("mem.txt"), folder.path("mem.vtrace"));
    varvite(&["source", "add", &graph, DATA]).text();
    // Two loads and a store in `fill`.
    fs::write(
        &text,
        "7/7 1.000001: 1 mem-loads: 7f01 401129\n7/7 1.000002: 1 mem-stores: 7f09 401130\n\
         7/7 1.000003: 1 mem-loads: 7f11 401129\n",
    )
    .unwrap();
    let converted = varvite(&["trace", "convert", &text, "-o", &trace]).errors();
    assert!(converted.contains("names no mapped files"), "{converted}");
    let binary = format!("{}@0x400000", data("shapes"));
    let words = ["import", "--into", &graph, &trace, "--binary", &binary, "--name", "mem"];
    let report = varvite(&words).text();
    assert!(report.contains("layer trace/mem, sampled: 6 of 6 records placed"), "{report}");
    for (property, count) in [("SAMPLED", 1), ("LOADS", 2), ("STORES", 1), ("INSTRUCTIONS", 0)] {
        let name = format!("TRACE_MEM_{property}");
        assert_eq!(column(&graph, &name), format!("NAME,FILENAME,{name}\nfill,main.c,{count}\n"));
    }
    let source = varvite(&["source", &graph, "fill", "--trace=mem", "--format", "csv"]);
    assert!(source.errors().contains("the trace is a sample"), "{}", source.errors());
    let loads: u64 =
        source.output().lines().skip(1).filter_map(|row| row.split(',').nth(2)?.parse::<u64>().ok()).sum();
    assert_eq!(loads, 2, "{}", source.output());
}

#[test]
fn a_function_is_shown_with_the_counts_of_its_lines() {
    let folder = Folder::new();
    let graph = graph(&folder);
    varvite(&["source", "add", &graph, DATA]).text();
    varvite(&["source", &graph, "fill", "--trace"]).fails(4, &["no TRACE_INSTRUCTIONS", "import --into"]);
    varvite(&["import", "--into", &graph, &data("shapes.vtrace"), "--binary", &data("shapes")]).text();
    let answer = varvite(&["source", &graph, "fill", "--trace", "--format", "json"]).json();
    // Cachegrind's counts of the lines.
    let text = fs::read_to_string(data("shapes.lines")).unwrap();
    let expected = |line: u64| {
        let place = format!("main.c {line} ");
        text.lines().find_map(|row| row.strip_prefix(&place)?.parse::<u64>().ok())
    };
    let mut shown = 0;
    for line in answer["lines"].as_array().unwrap() {
        if let Some(count) = line["instructions"].as_u64() {
            assert_eq!(Some(count), expected(line["line"].as_u64().unwrap()), "{line}");
            shown += 1;
        }
    }
    assert!(shown >= 2, "{answer}");
    let table = varvite(&["source", &graph, "fill", "--trace"]).text();
    let head = table.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(head, ["instructions", "loads", "stores"], "{table}");
}
