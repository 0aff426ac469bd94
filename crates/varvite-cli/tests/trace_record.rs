//! Recordings of real programs by the valgrind tool of the repository, beside lackey and cachegrind.
//!
//! The tests build the tool. Programs get the same environment under all tools: the loader reads its
//! variables, so their lengths change the number of instructions.

use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use crate::command::{Answer, Folder, command, varvite};

/// The folder of the recorder. `None` if it can't be built here.
fn recorder() -> Option<&'static str> {
    static RECORDER: OnceLock<Option<String>> = OnceLock::new();
    let built = RECORDER.get_or_init(|| {
        let has_headers = Path::new("/usr/include/valgrind/pub_tool_tooliface.h").exists();
        if !has_headers || !["gcc", "make", "valgrind"].into_iter().all(is_installed) {
            return None;
        }
        let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/recorder").to_owned();
        let sources = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tools/valgrind");
        let made = Command::new("make").args(["-s", "-C", sources, &format!("OUT={folder}")]).status();
        assert!(made.unwrap().success(), "the recorder is built");
        for tool in ["lackey", "cachegrind"] {
            let name = format!("{tool}-amd64-linux");
            let _ = symlink(format!("/usr/libexec/valgrind/{name}"), format!("{folder}/{name}"));
        }
        Some(fs::canonicalize(folder).unwrap().to_str().unwrap().to_owned())
    });
    built.as_deref()
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The folder of the recorder. If it can't be built, notes that `test` was skipped.
pub(crate) fn recorder_for(test: &str) -> Option<&'static str> {
    let found = recorder();
    if found.is_none() {
        varvite_model::skip(test, "needs gcc, make, and valgrind with its headers");
    }
    found
}

/// Compiles a program of the tests. `straight` is static: the addresses of two of the loader's loads depend
/// on random bytes, which the kernel puts behind the program's arguments, since its `strcspn` looks up
/// characters behind the end of a text. The number of loads does not.
pub(crate) fn compiled(folder: &Folder, name: &str) -> String {
    let source = format!("{}/tests/data/record/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let program = folder.path(name);
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O1", "-pthread", "-o", &program, &source, "-ldl"]);
    if name == "straight" {
        gcc.arg("-static");
    }
    assert!(gcc.status().unwrap().success());
    program
}

/// Compiles a library of the tests.
fn library(folder: &Folder, name: &str) -> String {
    let source = format!("{}/tests/data/record/{name}.c", env!("CARGO_MANIFEST_DIR"));
    let library = folder.path(&format!("{name}.so"));
    let gcc = Command::new("gcc").args(["-shared", "-fPIC", "-O1", "-o", &library, &source]).status();
    assert!(gcc.unwrap().success());
    library
}

/// Sets the environment that the program has under all tools.
pub(crate) fn with_environment<'c>(command: &'c mut Command, recorder: &str) -> &'c mut Command {
    command.env_clear().env("PATH", "/usr/bin:/bin").env("VALGRIND_LIB", recorder)
}

pub(crate) fn record(recorder: &str, trace: &str, options: &[&str], program: &str) -> Answer {
    let mut record = command();
    with_environment(&mut record, recorder).args(["trace", "record", "-o", trace]);
    if !options.contains(&"--lackey") {
        record.args(["--recorder", recorder]);
    }
    Answer::of(record.args(options).args(["--", program]).output().unwrap())
}

/// A record as type, size and value.
pub(crate) type Row = (String, String, String);

/// The records of each thread, in order.
pub(crate) fn rows(trace: &str) -> HashMap<String, Vec<Row>> {
    rows_of_csv(&varvite(&["trace", "cat", trace, "--format", "csv"]).text())
}

pub(crate) fn rows_of_csv(text: &str) -> HashMap<String, Vec<Row>> {
    let mut rows: HashMap<String, Vec<Row>> = HashMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let row = (cells[3].to_owned(), cells[4].to_owned(), cells[5].to_owned());
        rows.entry(cells[1].to_owned()).or_default().push(row);
    }
    rows
}

