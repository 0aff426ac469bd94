//! Tests of commands that write files: there is only one writer at a time, and files appear only when they
//! are complete. The messages describe both correctly.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use varvite_store::FileChange;
use varvite_store::vfs::RealVfs;

use crate::command::{Answer, CONTENT, Folder, ZLIB, command, listening, varvite};

const TRACE_DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/trace");
const LACKEY: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../varvite-memtrace/tests/data/lackey/tiny.lackey");

fn graph(folder: &Folder) -> String {
    let graph = folder.path("shapes.varvite");
    varvite(&["import", &format!("{TRACE_DATA}/shapes.cpg.bin"), "-o", &graph]).text();
    graph
}

/// The arguments that add a layer to a graph.
fn into(graph: &str, more: &[&str]) -> Vec<String> {
    let (trace, binary) = (format!("{TRACE_DATA}/shapes.vtrace"), format!("{TRACE_DATA}/shapes"));
    let words = ["import", "--into", graph, &trace, "--binary", &binary];
    words.iter().chain(more).map(|word| (*word).to_owned()).collect()
}

fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_there() {
        assert!(began.elapsed() < Duration::from_secs(120), "{what}");
        sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

#[test]
fn a_second_writer_names_the_holder() {
    let folder = Folder::new();
    let graph = graph(&folder);
    let before = fs::read(&graph).unwrap();
    let held = FileChange::begin(Arc::new(RealVfs), Path::new(&graph)).unwrap();
    let holder = format!("is being written by process {} (", std::process::id());
    let other = folder.path("other.varvite");
    fs::hard_link(&graph, &other).unwrap();
    varvite(&["index", &other, "--add", "NAME"]).fails(3, &[&holder]);
    varvite(&["import", CONTENT, "-o", &other, "--force"]).fails(3, &[&holder]);
    varvite(&["index", &graph, "--add", "NAME"]).fails(3, &[&holder, "wait until"]);
    varvite(&into(&graph, &[]).iter().map(String::as_str).collect::<Vec<_>>()).fails(3, &[&holder]);
    varvite(&["import", CONTENT, "-o", &graph, "--force"]).fails(3, &[&holder]);
    assert!(fs::read(&graph).unwrap() == before);
    varvite(&["verify", &graph]).text();
    drop(held);
    varvite(&["index", &graph, "--add", "NAME"]).text();
}

#[test]
fn a_commit_shows_under_all_names_and_a_new_file_takes_one() {
    let folder = Folder::new();
    let (graph, other) = (graph(&folder), folder.path("other.varvite"));
    fs::hard_link(&graph, &other).unwrap();
    let has_index = |path: &str| varvite(&["info", path]).text().contains("NAME (");
    varvite(&["index", &other, "--add", "NAME"]).text();
    assert!(fs::read(&graph).unwrap() == fs::read(&other).unwrap());
    let before = fs::read(&graph).unwrap();
    let told = varvite(&["compact", &graph]).errors();
    assert_eq!(told, format!("varvite: note: {graph} was replaced; the old file still has 1 other name\n"));
    assert!(fs::read(&other).unwrap() == before && fs::read(&graph).unwrap() != before);
    fs::remove_file(&graph).unwrap();
    fs::hard_link(&other, &graph).unwrap();
    let told = varvite(&["import", CONTENT, "-o", &graph, "--force"]).errors();
    assert!(told.contains("still has 1 other name"), "{told}");
    assert!(fs::read(&other).unwrap() == before);
    assert!(!varvite(&["compact", &graph]).errors().contains("other name"));
    assert!(has_index(&other) && !has_index(&graph));
    assert_eq!(folder.files().len(), 2, "{:?}", folder.files());
}

#[test]
fn a_change_keeps_the_rights_of_its_file() {
    let folder = Folder::new();
    let graph = graph(&folder);
    fs::set_permissions(&graph, fs::Permissions::from_mode(0o600)).unwrap();
    varvite(&["index", &graph, "--add", "NAME"]).text();
    assert_eq!(fs::metadata(&graph).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_change_that_was_made_is_reported_as_made() {
    let Ok(full) = File::options().write(true).open("/dev/full") else { return };
    let folder = Folder::new();
    let (graph, new, foreign, trace) =
        (graph(&folder), folder.path("new"), folder.path("g.bin"), folder.path("t.vtrace"));
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let changes = [
        (into(&graph, &[]), &graph),
        (into(&graph, &["--name", "json", "--report", "json"]), &graph),
        (words(&["index", &graph, "--add", "NAME"]), &graph),
        (words(&["import", CONTENT, "-o", &new]), &new),
        (words(&["export", &graph, "-o", &foreign, "--format", "flatgraph"]), &foreign),
        (words(&["trace", "convert", LACKEY, "-o", &trace]), &trace),
    ];
    for (words, file) in &changes {
        let found = command().args(words).stdout(full.try_clone().unwrap()).output().unwrap();
        let told = String::from_utf8(found.stderr).unwrap();
        assert_eq!(found.status.code(), Some(0), "{words:?}: {told}");
        assert!(told.contains(&format!("{file} was written, but its summary was not")), "{told}");
    }
    let info = varvite(&["info", &graph]).text();
    assert!(info.contains("TRACE_LOADS") && info.contains("TRACE_JSON_LOADS"), "{info}");
}

#[test]
fn one_trace_that_is_counted_in_two_ways_gives_two_files() {
    let folder = Folder::new();
    let of = |name: &str, more: &[&str]| {
        let path = folder.path(name);
        varvite(&["import", &format!("{TRACE_DATA}/shapes.cpg.bin"), "-o", &path]).text();
        varvite(&into(&path, more).iter().map(String::as_str).collect::<Vec<_>>()).text();
        fs::read(&path).unwrap()
    };
    let (plain, inlined, again) = (of("one", &[]), of("two", &["--inlined"]), of("three", &[]));
    assert!(plain != inlined);
    assert!(plain == again, "and in one way one file");
}

#[test]
fn a_recording_of_nothing_leaves_the_old_file() {
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    fs::write(&trace, "mine").unwrap();
    let bin = folder.path("bin");
    fs::create_dir(&bin).unwrap();
    let record = || {
        let words = ["trace", "record", "-o", &trace, "--force", "--lackey", "--", "prog"];
        Answer::of(command().args(words).env("PATH", &bin).output().unwrap())
    };
    record().fails(3, &["apt-get install valgrind"]);
    script(&bin, "exit 3");
    record().fails(3, &["nothing was recorded"]);
    assert_eq!(fs::read(&trace).unwrap(), b"mine");
    assert!(!folder.files().iter().any(|name| name.ends_with(".t.vtrace.partial")));
}

/// Makes a script that takes the place of valgrind. A shell writes it, since a file that this process has
/// open for writing might also be open in child processes of other tests, and could then not be executed.
fn script(bin: &str, lines: &str) {
    let write = r#"printf '#!/bin/sh\n%s\n' "$1" > "$2" && chmod 755 "$2""#;
    let status =
        Command::new("sh").args(["-c", write, "sh", lines, &format!("{bin}/valgrind")]).status().unwrap();
    assert!(status.success());
}

/// Starts a recording that goes on until the test ends it, and waits until a few blocks were written.
fn recording(folder: &Folder, trace: &str) -> Child {
    let bin = folder.path("bin");
    let _ = fs::create_dir(&bin);
    let find_log = "for word; do case $word in --log-file=*) log=${word#--log-file=};; esac; done";
    script(&bin, &format!("{find_log}\ngrep -v Exit {LACKEY} > $log\nexec sleep 30"));
    let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
    let options = ["--lackey", "--block-len", "1024", "--codec", "none"];
    let mut record = listening();
    record
        .args(["trace", "record", "-o", trace])
        .args(options)
        .args(["--", "prog"])
        .env("PATH", path)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    let child = record.spawn().unwrap();
    let partial = folder.path(".t.vtrace.partial");
    wait_for("blocks are written", || fs::metadata(&partial).is_ok_and(|data| data.len() > 1000));
    child
}

#[test]
fn a_recording_that_was_killed_is_found_beside_its_name() {
    let folder = Folder::new();
    let (trace, partial, whole) =
        (folder.path("t.vtrace"), folder.path(".t.vtrace.partial"), folder.path("w.vtrace"));
    let mut child = recording(&folder, &trace);
    signal(&child, "-KILL");
    child.wait().unwrap();
    assert!(!Path::new(&trace).exists());
    let record = || varvite(&["trace", "record", "-o", &trace, "--lackey", "--", "prog"]);
    record().fails(3, &[".t.vtrace.partial", "trace convert", "--force"]);
    varvite(&["trace", "convert", &partial, "-o", &trace]).fails(2, &["choose another output"]);
    let converted = varvite(&["trace", "convert", &partial, "-o", &whole]);
    assert!(converted.errors().contains("has no end"), "{}", converted.errors());
    assert!(varvite(&["trace", "verify", &whole]).text().contains("records"));
    assert!(Path::new(&partial).exists());
}

#[test]
fn a_recording_that_is_told_to_stop_keeps_what_was_recorded() {
    let folder = Folder::new();
    let trace = folder.path("t.vtrace");
    let mut child = recording(&folder, &trace);
    signal(&child, "-INT");
    assert!(child.wait().unwrap().success());
    assert!(varvite(&["trace", "verify", &trace]).text().contains("574 records"));
    assert!(!folder.files().iter().any(|name| name.ends_with(".t.vtrace.partial")));
}

#[test]
fn who_is_told_to_stop_leaves_nothing_unfinished() {
    let folder = Folder::new();
    let (graph, trace) = (folder.path("g.varvite"), folder.path("t.vtrace"));
    let conversion = lackey_without_end(&folder);
    let cases = [
        (vec!["import", ZLIB, "-o", &graph, "--threads", "1"], ".g.varvite.partial", "-TERM"),
        (vec!["import", ZLIB, "-o", &graph, "--threads", "1"], ".g.varvite.partial", "-INT"),
        (
            vec!["trace", "convert", "--from", "lackey", &conversion, "-o", &trace],
            ".t.vtrace.partial",
            "-INT",
        ),
    ];
    for (words, partial, name) in cases {
        let partial = folder.path(partial);
        let mut child = listening().args(&words).stderr(Stdio::piped()).spawn().unwrap();
        wait_for("writing has begun", || Path::new(&partial).exists());
        signal(&child, name);
        let status = child.wait().unwrap();
        let mut told = String::new();
        child.stderr.unwrap().read_to_string(&mut told).unwrap();
        assert_eq!((status.code(), &*told), (Some(130), "varvite: stopped; no file was changed\n"));
        assert!(!Path::new(&partial).exists() && !Path::new(&graph).exists());
    }
}

/// A text whose conversion takes a while.
fn lackey_without_end(folder: &Folder) -> String {
    let path = folder.path("long.lackey");
    let lines = fs::read_to_string(LACKEY).unwrap();
    let lines: String = lines
        .lines()
        .filter(|line| line.starts_with('I') || line.starts_with(' '))
        .fold(String::new(), |text, line| text + line + "\n");
    fs::write(&path, lines.repeat(20_000)).unwrap();
    path
}
