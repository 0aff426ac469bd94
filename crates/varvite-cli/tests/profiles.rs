//! Tests of profiles from tools other than heaptrack, in a graph that also has a heaptrack profile. The same
//! questions are asked about each profile, with the measures that the profile has.

use std::fs;

use crate::command::{Folder, varvite};

const HEAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data/zlib.heaptrack.zst");
const GRAPH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/data/zlib.cpg.bin");

/// A profile with four samples: two in `printf`, which is called at line 42 of zwork.c; one in
/// `deflate_block`, which is inlined into `main`; and one in the kernel.
const PERF: &str = "zwork 7/7 1.0: 1000 cpu-clock:u: \n\t30 printf+0x1 (/lib/libc.so.6)\n  ??:0\n\
    \t20 main+0x1 (/w/zwork)\n  zwork.c:42\n\n\
    zwork 7/7 1.1: 1000 cpu-clock:u: \n\t30 printf+0x2 (/lib/libc.so.6)\n  ??:0\n\
    \t20 main+0x1 (/w/zwork)\n  zwork.c:42\n\n\
    zwork 7/7 1.2: 1000 cpu-clock:u: \n\
    \t20 deflate_block+0x1 (inlined)\n  zwork.c:14\n\t20 main+0x1 (/w/zwork)\n  zwork.c:34\n\n\
    zwork 7/7 1.3: 1000 cpu-clock:u: \n\tffffff read+0x2 ([kernel.kallsyms])\n  ??:0\n\n";

/// Makes the graph of zlib with a heap profile and a CPU profile.
fn profiled(folder: &Folder) -> (String, String) {
    let (graph, perf) = (folder.path("zlib.varvite"), folder.path("zwork.perf"));
    varvite(&["import", GRAPH, "-o", &graph]).text();
    varvite(&["import", "--into", &graph, HEAP]).text();
    fs::write(&perf, PERF).unwrap();
    (graph, perf)
}

#[test]
fn time_and_memory_are_in_one_graph() {
    let folder = Folder::new();
    let (graph, perf) = profiled(&folder);
    let imported = varvite(&["import", "--into", &graph, &perf, "--report", "json"]).json();
    assert_eq!((&imported["layer"], &imported["is_sampled"]), (&"cpu".into(), &true.into()));
    let coverage = &imported["coverage"];
    assert_eq!(
        (&coverage["placed"]["samples"], &coverage["below_methods"]["time_ns"]),
        (&1.into(), &2000.into())
    );
    assert_eq!(coverage["by_match"]["exact"]["samples"], 1);
    let columns =
        ["--columns", "NAME,CPU_SAMPLES,CPU_ALL_SAMPLES,CPU_TIME_NS,HEAP_CALLS", "--format", "json"];
    let method = varvite(&[&["find", &graph, "METHOD", "CPU_ALL_SAMPLES=3"], &columns[..]].concat()).json();
    let numbers = ["CPU_SAMPLES", "CPU_ALL_SAMPLES", "CPU_TIME_NS", "HEAP_CALLS"]
        .map(|name| method[0][name].as_i64().unwrap());
    assert_eq!(numbers, [2, 3, 2000, 1]);
    let call = varvite(&[&["find", &graph, "CALL", "CPU_SAMPLES=2"], &columns[..]].concat()).json();
    assert_eq!((&call[0]["NAME"], call.as_array().unwrap().len()), (&"printf".into(), 1));
    let rows = varvite(&["heap", "on-code", &graph, "--sort", "samples", "--all", "--format", "json"]).json();
    assert_eq!(
        (&rows["layer"], &rows["is_sampled"], &rows["totals"]["samples"]),
        (&"cpu".into(), &true.into(), &4.into())
    );
    let rows = rows["rows"].as_array().unwrap();
    let of =
        |kind: &str, name: &str| rows.iter().find(|row| row["kind"] == kind && row["name"] == name).unwrap();
    assert_eq!(
        (&of("METHOD", "main")["own"]["samples"], &of("METHOD", "main")["all"]["samples"]),
        (&2.into(), &3.into())
    );
    assert_eq!(of("CALL", "deflate_block")["loop"]["line"], 31);
    let printf = of("CALL", "printf");
    assert_eq!((&printf["own"]["samples"], &printf["all"]["samples"]), (&2.into(), &2.into()));
    // By default, the command uses the heap profile. With the name of a layer, it uses the profile in this
    // layer.
    assert!(varvite(&["heap", "top", &graph]).text().starts_with("./zwork: 1,812 calls"));
    let top = varvite(&["heap", "top", &graph, "--name", "cpu", "--limit", "1"]).text();
    assert!(top.starts_with("zwork: 4 samples, 4,000 ns; sampled: its values are estimates\n"), "{top}");
    let callers = varvite(&["heap", "callers", &graph, "printf", "--sort", "samples"]).text();
    assert!(callers.contains("sampled") && callers.contains("main"), "{callers}");
    assert!(varvite(&["verify", &graph]).text().contains("whole"));
}

