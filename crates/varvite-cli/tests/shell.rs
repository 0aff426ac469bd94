//! Tests of `varvite shell`, with inputs from a pipe.

use crate::command::{Folder, send, zlib};

#[test]
fn a_shell_answers_line_by_line_and_survives_faults() {
    let input =
        "cpg.method.size\ncpg.mehod\ndef m = cpg.call(\"memcpy\")\nm.size\n:nonsense\n(cpg.call\n.size)\n";
    let answer = send(input, &["shell", zlib()]);
    let message = answer.errors();
    assert!(message.contains("1:5: cpg has no mehod; the nearest is method"), "{message}");
    assert!(message.contains("the shell has no word :nonsense"), "{message}");
    assert_eq!(answer.text_beside_complaints(), "425\n34\n14910\n");
}

#[test]
fn faults_are_placed_in_the_input_and_not_behind_earlier_definitions() {
    let answer = send("def a = cpg.call\ndef b = a\nb.nme\n", &["shell", zlib()]);
    let message = answer.errors();
    assert!(message.starts_with("varvite: 1:3: no step or property of CALL is named nme"), "{message}");
}

#[test]
fn answers_are_cut_and_go_on() {
    let input = ":set limit 2\n:format csv\ncpg.call(\"memcpy\").lineNumber.sorted\n:more\n:more\n";
    let answer = send(input, &["shell", zlib()]);
    assert!(answer.errors().contains("the first 2 rows are shown: :more shows the next"));
    let text = answer.text_beside_complaints();
    let numbers: Vec<u32> = text.lines().filter_map(|line| line.parse().ok()).collect();
    assert!(numbers.len() == 6 && numbers.is_sorted(), "{text}");
}

#[test]
fn graphs_are_taken_by_name_and_commands_run_on_them() {
    let folder = Folder::new();
    let other = folder.import("other.varvite", "compact");
    let answer = send(
        ":use\n:use other\n:callees crc32\n:plan cpg.call\n:quit\ncpg.call.size\n",
        &["shell", zlib(), &other],
    );
    let text = answer.text();
    assert!(text.starts_with("zlib  ") && text.contains("\nother  "), "{text}");
    assert!(
        text.ends_with("{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"CALL\"]}]}\n"),
        "{text}"
    );
}

#[test]
fn a_saved_answer_is_whole_and_has_the_format_of_its_name() {
    let folder = Folder::new();
    let [csv, json, text] = ["calls.csv", "calls.jsonl", "size"].map(|name| folder.path(name));
    let input = format!(
        ":save {csv}\n:set limit 2\ncpg.call(\"memcpy\").lineNumber\n:save {csv}\n:save {json}\ncpg.method.size\n:save {text}\n"
    );
    let answer = send(&input, &["shell", zlib()]);
    assert!(answer.errors().contains("there is no answer to save"), "{}", answer.errors());
    let read = |file: &str| std::fs::read_to_string(file).unwrap();
    assert_eq!(read(&csv).lines().count(), 1 + 34);
    assert_eq!(read(&json).lines().count(), 34);
    assert!(read(&json).starts_with("{\"LINE_NUMBER\":"), "{}", read(&json));
    assert_eq!(read(&text), "425\n");
    assert_eq!(folder.files().len(), 3);
}

#[test]
fn an_answer_that_fails_leaves_the_file_as_it_was() {
    let folder = Folder::new();
    let file = folder.path("answer.csv");
    std::fs::write(&file, "old\n").unwrap();
    let input =
        format!("cpg.method(\"nothing\").head\n:save {file}\n:save {file}/no/folder\n:save {}\n", zlib());
    let answer = send(&input, &["shell", zlib()]);
    let message = answer.errors();
    assert!(message.contains("there is none") && message.contains(":save names an open graph"), "{message}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "old\n");
    assert_eq!(folder.files().len(), 1);
}