pub(crate) fn rows_of_one_thread(trace: &str) -> Vec<Row> {
    let mut threads = rows(trace);
    assert_eq!(threads.len(), 1);
    threads.drain().next().unwrap().1
}

/// Fails with the first difference, instead of both lists.
fn assert_equal(left: &[Row], right: &[Row]) {
    let differs = left.iter().zip(right).enumerate().find(|(_, (left, right))| left != right);
    assert_eq!((differs, left.len()), (None, right.len()));
}

/// Cachegrind's counts: instructions, loads and stores. It counts a load and store of the same bytes as a
/// load.
fn counts_of_cachegrind(recorder: &str, program: &str) -> [u64; 3] {
    let mut cachegrind = Command::new("valgrind");
    let words = ["--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null", program];
    let output = with_environment(&mut cachegrind, recorder).args(words).output().unwrap();
    counts_in_cachegrind(&String::from_utf8(output.stderr).unwrap())
}

/// The counts in the summary that cachegrind prints.
fn counts_in_cachegrind(text: &str) -> [u64; 3] {
    let text = text.replace(',', "");
    let numbers = |line: &str| -> Vec<u64> {
        let line = text.lines().find(|found| found.contains(line)).unwrap();
        line.split(|char: char| !char.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
    };
    // The first number of each line is the process.
    let (instructions, data) = (numbers("I   refs:"), numbers("D   refs:"));
    [instructions[1], data[2], data[3]]
}

#[test]
fn a_recording_has_what_lackey_prints_in_the_same_order() {
    let Some(recorder) = recorder_for("a_recording_has_what_lackey_prints_in_the_same_order") else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "straight");
    let (ours, lackey) = (folder.path("ours.vtrace"), folder.path("lackey.vtrace"));
    let text = record(recorder, &ours, &[], &program).text();
    assert!(text.contains("exit status: 0"), "{text}");
    record(recorder, &lackey, &["--lackey"], &program).text_beside_complaints();
    let (ours, lackey) = (rows_of_one_thread(&ours), rows_of_one_thread(&lackey));
    assert_equal(&ours, &lackey);
    let count = |kind: &str| ours.iter().filter(|row| row.0 == kind).count() as u64;
    let modifies = ours.windows(2).filter(|pair| {
        (&*pair[0].0, &*pair[1].0) == ("read", "write") && pair[0].1 == pair[1].1 && pair[0].2 == pair[1].2
    });
    let expected = [count("instr"), count("read"), count("write") - modifies.count() as u64];
    assert_eq!(counts_of_cachegrind(recorder, &program), expected);
}

/// The counts of records of the program's own code. Those of the C library depend on which thread waits.
fn counts_of_own_code(trace: &str) -> HashMap<(String, String), usize> {
    let mut counts = HashMap::new();
    for rows in rows(trace).into_values() {
        let mut is_own = false;
        for (kind, size, value) in rows {
            if kind == "instr" {
                let address = u64::from_str_radix(&value[2..], 16).unwrap();
                is_own = (0x10_8000..0x20_0000).contains(&address);
            }
            if is_own {
                *counts.entry((kind, size)).or_default() += 1;
            }
        }
    }
    counts
}

#[test]
fn threads_signals_forks_libraries_and_changed_code_are_recorded_as_by_lackey() {
    let test = "threads_signals_forks_libraries_and_changed_code_are_recorded_as_by_lackey";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "many");
    let (ours, lackey) = (folder.path("ours.vtrace"), folder.path("lackey.vtrace"));
    let text = record(recorder, &ours, &[], &program).text_beside_complaints();
    assert!(text.contains("10 3 10 3\n"), "{text}");
    record(recorder, &lackey, &["--lackey"], &program).text_beside_complaints();
    let counts = counts_of_own_code(&ours);
    assert!(counts.values().sum::<usize>() > 50_000, "{counts:?}");
    assert_eq!(counts, counts_of_own_code(&lackey));
    assert_eq!(rows(&ours).len(), 6, "main and five threads");
    let info = varvite(&["trace", "info", &ours]).text();
    assert!(info.contains("libm.so.6") && info.contains(&program), "{info}");
}

