//! `cargo xtask writers`: runs processes that import, index, add layers and read at the same time, on the
//! real file system, and kills some of them.
//!
//! A round starts two to four processes on one file at the same moment and waits until all have ended.
//! Compacted files with the same state are equal byte for byte, so the compacted file must always equal one
//! of 48 known files. After a round, its state must result from the actions of the processes that reported
//! success, in some order; killed processes may have committed as well. These rounds find lost updates,
//! layers on the wrong graph, incomplete files and mixtures of two files.

mod state;

use std::collections::HashMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use self::state::{Action, Base, INDEXED, Layer, State};
use crate::built::{self, Profile};
use crate::{Failure, Outcome, cannot, process};

const DATA: &str = "crates/varvite-memtrace/tests/data/trace";
const CONTENT: &str = "examples/data/content.cpg.bin";
const NAME: &str = "graph.varvite";
/// The time after which a round has failed, because its processes must be waiting for each other.
const PATIENCE: Duration = Duration::from_secs(120);
/// A process is killed after a random time of at most this length, which may be at any moment of its work.
const KILL_MICROSECONDS: u64 = 60_000;

/// The condition that ends the rounds.
enum Until {
    Seconds(u64),
    Rounds(u64),
}

/// Runs rounds for ten seconds, or for the time or number of rounds in `words`, and prints the counts.
pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let (until, seed) = arguments(words)?;
    let varvite = built::varvite(root, Profile::Dev)?;
    let target = process::target_dir(root);
    let folder = target.join(format!("writers-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    println!("writers: seed {seed}");
    let soak = Soak::new(root, varvite, folder.clone(), seed);
    let outcome = soak.and_then(|soak| soak.run(&until));
    match &outcome {
        // After a failure the folder is kept for inspection.
        Err(_) => println!("writers: the files are in {}", folder.display()),
        Ok(()) => fs::remove_dir_all(&folder).map_err(|error| cannot("remove", &folder, &error))?,
    }
    outcome
}

fn arguments(words: &[String]) -> Outcome<(Until, u64)> {
    let (mut until, mut seed) = (Until::Seconds(10), u64::from(std::process::id()) << 20 | 1);
    let usage = || Failure("usage: cargo xtask writers [--seconds N | --rounds N] [--seed N]".into());
    for pair in words.chunks(2) {
        let [word, number] = pair else { return Err(usage()) };
        let number = number.parse().map_err(|_| usage())?;
        match word.as_str() {
            "--seconds" => until = Until::Seconds(number),
            "--rounds" => until = Until::Rounds(number),
            "--seed" => seed = number,
            _ => return Err(usage()),
        }
    }
    Ok((until, seed))
}

/// The command `varvite`, the folder of the file, and the state that belongs to each possible content of the
/// file.
struct Soak {
    root: PathBuf,
    varvite: PathBuf,
    folder: PathBuf,
    states: HashMap<Vec<u8>, State>,
    random: Random,
    tally: Tally,
}

/// How many rounds there were, and how many processes had each outcome.
#[derive(Default)]
struct Tally {
    rounds: u64,
    done: u64,
    busy: u64,
    refused: u64,
    killed: u64,
    reads: u64,
}

/// The way in which a process ended.
enum End {
    Done,
    /// Another process had the lock of the file.
    Busy,
    /// The action was invalid for the current state of the file.
    Refused,
    Killed,
}

/// The messages of `varvite` for actions that are invalid for a graph.
const REFUSALS: [&str; 4] = ["has an index already", "has no index", "belongs to a METHOD", "has no METHOD"];

impl Soak {
    fn new(root: &Path, varvite: PathBuf, folder: PathBuf, seed: u64) -> Outcome<Self> {
        let mut soak = Self {
            root: root.to_owned(),
            varvite,
            folder,
            states: HashMap::new(),
            random: Random(seed.max(1)),
            tally: Tally::default(),
        };
        for state in State::all() {
            let bytes = soak.made(&state)?;
            if let Some(other) = soak.states.insert(bytes, state.clone()) {
                return Err(Failure(format!("two states have one file: {state}; {other}")));
            }
        }
        soak.one(Action::Import(Base::Shapes))?;
        Ok(soak)
    }

    fn path(&self) -> PathBuf {
        self.folder.join(NAME)
    }

    /// The bytes of the graph's file after `varvite compact`. They do not depend on the commits from which
    /// the file was made.
    fn read(&self) -> Outcome<Vec<u8>> {
        let compacted = self.folder.join("compacted.varvite");
        let mut command = Command::new(&self.varvite);
        command.arg("compact").arg(self.path()).arg("-o").arg(&compacted).arg("--force");
        let output =
            command.output().map_err(|error| process::could_not_start(&command, &error, "cargo build"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Failure(format!("a reader met a damaged graph: {said}")));
        }
        fs::read(&compacted).map_err(|error| cannot("read", &compacted, &error))
    }

    /// The bytes of the compacted file for a state. Makes the file by running one process after another.
    fn made(&self, state: &State) -> Outcome<Vec<u8>> {
        self.one(Action::Import(state.base))?;
        state.layers.iter().try_for_each(|layer| self.one(Action::AddLayer(*layer)))?;
        state.indexes.iter().try_for_each(|name| self.one(Action::AddIndex(name)))?;
        self.read()
    }

    /// Runs an action while no other process is running.
    fn one(&self, action: Action) -> Outcome {
        match ended(action, self.start(action)?)? {
            End::Done => Ok(()),
            _ => Err(Failure(format!("{action:?} was refused though nobody else was there"))),
        }
    }

    fn start(&self, action: Action) -> Outcome<Child> {
        let data = self.root.join(DATA);
        let mut command = Command::new(&self.varvite);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        match action {
            Action::Import(base) => {
                let source = match base {
                    Base::Shapes => data.join("shapes.cpg.bin"),
                    Base::Content => self.root.join(CONTENT),
                };
                command.arg("import").arg(source).args(["-o", NAME, "--force", "--threads", "1"]);
            }
            Action::AddIndex(name) => _ = command.args(["index", NAME, "--threads", "1", "--add", name]),
            Action::DropIndex(name) => _ = command.args(["index", NAME, "--threads", "1", "--drop", name]),
            Action::AddLayer(layer) => {
                command.args(["import", "--into", NAME]).arg(data.join("shapes.vtrace"));
                command.arg("--binary").arg(data.join("shapes"));
                if layer == Layer::Inlined {
                    command.args(["--name", "inlined", "--inlined"]);
                }
            }
            Action::Verify => _ = command.args(["verify", NAME]),
        }
        command.spawn().map_err(|error| process::could_not_start(&command, &error, "cargo build"))
    }

    fn run(mut self, until: &Until) -> Outcome {
        let began = Instant::now();
        let mut state = State::of(Base::Shapes);
        loop {
            let is_over = match until {
                Until::Seconds(seconds) => began.elapsed().as_secs() >= *seconds,
                Until::Rounds(rounds) => self.tally.rounds >= *rounds,
            };
            if is_over {
                break;
            }
            state = self.round(&state)?;
            self.tally.rounds += 1;
            if self.tally.rounds.is_multiple_of(1000) {
                println!("writers: {} rounds, {:.0} s", self.tally.rounds, began.elapsed().as_secs_f64());
            }
        }
        self.one(Action::Import(Base::Content))?;
        let hidden = self.hidden_files()?;
        if !hidden.is_empty() {
            return Err(Failure(format!(
                "hidden files are left though a writer came after them: {hidden:?}"
            )));
        }
        let Tally { rounds, done, busy, refused, killed, reads } = self.tally;
        println!(
            "writers: {rounds} rounds in {:.0} s: {done} changes and checks done, {busy} kept out by another, {refused} refused, \
             {killed} killed, {reads} reads; no update lost, no layer on another graph, no file half made",
            began.elapsed().as_secs_f64()
        );
        Ok(())
    }

    fn hidden_files(&self) -> Outcome<Vec<String>> {
        let entries = fs::read_dir(&self.folder).map_err(|error| cannot("list", &self.folder, &error))?;
        let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        Ok(names.filter(|name| name.starts_with('.')).collect())
    }

    /// Starts processes at the same moment and returns the state of the file after their end.
    fn round(&mut self, before: &State) -> Outcome<State> {
        let count = 2 + self.random.below(3) as usize;
        let actions: Vec<Action> = (0..count).map(|_| self.action()).collect();
        let victim = (self.random.below(3) == 0).then(|| self.random.below(count as u64) as usize);
        let kill_after = Duration::from_micros(self.random.below(KILL_MICROSECONDS));
        let began = Instant::now();
        let started = actions.iter().map(|action| self.start(*action));
        let mut children = started.collect::<Outcome<Vec<Child>>>()?;
        self.watch(&mut children, victim, began + kill_after)?;
        let (mut done, mut maybe) = (Vec::new(), Vec::new());
        for (action, child) in actions.iter().zip(children) {
            match ended(*action, child)? {
                End::Done => done.push(*action),
                End::Killed => maybe.push(*action),
                End::Busy => self.tally.busy += 1,
                End::Refused => self.tally.refused += 1,
            }
        }
        self.tally.done += done.len() as u64;
        self.tally.killed += maybe.len() as u64;
        let after = self.look()?;
        if before.leads_to(&after, &done, &maybe) {
            return Ok(after);
        }
        Err(Failure(format!(
            "an update was lost in round {}: from {before}, with {done:?} done and {maybe:?} killed, to {after}",
            self.tally.rounds
        )))
    }

    fn action(&mut self) -> Action {
        let name = INDEXED[self.random.below(INDEXED.len() as u64) as usize];
        match self.random.below(10) {
            0 => Action::Import(Base::Shapes),
            1 => Action::Import(Base::Content),
            2..5 => Action::AddIndex(name),
            5 => Action::DropIndex(name),
            6 => Action::AddLayer(Layer::Inlined),
            7 | 8 => Action::AddLayer(Layer::Plain),
            _ => Action::Verify,
        }
    }

    /// Reads the file repeatedly until all processes have ended; kills the `victim`, if there is one, at
    /// `kill_at`.
    fn watch(&mut self, children: &mut [Child], mut victim: Option<usize>, kill_at: Instant) -> Outcome {
        let began = Instant::now();
        loop {
            if let Some(number) = victim.filter(|_| Instant::now() >= kill_at) {
                children[number].kill().map_err(|error| Failure(format!("cannot kill: {error}")))?;
                victim = None;
            }
            self.look()?;
            let mut is_running = false;
            for child in children.iter_mut() {
                is_running |= child.try_wait().map_err(|error| Failure(error.to_string()))?.is_none();
            }
            if !is_running {
                return Ok(());
            }
            if began.elapsed() > PATIENCE {
                children.iter_mut().for_each(|child| _ = child.kill());
                return Err(Failure(format!("a process does not end in round {}", self.tally.rounds)));
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Reads the file and returns its state.
    fn look(&mut self) -> Outcome<State> {
        self.tally.reads += 1;
        let bytes = self.read()?;
        self.states.get(&bytes).cloned().ok_or_else(|| {
            let kept = self.folder.join("mixed");
            let _ = fs::copy(self.path(), &kept);
            Failure(format!(
                "round {}: the file is none that a writer makes: {}",
                self.tally.rounds,
                kept.display()
            ))
        })
    }
}

fn ended(action: Action, mut child: Child) -> Outcome<End> {
    let status = child.wait().map_err(|error| Failure(error.to_string()))?;
    let mut said = String::new();
    let errors = child.stderr.take().map_or(Ok(0), |mut errors| errors.read_to_string(&mut said));
    errors.map_err(|error| Failure(error.to_string()))?;
    match status.code() {
        Some(0) => Ok(End::Done),
        Some(_) if action == Action::Verify => Err(Failure(format!("a reader met a damaged graph: {said}"))),
        Some(_) if said.contains("is being written by ") => Ok(End::Busy),
        Some(_) if REFUSALS.iter().any(|refusal| said.contains(refusal)) => Ok(End::Refused),
        None if std::os::unix::process::ExitStatusExt::signal(&status) == Some(9) => Ok(End::Killed),
        _ => Err(Failure(format!("{action:?} ended with {status}: {said}"))),
    }
}

/// A generator of pseudorandom numbers with a seed (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }
}
