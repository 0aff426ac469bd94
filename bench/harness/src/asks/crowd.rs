//! Fifty processes that ask one file: shells, servers for agents, and a new `varvite ask` each second.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::Graph;
use varvite::pipeline::{Options, eq, nodes};

use super::mcp::Agent;
use super::shares::Watch;
use crate::Failure;
use crate::record::figures::Unit;
use crate::record::results::Results;
use crate::report::asks::{ANONYMOUS, CROWD, OURS, PSS};

/// The processes: every fifth is a series of `varvite ask`, and the others are servers and shells.
const PROCESSES: usize = 50;
/// The time between two questions of a process.
const BEAT: Duration = Duration::from_secs(1);
/// The largest number of functions whose names are in the questions.
const NAMES: u64 = 500;

/// A kind of process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Mcp,
    Shell,
    Ask,
}

/// The parts that all processes share.
struct Crowd<'a> {
    command: &'a Path,
    graph: &'a Path,
    /// The names of functions in the graph.
    names: Vec<String>,
    seconds: u32,
    watch: Watch,
    /// The nanoseconds of each answer, by the kind of question.
    answers: Mutex<Vec<(&'static str, f64)>>,
    failures: Mutex<Vec<String>>,
}

/// Lets all processes ask for some seconds. Returns circumstances of the run.
pub(super) fn measure(
    command: &Path,
    graph: &Path,
    seconds: u32,
    results: &mut Results,
) -> Result<Value, Failure> {
    let names = names_of(graph)?;
    let (answers, failures) = (Mutex::default(), Mutex::default());
    let crowd = Crowd { command, graph, names, seconds, watch: Watch::default(), answers, failures };
    let looks = thread::scope(|scope| {
        let watching = scope.spawn(|| crowd.watch.looks());
        let asking: Vec<_> = (0..PROCESSES)
            .map(|number| {
                scope.spawn({
                    let crowd = &crowd;
                    move || crowd.take_part(number)
                })
            })
            .collect();
        asking.into_iter().for_each(|thread| drop(thread.join()));
        crowd.watch.end();
        watching.join().unwrap_or_default()
    });
    for (kind, ns) in crowd.answers.into_inner().unwrap_or_else(PoisonError::into_inner) {
        results.row_mut(&format!("{CROWD}{kind}"), kind, Unit::Time).add(OURS, ns);
    }
    // While the processes start and end, a look sees only some of them.
    let most = looks.iter().map(|look| look.processes).max().unwrap_or_default();
    let whole: Vec<_> = looks.iter().filter(|look| look.processes * 10 >= most * 9).collect();
    results.row_mut(PSS, "sum of PSS", Unit::Size).extend(OURS, whole.iter().map(|look| look.pss));
    let row = results.row_mut(ANONYMOUS, "of which outside of files", Unit::Size);
    row.extend(OURS, whole.iter().map(|look| look.anonymous));
    let failures = crowd.failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(json!({
        "processes": PROCESSES, "seen": most, "seconds": seconds, "failures": failures.len(),
        "first_failures": failures.iter().take(3).collect::<Vec<_>>(),
        "lock_waits": looks.iter().map(|look| look.waiting).sum::<usize>(), "looks": looks.len(),
    }))
}

