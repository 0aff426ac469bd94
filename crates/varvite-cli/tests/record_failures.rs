//! Recordings that fail or are stopped: the program goes on, and its records stay. And builds of the recorder
//! that were for another version of valgrind.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::command::{Answer, Folder, command, listening, varvite};
use crate::trace_record::{compiled, recorder_for, with_environment};

/// Records `words` in a folder, where files may have at most so many blocks of 512 bytes.
fn record_limited(
    folder: &Folder,
    limit: Option<u32>,
    options: &[&str],
    words: &[&str],
    recorder: &str,
) -> Output {
    let script = match limit {
        Some(blocks) => format!("ulimit -f {blocks}; exec \"$@\""),
        None => "exec \"$@\"".to_owned(),
    };
    let mut record = Command::new("sh");
    with_environment(&mut record, recorder).current_dir(folder.path(""));
    record.args(["-c", &script, "sh"]).arg(command().get_program()).args(["trace", "record"]);
    record.args(options).arg("--").args(words).output().unwrap()
}

/// The number of records in a trace.
fn records(trace: &str) -> u64 {
    varvite(&["trace", "info", trace, "--format", "json"]).json()["records"].as_u64().unwrap()
}

#[test]
fn a_whole_recording_stays_if_another_program_takes_its_name() {
    let test = "a_whole_recording_stays_if_another_program_takes_its_name";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let options = ["--recorder", recorder, "-o", "x.vtrace"];
    let output = record_limited(&folder, None, &options, &["touch", "x.vtrace"], recorder);
    let answer = Answer::of(output);
    let errors = answer.errors();
    assert!(errors.contains("the recording is in .x.vtrace.partial\n"), "{errors}");
    assert!(errors.contains("x.vtrace") && errors.contains("exists") && answer.code() == 3, "{errors}");
    assert_eq!(fs::metadata(folder.path("x.vtrace")).unwrap().len(), 0);
    assert!(records(&folder.path(".x.vtrace.partial")) > 10_000);
}

#[test]
fn the_unfinished_file_of_a_link_is_named_where_it_is() {
    let test = "the_unfinished_file_of_a_link_is_named_where_it_is";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "straight");
    fs::create_dir(folder.path("other")).unwrap();
    symlink("other/real.vtrace", folder.path("link.vtrace")).unwrap();
    let options = ["--recorder", recorder, "-o", "link.vtrace", "--force", "--block-len", "12000"];
    let output = record_limited(&folder, Some(40), &options, &[&program], recorder);
    let errors = String::from_utf8(output.stderr).unwrap();
    let name = errors.lines().find_map(|line| line.strip_prefix("the records up to then are in ")).unwrap();
    assert!(name.ends_with("other/.real.vtrace.partial"), "{errors}");
    assert!(Path::new(&folder.path("")).join(name).exists(), "{errors}");
}

#[test]
fn a_full_disk_ends_the_recording_of_lackey_and_not_the_program() {
    let test = "a_full_disk_ends_the_recording_of_lackey_and_not_the_program";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "straight");
    let options = ["--lackey", "-o", "t.vtrace", "--codec", "none", "--block-len", "4096"];
    let answer = Answer::of(record_limited(&folder, Some(40), &options, &[&program], recorder));
    let (text, errors) = (answer.output().to_owned(), answer.errors());
    assert!(text.contains(" 7 1.414\n") && answer.code() != 0, "{text}{errors}");
    assert!(errors.contains("the program goes on without being recorded"), "{errors}");
    assert!(errors.contains("up to then are in .t.vtrace.partial"), "{errors}");
    assert!(!Path::new(&folder.path("t.vtrace")).exists());
    let kept = varvite(&["trace", "info", &folder.path(".t.vtrace.partial"), "--format", "json"]);
    let kept: serde_json::Value = serde_json::from_str(&kept.text_beside_notes()).unwrap();
    assert!(kept["records"].as_u64().unwrap() > 500, "{kept}");
}

/// Starts to record a program that runs until a signal ends it, and sends SIGTERM to the recorder. Returns
/// the program's output and the summary.
fn terminated(recorder: &str, mode: &str) -> (String, serde_json::Value) {
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "signalled"), folder.path("t.vtrace"));
    let mut record = listening();
    with_environment(&mut record, recorder).args(["trace", "record", "--recorder", recorder, "-o", &trace]);
    record.args(["--format", "json", "--", &program, mode]);
    let mut recording = record.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(recording.stdout.take().unwrap());
    let mut text = String::new();
    output.read_line(&mut text).unwrap();
    assert_eq!(text, "working\n");
    let id = recording.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    output.read_to_string(&mut text).unwrap();
    let errors = Answer::of(recording.wait_with_output().unwrap()).errors();
    // After five seconds, a line reports the progress.
    assert!(errors.lines().all(|line| line.starts_with("recording: ")), "{errors}");
    let (text, summary) = text.split_at(text.find('{').unwrap());
    assert!(records(&trace) > 10_000);
    (text.to_owned(), serde_json::from_str(summary).unwrap())
}

#[test]
fn a_program_can_save_its_work_when_its_recording_is_terminated() {
    let test = "a_program_can_save_its_work_when_its_recording_is_terminated";
    let Some(recorder) = recorder_for(test) else { return };
    let (text, summary) = terminated(recorder, "save");
    assert_eq!(text, "working\nsaved\n");
    assert_eq!((&summary["whole"], &summary["exit_code"]), (&true.into(), &4.into()), "{summary}");
}

