//! Tests of `varvite trace`, from a program or a foreign file to the answer.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::command::{Answer, Folder, command, varvite};

const LACKEY: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/lackey/tiny.lackey");

/// Converts the lackey text of the tests to a trace with small blocks.
fn converted(folder: &Folder) -> String {
    let trace = folder.path("tiny.vtrace");
    let text = varvite(&["trace", "convert", LACKEY, "-o", &trace, "--block-len", "1200"]).text();
    assert!(text.contains("574 records"), "{text}");
    trace
}

#[test]
fn a_lackey_text_becomes_a_trace_that_can_be_shown() {
    let folder = Folder::new();
    let trace = converted(&folder);
    let info = varvite(&["trace", "info", &trace, "--format", "json"]).json();
    assert_eq!(
        (&info["records"], &info["complete"], &info["blocks"]),
        (&574.into(), &true.into(), &6.into())
    );
    assert_eq!((&info["content"], &info["split"]), (&"memory-references".into(), &"references".into()));
    let rows = varvite(&["trace", "cat", &trace, "--from", "7", "--to", "10", "--format", "csv"]).text();
    assert_eq!(
        rows,
        "ordinal,thread,time,type,size,value\n7,0,0,instr,4,0x401018\n8,0,0,instr,4,0x40101c\n9,0,0,instr,2,0x401020\n"
    );
    assert_eq!(varvite(&["trace", "cat", &trace, "--format", "jsonl"]).text().lines().count(), 574);
    let of_thread = varvite(&["trace", "cat", &trace, "--thread", "0", "--from", "570", "--format", "json"])
        .column("ordinal");
    assert_eq!(of_thread, [570, 571, 572, 573]);
    assert!(varvite(&["trace", "verify", &trace]).text().contains("whole; 6 blocks, 574 records"));
}

#[test]
fn a_trace_is_stored_again_with_another_codec() {
    let folder = Folder::new();
    let trace = converted(&folder);
    let shown = varvite(&["trace", "cat", &trace, "--format", "csv"]).text();
    for codec in ["none", "lz4", "zstd", "snappy", "zlib", "gzip"] {
        let other = folder.path(codec);
        varvite(&["trace", "convert", &trace, "-o", &other, "--codec", codec]).text();
        assert_eq!(varvite(&["trace", "cat", &other, "--format", "csv"]).text(), shown, "{codec}");
    }
}

#[test]
fn a_damaged_block_is_named_or_skipped_and_counted() {
    let folder = Folder::new();
    let trace = converted(&folder);
    let mut bytes = fs::read(&trace).unwrap();
    let at = bytes.len() / 3;
    bytes[at] ^= 1;
    fs::write(&trace, bytes).unwrap();
    varvite(&["trace", "cat", &trace, "--format", "csv"])
        .fails(3, &["tiny.vtrace", "block ", "at byte", "checksum"]);
    let skipped = varvite(&["trace", "cat", &trace, "--format", "csv", "--skip-damaged"]);
    assert!(
        skipped.errors().contains("1 damaged place") && skipped.errors().contains("100 lost records"),
        "{}",
        skipped.errors()
    );
    // Also if the last wanted record is before the end.
    for range in [["--limit", "300"], ["--to", "300"]] {
        let words = [&["trace", "cat", &trace, "--format", "csv", "--skip-damaged"][..], &range].concat();
        let errors = varvite(&words).errors();
        assert!(errors.contains("1 damaged place") && errors.contains("100 lost records"), "{errors}");
    }
    varvite(&["trace", "verify", &trace]).fails(1, &["tiny.vtrace is damaged"]);
    let other = folder.path("other.vtrace");
    varvite(&["trace", "convert", &trace, "-o", &other]).fails(3, &["checksum"]);
    assert_eq!(folder.files(), [Path::new("tiny.vtrace")], "nothing half made is left");
    let report = varvite(&["trace", "convert", &trace, "-o", &other, "--skip-damaged"]);
    assert!(report.errors().contains("100 lost records"), "{}", report.errors());
    assert!(varvite(&["trace", "verify", &other]).text().contains("474 records"));
}

