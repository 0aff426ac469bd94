//! Tests of `varvite query` and `varvite explain`, on the plans in `examples/plans`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;

use serde_json::{Value as Json, json};

use crate::command::{Answer, Folder, command, expected, send, top_call_names, varvite, zlib};

/// The plans in the repository, each with the columns of its rows.
const PLANS: [(&str, &[&str]); 47] = [
    ("after_free", &NODES),
    ("allocations_in_loops", &NODES),
    ("allocations_not_freed", &NODES),
    ("arguments", &["path", "nodes"]),
    ("assignments_in_conditions", &NODES),
    ("call_names", &["NAME", "count"]),
    ("callees", &["FULL_NAME"]),
    ("callers", &NODES),
    ("callers_within_three", &["FULL_NAME", "depth"]),
    ("calls_of_files", &["FILENAME", "count"]),
    ("computed_allocation_sizes", &NODES),
    ("computed_indexes", &NODES),
    ("conditions_of_returns", &["CODE"]),
    ("copies_in_loops", &NODES),
    ("count", &["count"]),
    ("dangerous_calls", &NODES),
    ("deepest_nesting", &["node", "depth", "file", "line", "method"]),
    ("entry_points", &NODES),
    ("external_functions", &["NAME", "count"]),
    ("fields_accessed", &["CANONICAL_NAME", "count"]),
    ("flows", &FLOWS),
    ("format_strings", &NODES),
    ("globals_written", &NODES),
    ("gotos", &NODES),
    ("identifier_names", &["NAME", "count"]),
    ("indirect_calls", &NODES),
    ("labels", &["label", "count"]),
    ("largest_methods", &["node", "count", "file", "line", "method"]),
    ("largest_switches", &["node", "count", "file", "line", "method"]),
    ("last_lines", &["node", "LINE_NUMBER", "file", "line", "method"]),
    ("lines_of_files", &["FILENAME", "min_LINE_NUMBER", "max_LINE_NUMBER"]),
    ("local_types", &["TYPE_FULL_NAME", "count"]),
    ("long_texts", &["CODE", "count"]),
    ("longest_parameter_lists", &["node", "count", "file", "line", "method"]),
    ("magic_numbers", &["CODE", "count"]),
    ("most_called", &["FULL_NAME", "count"]),
    ("names_of_files", &NODES),
    ("narrowing_casts", &NODES),
    ("never_called", &NODES),
    ("parameters_as_lengths", &NODES),
    ("reach", &["node", "depth", "NAME", "FILENAME", "file", "line", "method"]),
    ("returns_of_methods", &["node", "count", "file", "line", "method"]),
    ("stack_buffers", &["node", "NAME", "TYPE_FULL_NAME", "file", "line", "method"]),
    ("switches_without_default", &NODES),
    ("unchecked_allocations", &NODES),
    ("unused_results", &NODES),
    ("variadic_methods", &NODES),
];

/// Plans about constructs that zlib does not have. SQLite has 51 allocations in loops and 37 writes to
/// globals.
const WITHOUT_ROWS: [&str; 3] = ["after_free", "allocations_in_loops", "globals_written"];

/// Columns of nodes.
const NODES: [&str; 10] =
    ["node", "label", "NAME", "FULL_NAME", "FILENAME", "LINE_NUMBER", "CODE", "file", "line", "method"];

/// The columns of edges, including the location of each end.
const FLOWS: [&str; 10] = [
    "edge",
    "source",
    "target",
    "VARIABLE",
    "source_file",
    "source_line",
    "source_method",
    "target_file",
    "target_line",
    "target_method",
];

fn path_of(plan: &str) -> String {
    format!("{}/../../examples/plans/{plan}.json", env!("CARGO_MANIFEST_DIR"))
}

fn query(plan: &str, more: &[&str]) -> Answer {
    varvite(&[&["query", zlib(), &path_of(plan)], more].concat())
}

/// The answer to a plan on standard input.
fn ask(steps: &str, more: &[&str]) -> Answer {
    send(&format!("{{\"version\": 1, \"steps\": [{steps}]}}"), &[&["query", zlib(), "-"], more].concat())
}