#[test]
fn a_program_that_ignores_signals_has_a_whole_trace_before_it_is_killed() {
    let test = "a_program_that_ignores_signals_has_a_whole_trace_before_it_is_killed";
    let Some(recorder) = recorder_for(test) else { return };
    let (text, summary) = terminated(recorder, "ignore");
    assert_eq!(text, "working\n");
    assert_eq!((&summary["whole"], &summary["exit_code"]), (&true.into(), &().into()), "{summary}");
}

#[test]
fn children_are_listed_although_the_program_itself_has_no_records() {
    let test = "children_are_listed_although_the_program_itself_has_no_records";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "straight"), folder.path("run.vtrace"));
    let script = format!("{program}; exit 5");
    let words = ["--recorder", recorder, "-o", &trace, "--follow-children", "--from-function", "chosen"];
    let options = [&words[..], &["--format", "json"]].concat();
    let answer = Answer::of(record_limited(&folder, None, &options, &["/bin/sh", "-c", &script], recorder));
    let (text, errors) = (answer.output().to_owned(), answer.errors());
    assert!(
        errors.contains("run.vtrace: nothing was recorded: the program never called \"chosen\""),
        "{errors}"
    );
    assert_eq!(answer.code(), 0, "{errors}");
    let summary: serde_json::Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
    assert_eq!((&summary["file"], &summary["exit_code"]), (&().into(), &5.into()), "{summary}");
    let children = summary["children"].as_array().unwrap();
    assert_eq!((children.len(), &children[0]["program"]), (1, &program.as_str().into()), "{summary}");
    assert!(records(children[0]["file"].as_str().unwrap()) > 1000, "{summary}");
    assert_eq!(folder.files().len(), 2, "the program and its trace");
}

#[test]
fn a_function_that_is_never_called_gets_a_line() {
    let Some(recorder) = recorder_for("a_function_that_is_never_called_gets_a_line") else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "straight");
    let options = ["--recorder", recorder, "-o", "t.vtrace", "--from-function", "elsewhere"];
    let answer = Answer::of(record_limited(&folder, None, &options, &[&program], recorder));
    answer.fails(3, &["never called \"elsewhere\"", "exit status: 0", "stripped", "'ns::f(int)'"]);
    assert_eq!(folder.files().len(), 1, "the program alone");
}

/// Builds the recorder into a folder, and returns the commands that did it.
fn make(folder: &str, path: &str, options: &[&str]) -> String {
    let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/valgrind");
    let mut make = Command::new("make");
    make.args(["-C", sources, &format!("OUT={folder}")]).args(options).env("PATH", path);
    let answer = Answer::of(make.output().unwrap());
    assert_eq!(answer.code(), 0, "{}", answer.errors());
    answer.output().to_owned()
}

#[test]
fn the_recorder_is_built_again_after_an_update_of_valgrind() {
    let test = "the_recorder_is_built_again_after_an_update_of_valgrind";
    let Some(_) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (built, bin) = (folder.path("built"), folder.path("bin"));
    let path = std::env::var("PATH").unwrap();
    let (compiles, links) = (" -c -o ", " -static ");
    let made = make(&built, &path, &[]);
    assert!(made.matches(compiles).count() == 7 && made.contains(links), "{made}");
    let made = make(&built, &path, &[]);
    assert!(!made.contains(compiles) && !made.contains(links), "{made}");
    let header = "/usr/include/valgrind/pub_tool_basics.h";
    let made = make(&built, &path, &["-W", header]);
    assert!(made.matches(compiles).count() == 7 && made.contains(links), "{made}");
    // The files may be older than those that were built, but the version is another one.
    fs::create_dir(&bin).unwrap();
    fs::write(format!("{bin}/valgrind"), "#!/bin/sh\necho valgrind-99.9\n").unwrap();
    fs::set_permissions(format!("{bin}/valgrind"), fs::Permissions::from_mode(0o755)).unwrap();
    let made = make(&built, &format!("{bin}:{path}"), &[]);
    assert!(made.matches(compiles).count() == 7 && made.contains(links), "{made}");
    assert_eq!(fs::read_to_string(format!("{built}/version")).unwrap(), "valgrind-99.9\n");
}

#[test]
fn programs_that_are_executed_after_the_recorder_was_killed_go_on() {
    let test = "programs_that_are_executed_after_the_recorder_was_killed_go_on";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (program, trace, out) = (compiled(&folder, "straight"), folder.path("t.vtrace"), folder.path("out"));
    let mut record = command();
    with_environment(&mut record, recorder).args(["trace", "record", "--recorder", recorder, "-o", &trace]);
    let script = format!("echo ready; sleep 1; {program} >{out}; echo over >>{out}");
    record.args(["--follow-children", "--", "/bin/sh", "-c", &script]);
    let mut recording = record.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(recording.stdout.take().unwrap()).read_line(&mut line).unwrap();
    recording.kill().unwrap();
    recording.wait().unwrap();
    let began = Instant::now();
    let mut text = String::new();
    while !text.ends_with("over\n") && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(50));
        text = fs::read_to_string(&out).unwrap_or_default();
    }
    assert!(text.contains(" 7 1.414\n") && text.ends_with("over\n"), "{text}");
}
