//! Tests of `varvite source`, of `--source` of imports, and of `--with-source` of exports.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::command::{CONTENT, Folder, ZLIB, varvite};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");
const FILES: [&str; 4] = ["main.c", "runs.c", "shapes.h", "squares.c"];

/// The graph of a small program in four files.
fn shapes() -> String {
    format!("{DATA}/shapes.cpg.bin")
}

/// A folder with the files of the program.
fn sources(folder: &Folder) -> String {
    let path = folder.path("src");
    fs::create_dir(&path).unwrap();
    FILES.iter().for_each(|name| _ = fs::copy(format!("{DATA}/{name}"), format!("{path}/{name}")).unwrap());
    path
}

/// A graph without sources, and the folder with its files.
fn bare(folder: &Folder) -> (String, String) {
    let (graph, sources) = (folder.path("shapes.varvite"), sources(folder));
    varvite(&["import", &shapes(), "-o", &graph]).text();
    (graph, sources)
}

/// A graph with sources, and the folder with its files.
fn sourced(folder: &Folder) -> (String, String) {
    let (graph, sources) = bare(folder);
    varvite(&["source", "add", &graph, &sources]).text();
    (graph, sources)
}

/// The summary of `source add`.
fn add(graph: &str, sources: &str) -> Json {
    let answer = varvite(&["source", "add", graph, sources, "--format", "json"]);
    serde_json::from_slice(&answer.status_and_output().1).unwrap()
}

/// CONTENT of the FILE with this name.
fn content(graph: &str, name: &str) -> Json {
    let words = ["find", graph, "FILE", &format!("NAME={name}"), "--columns", "CONTENT", "--format", "json"];
    varvite(&words).column("CONTENT")[0].clone()
}

#[test]
fn the_text_of_each_file_is_in_content_of_its_file_node() {
    let folder = Folder::new();
    for profile in ["direct", "compact", "archive"] {
        let (graph, sources) = (folder.path(profile), format!("{DATA}/."));
        varvite(&["import", &shapes(), "-o", &graph, "--profile", profile]).text();
        let summary = add(&graph, &sources);
        assert_eq!((&summary["files"], &summary["found"]), (&json!(6), &json!(4)), "{summary}");
        assert_eq!(summary["placeholders"], 2);
        for name in FILES {
            let text = fs::read_to_string(format!("{DATA}/{name}")).unwrap();
            assert_eq!(content(&graph, name), text, "{profile} {name}");
        }
        assert_eq!(content(&graph, "<unknown>"), "<empty>");
        varvite(&["verify", &graph]).text();
    }
}

#[test]
fn an_import_with_sources_equals_an_import_and_a_later_addition() {
    let folder = Folder::new();
    let (graph, sources) = sourced(&folder);
    let whole = folder.path("whole.varvite");
    let answer = varvite(&["import", &shapes(), "-o", &whole, "--source", &sources, "--report", "json"]);
    let summary: Json = serde_json::from_slice(&answer.status_and_output().1).unwrap();
    assert_eq!(summary["sources"]["found"], 4);
    assert_eq!(summary["file_bytes"], fs::metadata(&whole).unwrap().len());
    assert!(fs::read(&whole).unwrap() == fs::read(&graph).unwrap());
    assert_eq!(folder.files().len(), 3, "{:?}", folder.files());
}

#[test]
fn a_second_addition_replaces_the_first() {
    let folder = Folder::new();
    let (graph, sources) = sourced(&folder);
    let squares = format!("{sources}/squares.c");
    let changed = fs::read_to_string(&squares).unwrap() + "/* later */\n";
    fs::write(&squares, &changed).unwrap();
    varvite(&["source", "add", &graph, &sources]).text();
    assert_eq!(content(&graph, "squares.c"), changed);
    let layers = varvite(&["layers", &graph, "--format", "json"]).column("layer");
    assert_eq!(layers.iter().filter(|layer| **layer == "source").count(), 1);
    varvite(&["verify", &graph]).text();
}

#[test]
fn a_dropped_layer_leaves_the_graph_as_it_was() {
    let folder = Folder::new();
    let (graph, sources) = bare(&folder);
    let before = fs::read(&graph).unwrap();
    let digest = varvite(&["digest", &graph]).text();
    varvite(&["source", "add", &graph, &sources]).text();
    assert_ne!(varvite(&["digest", &graph]).text(), digest);
    varvite(&["drop-layer", &graph, "source"]).text();
    assert_eq!(varvite(&["digest", &graph]).text(), digest);
    varvite(&["compact", &graph]).text();
    assert!(fs::read(&graph).unwrap() == before);
}