#[test]
fn what_a_profile_does_not_count_is_told() {
    let folder = Folder::new();
    let (graph, perf) = profiled(&folder);
    varvite(&["import", "--into", &graph, &perf, "--format", "collapsed"])
        .fails(3, &["no line is a collapsed stack"]);
    varvite(&["import", "--into", &graph, &perf, "--format", "graphml"])
        .fails(2, &["the --format of a profile"]);
    varvite(&["import", &perf, "-o", &folder.path("x"), "--format", "perf"]).fails(2, &["--into"]);
    varvite(&["import", "--into", &graph, &perf, "--name", "once", "--format", "perf"]).text();
    varvite(&["import", "--into", &graph, &perf]).fails(3, &["already has this profile, as layer cpu/once"]);
    varvite(&["heap", "top", &perf, "--sort", "peak"])
        .fails(2, &["has no measure peak_bytes", "samples, time_ns"]);
    varvite(&["heap", "leaks", &perf]).fails(2, &["has no measure leaked_bytes"]);
    varvite(&["heap", "top", &graph, "--name", "twice"]).fails(2, &["no profile \"twice\"", "cpu/once"]);
    varvite(&["heap", "diff", &graph, &perf]).fails(2, &["has sampled values", "has exact counts"]);
    let collapsed = folder.path("zwork.folded");
    fs::write(&collapsed, "main;printf;vfprintf 5\nmain;deflate_block 1\nmain -1\n").unwrap();
    // If only two of three lines fit, the format is not detected, and nothing is written. With `--format`,
    // the file is read.
    let before = fs::read(&graph).unwrap();
    varvite(&["import", "--into", &graph, &collapsed, "--name", "folded"])
        .fails(3, &["only 2 of 3 lines fit", "--format collapsed"]);
    varvite(&["heap", "top", &collapsed]).fails(3, &["--input-format collapsed"]);
    assert_eq!(fs::read(&graph).unwrap(), before);
    let told = varvite(&["heap", "top", &collapsed, "--input-format", "collapsed"]);
    assert!(told.errors().contains("skipped 1 line with invalid syntax, the first is line 3"));
    fs::write(
        &collapsed,
        "main;printf;vfprintf 5\nmain;deflate_block 1\n".to_owned() + &"main 0\n".repeat(7) + "main -1\n",
    )
    .unwrap();
    let diff = varvite(&["heap", "diff", &perf, &collapsed, "--format", "json"]);
    assert!(diff.errors().contains("skipped 1 line with invalid syntax, the first is line 10"));
    let diff: serde_json::Value = serde_json::from_str(diff.output()).unwrap();
    assert_eq!(
        (&diff["before"]["totals"]["samples"], &diff["after"]["totals"]["samples"]),
        (&4.into(), &6.into())
    );
    assert!(diff["matched"]["share"]["time_ns"].is_null() && diff["matched"]["share"]["samples"].is_number());
    let csv = varvite(&["heap", "top", &collapsed, "--format", "csv"]);
    assert!(csv.errors().contains("layer cpu: sampled"), "{}", csv.errors());
    // Without line numbers, a METHOD is found by its name. A CALL is found only if it is the METHOD's only
    // CALL to the callee.
    let answer = varvite(&["import", "--into", &graph, &collapsed, "--name", "folded"]);
    let text = answer.output();
    assert!(
        text.contains("layer cpu/folded: ") && text.contains(" name only") && text.contains("sampled"),
        "{text}"
    );
}