/// Names of functions with a body, evenly spread over the graph.
fn names_of(graph: &Path) -> Result<Vec<String>, Failure> {
    let graph = Graph::open(graph)?;
    let plan = nodes("METHOD").has("IS_EXTERNAL", eq(false)).values("NAME").dedup().compile(&graph)?;
    let (mut run, mut names) = (plan.run(Options::default()), Vec::new());
    while let Some(rows) = run.next()? {
        let Some(column) = rows.column(0) else { continue };
        names.extend((0..rows.len()).filter_map(|row| match column.get(row)? {
            varvite::pipeline::Cell::Value(varvite::Value::Str(name)) => Some(name.to_string()),
            _ => None,
        }));
    }
    names.retain(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
    let step = names.len().div_ceil(NAMES as usize).max(1);
    let names: Vec<String> = names.into_iter().step_by(step).collect();
    if names.is_empty() {
        return Err(Failure("the graph has no function to ask about".into()));
    }
    Ok(names)
}

impl Crowd<'_> {
    /// One process asks a question each second.
    fn take_part(&self, number: usize) {
        let kind = [Kind::Mcp, Kind::Shell, Kind::Mcp, Kind::Shell, Kind::Ask][number % 5];
        let outcome = match kind {
            Kind::Mcp => Agent::start(self.command, self.graph).and_then(|agent| self.agent(agent, number)),
            Kind::Shell => Shell::start(self).and_then(|shell| self.shell(shell, number)),
            Kind::Ask => self.beats(number, |name| self.ask(name)),
        };
        outcome.unwrap_or_else(|failure| self.fail(format!("{kind:?}: {failure}")));
    }

    fn agent(&self, mut agent: Agent, number: usize) -> Result<(), Failure> {
        let process = agent.process();
        self.watch.add(process);
        let outcome = self.beats(number, |name| {
            let begin = Instant::now();
            let reply = agent.call("explore", &json!({"symbol": name}))?;
            self.answered("explore", begin);
            if reply.is_error {
                self.fail(format!("explore {name}: {}", reply.text));
            }
            Ok(())
        });
        self.watch.remove(process);
        outcome
    }

    fn shell(&self, mut shell: Shell, number: usize) -> Result<(), Failure> {
        let process = shell.child.id();
        self.watch.add(process);
        let outcome = self.beats(number, |name| {
            let begin = Instant::now();
            shell.ask(&query(name))?;
            self.answered("shell", begin);
            Ok(())
        });
        self.watch.remove(process);
        outcome
    }

    fn ask(&self, name: &str) -> Result<(), Failure> {
        let begin = Instant::now();
        let mut ask = Command::new(self.command);
        ask.arg("ask").arg(self.graph).arg(query(name)).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = ask.stderr(Stdio::null()).spawn()?;
        self.watch.add(child.id());
        let status = child.wait()?;
        self.watch.remove(child.id());
        self.answered("ask", begin);
        if !status.success() {
            self.fail(format!("ask about {name}: {status}"));
        }
        Ok(())
    }

    /// Calls `ask` with a name each second, from a different part of the second for each process.
    fn beats(&self, number: usize, mut ask: impl FnMut(&str) -> Result<(), Failure>) -> Result<(), Failure> {
        let begin = Instant::now() + BEAT * (number as u32) / (PROCESSES as u32);
        for beat in 0..self.seconds {
            thread::sleep((begin + BEAT * beat).saturating_duration_since(Instant::now()));
            ask(&self.names[(number * 7 + beat as usize * 13) % self.names.len()])?;
        }
        Ok(())
    }

    fn answered(&self, kind: &'static str, begin: Instant) {
        let ns = begin.elapsed().as_nanos() as f64;
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push((kind, ns));
    }

    fn fail(&self, failure: String) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
    }
}

/// A question of shells and of `varvite ask`.
fn query(name: &str) -> String {
    format!("cpg.method.nameExact(\"{name}\").callIn.map(c => (c.method.name, c.lineNumber, c.code)).l")
}

/// A shell that reads from a pipe.
struct Shell {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Shell {
    /// A text that the shell prints after the answer.
    const END: &'static str = "the end of the answer";

    fn start(crowd: &Crowd<'_>) -> Result<Self, Failure> {
        let mut shell = Command::new(crowd.command);
        shell
            .arg("shell")
            .arg(crowd.graph)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = shell.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or_else(|| Failure("varvite shell has no output".into()))?;
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    /// Asks a query, and reads its answer.
    fn ask(&mut self, query: &str) -> Result<(), Failure> {
        let Some(input) = &mut self.input else { return Ok(()) };
        writeln!(input, "{query}\n\"{}\"", Self::END)?;
        input.flush()?;
        let mut line = String::new();
        while !line.trim_end().ends_with(Self::END) {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(Failure("varvite shell ended".into()));
            }
        }
        Ok(())
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.wait();
    }
}