#[test]
fn sources_stay_compressed_in_a_compacted_file() {
    let folder = Folder::new();
    let (graph, _) = sourced(&folder);
    let (plain, diff) = (folder.path("plain.varvite"), folder.path("diff.jsonl"));
    varvite(&["compact", &graph, "-o", &plain]).text();
    // A graph with changes is written anew, column by column.
    fs::write(&diff, "{\"set\": {\"node\": 0, \"property\": \"ORDER\", \"value\": 7}}\n").unwrap();
    varvite(&["apply", &graph, &diff]).text();
    varvite(&["compact", &graph]).text();
    for file in [&plain, &graph] {
        let text = fs::read_to_string(format!("{DATA}/main.c")).unwrap();
        assert_eq!(content(file, "main.c"), text);
        assert!(varvite(&["source", file, "main"]).text().contains("int main("));
        varvite(&["verify", file]).text();
    }
    let len = |file: &str| fs::metadata(file).unwrap().len();
    assert!(len(&graph).abs_diff(len(&plain)) < 4096, "{} {}", len(&graph), len(&plain));
}

#[test]
fn a_function_is_shown_with_its_lines() {
    let folder = Folder::new();
    let (graph, _) = sourced(&folder);
    let text = fs::read_to_string(format!("{DATA}/squares.c")).unwrap();
    let rows = ["find", &graph, "METHOD", "NAME=sum_of_squares", "IS_EXTERNAL=false", "--format", "json"];
    let columns = ["--columns", "LINE_NUMBER,LINE_NUMBER_END"];
    let row = varvite(&[&rows[..], &columns[..]].concat()).json()[0].clone();
    let line = |name: &str| row[name].as_u64().unwrap() as usize;
    let (first, last) = (line("LINE_NUMBER"), line("LINE_NUMBER_END"));
    let answer = varvite(&["source", &graph, "sum_of_squares", "--format", "json"]).json();
    assert_eq!((&answer["file"], &answer["first_line"]), (&json!("squares.c"), &json!(first)));
    assert_eq!((&answer["node"], &answer["last_line"]), (&row["node"], &json!(last)));
    let expected: Vec<&str> = text.lines().skip(first - 1).take(last + 1 - first).collect();
    let lines: Vec<&str> =
        answer["lines"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(lines, expected);
    let table = varvite(&["source", &graph, "sum_of_squares"]).text();
    assert!(table.starts_with(&format!("squares.c:{first}  sum_of_squares\n")), "{table}");
    assert_eq!(table.lines().count(), 1 + expected.len());
    let csv = varvite(&["source", &graph, "sum_of_squares", "--format", "csv"]).text();
    assert!(csv.starts_with(&format!("line,text\n{first},")), "{csv}");
}

#[test]
fn a_line_is_shown_with_the_function_around_it_or_with_its_neighbours() {
    let folder = Folder::new();
    let (graph, _) = sourced(&folder);
    let function = varvite(&["source", &graph, "sum_of_squares", "--format", "json"]).json();
    let inside = function["first_line"].as_u64().unwrap() + 1;
    let answer = varvite(&["source", &graph, &format!("squares.c:{inside}")]).text();
    assert!(answer.lines().any(|line| line.starts_with(&format!(">{inside:>2}  "))), "{answer}");
    assert!(answer.starts_with(&format!("squares.c:{}", function["first_line"])), "{answer}");
    let around = varvite(&["source", &graph, "shapes.h:1", "--format", "json"]).json();
    assert_eq!((&around["node"], &around["first_line"]), (&Json::Null, &json!(1)));
    varvite(&["source", &graph, "squares.c:9999"]).fails(4, &["squares.c has fewer lines", "9999"]);
    varvite(&["source", &graph, "square.c:3"]).fails(4, &["no FILE named \"square.c\"", "squares.c"]);
    varvite(&["source", &graph, "no_such_function"]).fails(4, &["no METHOD named"]);
}

#[test]
fn a_name_of_several_files_lists_them() {
    let folder = Folder::new();
    let (tables, graph) = (folder.path("nodes.csv"), folder.path("two.varvite"));
    fs::write(&tables, ":ID,NAME,:LABEL\n1,a/x.c,FILE\n2,b/x.c,FILE\n3,y.c,FILE\n").unwrap();
    varvite(&["import", "--nodes", &tables, "-o", &graph]).text();
    for name in ["a/x.c", "b/x.c"] {
        fs::create_dir_all(Path::new(&folder.path(name)).parent().unwrap()).unwrap();
        fs::write(folder.path(name), "same\n").unwrap();
    }
    let summary = add(&graph, &folder.path(""));
    let names = ["found", "missing", "repeated", "same_names", "text_bytes"];
    assert_eq!(names.map(|name| summary[name].as_u64().unwrap()), [2, 1, 1, 2, 5]);
    varvite(&["source", &graph, "x.c:1"]).fails(4, &["2 FILE nodes have the name \"x.c\"", "a/x.c", "b/x.c"]);
    assert!(varvite(&["source", &graph, "b/x.c:1"]).text().starts_with("b/x.c:1\n>1  same\n"));
}

/// A graph with FILEs of these names, made from a table.
fn graph_of(folder: &Folder, names: &[&str]) -> String {
    let (tables, graph) = (folder.path("nodes.csv"), folder.path("files.varvite"));
    let rows: Vec<String> =
        names.iter().enumerate().map(|(id, name)| format!("{id},{name},FILE\n")).collect();
    fs::write(&tables, format!(":ID,NAME,:LABEL\n{}", rows.concat())).unwrap();
    varvite(&["import", "--nodes", &tables, "-o", &graph]).text();
    graph
}

/// Runs a command, and returns the most memory that it had resident, in bytes, and its exit code.
#[cfg(target_os = "linux")]
fn most_resident(words: &[&str]) -> (u64, i32) {
    let measure = "import resource, subprocess, sys\n\
        code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode\n\
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, code)";
    let mut python = std::process::Command::new("python3");
    let output = python.args(["-c", measure, env!("CARGO_BIN_EXE_varvite")]).args(words).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (kilobytes, code) = text.trim().split_once(' ').unwrap();
    (kilobytes.parse::<u64>().unwrap() << 10, code.parse().unwrap())
}

/// The file has 131,072 lines. If each FILE had the offsets of its lines, 40 million numbers would be kept.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_20000_nodes_name_costs_its_size_once() {
    let folder = Folder::new();
    let src = folder.path("src");
    fs::create_dir(&src).unwrap();
    fs::write(format!("{src}/a.c"), "\n".repeat(131_071) + "last\n").unwrap();
    let name = |number: usize| "./".repeat(number) + "a.c";
    let names: Vec<String> = (0..20_000).map(|number| name(number % 7)).chain([name(9)]).collect();
    let graph = graph_of(&folder, &names.iter().map(String::as_str).collect::<Vec<_>>());
    let (bytes, code) = most_resident(&["source", "add", &graph, &src, "--memory", "16M"]);
    assert_eq!(code, 0);
    assert!(bytes < 64 << 20, "{bytes} bytes");
    assert!(fs::metadata(&graph).unwrap().len() < 2 << 20);
    let shown = varvite(&["source", &graph, &format!("{}:131072", name(9))]).text();
    assert!(shown.ends_with(">131072  last\n"), "{shown}");
    varvite(&["verify", &graph]).text();
}

