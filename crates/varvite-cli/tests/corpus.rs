//! Commands over many graphs: a folder or a pattern in place of a file, and `varvite corpus`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use varvite_codec::hash;
use varvite_testing::code_graph::{CodeFunction, CodeGraph};

use crate::command::{Folder, send, varvite};
use crate::guide::{ROOT, commands_of};
use crate::recovery::lose_second;

/// Writes graphs `corpus/0000.varvite` and so on. Each has a function `own_N` that calls `shared` twice; the
/// last one defines `shared`.
fn graphs(folder: &Folder, count: usize) -> String {
    let root = folder.path("corpus");
    fs::create_dir_all(format!("{root}/deep")).unwrap();
    for number in 0..count {
        let name = if number + 1 == count { "shared".to_owned() } else { format!("own_{number}") };
        write(&format!("{root}/{number:04}.varvite"), &name);
    }
    root
}

fn write(path: &str, name: &str) {
    let calls: &[(&str, &str)] = if name == "shared" { &[] } else { &[("shared", "1"), ("shared", "22")] };
    let function = CodeFunction { name, line: 3, calls, ..CodeFunction::default() };
    CodeGraph { language: "NEWC", source: "own.c", functions: &[function] }.write(Path::new(path));
}

fn make_newer(path: &str) {
    let mut bytes = fs::read(path).unwrap();
    bytes[16] += 1;
    let sum = hash(&bytes[..64], 0);
    bytes[64..72].copy_from_slice(&sum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_folder_and_a_pattern_answer_with_the_graph_first() {
    let folder = Folder::new();
    let root = graphs(&folder, 3);
    fs::rename(format!("{root}/0001.varvite"), format!("{root}/deep/b.varvite")).unwrap();
    let query = "cpg.call.code.l";
    let expected = format!(
        "graph,code\n{root}/0000.varvite,shared(1)\n{root}/0000.varvite,shared(22)\n\
         {root}/deep/b.varvite,shared(1)\n{root}/deep/b.varvite,shared(22)\n"
    );
    let with_title = |text: String| text.replacen(text.lines().next().unwrap(), "graph,code", 1);
    for words in [root.clone(), format!("{root}/**/*.varvite")] {
        for threads in ["1", "3"] {
            let text = varvite(&["ask", &words, query, "--format", "csv", "--threads", threads]).text();
            assert_eq!(with_title(text), expected, "{words}");
        }
    }
    let shallow = varvite(&["ask", &format!("{root}/*.varvite"), query, "--format", "jsonl"]).text();
    assert_eq!(shallow.lines().count(), 2);
    let row: serde_json::Value = serde_json::from_str(shallow.lines().next().unwrap()).unwrap();
    assert_eq!(row["graph"], format!("{root}/0000.varvite"));
}

#[test]
fn one_file_answers_as_before() {
    let folder = Folder::new();
    let root = graphs(&folder, 2);
    let one = format!("{root}/0000.varvite");
    let text = varvite(&["ask", &one, "cpg.call.code.l", "--format", "csv"]).text();
    assert!(!text.contains("graph") && text.lines().count() == 3, "{text}");
    assert_eq!(varvite(&["ask", &one, "cpg.call.size"]).text(), "2\n");
    assert!(varvite(&["find", &one, "METHOD", "--order-by", "NAME"]).code() == 0);
}

#[test]
fn values_are_a_line_for_each_graph() {
    let folder = Folder::new();
    let root = graphs(&folder, 3);
    let rows = varvite(&["ask", &root, "cpg.call.size", "--format", "json"]).json();
    let values: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["value"].as_i64().unwrap()).collect();
    assert_eq!(values, [2, 2, 0]);
    let text = varvite(&["ask", &root, "cpg.method.name.head"]).text();
    assert_eq!(text.lines().count(), 4);
    assert!(text.starts_with("graph") && text.contains("own_1"), "{text}");
}

#[test]
fn find_and_callers_take_many_graphs() {
    let folder = Folder::new();
    let root = graphs(&folder, 4);
    let found = varvite(&["find", &root, "METHOD", "NAME~own.*", "--format", "json"]).column("NAME");
    assert_eq!(found, ["own_0", "own_1", "own_2"]);
    let limited = varvite(&["find", &root, "METHOD", "NAME~own.*", "--limit", "2", "--format", "json"]);
    assert_eq!(limited.column("NAME"), ["own_0", "own_1"]);
    // The graph that defines `shared` calls nothing, which is a note.
    let callers = varvite(&["callers", &root, "shared", "--format", "csv"]).text_beside_notes();
    let counts = ["own_0", "own_1", "own_2"].map(|name| callers.matches(&format!(",{name},")).count());
    assert_eq!((counts, callers.lines().count()), ([2; 3], 7), "{callers}");
    let none = varvite(&["find", &root, "METHOD", "NAME=nobody", "--format", "json"]).text();
    assert_eq!(none, "[]\n");
}

#[test]
fn a_name_that_some_graphs_lack_is_a_note_and_one_that_all_lack_an_error() {
    let folder = Folder::new();
    let root = graphs(&folder, 3);
    let some = varvite(&["callers", &root, "own_1"]);
    assert!(some.errors().starts_with("varvite: note: 2 of 3 graphs have no rows: "), "{}", some.errors());
    some.text_beside_notes();
    varvite(&["callers", &root, "nobody"]).fails(4, &["nobody"]);
    varvite(&["find", &root, "METOD"]).fails(4, &["METOD"]);
    varvite(&["find", &root, "METHOD", "NAME==x"]).fails(2, &["NAME==x"]);
}

#[test]
fn files_that_fail_are_named_at_the_end_and_the_rest_is_answered() {
    let folder = Folder::new();
    let root = graphs(&folder, 9);
    let path = |number: usize| format!("{root}/{number:04}.varvite");
    make_newer(&path(2));
    fs::write(path(5), "no graph").unwrap();
    let answer = varvite(&["ask", &root, "cpg.call.size", "--format", "json"]);
    assert_eq!(answer.code(), 3);
    let errors = answer.errors();
    let lines: Vec<&str> = errors.lines().collect();
    assert!(
        lines.len() == 3 && lines[0].contains("0002.varvite") && lines[1].contains("0005.varvite"),
        "{errors}"
    );
    assert!(lines[2].contains("2 of 9 files failed"), "{errors}");
    let rows: serde_json::Value = serde_json::from_str(answer.output()).unwrap();
    assert_eq!(rows.as_array().unwrap().len(), 7);
    varvite(&["ask", &root, "cpg.call.size", "--strict"]).fails(3, &["0002.varvite", "format version 2"]);
}

/// Commits a METHOD to a graph, and loses the commit.
fn lose_commit(path: &str) {
    let diff = r#"{"add_node": {"labels": ["METHOD"], "properties": {"NAME": "added"}}}"#;
    send(diff, &["apply", path, "-"]).text();
    lose_second(path);
}

#[test]
fn a_limit_that_is_reached_hides_no_failure_of_its_file() {
    let folder = Folder::new();
    let root = graphs(&folder, 2);
    lose_commit(&format!("{root}/0000.varvite"));
    for threads in ["1", "2"] {
        let found = varvite(&["find", &root, "METHOD", "--limit", "2", "--threads", threads]);
        assert!(found.output().contains("own_0"), "{}", found.output());
        found.fails(3, &["0000.varvite", "commit 2, the newest, is damaged", "1 of 2 files failed"]);
    }
}

#[test]
fn a_limit_that_is_reached_counts_its_file_as_answered() {
    let folder = Folder::new();
    let root = graphs(&folder, 2);
    let options = varvite::write::NewGraphOptions::new().if_exists(varvite::IfExists::Replace);
    let mut graph = options.create(format!("{root}/0000.varvite")).unwrap();
    graph.add_node(&["FILE"]).unwrap();
    graph.finish().unwrap();
    for threads in ["1", "2"] {
        let words = ["find", &root, "METHOD", "--limit", "1", "--columns", "NAME", "--threads", threads];
        let found = varvite(&[&words[..], &["--format", "csv"]].concat());
        assert!(found.errors().contains("1 of 2 graphs have no rows"), "{}", found.errors());
        assert_eq!(found.text_beside_notes(), format!("graph,node,NAME\n{root}/0001.varvite,1,shared\n"));
    }
}

#[test]
fn a_property_of_another_type_fails_one_file_wherever_it_stands() {
    let folder = Folder::new();
    let [root, index] = ["corpus", "index.varvite"].map(|name| folder.path(name));
    fs::create_dir(&root).unwrap();
    let write = |name: &str, value: varvite::change::NewValue| {
        let options = varvite::write::NewGraphOptions::new().if_exists(varvite::IfExists::Replace);
        let mut graph = options.create(format!("{root}/{name}")).unwrap();
        let node = graph.add_node(&["N"]).unwrap();
        graph.set(node, "P", value).unwrap();
        graph.finish().unwrap();
    };
    let find = |more: &[&str]| varvite(&[&["find", &root, "*", "P>5", "--format", "csv"], more].concat());
    for (text, number) in [("a.varvite", "b.varvite"), ("b.varvite", "a.varvite")] {
        write(text, "text".into());
        write(number, 7i64.into());
        let found = find(&[]);
        assert!(found.output().contains(&format!("{root}/{number},")), "{}", found.output());
        let message = found.fails(3, &[&format!("{root}/{text}: "), "P>5", "1 of 2 files failed"]);
        assert_eq!(message.lines().count(), 2, "{message}");
        find(&["--strict"]).fails(2, &[&format!("{root}/{text}: ")]);
    }
    ["a.varvite", "b.varvite"].into_iter().for_each(|name| write(name, "text".into()));
    assert_eq!(find(&[]).fails(2, &["P>5"]).lines().count(), 1);
    let deep = format!("{root}/{}", "d/".repeat(66));
    fs::create_dir_all(deep).unwrap();
    varvite(&["corpus", "index", &root, "-o", &index, "--strict"]).fails(3, &["cannot read the folder"]);
    assert!(!Path::new(&index).exists());
}

#[test]
fn words_without_graphs_and_options_for_one_graph_are_one_line() {
    let folder = Folder::new();
    let root = graphs(&folder, 2);
    let fails = |words: &[&str], code, text: &str| {
        let message = varvite(words).fails(code, &[text]);
        assert_eq!(message.lines().count(), 1, "{message}");
    };
    fails(&["ask", &format!("{root}/*.graph"), "cpg.all.size"], 3, "no file matches");
    fails(&["find", &format!("{root}/deep"), "METHOD"], 3, "has no .varvite file");
    fails(&["callers", &format!("{root}/[a.varvite"), "f"], 2, "is not a pattern");
    fails(&["find", &root, "METHOD", "--order-by", "NAME"], 2, "--order-by is for one graph");
    fails(&["find", &root, "METHOD", "--explain"], 2, "--explain is for one graph");
    fails(&["ask", &root, "cpg.all", "--profile"], 2, "--profile is for one graph");
}

#[test]
fn graphs_without_the_columns_of_the_first_have_nulls_and_extra_columns_are_named() {
    let folder = Folder::new();
    let root = graphs(&folder, 2);
    let extra = format!("{root}/0001.varvite");
    let mut graph =
        varvite::write::NewGraphOptions::new().if_exists(varvite::IfExists::Replace).create(&extra).unwrap();
    let method = graph.add_node(&["METHOD"]).unwrap();
    graph.set(method, "CODE", "only code").unwrap();
    graph.finish().unwrap();
    let csv = varvite(&["find", &root, "METHOD", "--format", "csv"]);
    assert_eq!(csv.output().lines().count(), 4);
    let last = csv.output().lines().last().unwrap().to_owned();
    assert!(last.contains("0001.varvite,0,"), "{last}");
    let jsonl = varvite(&["find", &root, "METHOD", "--format", "jsonl"]);
    let last: serde_json::Value = serde_json::from_str(jsonl.output().lines().last().unwrap()).unwrap();
    assert!(last["CODE"] == "only code" && last.get("NAME").is_none(), "{last}");
}

#[test]
fn an_index_links_names_and_answers_as_a_graph() {
    let folder = Folder::new();
    let root = graphs(&folder, 6);
    let index = format!("{root}/corpus.varvite");
    let summary = varvite(&["corpus", "index", &root, "-o", &index, "--format", "json"]).json();
    assert_eq!([&summary["graphs"], &summary["read"], &summary["linked"]], [6, 6, 5]);
    let again = varvite(&["corpus", "index", &root, "-o", &index]).text();
    assert!(
        again.contains("6 graphs (0 read, 6 unchanged); 6 functions, 5 names used from elsewhere"),
        "{again}"
    );
    let linked =
        varvite(&["find", &index, "METHOD", "CANDIDATES=1", "--columns", "GRAPH", "--format", "json"]);
    assert_eq!(linked.column("GRAPH").len(), 5);
    let files = varvite(&["ask", &index, "cpg.file.name.l", "--format", "json"]).json();
    assert_eq!(files.as_array().unwrap().len(), 6);
    assert_eq!(varvite(&["verify", &index]).code(), 0);
}

#[test]
fn an_index_names_the_files_that_fail() {
    let folder = Folder::new();
    let root = graphs(&folder, 4);
    make_newer(&format!("{root}/0001.varvite"));
    let index = folder.path("corpus.varvite");
    let answer = varvite(&["corpus", "index", &root, "-o", &index]);
    assert!(answer.output().contains("4 graphs (3 read, 1 failed)"), "{}", answer.output());
    answer.fails(3, &["0001.varvite", "1 of 4 files failed"]);
    let strict = folder.path("strict.varvite");
    varvite(&["corpus", "index", &root, "-o", &strict, "--strict"]).fails(3, &["0001.varvite"]);
    assert!(!Path::new(&strict).exists());
    varvite(&["corpus", "index", &root, "-o", &format!("{root}/0000.varvite")])
        .fails(2, &["is not an index"]);
}

#[test]
fn clones_are_groups_with_their_places() {
    let folder = Folder::new();
    let root = graphs(&folder, 3);
    let index = folder.path("corpus.varvite");
    varvite(&["corpus", "index", &root, "-o", &index]).text();
    let rows = varvite(&["corpus", "clones", &index, "--min-lines", "4", "--format", "json"]).json();
    let shown: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| (row["group"].clone(), row["function"].clone())).collect();
    assert_eq!(shown, [(1.into(), "own_0".into()), (1.into(), "own_1".into())]);
    assert_eq!(varvite(&["corpus", "clones", &index, "--min-lines", "5", "--format", "json"]).text(), "[]\n");
    varvite(&["corpus", "clones", &format!("{root}/0000.varvite")]).fails(2, &["is not an index"]);
}