#[test]
fn a_cut_trace_shows_what_it_has_and_says_that_it_is_cut() {
    let folder = Folder::new();
    let trace = converted(&folder);
    let bytes = fs::read(&trace).unwrap();
    fs::write(&trace, &bytes[..bytes.len() / 2]).unwrap();
    let info = varvite(&["trace", "info", &trace, "--format", "json"]).json();
    assert_eq!(info["complete"], false);
    let records = info["records"].as_u64().unwrap();
    let shown = varvite(&["trace", "cat", &trace, "--format", "csv"]);
    let last = format!("The last whole record is number {}", records - 1);
    for told in ["has no end", &last, "at most 1.2 kB of records"] {
        assert!(shown.errors().contains(told), "{told}: {}", shown.errors());
    }
    assert_eq!((&info["cut"]["last_record"], &info["cut"]["last_time"]), (&(records - 1).into(), &0.into()));
    assert!(varvite(&["trace", "info", &trace]).text().contains(&last));
    assert_eq!(shown.lines() as u64, records + 1);
    varvite(&["trace", "verify", &trace]).fails(1, &["is damaged"]);
}

/// A drmemtrace of one thread: a header, the thread, instructions, and a footer. It is not compressed;
/// DynamoRIO can also write such files.
fn drmemtrace(thread: u64, instructions: u64) -> Vec<u8> {
    let begin = [(25u16, 0u16, 7u64), (22, 4, thread)];
    let middle = (0..instructions).map(|number| (10, 4, 0x40_0000 + 4 * number));
    let entries = begin.into_iter().chain(middle).chain([(26, 0, 0)]);
    entries
        .flat_map(|(kind, size, value)| {
            [&kind.to_le_bytes()[..], &size.to_le_bytes(), &value.to_le_bytes()].concat()
        })
        .collect()
}

#[test]
fn files_and_folders_of_dynamorio_are_converted() {
    let folder = Folder::new();
    let (file, other) = (folder.path("one.trace"), folder.path("one.vtrace"));
    fs::write(&file, drmemtrace(9, 20)).unwrap();
    varvite(&["trace", "convert", &file, "-o", &other]).text();
    let rows = varvite(&["trace", "cat", &other, "--from", "21", "--format", "csv"]).text();
    assert_eq!(rows, "ordinal,thread,time,type,size,value\n21,9,0,instr,4,0x40004c\n22,9,0,footer,0,0x0\n");
    let traces = folder.path("run.dir/trace");
    fs::create_dir_all(&traces).unwrap();
    fs::write(format!("{traces}/drmemtrace.app.2.trace"), drmemtrace(2, 10)).unwrap();
    fs::write(format!("{traces}/drmemtrace.app.1.trace"), drmemtrace(1, 5)).unwrap();
    fs::write(format!("{traces}/serial_schedule.bin.gz"), b"not a trace").unwrap();
    // An empty file, like that of a thread that did nothing before the program ended.
    fs::write(format!("{traces}/drmemtrace.app.0.trace"), b"").unwrap();
    let both = folder.path("both.vtrace");
    let converted = varvite(&["trace", "convert", &folder.path("run.dir"), "-o", &both]);
    assert!(converted.errors().contains("drmemtrace.app.0.trace, which is empty"), "{}", converted.errors());
    let threads = varvite(&["trace", "info", &both, "--format", "csv"]).text();
    let columns: Vec<String> =
        threads.lines().map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(columns, ["thread records", "1 8", "2 13"]);
    for thread in [1, 2] {
        fs::write(format!("{traces}/drmemtrace.app.{thread}.trace"), b"").unwrap();
    }
    varvite(&["trace", "convert", &folder.path("run.dir"), "-o", &folder.path("none.vtrace")])
        .fails(3, &["not a drmemtrace file"]);
}

