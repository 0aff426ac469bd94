//! Tests of files that are not graphs, or are damaged.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use varvite_testing::repair::repair;

use crate::command::{CONTENT, Folder, command, send, varvite, zlib};

const PLAN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/plans/callers.json");

/// Commands that read a graph or parts of it.
fn questions(file: &str) -> Vec<Vec<&str>> {
    vec![
        vec!["find", file, "METHOD", "NAME=inflate"],
        vec!["tree", file, "METHOD:inflate"],
        vec!["callers", file, "inflate"],
        vec!["callees", file, "inflate"],
        vec!["path", file, "inflate", "memcpy", "--along", "CALL"],
        vec!["query", file, PLAN],
        vec!["schema", file],
    ]
}

#[test]
fn a_file_that_is_no_graph_is_named_for_what_it_is() {
    let folder = Folder::new();
    let (text, empty) = (folder.path("a.txt"), folder.path("empty"));
    fs::write(&text, "hello\n".repeat(1000)).unwrap();
    fs::write(&empty, "").unwrap();
    for question in questions(&text) {
        varvite(&question).fails(3, &["a.txt", "not a Varvite file"]);
    }
    varvite(&["find", &empty, "METHOD"]).fails(3, &["empty", "not a Varvite file"]);
    varvite(&["find", crate::command::ZLIB, "METHOD"]).fails(3, &["zlib.cpg.bin", "varvite import"]);
    varvite(&["find", &folder.path(""), "METHOD"]).fails(3, &["has no .varvite file"]);
    varvite(&["find", &folder.path("none"), "METHOD"]).fails(3, &["none", "check the path"]);
}

#[test]
fn a_file_that_was_cut_short_is_refused() {
    let folder = Folder::new();
    let whole = fs::read(zlib()).unwrap();
    let cut = folder.path("cut.varvite");
    for len in [5, 4096, 20_000, whole.len() / 2, whole.len() - 1] {
        fs::write(&cut, &whole[..len]).unwrap();
        for question in questions(&cut) {
            varvite(&question).fails(3, &["cut.varvite"]);
        }
    }
}

#[test]
fn a_newer_format_asks_for_a_newer_program() {
    let folder = Folder::new();
    let newer = folder.path("newer.varvite");
    let mut bytes = fs::read(zlib()).unwrap();
    bytes[16] += 1;
    repair(&mut bytes);
    fs::write(&newer, bytes).unwrap();
    for question in questions(&newer) {
        varvite(&question).fails(3, &["newer.varvite", "format version 2", "use a newer varvite"]);
    }
}

#[test]
fn a_buffered_question_finds_the_damage_that_it_meets() {
    let folder = Folder::new();
    let damaged = folder.path("damaged.varvite");
    let mut bytes = fs::read(zlib()).unwrap();
    let end = bytes.len();
    // A byte in every page of the segments is changed, so every column is damaged.
    (3 * 4096..end - 60_000).step_by(4096).for_each(|at| bytes[at] ^= 0xff);
    fs::write(&damaged, bytes).unwrap();
    for question in questions(&damaged) {
        let question = [&question[..], &["--buffered"]].concat();
        varvite(&question).fails(3, &["damaged.varvite", "segment", "at byte"]);
    }
}

#[test]
fn a_reader_of_a_file_that_is_replaced_answers_from_the_old_one() {
    const QUESTION: [&str; 4] = ["CALL", "--format", "jsonl", "--limit"];
    let folder = Folder::new();
    for mode in [&["1000000"][..], &["1000000", "--buffered"]] {
        let file = folder.path("graph.varvite");
        fs::copy(zlib(), &file).unwrap();
        let words = |file| [&["find", file], &QUESTION[..], mode].concat();
        let mut reader = command().args(words(&file)).stdout(Stdio::piped()).spawn().unwrap();
        // The answer is larger than a pipe's buffer, so the command has the file open until the answer has
        // been read.
        let mut output = BufReader::with_capacity(256, reader.stdout.take().unwrap());
        let mut answer = String::new();
        output.read_line(&mut answer).unwrap();
        varvite(&["import", CONTENT, "-o", &file, "--force"]).text();
        output.read_to_string(&mut answer).unwrap();
        assert!(reader.wait().unwrap().success());
        assert!(answer.len() > 1 << 17 && answer == varvite(&words(zlib())).text());
        assert!(varvite(&words(&file)).text().len() < answer.len(), "who asks anew gets the new graph");
    }
}