#[test]
fn options_record_a_part_of_what_is_recorded_without() {
    let Some(recorder) = recorder_for("options_record_a_part_of_what_is_recorded_without") else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "straight");
    let recorded = |name: &str, options: &[&str]| {
        let trace = folder.path(name);
        let text = record(recorder, &trace, options, &program).text();
        assert!(text.contains(" 7 1.414\n") && text.contains("exit status: 0"), "{text}");
        rows_of_one_thread(&trace)
    };
    let whole = recorded("whole", &[]);
    assert_equal(&recorded("first", &["--max-records", "1234"]), &whole[..1234]);
    let accesses: Vec<Row> = whole.iter().filter(|row| row.0 != "instr").cloned().collect();
    assert_equal(&recorded("accesses", &["--no-instructions"]), &accesses);
    let late = recorded("late", &["--from-function", "chosen"]);
    let late = &late[1..]; // The first record says that others were left out.
    assert!(whole.ends_with(late) && (3000..20_000).contains(&late.len()), "{}", late.len());
}

#[test]
fn a_sample_from_a_function_that_is_called_often_has_gaps() {
    let Some(recorder) = recorder_for("a_sample_from_a_function_that_is_called_often_has_gaps") else {
        return;
    };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "often"), folder.path("t.vtrace"));
    let options = ["--from-function", "hot", "--sample", "1ms/100ms", "--format", "json"];
    let text = record(recorder, &trace, &options, &program).text();
    let summary: serde_json::Value = serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap();
    // All loads of the program are 20 million. A burst ends when a buffer is full, so it may be longer.
    let loads = summary["loads"].as_u64().unwrap();
    assert!((1000..5_000_000).contains(&loads), "{summary}");
}

#[test]
fn code_at_the_addresses_of_an_unmapped_file_is_not_counted_for_the_file() {
    let test = "code_at_the_addresses_of_an_unmapped_file_is_not_counted_for_the_file";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "unmapped"), folder.path("t.vtrace"));
    let mut record = command();
    with_environment(&mut record, recorder).args(["trace", "record", "-o", &trace, "--recorder", recorder]);
    Answer::of(record.args(["--", &program, &folder.path("code")]).output().unwrap()).text();
    let modules = varvite(&["trace", "modules", &trace, "--format", "json"]).json();
    let of = |path: serde_json::Value| -> u64 {
        let rows = modules["rows"].as_array().unwrap().iter();
        rows.filter(|row| row["module"] == path)
            .filter_map(|row| row["counts"]["instructions"].as_u64())
            .sum()
    };
    assert_eq!(of(folder.path("code").into()), 0, "{modules}");
    assert!((100_000..101_000).contains(&of(serde_json::Value::Null)), "{modules}");
    let info = varvite(&["trace", "info", &trace]).text();
    assert!(info.contains("no file any more") && info.contains(&folder.path("code")), "{info}");
}

#[test]
fn a_full_disk_ends_the_recording_and_not_the_program() {
    let Some(recorder) = recorder_for("a_full_disk_ends_the_recording_and_not_the_program") else { return };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "straight"), folder.path("t.vtrace"));
    // The shell counts in units of 512 bytes.
    let script = "ulimit -f 40; exec \"$@\"";
    let mut limited = Command::new("sh");
    limited.args(["-c", script, "sh"]).arg(command().get_program());
    limited.args(["trace", "record", "-o", &trace, "--block-len", "12000", "--recorder", recorder]);
    let output = limited.args(["--", &program]).output().unwrap();
    let (text, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(text.contains(" 7 1.414\n") && !output.status.success(), "{text}{errors}");
    assert!(errors.contains("up to then are in") && !Path::new(&trace).exists(), "{errors}");
    let cat = varvite(&["trace", "cat", &folder.path(".t.vtrace.partial"), "--format", "csv"]);
    let kept = rows_of_csv(&cat.text_beside_notes());
    assert!(kept.values().all(|rows| rows.len() > 1000) && kept.len() == 1, "one thread");
}