#[test]
fn a_cut_or_raw_file_of_dynamorio_is_converted_with_a_note() {
    let folder = Folder::new();
    let (file, other) = (folder.path("cut.trace"), folder.path("cut.vtrace"));
    let whole = drmemtrace(9, 20);
    fs::write(&file, &whole[..whole.len() - 5]).unwrap();
    let cut = varvite(&["trace", "convert", &file, "-o", &other]);
    assert!(
        cut.errors().contains("cut.trace is cut short after 22 records: the last entry is cut after 7 bytes"),
        "{}",
        cut.errors()
    );
    assert!(varvite(&["trace", "verify", &other]).text().contains("22 records"));
    let words =
        [6u64 << 61 | 4 << 56 | 6 << 48 | 0x40, 2 << 61 | 9, 5 << 61 | 3 << 49 | 0x123, 6 << 61 | 1 << 56];
    fs::write(&file, words.map(u64::to_le_bytes).concat()).unwrap();
    let raw = varvite(&["trace", "convert", &file, "-o", &other, "--force"]);
    assert!(
        raw.errors().contains("is a raw trace") && raw.errors().contains("without modules.log"),
        "{}",
        raw.errors()
    );
    let rows = varvite(&["trace", "cat", &other, "--from", "3", "--to", "4", "--format", "csv"]).text();
    assert!(rows.ends_with("3,9,0,unplaced_block,3,0x123\n"), "{rows}");
}

#[test]
fn what_is_no_trace_is_refused() {
    let folder = Folder::new();
    let other = folder.path("other.vtrace");
    varvite(&["trace", "info", LACKEY]).fails(3, &["not a Varvite trace", "trace convert"]);
    varvite(&["trace", "convert", file!(), "-o", &other]).fails(3, &[]);
    let trace = converted(&folder);
    varvite(&["trace", "convert", &trace, "-o", &trace]).fails(2, &["names the source"]);
    varvite(&["trace", "convert", LACKEY, "-o", &trace]).fails(3, &["--force"]);
    varvite(&["trace", "convert", LACKEY, "-o", &other, "--block-len", "3"]).fails(2, &["3", "256"]);
    varvite(&["trace", "convert", LACKEY, "-o", &other, "--codec", "zstd", "--level", "99"])
        .fails(2, &["99", "22"]);
}

