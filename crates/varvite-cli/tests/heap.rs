//! Tests of `varvite import --into` with a heap profile, and of `varvite heap`: from heaptrack's file to the
//! answer.

use std::fs;

use crate::command::{Folder, varvite};
use crate::guide::{commands_of, run};

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

/// A line without the duration of an import, which differs from machine to machine.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit = |word: Option<&&str>| matches!(word, Some(&("s" | "s.")));
    let kept = words
        .iter()
        .enumerate()
        .filter(|(index, word)| word.parse::<f64>().is_err() || !is_unit(words.get(index + 1)));
    kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

#[cfg(unix)]
#[test]
fn the_answers_are_those_of_the_guide() {
    let folder = Folder::new();
    let graph = folder.path("graph.varvite");
    let commands = commands_of(include_str!("../../../docs/guide/heap.md"));
    assert_eq!(commands.len(), 3);
    for (command, expected) in commands {
        let answer = run(&command.replace("z.varvite", "zlib.varvite"), &graph).replace(&graph, "z.varvite");
        let expected: Vec<String> = expected.into_iter().map(timeless).collect();
        assert_eq!(answer.lines().map(timeless).collect::<Vec<_>>(), expected, "{command}");
    }
}

#[test]
fn a_file_that_is_neither_a_profile_nor_a_graph_gets_a_line_with_advice() {
    let folder = Folder::new();
    let file = folder.path("a.txt");
    for content in [&b"hello\n"[..], b"\x00\x01\x02 and so on"] {
        std::fs::write(&file, content).unwrap();
        let message = varvite(&["heap", "top", &file])
            .fails(3, &["a.txt", "neither a graph nor a profile", "heaptrack"]);
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    std::fs::write(&file, b"FLT GRPH and so on").unwrap();
    varvite(&["heap", "top", &file]).fails(3, &["a.txt", "flatgraph", "varvite import"]);
    varvite(&["heap", "top", &folder.path("none")]).fails(3, &["none", "check the path"]);
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
    varvite(&["heap", "top", &graph]).fails(2, &["has no profile"]);
}

/// Makes the graph of zlib with a profile of zlib.
fn profiled(folder: &Folder) -> String {
    let graph = graph(folder);
    varvite(&["import", "--into", &graph, &profile("zlib")]).text();
    graph
}

#[test]
fn code_is_ranked_by_what_it_allocates_with_the_loop_and_the_callers() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    let json = varvite(&["heap", "on-code", &graph, "--format", "json"]).json();
    let coverage = &json["coverage"];
    assert!(coverage["share"]["calls"].as_f64().unwrap() > 0.95, "{coverage}");
    assert!(coverage["share_in_covered_modules"]["peak_bytes"].as_f64().unwrap() > 0.99, "{coverage}");
    let modules = coverage["modules"].as_array().unwrap();
    let libc = modules.iter().find(|module| module["path"].as_str().unwrap().contains("libc.so")).unwrap();
    assert_eq!((&libc["placed"]["calls"], libc["counts"]["calls"].as_i64().unwrap() > 0), (&0.into(), true));
    assert_eq!(json["totals"]["calls"], 1812);
    // The CALL that allocates comes first, then the METHOD that contains it.
    let [call, method] = [&json["rows"][0], &json["rows"][1]];
    assert_eq!(
        (&call["kind"], &call["name"], &call["line"]),
        (&"CALL".into(), &"malloc".into(), &302.into())
    );
    assert_eq!(
        (&method["kind"], &method["name"], &method["file"]),
        (&"METHOD".into(), &"zcalloc".into(), &"zutil.c".into())
    );
    assert_eq!(method["own"]["calls"], 1205);
    let chain = method["chain"].as_array().unwrap();
    let main = chain.last().unwrap();
    assert_eq!(
        (&main["function"], &main["line"], &main["call"]["line"]),
        (&"main".into(), &34.into(), &34.into())
    );
    assert_eq!((&main["loop"]["line"], &main["loop"]["file"]), (&31.into(), &"zwork.c".into()));
    assert!(main["loop"]["code"].as_str().unwrap().starts_with("for (int i = 0"), "{main}");
    assert!(method["missing_edges_found"].as_u64().unwrap() >= 2);
    assert_eq!(method["missing_edges"][0]["method"], "deflateInit2_");
    // CALLs in loops: the calls that main makes 200 times.
    let loops = varvite(&["heap", "on-code", &graph, "--in-loops", "--format", "json"]).json();
    let rows = loops["rows"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["kind"] == "CALL" && row["loop"]["line"].is_number()), "{rows:?}");
    let names: Vec<&str> = rows.iter().take(3).map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["deflate_block", "inflate_block", "fill"]);
    let table = varvite(&["heap", "on-code", &graph, "--sort", "peak", "--limit", "3"]).text();
    assert!(
        table.contains("of its calls and ")
            && table.contains("; calls outside the graph: ")
            && table.lines().count() == 6,
        "{table}"
    );
    let csv = varvite(&["heap", "on-code", &graph, "--all", "--format", "csv"]).text();
    assert!(csv.starts_with(
        "kind,node,name,code,method,file,line,calls,temporary,leaked_bytes,peak_bytes,all_calls,"
    ));
    assert!(csv.contains("CALL,") && csv.contains("METHOD,"));
    varvite(&["heap", "on-code", &profile("zlib")]).fails(2, &["import --into"]);
}