#[test]
fn a_recorder_that_is_missing_or_of_another_valgrind_is_refused() {
    let folder = Folder::new();
    let (trace, empty) = (folder.path("t.vtrace"), folder.path("empty"));
    fs::create_dir(&empty).unwrap();
    record(&empty, &trace, &[], "prog").fails(3, &["has no varvite-amd64-linux", "make recorder"]);
    fs::write(format!("{empty}/varvite-amd64-linux"), "").unwrap();
    fs::write(format!("{empty}/version"), "valgrind-1.0\n").unwrap();
    let bin = folder.path("bin");
    fs::create_dir(&bin).unwrap();
    symlink("/bin/echo", format!("{bin}/valgrind")).unwrap();
    let words = ["trace", "record", "-o", &trace, "--recorder", &empty, "--", "prog"];
    Answer::of(command().args(words).env("PATH", bin).output().unwrap())
        .fails(3, &["was built for \"valgrind-1.0\"", "--lackey"]);
    assert!(!Path::new(&trace).exists());
}

/// The least records of a full block of 12,000 bytes; the runs of a block of code are not cut.
const BLOCK_RECORDS: usize = 800;
/// The most bytes of a trace with such a block: its records, and the heads of the trace and of chunks.
const LEN_WITH_A_BLOCK: u64 = 16_000;

/// The number of recorders that a test kills. `make crash` kills 50.
fn kills() -> u32 {
    std::env::var("VARVITE_KILLS").map_or(2, |rounds| rounds.parse().expect("VARVITE_KILLS is a number"))
}

/// Starts the recording of a program, in a process group of its own.
fn start_recording(recorder: &str, trace: &str, program: &str) -> std::process::Child {
    let mut record = command();
    with_environment(&mut record, recorder);
    record.args([
        "trace",
        "record",
        "-o",
        trace,
        "--block-len",
        "12000",
        "--recorder",
        recorder,
        "--",
        program,
    ]);
    record.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn().unwrap()
}

