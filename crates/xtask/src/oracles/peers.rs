//! `cargo xtask test-peers [GRAPH]`: checks that two peers of the benchmark give equal answers to the
//! questions that both support.
//!
//! One peer reads flatgraph with simple loops, the other through Joern's steps; the program that uses steps
//! is shorter, and may unintentionally answer a different question. A benchmark also compares answers, but
//! this test finds a difference without running a benchmark.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::java::Peer;
use crate::process;
use crate::{Failure, Outcome};

const GRAPH: &str = "examples/data/zlib.cpg.bin";

/// Asks both peers all questions that Joern's steps can answer. The graph is the one in the first argument,
/// or the one in the repository.
pub(crate) fn test(root: &Path, words: &[String]) -> Outcome {
    let graph = match words {
        [] => root.join(GRAPH),
        [graph] => std::path::absolute(graph).map_err(|error| Failure(format!("{graph}: {error}")))?,
        _ => return Err(Failure("test-peers takes one graph, such as examples/data/zlib.cpg.bin".into())),
    };
    let [flatgraph, joern] = Peer::build_all(root)?;
    let names = workloads(&joern)?;
    let mut commands = vec![format!("open {}", graph.display())];
    commands.extend(names.iter().map(|name| format!("run {name} 1 without-gc")));
    let (loops, steps) = (ask(&flatgraph, &commands)?, ask(&joern, &commands)?);
    loops.iter().zip(&steps).try_for_each(|(loops, steps)| agree(loops, steps))?;
    let file = graph.file_name().unwrap_or_default().to_string_lossy();
    println!("{file}: loops and steps answer {} questions alike", names.len());
    Ok(())
}

fn workloads(peer: &Peer) -> Outcome<Vec<String>> {
    let said = ask(peer, &["workloads".to_owned()])?;
    let names = said[0]["workloads"].as_array().into_iter().flatten();
    Ok(names.filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

/// Sends commands to a new process, and parses one line of its output for each command.
fn ask(peer: &Peer, commands: &[String]) -> Outcome<Vec<Value>> {
    let mut java = peer.java();
    let output = talk(&mut java, &format!("{}\nquit\n", commands.join("\n")))?;
    let mut lines: Vec<Value> = output
        .lines()
        .map(|line| {
            serde_json::from_str(line).map_err(|_| Failure(format!("{}: not JSON: {line}", peer.name)))
        })
        .collect::<Outcome<_>>()?;
    lines.truncate(commands.len());
    match lines.iter().find_map(|line| line["error"].as_str()) {
        Some(error) => Err(Failure(format!("{}: {error}", peer.name))),
        None if lines.len() < commands.len() => Err(Failure(format!("{} ended too early", peer.name))),
        None => Ok(lines),
    }
}

/// Runs a program with `input` on its standard input. The input fits into the pipe's buffer, so it can be
/// written before any output is read.
fn talk(program: &mut Command, input: &str) -> Outcome<String> {
    let child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let told = child.and_then(|mut child| {
        if let Some(mut pipe) = child.stdin.take() {
            pipe.write_all(input.as_bytes())?;
        }
        child.wait_with_output()
    });
    let output = told.map_err(|error| process::could_not_start(program, &error, "see cargo xtask jdk"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn agree(loops: &Value, steps: &Value) -> Outcome {
    if loops["answer"] == steps["answer"] {
        return Ok(());
    }
    let name = loops["workload"].as_str().unwrap_or_default();
    let (loops, steps) = (&loops["answer"], &steps["answer"]);
    Err(Failure(format!("{name}: flatgraph's loops answer {loops}, Joern's steps {steps}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn answers_that_differ_are_shown() {
        let answer = |answer: [u32; 2]| json!({"workload": "query_copy_loops", "answer": answer});
        assert!(agree(&answer([1, 2]), &answer([1, 2])).is_ok());
        let failure = agree(&answer([1, 2]), &answer([1, 3])).unwrap_err();
        assert_eq!(failure.0, "query_copy_loops: flatgraph's loops answer [1,2], Joern's steps [1,3]");
    }
}