#[test]
fn the_tree_above_a_function_says_what_came_each_way() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    let of = |file: &str| {
        varvite(&["heap", "callers", file, "zcalloc", "--limit", "500", "--format", "json"]).json()
    };
    let rows = of(&graph)["rows"].as_array().unwrap().clone();
    let shown = |row: &serde_json::Value| {
        let number = |name: &str| row[name]["calls"].as_i64().unwrap();
        (
            row["depth"].as_u64().unwrap(),
            row["function"].as_str().unwrap().to_owned(),
            number("own"),
            number("all"),
        )
    };
    assert_eq!(shown(&rows[0]), (0, "zcalloc".to_owned(), 1205, 1205));
    let direct: i64 = rows.iter().map(shown).filter(|row| row.0 == 1).map(|row| row.2).sum();
    assert_eq!(direct, 1205);
    // The caller with the largest count comes first, and all of its own callers come before the next caller.
    assert_eq!(shown(&rows[1]).0, 1);
    assert!(rows.iter().map(shown).any(|row| row.1 == "main" && row.0 > 4));
    assert!(rows.iter().all(|row| row["function"] != "__libc_start_main_impl"));
    // For a profile file, the answer is the same, but without METHODs.
    let alone = of(&profile("zlib"));
    let alone: Vec<_> = alone["rows"].as_array().unwrap().iter().map(shown).collect();
    assert_eq!(alone, rows.iter().map(shown).collect::<Vec<_>>());
    let table = varvite(&["heap", "callers", &graph, "zcalloc", "--depth", "1", "--limit", "4"]).text();
    assert!(
        table.lines().nth(1).unwrap().contains("100.0 %  zcalloc") && table.lines().count() == 5,
        "{table}"
    );
    assert!(
        table.lines().nth(2).unwrap().contains("    deflateInit2_  deflate.c:")
            || table.contains("  deflateInit2_"),
        "{table}"
    );
    varvite(&["heap", "callers", &graph, "zcaloc"]).fails(4, &["the profile has no function", "zcalloc"]);
}

