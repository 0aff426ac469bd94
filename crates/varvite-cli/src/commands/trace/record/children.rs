//! Records a program and the processes that it starts, each into a trace of its own.
//!
//! Addresses mean something only within a process, and a program that a process executes has other addresses.
//! So each process has a trace, and another one for each program that it executes. The first trace has the
//! name that the user gave; the others have the number of the process and the name of the program in theirs.
//!
//! One thread receives the messages of all processes, and passes each to the thread of its process.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

use varvite_memtrace::reference::References;
use varvite_memtrace::valgrind::{Blocks, Import, ProcessEvent, RunReport, Step, process_of};
use varvite_store::StagedStream;
use varvite_trace::Recorder;

use super::Recording;
use super::build_ids::BuildIds;
use super::child_trace::ChildTrace;
use super::messages::{Messages, SOCKET_BYTES_MAX};
use crate::failure::Failure;
use crate::output::{counted, remark};

/// The most processes that are recorded at a time. Each takes a few megabytes and two threads.
const PROCESSES_MAX: usize = 64;
/// The most processes that are recorded at a time, with those that have ended but whose last messages may
/// still be in the socket.
const LIVE_MAX: usize = 2 * PROCESSES_MAX;
/// The most forks whose children have not begun.
const FORKS_MAX: usize = 256;
/// The messages that wait for the thread of a process.
const MESSAGES_MAX: usize = 16;
/// The most bytes of a program's name in the name of its trace.
const NAME_MAX: usize = 32;

/// An order to the thread of a process.
enum Order {
    Message(Vec<u8>),
    /// Send the blocks of the process as they are now, for a child.
    Fork(SyncSender<Blocks>),
    /// The process executes another program, which another thread records.
    Execute,
}

/// A process, or a program that a process has executed.
struct Process {
    process: u32,
    parent: Option<u32>,
    program: String,
    /// Its trace; `None` for the recording's own.
    file: Option<PathBuf>,
}

/// The thread of a process.
struct Live {
    thread: SyncSender<Order>,
    /// The number of bytes that were received when the process had ended; `None` as long as it runs.
    ended_at: Option<u64>,
}

type Handle<'s> = ScopedJoinHandle<'s, Result<Option<ChildTrace>, Failure>>;

/// The processes that are recorded now.
struct Router<'s, 'e> {
    recording: &'e Recording<'e>,
    scope: &'s Scope<'s, 'e>,
    live: HashMap<u32, Live>,
    /// The number of bytes received so far.
    received: u64,
    /// The blocks of a process at a fork, until the child begins.
    forks: VecDeque<((u32, u32), Receiver<Blocks>)>,
    names: HashSet<PathBuf>,
    handles: Vec<Handle<'s>>,
    /// The number of processes that were not recorded, because there were too many or their parent was not.
    left_out: &'e AtomicU64,
}

/// The traces of all processes.
pub(super) struct Traces {
    /// The trace of the program; empty if valgrind did not start it, or if there is a failure.
    pub(super) first: RunReport,
    /// The failure of the program's trace.
    pub(super) first_failure: Option<Failure>,
    pub(super) others: Vec<ChildTrace>,
    /// The first failure of one of the others, or of reading messages.
    pub(super) failure: Option<Failure>,
}