#[test]
fn what_is_written_for_others_is_imported_again() {
    let folder = Folder::new();
    let (graph, perf) = profiled(&folder);
    for (file, name, layer) in
        [("a.pb.gz", "p", "heap/p"), ("a.json", "s", "heap/s"), ("a.folded", "c", "cpu/c")]
    {
        let file = folder.path(file);
        varvite(&["heap", "flame", &graph, "-o", &file]).text();
        let report = varvite(&["import", "--into", &graph, &file, "--name", name, "--report", "json"]).json();
        assert_eq!(report["layer"], layer);
        let collapsed = |name: &str| varvite(&["heap", "flame", &graph, "--name", name]).output().to_owned();
        let sorted = |text: String| {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(collapsed(layer)), sorted(collapsed("")), "{layer}");
    }
    let [message, document] = ["b.pb.gz", "b.json"].map(|file| folder.path(file));
    for file in [&message, &document] {
        varvite(&["heap", "flame", &perf, "-o", file]).text();
        let again = varvite(&["heap", "top", file, "--by", "place", "--format", "json"]).json();
        let before = varvite(&["heap", "top", &perf, "--by", "place", "--format", "json"]).json();
        assert_eq!(
            (&again["rows"], &again["totals"], &again["is_sampled"]),
            (&before["rows"], &before["totals"], &true.into())
        );
    }
}

#[test]
fn a_profile_of_another_tool_is_named_with_its_converter_and_changes_nothing() {
    let folder = Folder::new();
    let (graph, _) = profiled(&folder);
    let before = fs::read(&graph).unwrap();
    let file = folder.path("foreign");
    for (text, form, converter) in [
        ("heap_v2/524288\n  t*: 28106: 56637512 [0: 0]\n", "jemalloc", "jeprof --collapsed"),
        ("heap profile: 1: 24 [3: 72] @ heap/1048576\n", "Go or gperftools", "pprof -proto"),
        ("# callgrind format\nversion: 1\nevents: Ir\nfn=(1) main\n16 20\n", "callgrind", "speedscope"),
    ] {
        fs::write(&file, text).unwrap();
        varvite(&["import", "--into", &graph, &file]).fails(3, &[form, converter]);
        varvite(&["heap", "top", &file]).fails(3, &[form, converter]);
    }
    assert_eq!(fs::read(&graph).unwrap(), before);
}

#[test]
fn processes_and_threads_stand_above_their_calls_on_request() {
    let folder = Folder::new();
    let (graph, perf) = profiled(&folder);
    let head = |thread: &str, name: &str| {
        format!("{name} {thread} 1.0: 10 cycles:u: \n\t20 main+0x1 (/w/zwork)\n\n")
    };
    fs::write(&perf, head("7/7", "zwork") + &head("7/8", "helper") + &head("9/9", "other")).unwrap();
    let flame =
        |options: &[&str]| varvite(&[&["heap", "flame", &perf], options].concat()).output().to_owned();
    assert_eq!(flame(&[]), "main 3\n");
    assert_eq!(flame(&["--roots", "process"]), "zwork 7;main 2\nother 9;main 1\n");
    let threads = "zwork 7;zwork 7/7;main 1\nzwork 7;helper 7/8;main 1\nother 9;other 9/9;main 1\n";
    assert_eq!(flame(&["--roots", "thread"]), threads);
    varvite(&["import", "--into", &graph, &perf, "--roots", "thread"]).output();
    assert_eq!(varvite(&["heap", "flame", &graph, "--name", "cpu"]).output(), threads);
    varvite(&["heap", "top", HEAP, "--roots", "process"]).fails(2, &["only the output of `perf script` has"]);
}