#[test]
fn every_plan_of_the_examples_is_tested() {
    let files = fs::read_dir(path_of("").trim_end_matches(".json")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<String> = names.filter(|name| name.ends_with(".json")).collect();
    assert_eq!(names, PLANS.map(|(name, _)| format!("{name}.json")).into());
}

#[test]
fn rows_of_every_kind_are_the_same_in_every_format() {
    for (plan, columns) in PLANS {
        let json = query(plan, &["--format", "json"]).json();
        let rows = json.as_array().unwrap();
        assert_eq!(rows.is_empty(), WITHOUT_ROWS.contains(&plan), "{plan}");
        let lines = query(plan, &["--format", "jsonl"]).text();
        assert!(
            lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap()).eq(rows.clone()),
            "{plan}"
        );
        let csv = query(plan, &["--format", "csv"]).text();
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        assert_eq!(reader.headers().unwrap(), columns.to_vec(), "{plan}");
        let plain = |cell: &Json| match cell {
            Json::Null => String::new(),
            Json::String(text) => text.clone(),
            other => other.to_string(),
        };
        for (record, row) in reader.records().map(Result::unwrap).zip(rows) {
            let cells: Vec<String> = columns.iter().map(|column| plain(&row[column])).collect();
            assert_eq!(record, cells, "{plan}");
        }
        let table = query(plan, &[]).text();
        // A table shows paths with a line for each node.
        let count = rows.iter().map(|row| row["nodes"].as_array().map_or(1, Vec::len)).sum::<usize>();
        assert_eq!(table.lines().count(), 1 + count, "{plan}");
    }
}