/// Runs `varvite trace record` with a script in place of `valgrind`.
fn record_with(folder: &Folder, valgrind: Option<&str>, trace: &str) -> Answer {
    let bin = folder.path("bin");
    fs::create_dir_all(&bin).unwrap();
    if let Some(script) = valgrind {
        let path = format!("{bin}/valgrind");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = if valgrind.is_some() { format!("{bin}:{}", std::env::var("PATH").unwrap()) } else { bin };
    Answer::of(
        command()
            .args(["trace", "record", "-o", trace, "--lackey", "--", "prog", "arg"])
            .env("PATH", path)
            .output()
            .unwrap(),
    )
}

/// Shell code that finds the path of the log file among the arguments, as valgrind does.
const FIND_LOG: &str = "for word; do case $word in --log-file=*) log=${word#--log-file=};; esac; done";

#[test]
fn what_valgrind_writes_is_recorded_while_it_runs() {
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    let script = format!("{FIND_LOG}\ncat {LACKEY} > $log\necho \"$@\"; exit 7");
    let text = record_with(&folder, Some(&script), &trace).text();
    assert!(text.contains("--tool=lackey --trace-mem=yes") && text.contains("prog arg\n"), "{text}");
    assert!(
        text.contains("574 records (491 instructions, 41 loads, 42 stores)")
            && text.contains("exit status: 7"),
        "{text}"
    );
    assert!(varvite(&["trace", "verify", &trace]).text().contains("574 records"));
    record_with(&folder, Some(&script), &trace).fails(3, &["exists already", "--force"]);
}

/// The child that keeps the log open may be a server that the program has started.
#[test]
fn a_recording_ends_with_its_program_though_a_child_holds_the_log() {
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    let script = format!("{FIND_LOG}\nexec 3>$log\nsleep 20 >/dev/null 2>&1 & cat {LACKEY} >&3");
    let began = Instant::now();
    let text = record_with(&folder, Some(&script), &trace).text();
    assert!(text.contains("574 records"), "{text}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
}

#[test]
fn a_recording_that_fails_leaves_no_trace() {
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    record_with(&folder, None, &trace).fails(3, &["valgrind", "apt-get install valgrind"]);
    record_with(&folder, Some("exit 3"), &trace).fails(3, &["nothing was recorded", "3"]);
    let nonsense = format!("{FIND_LOG}\necho nonsense > $log\nexec sleep 1");
    let answer = record_with(&folder, Some(&nonsense), &trace);
    assert!(answer.errors().contains("the program goes on without being recorded: line 1"));
    assert_eq!((answer.code(), folder.files()), (3, vec!["bin".into()]), "{}", answer.errors());
}

#[test]
fn a_recording_of_a_killed_program_by_lackey_is_not_whole() {
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    let script = format!("{FIND_LOG}\nhead -n 100 {LACKEY} > $log\nkill -9 $$");
    let answer = record_with(&folder, Some(&script), &trace);
    let told = "the recording is not whole, it ends after";
    assert!(answer.errors().contains(told), "{}", answer.errors());
    assert_eq!(answer.code(), 0);
    let cut = folder.path("cut.lackey");
    let text = fs::read_to_string(LACKEY).unwrap();
    fs::write(&cut, text.lines().take(100).fold(String::new(), |text, line| text + line + "\n")).unwrap();
    let converted = varvite(&["trace", "convert", &cut, "-o", &folder.path("cut.vtrace")]);
    assert!(converted.errors().contains("ends before the program does, after"), "{}", converted.errors());
}

#[test]
fn samples_of_perf_become_a_trace_with_marked_counts() {
    let folder = Folder::new();
    let (text, trace) = (folder.path("mem.txt"), folder.path("mem.vtrace"));
    let samples = "\
        7/7 1.000000: PERF_RECORD_MMAP2 7/7: [0x400000(0x1000) @ 0 fe:00 1 0]: r-xp /tmp/program\n\
        7/7 1.000001: 9 cpu/mem-loads/P: 7f01 5080022 |OP LOAD|LVL L3 hit|BLK  N/A  400100\n\
        7/8 1.000002: 9 cpu/mem-stores/P: 7f09 5080144 |OP STORE|LVL L1 hit|BLK  N/A  400200\n\
        7/7 1.000003: 9 cpu/mem-loads/P: 0 5080022 |OP LOAD|LVL N/A|BLK  N/A  400104\n";
    fs::write(&text, samples).unwrap();
    let converted = varvite(&["trace", "convert", &text, "-o", &trace]);
    assert!(converted.errors().contains("left out 1 of 3 samples"), "{}", converted.errors());
    let rows = varvite(&["trace", "cat", &trace, "--thread", "8", "--format", "csv"]).text();
    let expected = "0,8,1000002,marker,65280,9\n1,8,1000002,block,0,0x400200\n2,8,1000002,write,0,0x7f09\n";
    assert!(rows.ends_with(expected), "{rows}");
    for command in ["top", "lines", "modules", "histogram"] {
        let answer = varvite(&["trace", command, &trace, "--format", "json"]);
        assert!(answer.errors().contains("mem.vtrace is a sample"), "{command}: {}", answer.errors());
        assert!(answer.output().contains("\"is_sampled\": true"), "{command}: {}", answer.output());
    }
    let two = format!("{samples}8/8 1.000004: 9 cpu/mem-loads/P: 7f01 400100\n");
    fs::write(&text, two).unwrap();
    let other = folder.path("other.vtrace");
    varvite(&["trace", "convert", &text, "-o", &other]).fails(3, &["line 5", "process 8", "--pid 7"]);
    assert!(!Path::new(&other).exists());
}