#[test]
fn leaks_are_told_with_the_stacks_that_lead_there() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    let json = varvite(&["heap", "leaks", &graph, "--format", "json"]).json();
    let rows = json["rows"].as_array().unwrap();
    // This is the leak of main, which does not free every 50th block.
    assert_eq!(
        (&rows[0]["function"], &rows[0]["line"], &rows[0]["counts"]["calls"]),
        (&"deflate_block".into(), &13.into(), &200.into())
    );
    let first = &rows[0]["stacks"][0]["chain"][0];
    assert_eq!(
        (&first["function"], &first["line"], &first["loop"]["line"]),
        (&"main".into(), &34.into(), &31.into())
    );
    let bytes: i64 = rows.iter().map(|row| row["counts"]["leaked_bytes"].as_i64().unwrap()).sum();
    let totals = &json["totals"];
    assert_eq!(
        bytes,
        totals["leaked_bytes"].as_i64().unwrap() + totals["suppressed_bytes"].as_i64().unwrap()
    );
    let table = varvite(&["heap", "leaks", &graph]).text();
    let line = table.lines().nth(2).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(line, "303242 200 1 deflate_block zwork.c:13 main zwork.c:34");
    let alone = varvite(&["heap", "leaks", &profile("zlib"), "--format", "csv"]).text();
    assert!(alone.starts_with("leaked_bytes,calls,stacks,function,file,line,module,callers\n"), "{alone}");
}

#[test]
fn two_profiles_are_held_against_each_other() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    varvite(&["heap", "diff", &graph]).fails(2, &["--name", "--to"]);
    // The layer and the file are from the same run, so everything matches.
    let same = varvite(&["heap", "diff", &graph, &profile("zlib"), "--format", "json"]).json();
    assert_eq!((&same["matched"]["share"]["calls"], &same["rows_found"]), (&1.0.into(), &0.into()));
    let other = varvite(&["heap", "diff", &profile("zlib"), &profile("sqlite"), "--format", "json"]).json();
    assert!(other["matched"]["share"]["peak_bytes"].as_f64().unwrap() < 0.05);
    let change: i64 =
        other["rows"].as_array().unwrap().iter().map(|row| row["change"]["calls"].as_i64().unwrap()).sum();
    assert_eq!((change, &other["after"]["totals"]["calls"]), (4106 - 1812, &4106.into()));
    let table =
        varvite(&["heap", "diff", &graph, &profile("sqlite"), "--by", "backtrace", "--limit", "2"]).text();
    assert!(table.contains("in common backtraces: "), "{table}");
    assert_eq!(table.lines().count(), 6);
    // Compare two layers of one graph.
    varvite(&["import", "--into", &graph, &profile("sqlite"), "--name", "sqlite"]);
    let layers = varvite(&["heap", "diff", &graph, "--to", "sqlite", "--format", "json"]).json();
    assert_eq!(layers["matched"], other["matched"]);
}

#[test]
fn stacks_are_written_for_viewers() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    let collapsed = varvite(&["heap", "flame", &graph]).text();
    let values = collapsed.lines().map(|line| line.rsplit(' ').next().unwrap().parse::<i64>().unwrap());
    assert_eq!(values.sum::<i64>(), 1812);
    assert!(
        collapsed.contains(";main;deflate_block;compress2;compress2_z;deflateInit_;deflateInit2_;zcalloc ")
    );
    let (svg, html) = (folder.path("f.svg"), folder.path("f.html"));
    varvite(&["heap", "flame", &graph, "-o", &svg, "--sort", "peak"]).text();
    let drawing = fs::read_to_string(&svg).unwrap();
    assert!(drawing.starts_with("<svg xmlns=") && drawing.contains("<title>zcalloc: "), "{drawing}");
    varvite(&["heap", "flame", &graph, "-o", &svg]).fails(3, &["exists", "--force"]);
    varvite(&["heap", "flame", &profile("zlib"), "-o", &html]).text();
    assert!(fs::read_to_string(&html).unwrap().starts_with("<!doctype html>"));
    let (speedscope, pprof) = (folder.path("f.json"), folder.path("f.pb.gz"));
    varvite(&["heap", "flame", &graph, "-o", &speedscope]).text();
    let document: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&speedscope).unwrap()).unwrap();
    assert_eq!(document["profiles"][0]["endValue"], 1812);
    varvite(&["heap", "flame", &graph, "-o", &pprof]).text();
    assert!(fs::read(&pprof).unwrap().starts_with(&[0x1f, 0x8b]));
    varvite(&["heap", "flame", &graph, "-o", &graph, "--force"]).fails(2, &["names the graph itself"]);
}

