//! Tests small commits with other processes: readers, which must always see the state after a whole number of
//! commits, and writers that are killed.
//!
//! The processes run this test program again. An environment variable tells each of them its work and its
//! file.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use varvite::change::{ChangeError, Diff, Durability, GraphLog, LogOptions};
use varvite::error::StoreError;
use varvite::write::{GraphChange, compact};
use varvite::{Graph, GraphError, OpenOptions, Profile};
use varvite_store::vfs::RealVfs;
use varvite_testing::small_graph::small_graph;

use crate::log::{TASK, digest};

/// The environment variables that tell a process its work; the value is the path of the file. A writer writes
/// until it is killed; a reader reads until its input ends; a holder keeps the data that it read until its
/// input ends.
const WRITER: &str = "VARVITE_LOG_WRITER";
const READER: &str = "VARVITE_LOG_READER";
const HOLDER: &str = "VARVITE_LOG_HOLDER";
/// The environment variables that set the number of killed writers, and the number of commits to read.
const KILLS: &str = "KILLS";
const COMMITS: &str = "COMMITS";

/// The number of nodes before the first commit.
const NODES: u32 = 40;
/// One in this many commits declares a new name, and is therefore a large commit.
const NAME_EVERY: u32 = 250;
/// The length of a log. It is so short that the log is replaced many times.
const LOG_BYTES: u64 = 32 << 10;

fn count_of(variable: &str, default: u32) -> u32 {
    std::env::var(variable).map_or(default, |count| count.parse().unwrap())
}

fn file() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.varvite");
    std::fs::write(&path, small_graph(Profile::Compact)).unwrap();
    (folder, path)
}

fn begin(path: &Path) -> GraphLog {
    let change = GraphChange::begin(Arc::new(RealVfs), path).unwrap();
    change.log(LogOptions::default().bytes_max(LOG_BYTES), &TASK()).unwrap()
}

/// The diff of the `number`-th commit, counted from 1.
fn diff(number: u32) -> Diff {
    let mut diff = Diff::new();
    let node = diff.add_node(&["CALL"]);
    diff.set(node, "ORDER", [number as i32]);
    diff.set(0u32, "ORDER", [number as i32, -1]);
    diff.add_edge("CFG", 39, node);
    if number.is_multiple_of(NAME_EVERY) {
        diff.declare_label(&format!("NAME_{number}"));
    }
    diff
}

/// The number of commits that a graph contains. Checks that each of them is complete.
fn commits_of(graph: &Graph) -> u32 {
    let count = graph.node_count() - NODES;
    let (order, edges) = (graph.property("ORDER").unwrap(), graph.out("CFG").unwrap());
    let orders = |node: u32| order.numbers(node).collect::<Vec<_>>();
    for number in 1..=count {
        assert_eq!(orders(NODES + number - 1), [i64::from(number)], "of {count} commits");
    }
    assert!(count == 0 || orders(0) == [i64::from(count), -1], "{:?} after {count} commits", orders(0));
    let names = graph.labels().iter().filter(|label| label.name.starts_with("NAME_")).count() as u32;
    assert_eq!(names, count / NAME_EVERY, "of {count} commits");
    let targets: Vec<u32> = edges.neighbors(39).filter(|target| *target >= NODES).collect();
    assert!(targets.into_iter().eq(NODES..NODES + count));
    graph.check().unwrap();
    count
}

fn start(test: &str, variable: &str, path: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(variable, path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The numbers that a process prints until it ends, each on a line that begins with a colon.
fn numbers(child: &mut Child) -> impl Iterator<Item = u32> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| line.strip_prefix(':')?.parse().ok())
}

#[test]
fn readers_in_other_processes_see_exactly_one_commit_each() {
    let commits = count_of(COMMITS, 2_000);
    let (_folder, path) = file();
    let mut readers: Vec<Child> =
        (0..2).map(|_| start("log_process::read_until_told", READER, &path)).collect();
    let log = begin(&path);
    for number in 1..=commits {
        let durability = if number % 50 == 0 { Durability::Sync } else { Durability::Buffered };
        log.commit(&diff(number), durability, &TASK()).unwrap();
    }
    log.close(&TASK()).unwrap();
    for reader in &mut readers {
        drop(reader.stdin.take());
        let seen: Vec<u32> = numbers(reader).collect();
        assert!(reader.wait().unwrap().success());
        assert!(seen.is_sorted() && seen.last() == Some(&commits), "{seen:?}");
        assert!(seen.len() > 10, "a reader saw {} commits of {commits}", seen.len());
    }
    assert_eq!(commits_of(&Graph::open(&path).unwrap()), commits);
}