/// Renames the variables and parameters of a graph of C.
fn rename_variables(path: &str) {
    let mut diff = String::new();
    for label in ["IDENTIFIER", "LOCAL", "METHOD_PARAMETER_IN", "METHOD_PARAMETER_OUT"] {
        let rows = varvite(&["find", path, label, "--columns", "NAME,CODE", "--format", "json"]).json();
        for row in rows.as_array().unwrap() {
            let (node, name) = (&row["node"], row["NAME"].as_str().unwrap());
            let code = row["CODE"].as_str().unwrap_or_default().replace(name, &format!("new_{name}"));
            for (property, value) in [("NAME", format!("new_{name}")), ("CODE", code)] {
                let set = serde_json::json!({"node": node, "property": property, "value": value});
                diff += &format!("{}\n", serde_json::json!({ "set": set }));
            }
        }
    }
    send(&diff, &["apply", path, "-"]).text();
}

#[test]
fn near_clones_are_copies_with_renamed_variables() {
    let folder = Folder::new();
    let [one, other, index] = ["corpus/a.varvite", "corpus/b.varvite", "index"].map(|name| folder.path(name));
    fs::create_dir(folder.path("corpus")).unwrap();
    varvite(&["import", &format!("{ROOT}/examples/data/zlib.cpg.bin"), "-o", &one]).text();
    fs::copy(&one, &other).unwrap();
    rename_variables(&other);
    varvite(&["corpus", "index", &folder.path("corpus"), "-o", &index]).text();
    let list = |near: &[&str]| {
        let words = ["corpus", "clones", &index, "--min-lines", "5", "--format", "json"];
        varvite(&[&words[..], near].concat()).json()
    };
    let long = |row: &&serde_json::Value| {
        let line = |name: &str| row[name].as_i64().unwrap_or(0);
        // Code that preprocessing removed has no tokens.
        row["SKETCH"].is_string() && line("LINE_NUMBER_END") - line("LINE_NUMBER") >= 4
    };
    let columns = "FULL_NAME,SKETCH,LINE_NUMBER,LINE_NUMBER_END";
    let methods = varvite(&["find", &index, "METHOD", "--columns", columns, "--format", "json"]).json();
    let names = methods.as_array().unwrap().iter().filter(long).map(|row| row["FULL_NAME"].as_str());
    let planted = names.collect::<BTreeSet<_>>().len();
    let near = list(&["--near"]);
    let mut groups: BTreeMap<u64, Vec<(&str, &str)>> = BTreeMap::new();
    for row in near.as_array().unwrap() {
        let member = (row["function"].as_str().unwrap(), row["graph"].as_str().unwrap());
        groups.entry(row["group"].as_u64().unwrap()).or_default().push(member);
        assert!(row["likeness"].as_f64().unwrap() >= 0.8);
    }
    let is_found = |members: &[(&str, &str)], name: &str| {
        [&one, &other].iter().all(|graph| members.contains(&(name, graph.as_str())))
    };
    let (mut found, mut wrong) = (0, 0);
    for members in groups.values() {
        let names: BTreeSet<&str> = members.iter().map(|(name, _)| *name).collect();
        found += names.iter().filter(|name| is_found(members, name)).count();
        wrong += names.len() - 1;
    }
    assert!(planted > 100 && 100 * found >= 95 * planted, "{found} of {planted}");
    assert!(100 * wrong <= 2 * planted, "{wrong} of {planted}: {groups:?}");
    // Few functions have no variable.
    assert!(list(&[]).as_array().unwrap().len() < planted);
    varvite(&["corpus", "clones", &index, "--near=0.4"]).fails(2, &["a number from 0.5 to 1"]);
}