/// Whatever was changed in a layer, every question gets an answer or an error.
#[test]
fn a_layer_that_was_changed_does_no_harm() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    let steps = varvite(&["find", &graph, "HEAP_STEP", "--format", "json", "--limit", "40"]).json();
    let steps: Vec<u64> =
        steps.as_array().unwrap().iter().map(|step| step["node"].as_u64().unwrap()).collect();
    let mut diff = String::new();
    for (number, step) in steps.iter().enumerate() {
        let other = steps[(number * 7 + 3) % steps.len()];
        let (property, value) = match number % 2 {
            0 => ("HEAP_CALLS", i64::MAX.to_string()),
            _ => ("HEAP_LEAKED_BYTES", i64::MIN.to_string()),
        };
        diff +=
            &format!("{{\"set\": {{\"node\": {step}, \"property\": \"{property}\", \"value\": {value}}}}}\n");
        diff += &format!(
            "{{\"add_edge\": {{\"label\": \"HEAP_CALLED_AT\", \"from\": {step}, \"to\": {other}}}}}\n"
        );
        diff += &format!("{{\"add_edge\": {{\"label\": \"HEAP_AT\", \"from\": {step}, \"to\": 0}}}}\n");
    }
    let path = folder.path("diff.jsonl");
    fs::write(&path, diff).unwrap();
    varvite(&["apply", &graph, &path]).text();
    for words in [
        "on-code --all",
        "on-code --in-loops",
        "top --all",
        "leaks --stacks 50",
        "flame",
        "flame --format svg --sort leaked",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let words = [&["heap", words[0], &graph], &words[1..]].concat();
        let answer = varvite(&words);
        assert!(!answer.output().is_empty(), "{words:?}");
        assert!(answer.errors().contains("layer heap: some sums pass 64 bits"), "{}", answer.errors());
    }
    for words in [["callers", &graph, "main"], ["diff", &graph, &profile("zlib")]] {
        let answer = varvite(&[&["heap"], &words[..]].concat());
        assert!(!answer.output().is_empty(), "{words:?}");
        assert!(answer.errors().contains("layer heap: some sums pass 64 bits"), "{}", answer.errors());
    }

    // If the steps (calls in stacks) do not form a tree, they have no sums.
    let (first, last) = (steps[0], steps[steps.len() - 1]);
    for (step, caller) in [(first, last), (last, last), (last, 0)] {
        let changed = folder.path("changed.varvite");
        fs::copy(&graph, &changed).unwrap();
        let set = format!(
            "{{\"set\": {{\"node\": {step}, \"property\": \"HEAP_PARENT\", \"value\": {{\"node\": {caller}}}}}}}\n"
        );
        fs::write(&path, set).unwrap();
        varvite(&["apply", &changed, &path]).text();
        for words in ["on-code", "top", "leaks", "flame", "timeline"] {
            varvite(&["heap", words, &changed])
                .fails(3, &["changed.varvite: the profile in layer heap is damaged"]);
        }
    }
}

#[test]
fn stacks_that_grow_with_the_square_of_a_recursion_are_refused_as_text() {
    let folder = Folder::new();
    let run = folder.path("run.heaptrack");
    // A function with a name of 40 letters calls itself 2,000 times and allocates each time. As text, its
    // stacks take 82 MB.
    let name = "f".repeat(40);
    let mut text = format!("v 10400 3\ns 28 {name}\ns 3 f.c\ns 1 m\ni 1 3 1 2 1\n");
    for call in 0..2000 {
        text += &format!("t 1 {call:x}\na 10 {:x}\n+ {call:x}\n", call + 1);
    }
    fs::write(&run, text).unwrap();
    for format in ["collapsed", "speedscope", "pprof"] {
        varvite(&["heap", "flame", &run, "--format", format])
            .fails(6, &["raise the limit with --expansion N"]);
    }
    let drawing = varvite(&["heap", "flame", &run, "--format", "svg"]);
    assert!(drawing.output().contains("<svg"), "{}", drawing.errors());
    assert_eq!(varvite(&["heap", "flame", &run, "--expansion", "2000"]).lines(), 2000);
}