/// Waits until a file has this many bytes, or the process has ended.
pub(crate) fn await_len(file: &str, len: u64, process: &mut std::process::Child) {
    while fs::metadata(file).map_or(0, |data| data.len()) < len && process.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_killed_recorder_leaves_the_beginning_of_the_trace() {
    let Some(recorder) = recorder_for("a_killed_recorder_leaves_the_beginning_of_the_trace") else { return };
    let folder = Folder::new();
    let program = compiled(&folder, "straight");
    let whole = folder.path("whole.vtrace");
    record(recorder, &whole, &["--block-len", "12000"], &program).text();
    let (whole_len, whole) = (fs::metadata(&whole).unwrap().len(), rows_of_one_thread(&whole));
    assert!(whole.len() > 20 * BLOCK_RECORDS, "{} records", whole.len());
    for round in 0..kills() {
        let trace = folder.path(&format!("{round}.vtrace"));
        let partial = folder.path(&format!(".{round}.vtrace.partial"));
        let mut recording = start_recording(recorder, &trace, &program);
        let len = (whole_len * u64::from(round + 1) / u64::from(kills() + 2)).max(LEN_WITH_A_BLOCK);
        await_len(&partial, len, &mut recording);
        recording.kill().unwrap();
        recording.wait().unwrap();
        // The kill may come when the end is already there, but hardly ever after the last rename.
        let left = if Path::new(&trace).exists() { &trace } else { &partial };
        let text = varvite(&["trace", "cat", left, "--format", "csv"]).text_beside_notes();
        let kept = rows_of_csv(&text).into_values().next().unwrap_or_default();
        let info = varvite(&["trace", "info", left, "--format", "json"]).json();
        assert!(info["complete"] == false || kept.len() == whole.len());
        if info["complete"] == false {
            // All that was written before the kill can be read, apart from an unfinished block.
            let [offset, partial] =
                ["offset", "partial_bytes"].map(|name| info["cut"][name].as_u64().unwrap());
            assert_eq!(
                (offset + partial, info["cut"]["last_record"].as_u64()),
                (fs::metadata(left).unwrap().len(), (kept.len() as u64).checked_sub(1),)
            );
            assert!(partial < LEN_WITH_A_BLOCK && offset + LEN_WITH_A_BLOCK >= len, "{info}");
            assert!(kept.len() >= BLOCK_RECORDS, "{} records", kept.len());
        }
        assert_equal(&kept, &whole[..kept.len()]);
    }
}

#[test]
fn a_killed_program_leaves_its_records_and_a_line() {
    let Some(recorder) = recorder_for("a_killed_program_leaves_its_records_and_a_line") else { return };
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    // If a program kills itself, valgrind ends it in order. So a process that is not recorded kills it.
    let words = ["sh", "-c", "/bin/sh -c 'kill -9 $PPID'; :"];
    let mut record = command();
    with_environment(&mut record, recorder).args(["trace", "record", "-o", &trace, "--recorder", recorder]);
    let output = record.args(["--format", "json", "--"]).args(words).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("the recording is not whole, it ends after"), "{errors}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["whole"], false);
    assert!(summary["records"].as_u64().unwrap() > 10_000, "{summary}");
    assert!(varvite(&["trace", "verify", &trace]).text().contains("whole"));
}

#[test]
fn programs_that_cannot_be_recorded_get_a_line() {
    let Some(recorder) = recorder_for("programs_that_cannot_be_recorded_get_a_line") else { return };
    let folder = Folder::new();
    let (trace, no_program) = (folder.path("t.vtrace"), folder.path("text"));
    fs::write(&no_program, "no program").unwrap();
    for (program, why) in [(&*no_program, "Permission denied"), ("/nowhere/program", "No such file")] {
        let mut record = command();
        with_environment(&mut record, recorder).args(["trace", "record", "-o", &trace]);
        let output = record.args(["--recorder", recorder, "--", program]).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        let lines: Vec<&str> = errors.lines().collect();
        // Valgrind's reason, and then the command's own line.
        assert!(lines[0].starts_with("valgrind: ") && lines[0].contains(why), "{errors}");
        assert!(lines[1].contains("nothing was recorded: valgrind ended with exit status"), "{errors}");
        assert_eq!((lines.len(), output.status.code()), (2, Some(3)));
    }
    let words = ["trace", "record", "-o", &trace, "--recorder", recorder, "--", "/bin/true"];
    Answer::of(command().args(words).env("PATH", folder.path("")).output().unwrap())
        .fails(3, &["valgrind", "not installed", "apt-get install valgrind"]);
    assert!(!Path::new(&trace).exists());
}

#[test]
fn a_set_user_id_program_gets_a_line() {
    let Some(recorder) = recorder_for("a_set_user_id_program_gets_a_line") else { return };
    let folder = Folder::new();
    let (trace, program) = (folder.path("t.vtrace"), folder.path("privileged"));
    fs::copy("/bin/true", &program).unwrap();
    for mode in [0o4755, 0o2755] {
        fs::set_permissions(&program, fs::Permissions::from_mode(mode)).unwrap();
        record(recorder, &trace, &[], &program).fails(3, &["privileged", "set-user-id", "by `cp`"]);
        record(recorder, &trace, &["--lackey"], &program).fails(3, &["privileged", "set-user-id"]);
        // A program without a folder is looked up in PATH.
        let words = ["trace", "record", "-o", &trace, "--recorder", recorder, "--", "privileged"];
        let places = format!("/usr/bin:{}", folder.path(""));
        Answer::of(command().args(words).env("PATH", places).output().unwrap())
            .fails(3, &["privileged", "set-user-id"]);
    }
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    record(recorder, &trace, &[], &program).text();
}

#[test]
fn a_static_program_has_functions_and_a_stripped_one_a_remark() {
    let test = "a_static_program_has_functions_and_a_stripped_one_a_remark";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "straight"), folder.path("t.vtrace"));
    record(recorder, &trace, &[], &program).text();
    let top = varvite(&["trace", "top", &trace, "--format", "csv", "--limit", "1000"]).text();
    assert!(top.contains("\nchosen,"), "{top}");
    assert!(Command::new("strip").args(["-o", &folder.path("bare"), &program]).status().unwrap().success());
    let (bare, trace) = (folder.path("bare"), folder.path("bare.vtrace"));
    record(recorder, &trace, &[], &bare).text();
    let output = command().args(["trace", "top", &trace]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("bare is stripped: it has no symbols"), "{errors}");
}