/// A query without checks does not notice a flipped byte in a text. In a file made from the text, the damage
/// would look valid.
#[test]
fn what_is_made_of_a_damaged_graph_is_not_written() {
    let folder = Folder::new();
    let (graph, whole) = (folder.import("graph", "direct"), folder.import("whole", "direct"));
    let mut bytes = fs::read(&graph).unwrap();
    let name = b"deflateInit2_";
    let places = bytes.windows(name.len()).enumerate().filter(|(_, found)| found == name);
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[*at] ^= 1);
    fs::write(&graph, &bytes).unwrap();
    varvite(&["find", &graph, "METHOD", "NAME=eeflateInit2_"]).text();
    let output = folder.path("made");
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data/zlib.heaptrack.zst");
    for command in [
        &["export", &graph, "--format", "flatgraph", "-o", &output][..],
        &["export", &graph, "--format", "graphml", "-o", &output],
        &["diff", &whole, &graph, "--as-diff", "-o", &output],
        &["diff", &graph, &whole, "--as-diff", "-o", &output],
        &["import", "--into", &graph, profile],
        &["index", &graph, "--add", "NAME"],
    ] {
        varvite(command).fails(3, &["graph", "checksum"]);
        assert!(!fs::exists(&output).unwrap(), "{command:?}");
    }
    varvite(&["layers", &graph, "--format", "csv"])
        .text()
        .lines()
        .for_each(|layer| assert!(!layer.starts_with("heap")));
    assert_eq!(varvite(&["index", &graph, "--format", "csv"]).text().lines().count(), 1);
}

/// Ids, codes and ranks that refer to nothing, but have valid checksums, are not copied into a new file by
/// any command. Commands that append a commit leave the file's columns unchanged and read only some of them,
/// so they are tested only with damage in a column that they read.
#[test]
fn ids_of_nothing_are_not_copied() {
    let folder = Folder::new();
    let (graph, output) = (folder.path("graph.varvite"), folder.path("made"));
    let whole = format!("{GOLDEN}/whole.varvite");
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-profile/tests/data/zlib.heaptrack.zst");
    for name in ["neighbour-outside", "text-code-outside", "offset-too-large"] {
        let damaged = fs::read(format!("{GOLDEN}/damaged/{name}.varvite")).unwrap();
        for command in [
            &["compact", &graph][..],
            &["compact", &graph, "-o", &output],
            &["export", &graph, "--format", "flatgraph", "-o", &output],
            &["export", &graph, "--format", "graphml", "-o", &output],
            &["diff", &whole, &graph, "--as-diff", "-o", &output],
        ] {
            fs::write(&graph, &damaged).unwrap();
            varvite(command).fails(3, &[]);
            assert!(!fs::exists(&output).unwrap(), "{name}: {command:?}");
            assert!(fs::read(&graph).unwrap() == damaged, "{name}: {command:?}");
        }
    }
    let damaged = fs::read(format!("{GOLDEN}/damaged/text-code-outside.varvite")).unwrap();
    for command in [&["import", "--into", &graph, profile][..], &["index", &graph, "--add", "NAME"]] {
        fs::write(&graph, &damaged).unwrap();
        varvite(command).fails(3, &[]);
        assert!(fs::read(&graph).unwrap() == damaged, "{command:?}");
    }
}

/// A diff finds removed elements in lists. The test flips a bit of a file, applies the diff, and flips the
/// bit back, so only the effect that the damage had on the diff remains.
#[test]
fn a_checked_diff_makes_nothing_of_damaged_lists() {
    let folder = Folder::new();
    let graph = folder.path("graph.varvite");
    let good = fs::read(format!("{GOLDEN}/whole.varvite")).unwrap();
    let digest_with = |flipped: Option<usize>, options: &[&str]| {
        let mut bytes = good.clone();
        flipped.iter().for_each(|at| bytes[*at] ^= 4);
        fs::write(&graph, &bytes).unwrap();
        let apply = [&["apply", &graph, "-"], options].concat();
        let (status, _) = send("{\"remove_node\": 2}\n{\"remove_node\": 5}\n", &apply).status_and_output();
        if status != Some(0) {
            return None;
        }
        let mut bytes = fs::read(&graph).unwrap();
        flipped.iter().for_each(|at| bytes[*at] ^= 4);
        fs::write(&graph, &bytes).unwrap();
        Some(varvite(&["digest", &graph, "--format", "json"]).status_and_output())
    };
    let expected = digest_with(None, &["--checked"]);
    assert!(expected.as_ref().is_some_and(|(status, _)| *status == Some(0)));
    let segments = 3 * 4096;
    let wrong = |options: &[&str]| {
        let digests = (segments..good.len()).step_by(12).filter_map(|at| digest_with(Some(at), options));
        digests.filter(|digest| Some(digest) != expected.as_ref()).count()
    };
    assert_eq!(wrong(&["--checked"]), 0);
    assert!(wrong(&[]) > 0, "the test tries no flip that counts");
}

