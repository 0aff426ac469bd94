//! `joern --script` with one question, from the start of the process to its end: on the graph, and on one without nodes.

use std::fs;
use std::process::Command;
use std::time::Instant;

use super::{Bench, median};
use crate::built::Profile;
use crate::java;
use crate::process;
use crate::{Failure, Outcome};

const QUESTION: &str = r#"
@main def exec(graph: String) = {
  val cpg = Cpg.withStorage(java.nio.file.Path.of(graph), false)
  println("answer " + cpg.method.nameExact("main").fullName.l)
}
"#;
/// Most of the time is the compiler's: scripts are few.
const ROUNDS: usize = 3;

/// What a script takes in milliseconds: on flatgraph, on the mapped graph, and on one without nodes.
pub(super) struct Script {
    pub(super) theirs: f64,
    pub(super) ours: f64,
    pub(super) empty: f64,
}

/// Medians of both; an installation that takes turns with us.
pub(super) fn measure(bench: &Bench) -> Outcome<Script> {
    let jar = java::joern_jar(&bench.root, Profile::Release)?;
    let script = bench.folder.join("question.sc");
    fs::write(&script, QUESTION).map_err(|error| Failure(format!("cannot write the script: {error}")))?;
    let [none, empty] = ["empty.cpg.bin", "empty.varvite"].map(|name| bench.folder.join(name));
    process::output(bench.paths.flatgraph().arg("empty").arg(&none), "")?;
    bench.import(&none, &empty)?;
    let ours = |graph: &std::path::Path| {
        let mut joern = Command::new(&bench.varvite);
        joern.args(["joern", "--joern"]).arg(bench.paths.lib()).arg("--jar").arg(&jar).arg("--");
        joern.arg("--script").arg(&script).arg("--param").arg(format!("graph={}", graph.display()));
        joern.env("JAVA_HOME", bench.paths.java_home()).env("XDG_CACHE_HOME", bench.folder.join("cache"));
        joern.current_dir(&bench.folder);
        joern
    };
    let theirs = || {
        let mut joern = bench.paths.installed(&[], "io.joern.joerncli.console.ReplBridge");
        joern.arg("--script").arg(&script);
        joern
            .arg("--param")
            .arg(format!("graph={}", bench.options.graph.display()))
            .current_dir(&bench.folder);
        joern
    };
    let mut times: [Vec<f64>; 3] = Default::default();
    for round in 0..ROUNDS {
        eprintln!("bench-joern: joern --script, round {}", round + 1);
        for (times, command) in
            times.iter_mut().zip([&mut theirs(), &mut ours(&bench.mapped), &mut ours(&empty)])
        {
            times.push(time(command)?);
        }
    }
    let [theirs, ours, empty] = times.map(median);
    Ok(Script { theirs, ours, empty })
}

/// Milliseconds to an answer.
fn time(command: &mut Command) -> Outcome<f64> {
    let started = Instant::now();
    let said = process::output(command, "")?;
    let time = started.elapsed().as_secs_f64() * 1e3;
    match said.contains("answer List(") {
        true => Ok(time),
        false => Err(Failure(format!("no answer: {}", process::line(command)))),
    }
}