#[cfg(unix)]
#[test]
fn every_file_node_is_counted_once() {
    let folder = Folder::new();
    let src = folder.path("src");
    fs::create_dir_all(format!("{src}/lib")).unwrap();
    fs::write(folder.path("secret"), "secret").unwrap();
    fs::write(format!("{src}/plain.c"), "int a;\n").unwrap();
    fs::write(format!("{src}/crlf.c"), "int a;\r\nint b;\r\n").unwrap();
    fs::write(format!("{src}/mark.c"), "\u{feff}int c;\n").unwrap();
    fs::write(format!("{src}/latin.c"), b"/* \xfc */\n").unwrap();
    fs::write(format!("{src}/huge.c"), vec![b'x'; 2 << 20]).unwrap();
    fs::write(format!("{src}/empty.c"), "").unwrap();
    std::os::unix::fs::symlink("../secret", format!("{src}/link.c")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(format!("{src}/pipe.c")).status().unwrap().success());
    let absolute = format!("{src}/plain.c");
    let names = [
        "plain.c",
        &absolute,
        "crlf.c",
        "mark.c",
        "latin.c",
        "huge.c",
        "empty.c",
        "link.c",
        "pipe.c",
        "lib",
        "../secret",
        "/etc/passwd",
        "gone.c",
        "<empty>",
        "<unknown>",
        "<includes>",
    ];
    let graph = graph_of(&folder, &names);
    let words = ["source", "add", &graph, &src, "--memory", "4M", "--format", "json"];
    let summary: Json = serde_json::from_slice(&varvite(&words).status_and_output().1).unwrap();
    let count = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!((count("files"), count("found"), count("placeholders")), (16, 6, 3), "{summary}");
    assert_eq!((count("missing"), count("outside"), count("not_files")), (1, 3, 2), "{summary}");
    assert_eq!((count("too_large"), count("unreadable")), (1, 0), "{summary}");
    assert_eq!((count("with_crlf"), count("with_byte_order_mark"), count("not_utf8")), (1, 1, 1));
    assert_eq!(count("repeated"), 1, "{summary}");
    assert_eq!(content(&graph, "crlf.c"), "int a;\r\nint b;\r\n");
    assert_eq!(content(&graph, "mark.c"), "int c;\n");
    assert_eq!(content(&graph, "latin.c"), "/* \u{fffd} */\n");
    assert_eq!(content(&graph, &absolute), "int a;\n");
    assert_eq!((content(&graph, "empty.c"), content(&graph, "link.c")), (json!(""), Json::Null));
    varvite(&["verify", &graph]).text();
}