/// The folder of golden files.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/files");

/// Commands that ask a graph of METHODs. FILE stands for the path of the graph.
const QUESTIONS: [&[&str]; 18] = [
    &["find", "FILE", "METHOD"],
    &["find", "FILE", "METHOD", "NAME~.*"],
    &["find", "FILE", "METHOD", "NAME~n.*", "--format", "jsonl"],
    &["find", "FILE", "METHOD", "NAME=name"],
    &["find", "FILE", "METHOD", "NAME!=name", "--columns", "ORDER"],
    &["find", "FILE", "METHOD", "ORDER>3", "--columns", "ORDER"],
    &["tree", "FILE", "METHOD:n"],
    &["tree", "FILE", "0"],
    &["path", "FILE", "0", "11"],
    &["path", "FILE", "11", "0", "--along", "REF"],
    &["path", "FILE", "3", "4", "--all", "--along", "AST"],
    &["digest", "FILE"],
    &["facts", "FILE"],
    &["schema", "FILE"],
    &["query", "FILE", "PLAN:group"],
    &["query", "FILE", "PLAN:order"],
    &["query", "FILE", "PLAN:columns"],
    &["query", "FILE", "PLAN:edges"],
];

/// The plan that the word after `PLAN:` stands for.
fn plan(word: &str) -> String {
    let steps = match word {
        "group" => r#"{"step": "nodes"}, {"step": "group", "by": {"property": "NAME"}}"#,
        "order" => r#"{"step": "nodes"}, {"step": "order", "by": {"property": "NAME"}}"#,
        "columns" => r#"{"step": "nodes"}, {"step": "columns", "columns": ["label", {"property": "NAME"}]}"#,
        _ => r#"{"step": "nodes"}, {"step": "in_edges"}"#,
    };
    format!(r#"{{"version": 1, "steps": [{steps}]}}"#)
}

/// The exit code and the answer of each command.
fn answers(file: &str, more: &[&str]) -> Vec<(Option<i32>, Vec<u8>)> {
    let ask = |question: &[&str]| {
        let plans = question.iter().find_map(|word| word.strip_prefix("PLAN:")).map(plan);
        let words = question.iter().map(|word| match *word {
            "FILE" => file,
            word if word.starts_with("PLAN:") => "-",
            word => word,
        });
        let words: Vec<&str> = words.chain(more.iter().copied()).collect();
        send(&plans.unwrap_or_default(), &words).status_and_output()
    };
    QUESTIONS.map(ask).into()
}

#[test]
fn no_damaged_file_is_answered_wrongly_with_exit_code_0() {
    let catalogue: serde_json::Value =
        serde_json::from_slice(&fs::read(format!("{GOLDEN}/catalogue.json")).unwrap()).unwrap();
    let file = |row: &serde_json::Value| format!("{GOLDEN}/{}", row["file"].as_str().unwrap());
    let whole = answers(&format!("{GOLDEN}/whole.varvite"), &[]);
    assert!(whole.iter().all(|(code, _)| *code == Some(0)), "{whole:?}");
    let modes: [(&str, &[&[&str]]); 2] =
        [("damaged", &[&[], &["--buffered"]]), ("checked", &[&["--buffered"]])];
    for (kind, modes) in modes {
        for row in catalogue[kind].as_array().unwrap() {
            for mode in modes {
                let mut refused = 0;
                for (number, (found, expected)) in answers(&file(row), mode).iter().zip(&whole).enumerate() {
                    match found.0 {
                        Some(0) => {
                            assert!(found == expected, "{} {:?} {mode:?}", file(row), QUESTIONS[number])
                        }
                        code => assert_eq!(code, Some(3), "{} {:?} {mode:?}", file(row), QUESTIONS[number]),
                    }
                    refused += usize::from(found.0 != Some(0));
                }
                assert!(refused > 0, "{} {mode:?}", file(row));
            }
        }
    }
}