#[test]
fn what_is_wrong_with_a_profile_is_told_in_a_line() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let before = fs::read(&graph).unwrap();
    let raw = folder.path("raw");
    fs::write(&raw, "v 10400 3\nx 4 main\n").unwrap();
    varvite(&["import", "--into", &graph, &raw]).fails(3, &["heaptrack_interpret", "line 2"]);
    fs::write(&raw, "v 10600 9\n").unwrap();
    varvite(&["import", "--into", &graph, &raw]).fails(3, &["version 9"]);
    let little = ["import", "--into", &graph, &profile("zlib"), "--memory", "4K"];
    varvite(&little).fails(6, &["budget of 4096 bytes", "--memory"]);
    assert_eq!(fs::read(&graph).unwrap(), before);
    // A profile of another program is accepted, with a warning.
    let other = varvite(&["import", "--into", &graph, &profile("sqlite"), "--name", "sqlite"]);
    assert!(other.errors().contains("it is of the same program"), "{}", other.errors());
    varvite(&["import", "--into", &graph, &profile("sqlite")])
        .fails(3, &["already has this profile, as layer heap/sqlite"]);
    varvite(&["heap", "top", &graph]).fails(2, &["--name", "sqlite"]);
}

#[test]
fn a_timeline_adds_up_to_what_the_whole_run_comes_to() {
    let folder = Folder::new();
    let graph = profiled(&folder);
    let whole = varvite(&["heap", "timeline", &graph, "--format", "json"]).json();
    let few = varvite(&["heap", "timeline", &graph, "--format", "json", "--intervals", "7"]).json();
    let of_file = varvite(&["heap", "timeline", &profile("zlib"), "--format", "json"]).json();
    assert_eq!(whole, of_file, "a layer has what its file has");
    assert_eq!(few["rows"].as_array().unwrap().len(), 7);
    for told in [&whole, &few] {
        let (rows, totals) = (told["rows"].as_array().unwrap(), &told["totals"]);
        let numbers =
            |name: &str| -> Vec<i64> { rows.iter().map(|row| row[name].as_i64().unwrap_or(0)).collect() };
        let total = |name: &str| totals[name].as_i64().unwrap();
        assert_eq!(numbers("calls").iter().sum::<i64>(), total("calls"));
        assert_eq!(numbers("peak_bytes").iter().max(), Some(&total("peak_bytes")));
        assert_eq!(numbers("resident_bytes").iter().max(), Some(&total("peak_resident_bytes")));
        let kept = total("leaked_bytes") + total("suppressed_bytes");
        assert_eq!(numbers("live_bytes").last(), Some(&kept));
        let (from, interval) = (numbers("from_ms"), told["interval_ms"].as_i64().unwrap());
        assert!(from.iter().zip(0..).all(|(ms, place)| *ms == place * interval));
    }
    let svg = folder.path("time.svg");
    varvite(&["heap", "timeline", &graph, "-o", &svg]).text();
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg "));
    varvite(&["heap", "timeline", &graph, "-o", &svg]).fails(3, &["exists"]);
    varvite(&["heap", "timeline", &graph, "-o", &graph]).fails(2, &["names the graph itself"]);
    let table = varvite(&["heap", "timeline", &graph]).text();
    assert!(table.lines().count() <= 45 && table.contains("live_bytes"), "{table}");
}

#[test]
fn two_builds_of_a_program_have_nearly_all_bytes_in_backtraces_that_match() {
    // At -O2, `zcalloc` is a jump to `malloc`, so no backtrace has it.
    let diff = varvite(&["heap", "diff", &profile("zlib"), &profile("zlib-O2"), "--format", "json"]).json();
    let (share, by) = (&diff["matched"]["share"], &diff["matched"]["by"]);
    for measure in ["calls", "peak_bytes", "leaked_bytes"] {
        assert!(share[measure].as_f64().unwrap() > 0.9, "{measure}: {share}");
    }
    assert!(by["frames"]["after"]["calls"].as_i64().unwrap() > 1000, "{by}");
}