#[test]
fn a_corpus_is_listed_with_sizes_and_failures() {
    let folder = Folder::new();
    let root = graphs(&folder, 3);
    let rows = varvite(&["corpus", "open", &root, "--format", "json"]).json();
    assert_eq!(rows.as_array().unwrap().len(), 3);
    assert_eq!(rows[0]["version"], 1);
    assert!(rows[0]["nodes"].as_u64().unwrap() > 5 && rows[0]["bytes"].as_u64().unwrap() > 4096);
    fs::write(format!("{root}/0001.varvite"), "").unwrap();
    varvite(&["corpus", "open", &root]).fails(3, &["0001.varvite", "1 of 3 files failed"]);
}

/// A line without the duration at its end, which differs from run to run.
fn without_seconds(line: &str) -> &str {
    let line = line.trim_end();
    let ended = line.strip_suffix(" s").and_then(|line| line.rsplit_once(", "));
    ended.filter(|(_, seconds)| seconds.parse::<f64>().is_ok()).map_or(line, |(rest, _)| rest)
}

#[test]
fn the_walk_of_the_examples_prints_what_the_guide_shows() {
    let folder = Folder::new();
    let mut walk = Command::new("sh");
    walk.arg(format!("{ROOT}/examples/corpus/walk.sh")).arg(folder.path("walk"));
    let output = walk.env("VARVITE", env!("CARGO_BIN_EXE_varvite")).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    let commands = commands_of(include_str!("../../../docs/guide/corpus.md"));
    assert!(commands.len() > 10);
    let lines = commands.iter().flat_map(|(command, answer)| {
        std::iter::once(format!("$ {command}")).chain(answer.iter().map(|line| line.to_string()))
    });
    let expected: Vec<String> = lines.map(|line| without_seconds(&line).to_owned()).collect();
    assert_eq!(printed.lines().map(without_seconds).collect::<Vec<_>>(), expected);
}