#[test]
fn an_answer_without_rows_has_its_columns_all_the_same() {
    let none =
        r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "has", "property": "NAME", "is": {"eq": "?"}}"#;
    for (end, columns) in [
        (
            r#", {"step": "columns", "columns": ["itself", {"property": "NAME"}]}"#,
            "node,NAME,file,line,method",
        ),
        (r#", {"step": "values", "property": "ORDER"}"#, "ORDER"),
        (r#", {"step": "out", "labels": ["AST"]}, {"step": "path"}"#, "path,nodes"),
        (r#", {"step": "out_edges", "labels": ["CFG"]}"#, &FLOWS.join(",")),
        ("", "node,label,NAME,FULL_NAME,FILENAME,LINE_NUMBER,CODE,file,line,method"),
    ] {
        let steps = format!("{none}{end}");
        assert_eq!(ask(&steps, &["--format", "csv"]).text(), format!("{columns}\n"));
        assert_eq!(ask(&steps, &["--format", "json"]).text(), "[]\n");
    }
}

#[test]
fn answers_are_those_of_flatgraph() {
    let facts = expected();
    let mut by_label = serde_json::Map::new();
    for row in query("labels", &["--format", "json"]).json().as_array().unwrap() {
        by_label.insert(row["label"].as_str().unwrap().to_owned(), row["count"].clone());
    }
    assert_eq!(Json::Object(by_label), facts["traversals"]["ast_descendants_by_label"]);
    let names = query("callees", &["--format", "json"]).column("FULL_NAME");
    let chars: usize = names.iter().map(|name| name.as_str().unwrap().encode_utf16().count()).sum();
    assert_eq!(json!(chars), facts["traversals"]["callee_full_name_chars"]);
    assert_eq!(json!(names.len()), facts["edge_triples"]["CALL CALL METHOD"]);
    let groups =
        r#"{"step": "nodes", "labels": ["CALL"]}, {"step": "group_count", "by": {"property": "NAME"}}"#;
    let groups = ask(groups, &["--format", "json"]).json();
    for [name, count] in top_call_names() {
        let row = groups.as_array().unwrap().iter().find(|row| row["NAME"] == name);
        assert_eq!(row.unwrap()["count"], count, "{name}");
    }
}

#[test]
fn plans_of_the_examples_answer_what_loops_do() {
    // These counts were computed once by loops over all nodes and edges, independent of plans.
    let rows = [
        ("after_free", 0),
        ("allocations_not_freed", 7),
        ("assignments_in_conditions", 4),
        ("callers_within_three", 51),
        ("computed_indexes", 83),
        ("conditions_of_returns", 326),
        ("copies_in_loops", 10),
        ("dangerous_calls", 39),
        ("fields_accessed", 157),
        ("gotos", 60),
        ("indirect_calls", 27),
        ("never_called", 89),
        ("parameters_as_lengths", 41),
        ("switches_without_default", 1),
        ("unused_results", 9),
    ];
    for (plan, count) in rows {
        let found = query(plan, &["--format", "json"]).json();
        assert_eq!(found.as_array().unwrap().len(), count, "{plan}");
    }
    let first_rows = [
        ("deepest_nesting", "19099,15,"),
        ("external_functions", "in,15"),
        ("identifier_names", "s,1746"),
        ("largest_methods", "23697,4724,"),
        ("largest_switches", "23848,33,"),
        ("returns_of_methods", "5196,18,"),
    ];
    for (plan, row) in first_rows {
        let found = query(plan, &["--format", "csv"]).text();
        assert!(found.lines().nth(1).unwrap().starts_with(row), "{plan}: {found}");
    }
}

#[test]
fn edges_have_what_flatgraph_says() {
    let facts = expected();
    let text = ask(r#"{"step": "edges", "labels": ["REACHING_DEF"]}"#, &["--format", "jsonl"]).text();
    let of_label =
        |(name, count): (&String, &Json)| name.starts_with("REACHING_DEF ").then(|| count.as_u64().unwrap());
    let triples: u64 = facts["edge_triples"].as_object().unwrap().iter().filter_map(of_label).sum();
    assert_eq!(text.lines().count() as u64, triples);
    let with_value = text.lines().filter(|line| !line.contains("\"VARIABLE\": null")).count();
    assert_eq!(json!(with_value), facts["edge_properties"]["REACHING_DEF"]["present"]);
}

#[test]
fn answers_are_those_of_plain_loops() {
    let graph = varvite::Graph::open(zlib()).unwrap();
    let (name, code) = (graph.property("NAME").unwrap(), graph.property("CODE").unwrap());
    let calls = graph.nodes("CALL").unwrap();
    let with_strm = calls.iter().filter(|call| code.str(*call).is_some_and(|code| code.contains("strm")));
    assert_eq!(query("count", &["--format", "json"]).column("count"), [json!(with_strm.count())]);

    // The test walks from memcpy to its callers, level by level.
    let (sources, parents) = (graph.in_("CALL").unwrap(), graph.in_("AST").unwrap());
    let methods = graph.nodes("METHOD").unwrap();
    let method_of = |node: u32| {
        let above = std::iter::successors(parents.first(node), |above| parents.first(*above));
        above.into_iter().find(|above| methods.contains(*above))
    };
    let start = methods.iter().find(|method| name.str(*method).as_deref() == Some("memcpy")).unwrap();
    let (mut level, mut depth_of) = (vec![start], BTreeMap::from([(start, 0)]));
    for depth in 1.. {
        let above = level.iter().flat_map(|method| sources.neighbors(*method)).filter_map(method_of);
        let new: BTreeSet<u32> = above.filter(|method| !depth_of.contains_key(method)).collect();
        depth_of.extend(new.iter().map(|method| (*method, depth)));
        level = new.into_iter().collect();
        if level.is_empty() {
            break;
        }
    }
    depth_of.remove(&start);
    let rows = query("reach", &["--format", "json"]).json();
    let found = rows.as_array().unwrap().iter();
    let found = found.map(|row| (row["node"].as_u64().unwrap() as u32, row["depth"].as_u64().unwrap()));
    assert!(depth_of.values().any(|depth| *depth > 2));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), depth_of);
}

#[test]
fn a_side_is_shown_instead_of_the_results() {
    let steps = r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "side", "name": "methods"}, {"step": "in", "labels": ["CALL"]},
        {"step": "columns", "columns": ["label", {"property": "LINE_NUMBER"}]}, {"step": "side", "name": "lines"}, {"step": "count"}"#;
    let facts = expected();
    let side = |name: &str| ask(steps, &["--side", name, "--format", "jsonl"]).text();
    let methods = side("methods");
    assert_eq!(methods.lines().count() as u64, facts["labels"]["METHOD"].as_u64().unwrap());
    assert!(methods.lines().all(|line| line.contains(r#""label": "METHOD""#)), "{methods}");
    let calls = ask(steps, &["--format", "jsonl"]).text();
    assert_eq!(calls, format!("{{\"count\": {}}}\n", side("lines").lines().count()));
    let first =
        ask(steps, &["--side", "methods", "--columns", "NAME", "--limit", "1", "--format", "csv"]).text();
    assert_eq!(first.lines().count(), 2, "{first}");
    ask(steps, &["--side", "method"])
        .fails(2, &["the plan has no step `side` with the name given by --side"]);
}

#[test]
fn parameters_of_a_plan_are_given_on_the_command_line() {
    let plan = r#"{"version": 1, "parameters": {"names": "texts", "most": "integer"}, "steps": [
        {"step": "nodes", "labels": ["METHOD"]}, {"step": "has", "property": "NAME", "is": {"one_of": {"param": "names"}}},
        {"step": "values", "property": "NAME"}, {"step": "limit", "count": {"param": "most"}}]}"#;
    let asked = |params: &[&str]| {
        let params = params.iter().flat_map(|param| ["--param", param]);
        let arguments: Vec<&str> =
            ["query", zlib(), "-", "--format", "csv"].into_iter().chain(params).collect();
        send(plan, &arguments)
    };
    let names = asked(&["names=inflate", "most=9", "names=deflate"]).text();
    assert_eq!(names.lines().collect::<BTreeSet<_>>(), BTreeSet::from(["NAME", "deflate", "inflate"]));
    assert_eq!(asked(&["names=inflate", "most=0"]).text(), "NAME\n");
    assert_eq!(asked(&["names=a=b\"}]", "most=1"]).text(), "NAME\n", "whatever is behind the first =");
    asked(&["most=1"]).fails(2, &["standard input: the parameter \"names\" has no value"]);
    asked(&["most=1", "names=x", "nmes=y"]).fails(2, &["no parameter \"nmes\"; the nearest is \"names\""]);
    asked(&["most=one", "names=x"]).fails(2, &["\"most\" is declared as integer, found the text \"one\""]);
    asked(&["most"]).fails(2, &["expected NAME=VALUE"]);
    send(plan, &["explain", zlib(), "-", "--param", "names=inflate", "--param", "most=1"]).text();
}

#[test]
fn a_limit_gives_the_first_rows() {
    for (plan, _) in PLANS {
        let all = query(plan, &["--format", "jsonl"]).text();
        for limit in [0, 1, 3] {
            let some = query(plan, &["--format", "jsonl", "--limit", &limit.to_string()]).text();
            assert!(some.lines().eq(all.lines().take(limit)), "{plan}");
        }
    }
}

#[test]
fn the_user_chooses_what_is_shown_of_nodes() {
    let text = query("callers", &["--columns", "IS_EXTERNAL,NAME", "--format", "csv", "--limit", "1"]).text();
    assert_eq!(text, "node,IS_EXTERNAL,NAME\n34238,false,_tr_stored_block\n");
    query("callers", &["--columns", "NAMES"]).fails(4, &["no property \"NAMES\"", "nearest is \"NAME\""]);
    query("count", &["--columns", "NAME"]).fails(2, &["no column \"NAME\" here: there are count"]);
}

#[test]
fn a_profile_goes_to_standard_error_and_says_what_each_step_took() {
    let answer = query("callers", &["--profile", "--format", "jsonl"]);
    let (rows, profile) = (answer.lines(), answer.errors());
    let lines: Vec<&str> = profile.lines().collect();
    assert!(lines[0].starts_with("step ") && lines[0].ends_with("bytes"), "{profile}");
    assert_eq!(lines.len(), 1 + 5, "{profile}");
    let last: Vec<&str> = lines[5].split_whitespace().collect();
    assert_eq!(last[last.len() - 3], rows.to_string(), "{profile}");
}

#[test]
fn explain_says_how_a_plan_is_run_and_uses_the_index_where_there_is_one() {
    let folder = Folder::new();
    let file = folder.import("graph", "compact");
    let explain = |more: &[&str]| varvite(&[&["explain", &file, &path_of("reach")], more].concat());
    let text = explain(&[]).text();
    assert!(
        text.lines()
            .nth(1)
            .unwrap()
            .contains("1-2 nodes, has          bitmap scan on METHOD, filter NAME (equal)"),
        "{text}"
    );
    varvite(&["index", &file, "--add", "NAME"]).text();
    let lines = explain(&["--format", "json"]).json();
    assert_eq!(lines[0]["step"], "1-2 nodes, has");
    assert_eq!(lines[0]["operator"], "index lookup on NAME");
    assert!(lines[0]["rows_expected"].as_f64().unwrap() >= 1.0, "{lines}");
    assert_eq!((&lines[2]["step"], &lines[2]["depth"]), (&json!("3.1 in"), &json!(1)));
    assert_eq!(explain(&["--format", "csv"]).lines(), 1 + lines.as_array().unwrap().len());
}

#[test]
fn a_plan_that_is_none_is_refused_with_the_place() {
    let refused = |plan: &str, words: &[&str]| send(plan, &["query", zlib(), "-"]).fails(2, words);
    refused(
        "",
        &["standard input: not a plan", "line 1, column 1: expected a plan", "found the end; docs/plan.md"],
    );
    refused(
        "{\"version\": 1,\n \"steps\": [{]}",
        &["not a plan: line 2, column 13 (step 1): expected the name of a field in quotes, or }"],
    );
    refused("[]", &["not a plan"]);
    refused("{\"version\": 2, \"steps\": []}", &["version 2", "reads version 1"]);
    refused("{\"version\": 1, \"steps\": []}", &["step 1 (nodes)", "the pipeline is empty"]);
    refused("{\"version\": 1, \"steps\": [{\"step\": \"walk\"}]}", &["step 1 (walk): unknown step"]);
    let folder = Folder::new();
    let file = folder.path("plan.json");
    fs::write(&file, "{\"version\": 1, \"steps\": [{\"step\": \"limit\"}]}").unwrap();
    for command in ["query", "explain"] {
        varvite(&[command, zlib(), &file])
            .fails(2, &["plan.json: not a plan: step 1 (limit): the field \"count\" is missing"]);
    }
    fs::write(&file, [b'{', 0xff]).unwrap();
    varvite(&["query", zlib(), &file]).fails(3, &["plan.json: cannot be read", "UTF-8"]);
    varvite(&["query", zlib(), &folder.path("none")]).fails(3, &["none: cannot be read"]);
    fs::write(&file, " ".repeat((256 << 20) + 1)).unwrap();
    varvite(&["query", zlib(), &file, "--memory", "1G"])
        .fails(2, &["the plan is longer than 268435456 bytes"]);
}

#[test]
fn a_step_that_does_not_fit_the_graph_is_named() {
    let nodes = r#"{"step": "nodes", "labels": ["METHOD"]}"#;
    let refused = |step: &str, code, words: &[&str]| ask(&format!("{nodes}, {step}"), &[]).fails(code, words);
    ask(r#"{"step": "nodes", "labels": ["METHODS"]}"#, &[])
        .fails(4, &["step 1 (nodes)", "no label \"METHODS\"", "nearest is \"METHOD\"", "varvite info"]);
    refused(
        r#"{"step": "out", "labels": ["CAL"]}"#,
        4,
        &["step 2 (out)", "no edge label \"CAL\"", "\"CALL\""],
    );
    refused(
        r#"{"step": "values", "property": "NAM"}"#,
        4,
        &["step 2 (values)", "no property \"NAM\"", "\"NAME\""],
    );
    refused(r#"{"step": "has_id", "ids": [44073]}"#, 4, &["step 2 (has_id)", "no node 44073", "0 to 44072"]);
    let has = |is: &str| format!("{{\"step\": \"has\", \"property\": \"NAME\", \"is\": {{{is}}}}}");
    refused(&has("\"gt\": 3"), 2, &["step 2 (has)", "NAME holds string", "gt (>) compares numbers"]);
    refused(&has("\"regex\": \"mem(\""), 2, &["step 2 (has)", "does not compile", "unclosed group"]);
    refused(
        &has(r#""regex": "(\\w{1000}){1000}""#),
        2,
        &["step 2 (has)", "more than 2097152 bytes compiled"],
    );
    refused(r#"{"step": "source"}"#, 2, &["step 2 (source)", "needs edges"]);
}

#[test]
fn a_query_that_needs_too_much_or_never_ends_is_stopped() {
    let sorted = r#"{"step": "nodes"}, {"step": "order", "by": {"property": "NAME"}}"#;
    let words = &["step 2 (order)", "the budget is 65536", "--memory"];
    ask(sorted, &["--memory", "64K"]).fails(6, words);
    assert_eq!(ask(sorted, &["--memory", "64M", "--format", "jsonl"]).lines(), 44073);
    // Columns that a query decodes count against its memory limit. If the file is not mapped, these are all
    // the columns that the query reads.
    ask(sorted, &["--memory", "64K", "--buffered"]).fails(6, &["bytes", "the budget is", "--memory"]);
    ask(sorted, &["--memory", "much"]).fails(2, &["--memory", "such as 4096, 64M or 2G"]);
    ask(sorted, &["--memory", "99999999999T"]).fails(2, &["--memory"]);
    // Control flow has loops, so without dedup the walk would never end.
    let walk = r#"{"step": "nodes", "labels": ["METHOD"]}, {"step": "has", "property": "NAME", "is": {"eq": "adler32_z"}},
        {"step": "repeat", "body": [{"step": "out", "labels": ["CFG"]}], "emit": "all"}, {"step": "count"}"#;
    ask(walk, &["--memory", "16M"]).fails(6, &["step 3 (repeat)", "never end: add times, until or dedup"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_query() {
    use std::os::unix::process::ExitStatusExt;
    // The number of paths through a function doubles at every branch, so this query would run for hours.
    let walk = r#"{"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "repeat", "times": 400,
        "body": [{"step": "out", "labels": ["CFG"]}]}, {"step": "count"}]}"#;
    let folder = Folder::new();
    let plan = folder.path("plan.json");
    fs::write(&plan, walk).unwrap();
    let mut query = command();
    if cfg!(target_os = "linux") {
        // A shell without job control makes background processes ignore interrupts. `env` restores the
        // default.
        query = std::process::Command::new("env");
        query.arg("--default-signal=INT").arg(command().get_program());
    }
    let mut child = query.args(["query", zlib(), &plan]).stdout(Stdio::null()).spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(2), "it was still at work, and is gone");
    assert_eq!(folder.files().len(), 1, "nothing is left behind");
}

#[test]
fn a_plan_can_stand_on_the_command_line() {
    let plan = r#" {"version": 1, "steps": [{"step": "nodes", "labels": ["METHOD"]}, {"step": "count"}]}"#;
    let count = varvite(&["query", zlib(), plan, "--format", "csv"]).text();
    assert_eq!(count, send(plan, &["query", zlib(), "-", "--format", "csv"]).text());
    assert!(varvite(&["explain", zlib(), plan]).text().contains("count"));
    let with = r#"{"version": 1, "parameters": {"n": "integer"}, "steps": [{"step": "nodes"}, {"step": "limit", "count": {"param": "n"}}, {"step": "count"}]}"#;
    assert!(varvite(&["query", zlib(), with, "--param", "n=3", "--format", "csv"]).text().ends_with("3\n"));
    varvite(&["query", zlib(), "{\"version\": 2}"]).fails(2, &["the plan: the plan has version 2"]);
}
