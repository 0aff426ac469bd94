//! Measures `joern --script` with one query, from the start of the process to its end, on the graph and on a
//! graph without nodes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use super::Bench;
use super::learned::Learned;
use super::report::Samples;
use crate::built::Profile;
use crate::java;
use crate::process;
use crate::{Failure, Outcome, cannot};

const QUESTION: &str = r#"
@main def exec(graph: String) = {
  val cpg = Cpg.withStorage(java.nio.file.Path.of(graph), false)
  println("answer " + cpg.method.nameExact("main").fullName.l)
}
"#;
const SHELL: &str = "io.joern.joerncli.console.ReplBridge";
/// The number of runs of each script. A few are enough, because most of the time is spent in the compiler.
const ROUNDS: usize = 3;

/// Runs a script on both sides, and on a graph without nodes.
pub(super) struct Scripts<'a> {
    bench: &'a Bench,
    jar: PathBuf,
    script: PathBuf,
    empty: PathBuf,
}

impl<'a> Scripts<'a> {
    pub(super) fn of(bench: &'a Bench) -> Outcome<Self> {
        let script = bench.folder.join("question.sc");
        fs::write(&script, QUESTION).map_err(|error| cannot("write", &script, &error))?;
        let [none, empty] = ["empty.cpg.bin", "empty.varvite"].map(|name| bench.folder.join(name));
        process::output(bench.paths.flatgraph().arg("empty").arg(&none), "")?;
        bench.import(&none, &empty)?;
        Ok(Self { bench, jar: java::joern_jar(&bench.root, Profile::Release)?, script, empty })
    }

    /// Measures without Java's cache of classes.
    pub(super) fn measure(&self, samples: &mut Samples) -> Outcome {
        let theirs = || Ok(self.bench.paths.installed(&[], SHELL));
        self.in_turns("script_cold", theirs, &["--no-aot"], samples)
    }

    /// Measures with Java's cache of classes, on both sides.
    pub(super) fn measure_learned(&self, flatgraph: &Learned, samples: &mut Samples) -> Outcome {
        // The first start writes a jar, the second makes the cache.
        for _ in 0..2 {
            time(&mut self.ours(&[], &self.empty))?;
        }
        let theirs = || flatgraph.command(self.bench, &[], "", SHELL);
        self.in_turns("script_AOT cache", theirs, &[], samples)
    }

    fn in_turns(
        &self,
        what: &str,
        theirs: impl Fn() -> Outcome<Command>,
        ours: &[&str],
        samples: &mut Samples,
    ) -> Outcome {
        for round in 0..ROUNDS {
            eprintln!("bench-joern: {what}, round {}", round + 1);
            let mut theirs = self.asked(theirs()?, &self.bench.options.graph);
            let [mut ours, mut empty] = [&self.bench.mapped, &self.empty].map(|graph| self.ours(ours, graph));
            for (side, command) in [("flatgraph", &mut theirs), ("mapped", &mut ours), ("empty", &mut empty)]
            {
                samples.add(what, side, time(command)?);
            }
        }
        Ok(())
    }

    fn ours(&self, words: &[&str], graph: &Path) -> Command {
        let bench = self.bench;
        let mut joern = Command::new(&bench.varvite);
        joern.arg("joern").args(words).arg("--joern").arg(bench.paths.lib()).arg("--jar").arg(&self.jar);
        joern.arg("--").env("JAVA_HOME", bench.paths.java_home());
        joern.env("XDG_CACHE_HOME", bench.folder.join("cache"));
        self.asked(joern, graph)
    }

    fn asked(&self, mut joern: Command, graph: &Path) -> Command {
        joern.arg("--script").arg(&self.script).arg("--param").arg(format!("graph={}", graph.display()));
        joern.current_dir(&self.bench.folder);
        joern
    }
}

/// The time, in milliseconds, until a command has printed its answer and ended.
fn time(command: &mut Command) -> Outcome<f64> {
    let started = Instant::now();
    let said = process::output(command, "")?;
    let time = started.elapsed().as_secs_f64() * 1e3;
    match said.contains("answer List(") {
        true => Ok(time),
        false => Err(Failure(format!("no answer: {}", process::line(command)))),
    }
}