#[test]
fn a_recording_of_the_tool_has_its_counts_in_a_graph() {
    let Some(recorder) = recorder_for("a_recording_of_the_tool_has_its_counts_in_a_graph") else { return };
    let folder = Folder::new();
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");
    let (program, trace, graph) = (folder.path("shapes"), folder.path("t.vtrace"), folder.path("g.varvite"));
    let sources = ["main.c", "squares.c", "runs.c"];
    let gcc =
        Command::new("gcc").current_dir(data).args(["-g", "-O1", "-o", &program]).args(sources).status();
    assert!(gcc.unwrap().success());
    record(recorder, &trace, &[], &program).text();
    varvite(&["import", &format!("{data}/shapes.cpg.bin"), "-o", &graph]).text();
    varvite(&["import", "--into", &graph, &trace]).text();
    let top = varvite(&["trace", "top", &trace, "--limit", "100000", "--format", "json"]).json();
    let of_functions: HashMap<&str, &serde_json::Value> = top["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["module"] == program.as_str())
        .map(|row| (row["function"].as_str().unwrap_or_default(), &row["counts"]))
        .collect();
    let columns = ["--columns", "NAME,TRACE_INSTRUCTIONS,TRACE_LOADS,TRACE_STORES", "--format", "json"];
    let find = |label: &str| {
        varvite(&[&["find", &graph, label, "TRACE_INSTRUCTIONS>0"][..], &columns].concat()).json()
    };
    let methods = find("METHOD");
    let methods = methods.as_array().unwrap();
    assert!(methods.len() >= 6, "{methods:?}");
    for method in methods.iter().filter(|method| method["NAME"] != "step") {
        let counts = of_functions[method["NAME"].as_str().unwrap()];
        for (name, property) in
            [("instructions", "TRACE_INSTRUCTIONS"), ("loads", "TRACE_LOADS"), ("stores", "TRACE_STORES")]
        {
            assert_eq!(counts[name], method[property], "{method}");
        }
    }
    let sum =
        |rows: &[serde_json::Value]| rows.iter().map(|row| row["TRACE_LOADS"].as_u64().unwrap()).sum::<u64>();
    let calls = find("CALL");
    let calls = calls.as_array().unwrap();
    assert!(calls.len() > 10 && sum(calls) <= sum(methods), "{calls:?}");
}

/// Records a program with the processes that it starts, and returns the summary.
pub(crate) fn record_children(recorder: &str, trace: &str, program: &[&str]) -> serde_json::Value {
    let mut record = command();
    with_environment(&mut record, recorder).args(["trace", "record", "-o", trace, "--recorder", recorder]);
    record.args(["--follow-children", "--format", "json", "--"]).args(program);
    let output = record.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text[text.find('{').unwrap()..]).unwrap()
}