#[test]
fn the_cause_of_churn_is_named_and_gone_after_the_repair() {
    let folder = Folder::new();
    let (graph, churn) = (folder.path("churn.varvite"), format!("{DATA}/../../../../examples/churn"));
    varvite(&["import", &format!("{churn}/churn.cpg.bin"), "-o", &graph]).text();
    for name in ["before", "after"] {
        let profile = format!("{churn}/{name}.heaptrack.zst");
        let answer = varvite(&["import", "--into", &graph, &profile, "--name", name]);
        // All allocations are made by a library that is not in the graph, but is called by METHODs in the
        // graph.
        assert!(!answer.errors().contains("almost none"), "{name}");
    }
    let rows = |name: &str, options: &[&str]| {
        let words = [&["heap", "on-code", &graph, "--name", name, "--format", "json"], options].concat();
        varvite(&words).json()["rows"].as_array().unwrap().clone()
    };
    let in_loops = |name| rows(name, &["--in-loops"]);
    let cause = &in_loops("before")[0];
    assert_eq!((&cause["code"], &cause["line"]), (&"client_new()".into(), &11.into()));
    assert_eq!((&cause["loop"]["file"], &cause["loop"]["line"]), (&"before/client.c".into(), &9.into()));
    assert!(cause["all"]["calls"].as_i64().unwrap() > 1_100_000, "{cause}");
    assert!(in_loops("after").iter().all(|row| row["code"] != "client_new()"));
    let made = |name| {
        let rows = rows(name, &["--all"]);
        let method = rows.iter().find(|row| row["kind"] == "METHOD" && row["name"] == "client_new").unwrap();
        method["all"]["calls"].as_i64().unwrap()
    };
    assert!(made("before") > 4 * made("after"));
    let diff =
        varvite(&["heap", "diff", &graph, "--name", "before", "--to", "after", "--format", "json"]).json();
    assert!(diff["matched"]["share"]["calls"].as_f64().unwrap() > 0.99, "{}", diff["matched"]);
}

#[test]
fn the_cause_of_churn_is_named_in_rust_too() {
    let folder = Folder::new();
    let (graph, rust) = (folder.path("rust.varvite"), format!("{DATA}/../../../../examples/churn/rust"));
    let tables = ["nodes.csv", "edges.csv"].map(|name| format!("{rust}/{name}"));
    let import = ["import", "--format", "neo4j-csv", "--tree", "AST", "-o", &graph];
    varvite(&[&import[..], &["--nodes", &tables[0], "--relationships", &tables[1]]].concat()).text();
    for name in ["before", "after"] {
        varvite(&["import", "--into", &graph, &format!("{rust}/{name}.heaptrack.zst"), "--name", name])
            .text();
    }
    let in_loops = |name| {
        let words = ["heap", "on-code", &graph, "--name", name, "--in-loops", "--format", "json"];
        varvite(&words).json()["rows"].as_array().unwrap().clone()
    };
    let cause = &in_loops("before")[0];
    assert_eq!((&cause["code"], &cause["line"]), (&"new_client(&server.certificate)".into(), &12.into()));
    let (file, line) = (&cause["loop"]["file"], &cause["loop"]["line"]);
    assert_eq!((file, line), (&"src/bin/before.rs".into(), &10.into()));
    assert!(in_loops("after").iter().all(|row| !row["code"].as_str().unwrap().starts_with("new_client")));
    // Some of the compiler's names have hashes, and some are mangled.
    let profile = format!("{rust}/before.heaptrack.zst");
    let callers = varvite(&["heap", "callers", &profile, "churn::new_client", "--format", "csv"]).text();
    assert!(callers.contains(",before::send_all,"), "{callers}");
    assert!(!varvite(&["heap", "top", &profile, "--format", "csv"]).text().contains("_R"));
    varvite(&["heap", "callers", &profile, "newclient"]).fails(4, &["the profile has no function"]);
}