/// The work of the reader processes that the test above starts. In other processes, this test does nothing.
#[test]
fn read_until_told() {
    let Some(path) = std::env::var_os(READER) else { return };
    let is_over = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flag = Arc::clone(&is_over);
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        flag.store(true, std::sync::atomic::Ordering::Release);
    });
    let mut graph = Graph::open(&path).unwrap();
    let mut last = None;
    loop {
        // The flag is read before the file. So when the flag shows the end, the file is read once more, after
        // the last commit.
        let is_last = is_over.load(std::sync::atomic::Ordering::Acquire);
        let newest = match last.is_some_and(|count| count % 3 == 0) {
            true => Some(OpenOptions::new().buffered().open(&path).unwrap()),
            false => graph.refresh().unwrap(),
        };
        let before = graph.node_count();
        if let Some(newest) = newest {
            assert_eq!(graph.node_count(), before, "whoever holds a graph keeps it");
            graph = newest;
        }
        let count = commits_of(&graph);
        if last != Some(count) {
            println!("\n:{count}");
            last = Some(count);
        }
        if is_last {
            return;
        }
    }
}

#[test]
fn a_second_writer_in_another_process_is_told_who_writes() {
    let (_folder, path) = file();
    let mut writer = start("log_process::write_until_killed", WRITER, &path);
    numbers(&mut writer).next().expect("it commits");
    let change = GraphChange::begin(Arc::new(RealVfs), &path);
    let Err(error) = change else { panic!("another process writes") };
    let ChangeError::Graph(GraphError::Store(StoreError::Busy { holder: Some(holder), .. })) = &error else {
        panic!("{error}")
    };
    assert_eq!(holder.process, writer.id());
    writer.kill().unwrap();
    writer.wait().unwrap();
    begin(&path).close(&TASK()).unwrap();
}

#[test]
fn a_graph_that_another_process_holds_stays_through_commits_and_compaction() {
    let (_folder, path) = file();
    let log = begin(&path);
    (1..=20).for_each(|number| _ = log.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    let mut holder = start("log_process::hold_until_told", HOLDER, &path);
    let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == ":20"), "it opens the graph");
    (21..=40).for_each(|number| _ = log.commit(&diff(number), Durability::Sync, &TASK()).unwrap());
    log.close(&TASK()).unwrap();
    compact(Arc::new(RealVfs), &path, &TASK()).unwrap();
    let log = begin(&path);
    log.commit(&Diff::new(), Durability::Sync, &TASK()).unwrap();
    log.close(&TASK()).unwrap();
    drop(holder.stdin.take());
    let told: Vec<String> = lines.filter(|line| line.starts_with(':')).collect();
    assert_eq!(told, [":20", ":replaced", ":40"], "what it held, what refresh said, what its name leads to");
    assert!(holder.wait().unwrap().success());
}

/// The work of the holder process that the test above starts. In other processes, this test does nothing.
#[test]
fn hold_until_told() {
    let Some(path) = std::env::var_os(HOLDER) else { return };
    let mapped = Graph::open(&path).unwrap();
    let buffered = OpenOptions::new().buffered().open(&path).unwrap();
    let digest = digest(&mapped);
    println!("\n:{}", commits_of(&mapped));
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).unwrap();
    for graph in [&mapped, &buffered] {
        assert_eq!((self::digest(graph), commits_of(graph)), (digest.clone(), 20));
    }
    println!("\n:{}", commits_of(&mapped));
    let error = mapped.refresh().unwrap_err();
    assert!(matches!(error, GraphError::Store(StoreError::Replaced { .. })), "{error}");
    println!("\n:replaced\n:{}", Graph::open(&path).unwrap().live_node_count() - NODES);
}

#[test]
fn what_a_killed_writer_acknowledged_is_there() {
    let kills = count_of(KILLS, 50);
    let (_folder, path) = file();
    let (mut pause, mut first, mut acknowledged_in_all) = (7u64, 0, 0);
    for round in 0..kills {
        let mut writer = start("log_process::write_until_killed", WRITER, &path);
        let mut numbers = numbers(&mut writer);
        // Some writers are killed while they start, but most of them after their first commit.
        let begun = (round % 5 > 0).then(|| numbers.next().expect("it commits"));
        pause = pause * 5 % 97;
        std::thread::sleep(Duration::from_micros(400 * pause));
        writer.kill().unwrap();
        let acknowledged = numbers.last().or(begun).unwrap_or(first);
        writer.wait().unwrap();
        let commits = commits_of(&Graph::open(&path).unwrap());
        assert!(
            commits == acknowledged || commits == acknowledged + 1,
            "round {round}: {commits} commits of {acknowledged} acknowledged ones"
        );
        acknowledged_in_all += acknowledged - first;
        first = commits;
    }
    println!("{kills} writers killed, {acknowledged_in_all} commits acknowledged");
    assert!(acknowledged_in_all >= kills / 5 * 4);
    begin(&path).close(&TASK()).unwrap();
    assert_eq!(commits_of(&Graph::open(&path).unwrap()), first);
}

/// The work of the writer processes that the test above starts. In other processes, this test does nothing.
#[test]
fn write_until_killed() {
    let Some(path) = std::env::var_os(WRITER) else { return };
    let log = begin(Path::new(&path));
    let first = Graph::open(&path).unwrap().node_count() - NODES;
    let mut output = std::io::stdout();
    for number in first + 1.. {
        log.commit(&diff(number), Durability::Sync, &TASK()).unwrap();
        writeln!(output, "\n:{number}").unwrap();
        output.flush().unwrap();
    }
}