#[test]
fn children_get_traces_of_their_own_with_what_they_have_alone() {
    let test = "children_get_traces_of_their_own_with_what_they_have_alone";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (program, alone, trace) =
        (compiled(&folder, "straight"), folder.path("alone.vtrace"), folder.path("run.vtrace"));
    record(recorder, &alone, &[], &program).text();
    let script = format!("{program}; {program} | cat >/dev/null; exit 5");
    let summary = record_children(recorder, &trace, &["/bin/sh", "-c", &script]);
    assert_eq!((&summary["whole"], &summary["exit_code"]), (&true.into(), &5.into()), "{summary}");
    let children = summary["children"].as_array().unwrap();
    let executed: Vec<_> = children.iter().filter(|child| child["program"] == program.as_str()).collect();
    let forked = children.iter().filter(|child| child["forked_from"].is_u64()).count();
    assert_eq!((executed.len(), forked), (2, 3), "{summary}");
    let expected = rows_of_one_thread(&alone);
    for child in executed {
        let file = child["file"].as_str().unwrap();
        assert!(file.contains(&format!("run.{}.straight.vtrace", child["process"])), "{file}");
        assert_eq!((&child["whole"], &child["exit_code"]), (&true.into(), &0.into()), "{child}");
        // The environment differs, and so do the addresses of the stack.
        assert!(rows_of_one_thread(file).len().abs_diff(expected.len()) < 200, "{child}");
    }
    for child in children {
        varvite(&["trace", "verify", child["file"].as_str().unwrap()]).text();
    }
}

#[test]
fn a_forked_process_is_recorded_from_the_fork_on() {
    let Some(recorder) = recorder_for("a_forked_process_is_recorded_from_the_fork_on") else { return };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "many"), folder.path("run.vtrace"));
    let summary = record_children(recorder, &trace, &[&program]);
    let children = summary["children"].as_array().unwrap();
    assert_eq!((children.len(), &children[0]["exit_code"]), (1, &3.into()), "{summary}");
    let file = children[0]["file"].as_str().unwrap();
    assert_eq!(rows(file).len(), 1, "the thread that forked");
    let functions = varvite(&["trace", "top", file, "--limit", "1000", "--format", "csv"]).text();
    assert!(functions.contains("work,") && !functions.contains("run_threads,"), "{functions}");
    assert_eq!(children[0]["program"], program.as_str());
}

#[test]
fn a_process_that_crashed_has_no_exit_code_although_a_thread_has_exited() {
    let test = "a_process_that_crashed_has_no_exit_code_although_a_thread_has_exited";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let (program, trace) = (compiled(&folder, "crash"), folder.path("run.vtrace"));
    let summary = record_children(recorder, &trace, &[&program]);
    let codes = summary["children"].as_array().unwrap().iter().map(|child| child["exit_code"].as_u64());
    assert_eq!(codes.collect::<Vec<_>>(), [None, Some(7)], "{summary}");
}

/// The summary of a recording of a program, which may have `preloaded` as its first library.
fn summary_of(
    recorder: &str,
    trace: &str,
    options: &[&str],
    program: &[&str],
    preloaded: &str,
) -> serde_json::Value {
    let mut record = command();
    with_environment(&mut record, recorder).args(["trace", "record", "--force", "-o", trace]).args(options);
    record.current_dir(Path::new(trace).parent().unwrap()).env("LD_PRELOAD", preloaded);
    let output = record.args(["--format", "json", "--"]).args(program).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let at = text.find('{').unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    serde_json::from_str(&text[at..]).unwrap()
}