#[test]
fn the_heap_at_a_moment_is_told_from_the_events_of_the_run() {
    let folder = Folder::new();
    let graph = graph(&folder);
    varvite(&["import", "--into", &graph, &profile("zlib")]).text();
    varvite(&["heap", "top", &graph, "--at", "100"]).fails(2, &["layer heap has only sums", "--events"]);
    let told = varvite(&["import", "--into", &graph, &profile("zlib"), "--events"]).text();
    assert!(told.contains(" 3,619 events kept."), "{told}");
    // At the peak, each function has the values that heaptrack reports for that moment.
    let json = |words: &[&str]| varvite(&[&["heap"], words, &[&graph, "--format", "json"]].concat()).json();
    let (peak, whole) = (json(&["top", "--at", "peak"]), json(&["top", "--sort", "peak"]));
    assert_eq!(peak["totals"]["live_bytes"], whole["totals"]["peak_bytes"]);
    let functions = |json: &serde_json::Value, measure: &str| -> Vec<(String, i64)> {
        let row =
            |row: &serde_json::Value| (row["function"].to_string(), row["own"][measure].as_i64().unwrap());
        json["rows"].as_array().unwrap().iter().map(row).collect()
    };
    assert_eq!(functions(&peak, "live_bytes"), functions(&whole, "peak_bytes"));
    assert_eq!((&peak["since_ms"], peak["at_ms"].as_u64().unwrap() < 2082), (&serde_json::Value::Null, true));
    // The growth between two moments, the leaks at a moment, and a drawing of the heap at that moment.
    let grown = json(&["top", "--at", "2081", "--since", "1000"]);
    let calls = |ms: &str| json(&["top", "--at", ms])["totals"]["calls"].as_i64().unwrap();
    assert_eq!(grown["totals"]["calls"].as_i64().unwrap(), calls("2081") - calls("1000"));
    let leaks = json(&["leaks", "--at", "2081"]);
    assert_eq!(
        leaks["rows"][0]["counts"]["live_bytes"],
        json(&["leaks"])["rows"][0]["counts"]["leaked_bytes"]
    );
    let on_code = json(&["on-code", "--at", "peak", "--sort", "live_bytes"]);
    assert_eq!(
        (&on_code["rows"][1]["name"], &on_code["rows"][1]["own"]["live_blocks"]),
        (&"fill".into(), &1.into())
    );
    let flame = varvite(&["heap", "flame", &graph, "--at", "peak"]).text();
    let sum: i64 = flame.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap()).sum();
    assert_eq!(peak["totals"]["live_bytes"], sum);
    let callers = varvite(&["heap", "callers", &graph, "zcalloc", "--at", "1000", "--format", "csv"]).text();
    assert!(callers.contains("live_bytes"), "{callers}");
    let table = varvite(&["heap", "top", &graph, "--at", "1000"]).text();
    assert!(table.lines().next().unwrap().ends_with("at 1000 ms of 2082 ms"), "{table}");
    let timeline = json(&["timeline", "--from", "1000", "--to", "1009", "--intervals", "5"]);
    assert_eq!((&timeline["interval_ms"], &timeline["rows"][4]["from_ms"]), (&2.into(), &1008.into()));
    for (words, told) in [
        (vec!["top", &graph, "--at", "2082"], "has no millisecond 2082: its last is 2081"),
        (vec!["top", &graph, "--at", "9", "--since", "10"], "millisecond 10 is not before 9"),
        (vec!["top", &graph, "--since", "10"], "--at"),
        (vec!["top", &graph, "--at", "noon"], "expected a number of milliseconds, or peak"),
        (vec!["timeline", &graph, "--from", "3000"], "has no millisecond"),
        (vec!["top", &profile("zlib"), "--at", "9"], "moments need a graph"),
    ] {
        varvite(&[vec!["heap"], words].concat()).fails(2, &[told]);
    }
    // The tree of calls, and the data of an answer, count against the memory limit.
    let little = varvite(&["heap", "top", &graph, "--memory", "8K"]);
    little.fails(6, &["bytes of memory are needed", "--memory"]);
}