#[test]
fn a_folder_that_does_not_fit_changes_nothing() {
    let folder = Folder::new();
    let (graph, sources) = bare(&folder);
    let before = fs::read(&graph).unwrap();
    let add = |sources: &str| varvite(&["source", "add", &graph, sources]);
    add(&folder.path("")).fails(3, &["none of the 4 files", "main.c", "the frontend read"]);
    add(&folder.path("nowhere")).fails(3, &["nowhere cannot be read as a folder of sources"]);
    add(&graph).fails(3, &["cannot be read as a folder of sources"]);
    FILES.iter().for_each(|name| fs::write(format!("{sources}/{name}"), "int x;\n").unwrap());
    add(&sources).fails(3, &["do not match the graph", "beyond the end of their file", "--anyway"]);
    assert!(fs::read(&graph).unwrap() == before);
    let whole = folder.path("whole.varvite");
    varvite(&["import", &shapes(), "-o", &whole, "--source", &sources]).fails(3, &["do not match the graph"]);
    assert_eq!(folder.files().len(), 2, "{:?}", folder.files());
    let answer = varvite(&["source", "add", &graph, &sources, "--anyway"]).errors();
    assert!(answer.contains("beyond the end of their file"), "{answer}");
    varvite(&["source", &graph, "sum_of_squares"]).fails(4, &["has fewer lines than the graph says"]);
}

#[test]
fn a_graph_that_came_with_its_sources_needs_no_others() {
    let folder = Folder::new();
    let graph = folder.path("content.varvite");
    varvite(&["import", CONTENT, "-o", &graph]).text();
    varvite(&["source", "add", &graph, DATA]).fails(3, &["4 FILE nodes have their text", "layer code"]);
    let answer = varvite(&["source", &graph, "adler32_combine_", "--format", "json"]).json();
    let text = content(&graph, "adler32.c");
    let first = answer["first_line"].as_u64().unwrap() as usize;
    let line = text.as_str().unwrap().lines().nth(first - 1).unwrap().to_owned();
    assert_eq!(answer["lines"][0]["text"], line);
}

#[test]
fn a_graph_without_sources_says_how_to_add_them() {
    let folder = Folder::new();
    let graph = folder.import("zlib.varvite", "compact");
    varvite(&["source", &graph, "inflate"]).fails(4, &["no sources", "varvite source add"]);
    varvite(&["source"]).fails(2, &[]);
    let table = folder.path("t.csv");
    fs::write(&table, ":ID,:LABEL\n1,X\n").unwrap();
    let other = folder.path("t.varvite");
    varvite(&["import", "--nodes", &table, "-o", &other, "--source", DATA]).fails(2, &["--source is for"]);
    varvite(&["import", "--nodes", &table, "-o", &other]).text();
    varvite(&["source", "add", &other, DATA]).fails(3, &["no FILE nodes"]);
}

#[test]
fn part_of_the_files_is_enough() {
    let folder = Folder::new();
    let (given, src) = (folder.path("content.varvite"), folder.path("src"));
    varvite(&["import", CONTENT, "-o", &given]).text();
    fs::create_dir(&src).unwrap();
    for name in ["adler32.c", "compress.c", "uncompr.c"] {
        fs::write(format!("{src}/{name}"), content(&given, name).as_str().unwrap()).unwrap();
    }
    let graph = folder.path("zlib.varvite");
    let answer = varvite(&["import", ZLIB, "-o", &graph, "--source", &src]);
    assert!(answer.errors().contains("texts of 3 of 29 FILEs (2 placeholders, 24 missing)"));
    assert!(varvite(&["source", &graph, "adler32_combine_"]).text().starts_with("adler32.c:"));
    varvite(&["source", &graph, "inflate"]).fails(4, &["no source of inflate.c"]);
}