/// Checks that the counts of a recording of a program equal those of lackey and of cachegrind. The program
/// must do the same in each run. It has the same environment in all runs, and its standard output is a pipe:
/// for a device, the C library runs other code. It runs in the folder of the trace, where it may write files.
fn compare_counts(recorder: &str, trace: &str, program: &[&str], preloaded: &str) {
    let counts = |summary: &serde_json::Value| {
        ["instructions", "loads", "stores"].map(|name| summary[name].as_u64().unwrap())
    };
    let lackey = counts(&summary_of(recorder, trace, &["--lackey"], program, preloaded));
    let ours = summary_of(recorder, trace, &["--recorder", recorder], program, preloaded);
    assert_eq!(counts(&ours), lackey, "lackey: {ours}");
    let mut cachegrind = Command::new("valgrind");
    let words = ["--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file=/dev/null"];
    with_environment(&mut cachegrind, recorder).current_dir(Path::new(trace).parent().unwrap());
    cachegrind.env("LD_PRELOAD", preloaded);
    let output = cachegrind.args(words).args(program).output().unwrap();
    let [instructions, loads, stores] = counts(&ours);
    // Cachegrind counts a load and store of the same bytes as a load.
    let expected = [instructions, loads, stores - ours["modifies"].as_u64().unwrap()];
    assert_eq!(
        counts_in_cachegrind(&String::from_utf8(output.stderr).unwrap()),
        expected,
        "cachegrind: {ours}"
    );
}

#[test]
fn a_trace_of_zlib_has_the_counts_of_cachegrind_and_of_lackey_in_a_graph() {
    let test = "a_trace_of_zlib_has_the_counts_of_cachegrind_and_of_lackey_in_a_graph";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let layers = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/layers");
    let (program, trace) = (format!("{layers}/zwork"), folder.path("zwork.vtrace"));
    compare_counts(recorder, &trace, &[&program], "");
    let info = varvite(&["trace", "info", &trace]).text();
    assert!(info.contains("/zwork"), "{info}");
    let top = varvite(&["trace", "top", &trace, "--format", "csv"]).text_beside_notes();
    assert!(top.contains("longest_match,"), "{top}");
    let graph = folder.import("zlib.varvite", "compact");
    varvite(&["import", "--into", &graph, &trace, "--name", "ours"]).text();
    let lackey = format!("{layers}/zwork.vtrace");
    varvite(&["import", "--into", &graph, &lackey, "--name", "lackey", "--binary", &program]).text();
    let columns = |name: &str| {
        let counts =
            ["INSTRUCTIONS", "LOADS", "STORES"].map(|count| format!("TRACE_{name}_{count}")).join(",");
        let words = ["find", &graph, "METHOD", &format!("TRACE_{name}_INSTRUCTIONS>0"), "--format", "csv"];
        varvite(&[&words[..], &["--columns", &format!("NAME,{counts}")]].concat()).text()
    };
    let without_head = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let (ours, lackey) = (without_head(&columns("OURS")), without_head(&columns("LACKEY")));
    let differs: Vec<_> = ours.iter().zip(&lackey).filter(|(ours, lackey)| ours != lackey).collect();
    assert!(ours.len() > 60 && ours.len() == lackey.len() && differs.is_empty(), "{differs:?}");
}

#[test]
fn traces_of_sqlite_and_lua_have_the_counts_of_cachegrind_and_lackey() {
    let test = "traces_of_sqlite_and_lua_have_the_counts_of_cachegrind_and_lackey";
    let Some(recorder) = recorder_for(test) else { return };
    let folder = Folder::new();
    let script = "CREATE TABLE t(a); INSERT INTO t VALUES (3), (1), (2); SELECT a FROM t ORDER BY a LIMIT 0;";
    if is_installed("sqlite3") {
        let words = ["sqlite3", ":memory:", script];
        compare_counts(recorder, &folder.path("s.vtrace"), &words, "");
    } else {
        varvite_model::skip(test, "needs sqlite3");
    }
    let lua =
        ["lua5.4", "lua5.3", "lua"].into_iter().find(|name| Command::new(name).arg("-v").output().is_ok());
    match lua {
        Some(lua) => {
            let script = "local t = {} for i = 1, 500 do t[i] = (i * 7919) % 1009 end table.sort(t)";
            // Lua makes the seed of its hashes from the clock and from addresses, which are the same in each
            // run.
            let clock = library(&folder, "fixed_time");
            compare_counts(recorder, &folder.path("l.vtrace"), &[lua, "-e", script], &clock);
        }
        None => varvite_model::skip(test, "needs lua5.4, lua5.3 or lua"),
    }
}