/// A profile is read only once, from front to back.
#[cfg(unix)]
#[test]
fn a_profile_may_come_through_a_pipe() {
    let folder = Folder::new();
    let (graph, pipe) = (graph(&folder), folder.path("pipe"));
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let write = |bytes: Vec<u8>| {
        let pipe = pipe.clone();
        // If the reader stops early, the writer gets an error and ends.
        std::thread::spawn(move || _ = fs::write(pipe, bytes))
    };
    let bytes = fs::read(profile("zlib")).unwrap();
    for words in [vec!["import", "--into", &graph, &pipe, "--events"], vec!["heap", "top", &pipe]] {
        let writer = write(bytes.clone());
        let text = varvite(&words).text();
        assert!(text.contains("1,812 calls"), "{text}");
        writer.join().unwrap();
    }
    for words in [vec!["import", "--into", &graph, &pipe], vec!["heap", "top", &pipe]] {
        let writer = write(b"\x89VVTRACE".to_vec());
        varvite(&words).fails(3, &["this pipe contains no profile"]);
        writer.join().unwrap();
    }
    let writer = write(b"main;f 3\n".to_vec());
    varvite(&["import", "--into", &graph, &pipe, "--events"])
        .fails(2, &["only heaptrack profiles have events"]);
    writer.join().unwrap();
}

#[test]
fn sizes_of_allocations_come_to_what_the_run_comes_to() {
    let folder = Folder::new();
    let graph = graph(&folder);
    varvite(&["import", "--into", &graph, &profile("zlib")]).text();
    varvite(&["heap", "sizes", &graph]).fails(2, &["has only sums", "--events"]);
    varvite(&["heap", "sizes", &profile("zlib")]).fails(2, &["--events"]);
    varvite(&["import", "--into", &graph, &profile("zlib"), "--events"]).text();
    let told = varvite(&["heap", "sizes", &graph, "--format", "json"]).json();
    let (rows, totals) = (told["rows"].as_array().unwrap(), &told["totals"]);
    let sum = |name: &str| rows.iter().map(|row| row[name].as_i64().unwrap()).sum::<i64>();
    let total = |name: &str| totals[name].as_i64().unwrap();
    assert_eq!((sum("calls"), sum("temporary")), (total("calls"), total("temporary")));
    assert_eq!(sum("live_bytes"), total("leaked_bytes") + total("suppressed_bytes"));
    let ends =
        rows.iter().map(|row| (row["from_bytes"].as_i64().unwrap(), row["to_bytes"].as_i64().unwrap()));
    assert!(ends.clone().zip(ends.skip(1)).all(|((_, end), (begin, _))| end < begin), "{told}");
    let table = varvite(&["heap", "sizes", &graph]).text();
    assert!(table.contains("from_bytes") && table.lines().count() == rows.len() + 2, "{table}");
}

#[test]
fn numbers_come_before_paths_in_tables() {
    for words in [&["heap", "top"][..], &["heap", "top", "--by", "place"], &["heap", "top", "--by", "module"]]
    {
        let table = varvite(&[words, &[&profile("zlib")]].concat()).text();
        let head = table.lines().nth(1).unwrap();
        let place = |name: &str| head.find(name).unwrap_or_else(|| panic!("{name} in {head}"));
        assert!(place("all_peak_bytes") < place("module"), "{head}");
    }
}

#[test]
fn a_drawing_says_what_it_has_no_room_for() {
    let folder = Folder::new();
    let (file, svg) = (folder.path("deep.folded"), folder.path("deep.svg"));
    fs::write(&file, format!("{}leaf 1234\nmain;a 5\n", "f;".repeat(1100))).unwrap();
    let drawn = varvite(&["heap", "flame", &file, "-o", &svg]);
    let told = "1,234 samples of stacks deeper than 1,024 calls: the drawing omits deeper calls";
    assert!(drawn.errors().contains(told), "{}", drawn.errors());
    let drawing = fs::read_to_string(&svg).unwrap();
    assert!(drawing.contains(told) && drawing.contains("1,239 samples"), "{drawing}");
    // Collapsed stacks contain all calls.
    assert!(varvite(&["heap", "flame", &file]).output().contains(";leaf 1234\n"));
}