/// Reads the messages of all processes until the last one has ended.
pub(super) fn read(recording: &Recording<'_>, messages: &Messages) -> Traces {
    let mut buffer = Messages::buffer();
    let left_out = AtomicU64::new(0);
    let (received, results) = thread::scope(|scope| {
        let mut router = Router {
            recording,
            scope,
            live: HashMap::new(),
            received: 0,
            forks: VecDeque::new(),
            names: HashSet::new(),
            handles: Vec::new(),
            left_out: &left_out,
        };
        let received = loop {
            match messages.receive(&mut buffer) {
                Ok(Some(len)) => router.route(&buffer[..len]),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        (received, router.finish())
    });
    let left_out = left_out.into_inner();
    if left_out > 0 {
        let processes = counted(left_out, "process");
        remark(&format!(
            "not recorded: {processes}, because {PROCESSES_MAX} others ran at the same time, or the parent was \
             not recorded"
        ));
    }
    let traces = Traces::of(results);
    Traces { failure: received.err().or(traces.failure), ..traces }
}

impl Traces {
    /// The results of the threads, that of the program first.
    fn of(results: Vec<Result<Option<ChildTrace>, Failure>>) -> Self {
        let mut results = results.into_iter();
        let (first, first_failure) = match results.next() {
            Some(Ok(first)) => (first, None),
            Some(Err(failure)) => (None, Some(failure)),
            None => (None, None),
        };
        let (others, failures): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
        Self {
            first: first.map(|trace| trace.report).unwrap_or_default(),
            first_failure,
            others: others.into_iter().flatten().flatten().collect(),
            failure: failures.into_iter().find_map(Result::err),
        }
    }
}

impl<'s, 'e> Router<'s, 'e> {
    /// Passes a message to the thread of its process.
    fn route(&mut self, message: &[u8]) {
        let Some((process, event)) = process_of(message) else { return };
        self.received += message.len() as u64;
        match event {
            Some(ProcessEvent::Begin { forked, program }) => self.begin(process, forked, program),
            Some(ProcessEvent::Fork(number)) => self.fork(process, number),
            None => {}
        }
        self.order(process, Order::Message(message.to_vec()));
    }

    /// Sends an order to the thread of a process, if it has one that still reads. Returns whether it has.
    fn order(&mut self, process: u32, order: Order) -> bool {
        let is_sent = self.live.get(&process).is_some_and(|live| live.thread.send(order).is_ok());
        if !is_sent {
            self.live.remove(&process);
        }
        is_sent
    }

    /// Asks the thread of a process for its blocks, which the child will need.
    fn fork(&mut self, process: u32, number: u32) {
        let (reply, blocks) = sync_channel(1);
        // An earlier process had the same number, if the fork is known.
        self.forks.retain(|(fork, _)| *fork != (process, number));
        if !self.order(process, Order::Fork(reply)) {
            return;
        }
        // If a fork has failed, nobody takes its blocks.
        if self.forks.len() == FORKS_MAX {
            self.forks.pop_front();
        }
        self.forks.push_back(((process, number), blocks));
    }

    /// Starts the thread of a process. Leaves the process out if there are too many, or if its blocks are not
    /// known: then it is recorded from its next program on.
    fn begin(&mut self, process: u32, forked: Option<(u32, u32)>, program: &[u8]) {
        let at = self.forks.iter().position(|(fork, _)| Some(*fork) == forked);
        let blocks = at.and_then(|at| self.forks.remove(at)).map(|(_, blocks)| blocks);
        // A forked process is a new one. If another one had its number, that one has ended, or was killed.
        if forked.is_none() {
            self.order(process, Order::Execute);
        }
        self.live.remove(&process);
        let is_known = forked.is_none() || blocks.is_some();
        if !is_known || !self.has_room() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let program = String::from_utf8_lossy(program).into_owned();
        let file = (!self.handles.is_empty()).then(|| self.free_name(process, &program));
        let traced = Process { process, parent: forked.map(|(parent, _)| parent), program, file };
        let (thread, orders) = sync_channel(MESSAGES_MAX);
        let (recording, left_out) = (self.recording, self.left_out);
        self.handles.push(self.scope.spawn(move || {
            let blocks = match blocks.map(|blocks| blocks.recv()) {
                Some(Ok(blocks)) => blocks,
                // The parent's thread has ended early, for example because its disk was full.
                Some(Err(_)) => {
                    left_out.fetch_add(1, Ordering::Relaxed);
                    return Ok(None);
                }
                None => Blocks::default(),
            };
            traced.record(recording, blocks, &orders)
        }));
        self.live.insert(process, Live { thread, ended_at: None });
    }

    /// Whether another process can be recorded. If there are many, looks for those that have ended.
    fn has_room(&mut self) -> bool {
        if self.live.len() < PROCESSES_MAX {
            return true;
        }
        let received = self.received;
        for (process, live) in &mut self.live {
            if live.ended_at.is_none() && has_ended(*process) {
                live.ended_at = Some(received);
            }
        }
        // All messages of a process are in the socket when it ends, and messages keep their order.
        self.live.retain(|_, live| live.ended_at.is_none_or(|at| received <= at + SOCKET_BYTES_MAX));
        let running = self.live.values().filter(|live| live.ended_at.is_none()).count();
        running < PROCESSES_MAX && self.live.len() < LIVE_MAX
    }

    /// A name that no file and no other trace of this recording has: `run.4711.cc1.vtrace`.
    fn free_name(&mut self, process: u32, program: &str) -> PathBuf {
        let output = &self.recording.args.output;
        let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        let stem = part(output.file_stem());
        let extension = output.extension().map_or_else(String::new, |end| format!(".{}", part(Some(end))));
        let mut names = (1u32..).map(|number| {
            let again = if number == 1 { String::new() } else { format!(".{number}") };
            output.with_file_name(format!("{stem}.{process}.{}{again}{extension}", plain_name(program)))
        });
        let is_free = |name: &PathBuf| !name.exists() && !self.names.contains(name);
        let name = names.find(is_free).expect("there are fewer files than numbers");
        self.names.insert(name.clone());
        name
    }

    /// Waits for all threads, and returns their results, that of the program first.
    fn finish(self) -> Vec<Result<Option<ChildTrace>, Failure>> {
        drop(self.live);
        self.handles.into_iter().map(|handle| handle.join().expect("recording does not panic")).collect()
    }
}

/// Whether a process has ended, although its parent may not have waited for it.
fn has_ended(process: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{process}/stat")) else { return true };
    // The name of the program, in parentheses, may contain anything.
    let state = status.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    matches!(state, None | Some('Z' | 'X'))
}

/// The name of a program without its folders, with `_` in place of characters that file names should not
/// have.
fn plain_name(program: &str) -> String {
    let name = program.rsplit('/').next().unwrap_or_default();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_+.".contains(char);
    let name: String =
        name.chars().take(NAME_MAX).map(|char| if is_plain(char) { char } else { '_' }).collect();
    if name.is_empty() { "program".to_owned() } else { name }
}

impl Process {
    /// Records the process until it ends or executes another program. `None` if there are no records.
    fn record(
        self,
        recording: &Recording<'_>,
        blocks: Blocks,
        orders: &Receiver<Order>,
    ) -> Result<Option<ChildTrace>, Failure> {
        let Some(file) = &self.file else {
            let report = self.import(recording, recording.recorder, (blocks, orders));
            return report.map(|report| Some(self.traced(recording, &report)));
        };
        let trace = recording.args.begin(&recording.disk, file, true)?;
        match self.import(recording, trace.recorder(), (blocks, orders)) {
            Ok(report) if report.counts.records == 0 => {
                trace.remove();
                Ok(None)
            }
            Ok(report) => trace.commit().map(|()| Some(self.traced(recording, &report))),
            Err(failure) => {
                trace.fail();
                Err(failure)
            }
        }
    }

    fn import(
        &self,
        recording: &Recording<'_>,
        recorder: &Recorder<StagedStream>,
        (blocks, orders): (Blocks, &Receiver<Order>),
    ) -> Result<RunReport, Failure> {
        let file = self.file.as_ref().unwrap_or(&recording.args.output);
        let failed = |source| Failure::Recorder { file: file.clone(), source };
        let mut build_ids = BuildIds::default();
        let mut build_id = |path: &[u8]| build_ids.of(path);
        thread::scope(|scope| {
            let (target, tool) = (References::piped(recorder, scope), &recording.args.tool);
            let import = Import::new(target, tool.records_max(), &mut build_id);
            let mut import = import.with_blocks(blocks).sampled(tool.samples());
            let mut executes = false;
            for order in orders {
                match order {
                    Order::Message(message) => {
                        let before = import.counts().records;
                        let step = import.message(&message);
                        let new = import.counts().records - before;
                        recording.records.fetch_add(new, Ordering::Relaxed);
                        // A trace that is full goes on reading, because a child may need the blocks.
                        if step.map_err(failed)? == Step::End {
                            break;
                        }
                    }
                    Order::Fork(reply) => drop(reply.send(import.blocks())),
                    Order::Execute => executes = true,
                }
            }
            let report = import.finish().map_err(failed)?;
            // A process sends everything before it executes another program.
            let is_whole = report.is_whole || executes || report.counts.records >= tool.records_max();
            Ok(RunReport { is_whole, ..report })
        })
    }

    fn traced(&self, recording: &Recording<'_>, report: &RunReport) -> ChildTrace {
        ChildTrace {
            file: self.file.clone().unwrap_or_else(|| recording.args.output.clone()),
            process: self.process,
            parent: self.parent,
            program: self.program.clone(),
            report: *report,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use clap::Parser;
    use rustix::net::{SendFlags, send};
    use varvite_store::vfs::RealVfs;

    use super::*;
    use crate::commands::trace::record::RecordArgs;
    use crate::commands::trace::record::program::Stop;

    /// A command line.
    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        record: RecordArgs,
    }

    /// A process that no system has, and a file of its trace.
    const FIRST: u32 = 0x7000_0000;

    /// A message of a process: items (1), runs (2), its beginning (3), or a fork (4).
    fn message(kind: u32, process: u32, content: &[u8]) -> Vec<u8> {
        let head = [kind, process, process, 0].map(u32::to_le_bytes).concat();
        [&head[..], &[0; 16], content].concat()
    }

    fn words(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// A process begins, describes a block that loads a byte, and runs it. `forked` is its parent, and the
    /// number of the fork there; without a parent, the process has executed its program.
    fn begin(process: u32, [parent, fork]: [u32; 2]) -> Vec<Vec<u8>> {
        let begin = message(3, process, &[&words(&[4, parent, fork])[..], b"/bin/x"].concat());
        let number = u32::from(fork > 0);
        let run = message(2, process, &words(&[number]));
        vec![begin, message(1, process, &block(number)), run]
    }

    /// A block that loads a byte.
    fn block(number: u32) -> Vec<u8> {
        let load = [2, 1, 1, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0];
        [&words(&[2, 24, number, 1])[..], &load].concat()
    }

    fn fork(process: u32, number: u32) -> Vec<u8> {
        message(4, process, &words(&[number]))
    }

    fn run(process: u32) -> Vec<u8> {
        message(2, process, &words(&[0]))
    }

    fn end(process: u32) -> Vec<u8> {
        message(1, process, &words(&[5, 8, 0, 0]))
    }

    /// Records these messages into `output`, and returns the traces of all processes but the first.
    fn recorded(output: &Path, sent: &[Vec<u8>]) -> Vec<ChildTrace> {
        let traces = traces(output, sent);
        assert!(traces.failure.is_none() && traces.first_failure.is_none());
        traces.others
    }

    fn traces(output: &Path, sent: &[Vec<u8>]) -> Traces {
        let line = ["record", "--force", "-o", output.to_str().unwrap(), "--", "program"];
        let args = CommandLine::parse_from(line).record;
        let disk: Arc<dyn varvite_store::Vfs> = Arc::new(RealVfs);
        let trace = args.begin(&disk, output, true).unwrap();
        let (stop, records, recorder) = (Stop::default(), AtomicU64::new(0), trace.recorder());
        let recording = Recording { args: &args, disk, recorder, records: &records, stop: &stop };
        let (messages, socket) = Messages::with_socket().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || {
                for message in sent {
                    send(&socket, message, SendFlags::empty()).unwrap();
                }
            });
            read(&recording, &messages)
        })
    }

    #[test]
    fn the_last_messages_of_a_process_that_has_ended_are_read_although_many_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = begin(FIRST, [0, 0]);
        let children = FIRST + 1..FIRST + 1 + PROCESSES_MAX as u32;
        for child in children.clone() {
            sent.push(fork(FIRST, child - FIRST));
            sent.extend(begin(child, [FIRST, child - FIRST]));
        }
        sent.extend(children.clone().flat_map(|child| [run(child), end(child)]));
        let traces = recorded(&folder.path().join("run.vtrace"), &sent);
        assert_eq!(traces.len(), PROCESSES_MAX);
        for (trace, child) in traces.iter().zip(children) {
            let RunReport { counts, is_whole, .. } = trace.report;
            assert_eq!((trace.process, counts.records, is_whole), (child, 2, true));
        }
    }

    #[test]
    fn a_child_of_a_process_that_was_left_out_is_recorded_from_its_next_program_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = begin(FIRST, [0, 0]);
        // The fork of the first child is not known, as if 256 others had come after it.
        let (child, grandchild) = (FIRST + 1, FIRST + 2);
        sent.extend(begin(child, [FIRST, 7]));
        sent.push(fork(child, 1));
        sent.push(begin(grandchild, [child, 1]).swap_remove(0));
        sent.push(run(grandchild));
        sent.extend(begin(grandchild, [0, 0]));
        sent.extend([end(grandchild), end(child), end(FIRST)]);
        let traces = recorded(&folder.path().join("run.vtrace"), &sent);
        let found: Vec<_> = traces.iter().map(|trace| (trace.process, trace.parent)).collect();
        assert_eq!(found, [(grandchild, None)]);
    }

    #[test]
    fn a_child_of_a_process_whose_trace_failed_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = begin(FIRST, [0, 0]);
        sent.push(fork(FIRST, 1));
        sent.extend(begin(FIRST + 1, [FIRST, 1]));
        // This message ends the thread of the first child before the fork, or after its order.
        sent.extend([message(9, FIRST + 1, b""), fork(FIRST + 1, 1)]);
        sent.push(begin(FIRST + 2, [FIRST + 1, 1]).swap_remove(0));
        sent.extend([run(FIRST + 2), end(FIRST + 2), end(FIRST)]);
        let traces = traces(&folder.path().join("run.vtrace"), &sent);
        let failure = traces.failure.unwrap().to_string();
        assert!(traces.others.is_empty() && failure.contains("a kind from 1 to 4"), "{failure}");
    }

    #[test]
    fn a_process_with_the_number_of_a_killed_one_is_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = begin(FIRST, [0, 0]);
        sent.push(fork(FIRST, 1));
        sent.extend(begin(FIRST + 1, [FIRST, 1]));
        // The child forks and is killed; then another child gets its number, and forks as well.
        sent.push(fork(FIRST + 1, 1));
        sent.push(fork(FIRST, 2));
        sent.extend(begin(FIRST + 1, [FIRST, 2]));
        sent.push(message(1, FIRST + 1, &block(2)));
        sent.push(fork(FIRST + 1, 1));
        sent.push(begin(FIRST + 2, [FIRST + 1, 1]).swap_remove(0));
        sent.push(message(2, FIRST + 2, &words(&[2])));
        sent.extend([end(FIRST + 2), end(FIRST + 1), end(FIRST)]);
        let traces = recorded(&folder.path().join("run.vtrace"), &sent);
        let found: Vec<_> = traces.iter().map(|trace| (trace.process, trace.report.is_whole)).collect();
        assert_eq!(found, [(FIRST + 1, false), (FIRST + 1, true), (FIRST + 2, true)]);
    }

    #[test]
    fn a_failure_of_the_first_trace_does_not_hide_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = begin(FIRST, [0, 0]);
        sent.push(fork(FIRST, 1));
        sent.extend(begin(FIRST + 1, [FIRST, 1]));
        sent.extend([message(9, FIRST, b""), end(FIRST + 1)]);
        let traces = traces(&folder.path().join("run.vtrace"), &sent);
        assert!(matches!(traces.first_failure, Some(Failure::Recorder { .. })) && traces.failure.is_none());
        assert_eq!(traces.others.len(), 1);
    }

    #[test]
    fn a_child_with_an_invalid_message_keeps_its_records() {
        let folder = tempfile::tempdir().unwrap();
        let mut sent = begin(FIRST, [0, 0]);
        sent.push(fork(FIRST, 1));
        sent.extend(begin(FIRST + 1, [FIRST, 1]));
        sent.extend([message(9, FIRST + 1, b""), end(FIRST)]);
        let traces = traces(&folder.path().join("run.vtrace"), &sent);
        assert!(matches!(traces.failure, Some(Failure::Recorder { .. })) && traces.others.is_empty());
        let kept = std::fs::File::open(folder.path().join(".run.1879048193.x.vtrace.partial")).unwrap();
        let kept = varvite_trace::FileSource::new(kept).unwrap();
        assert_eq!(varvite_trace::Reader::open(kept).unwrap().next_block().unwrap().unwrap().len(), 1);
    }

    #[test]
    fn traces_of_children_are_named_like_a_trace_with_or_without_an_extension() {
        let folder = tempfile::tempdir().unwrap();
        let sent = [begin(FIRST, [0, 0]), begin(FIRST, [0, 0]), begin(FIRST, [0, 0])].concat();
        for (output, expected) in [
            ("run", ["run.1879048192.x", "run.1879048192.x.2"]),
            ("run.vtrace", ["run.1879048192.x.vtrace", "run.1879048192.x.2.vtrace"]),
        ] {
            let traces = recorded(&folder.path().join(output), &sent);
            let names: Vec<_> = traces.iter().map(|trace| trace.file.file_name().unwrap()).collect();
            assert_eq!(names, expected);
        }
    }

    #[test]
    fn a_process_has_ended_if_it_waits_for_its_parent_only() {
        assert!(!has_ended(std::process::id()) && has_ended(FIRST));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        while !has_ended(child.id()) {
            thread::yield_now();
        }
        assert!(Path::new(&format!("/proc/{}", child.id())).exists());
        child.wait().unwrap();
    }

    #[test]
    fn a_name_of_a_trace_has_plain_characters() {
        assert_eq!(plain_name("/usr/bin/g++-12"), "g++-12");
        assert_eq!(plain_name("/tmp/a b\n\u{1b}[1m"), "a_b___1m");
        assert_eq!(plain_name("/tmp/"), "program");
        assert_eq!(plain_name(&"x".repeat(99)).len(), NAME_MAX);
    }
}