#[test]
fn exports_have_the_sources_only_if_asked() {
    let folder = Folder::new();
    let (graph, _) = sourced(&folder);
    let export = |name: &str, format: &str, more: &[&str]| {
        let path = folder.path(name);
        let words = ["export", &graph, "-o", &path, "--format", format];
        varvite(&[&words[..], more].concat()).text();
        path
    };
    let back = |path: &str| {
        let graph = format!("{path}.varvite");
        varvite(&["import", path, "-o", &graph]).text();
        graph
    };
    let bare = folder.path("bare.varvite");
    varvite(&["import", &shapes(), "-o", &bare]).text();
    let without = back(&export("without.bin", "flatgraph", &[]));
    assert_eq!(varvite(&["facts", &without]).text(), varvite(&["facts", &bare]).text());
    let with = back(&export("with.bin", "flatgraph", &["--with-source"]));
    let text = fs::read_to_string(format!("{DATA}/main.c")).unwrap();
    assert_eq!((content(&with, "main.c"), content(&with, "<unknown>")), (json!(text), json!("<empty>")));
    let schema = varvite(&["schema", &with, "FILE"]).text();
    assert!(schema.contains("CONTENT") && !schema.contains("CONTENT_LINES"), "{schema}");
    let document = fs::read_to_string(export("without.graphml", "graphml", &[])).unwrap();
    // A comment is in the source, and in no CODE.
    let comment = "another function of this name";
    assert!(!document.contains(comment) && !document.contains("CONTENT_LINES"));
    let document = fs::read_to_string(export("with.graphml", "graphml", &["--with-source"])).unwrap();
    assert!(document.contains(comment) && !document.contains("CONTENT/code"));
}

#[test]
fn control_characters_of_a_source_never_reach_a_terminal() {
    let folder = Folder::new();
    let graph = graph_of(&folder, &["x.c"]);
    fs::write(folder.path("x.c"), "\tint a;\n\u{1b}]0;title\u{7}\r\n\u{202e}b\u{c}\n").unwrap();
    varvite(&["source", "add", &graph, &folder.path("")]).errors();
    let text = varvite(&["source", &graph, "x.c:2"]).text();
    assert_eq!(text, "x.c:1\n 1  \tint a;\n>2  \\u{1b}]0;title\\u{7}\n 3  \\u{202e}b\\u{c}\n");
}

#[test]
fn a_second_writer_names_the_holder_of_the_graph() {
    let folder = Folder::new();
    let (graph, sources) = bare(&folder);
    let vfs = std::sync::Arc::new(varvite_store::vfs::RealVfs);
    let _held = varvite_store::FileChange::begin(vfs, Path::new(&graph)).unwrap();
    varvite(&["source", "add", &graph, &sources]).fails(3, &["is being written by process"]);
}

#[test]
fn a_name_of_several_functions_lists_them() {
    let folder = Folder::new();
    let (graph, _) = sourced(&folder);
    varvite(&["source", &graph, "~step"]).fails(4, &["2 METHOD nodes", "runs.c:6", "squares.c:6"]);
    let node = varvite(&["source", &graph, "squares.c:7", "--format", "json"]).json()["node"].clone();
    assert!(varvite(&["source", &graph, &node.to_string()]).text().starts_with("squares.c:6  step"));
}

/// Sizes and times differ from machine to machine, so of an import only the remark is compared.
#[cfg(unix)]
#[test]
fn the_answers_are_those_of_the_guide() {
    let folder = Folder::new();
    let graph = folder.path("shapes.varvite");
    let commands = crate::guide::commands_of(include_str!("../../../docs/guide/source.md"));
    let [(import, imported), questions @ ..] = &commands[..] else { panic!("{commands:?}") };
    let run = |command: &str| crate::guide::run(&command.replace("shapes.varvite", "zlib.varvite"), &graph);
    let remark = run(import).lines().next().unwrap().replace(&graph, "shapes.varvite");
    assert_eq!(remark, imported[0]);
    assert_eq!(questions.len(), 3);
    for (command, expected) in questions {
        assert_eq!(run(command).lines().collect::<Vec<_>>(), *expected, "{command}");
    }
}