#[test]
fn clones_say_what_was_not_compared() {
    let folder = Folder::new();
    let root = graphs(&folder, 5);
    let index = folder.path("corpus.varvite");
    let list = || varvite(&["corpus", "clones", &index, "--min-lines", "4", "--format", "json"]);
    // The first METHOD has the first id after META_DATA, and the METHOD that it calls follows its subtree.
    let changed = format!("{root}/0001.varvite");
    let methods = varvite(&["find", &changed, "METHOD", "--format", "json"]).json();
    let id = |at: usize| methods[at]["node"].as_u64().unwrap();
    let diff = format!(r#"{{"add_edge": {{"label": "AST", "from": {}, "to": {}}}}}"#, id(0), id(1));
    send(&diff, &["apply", &changed, "-"]).text();
    let made = varvite(&["corpus", "index", &root, "-o", &index]).text();
    assert!(made.contains("5 functions (1 without a digest)"), "{made}");
    let found = list();
    assert!(found.errors().starts_with("varvite: note: 1 function not compared: "), "{}", found.errors());
    assert!(!found.text_beside_notes().contains("own_1"));
    make_newer(&format!("{root}/0002.varvite"));
    varvite(&["corpus", "index", &root, "-o", &index]).fails(3, &["0002.varvite"]);
    let found = list();
    assert!(found.output().contains("own_0") && found.output().contains("own_3"), "{}", found.output());
    found.fails(3, &["the index lacks 1 graph and 0 folders that could not be read"]);
}
