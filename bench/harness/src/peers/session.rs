//! Varvite's implementation of the peers' line protocol: each command gets one JSON line as its answer, in
//! order.
//!
//! A process serves one file. The harness starts a new process for each workload, so that the memory of the
//! process is the memory of the workload.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::Failure;
use crate::record::figures::Figures;
use crate::record::memory;
use crate::record::results::merge;
use crate::workloads::question::{Asked, Question};

/// The warm-up time before the first sample. The warm-up includes the very first round, whose time is
/// reported separately.
const WARMUP: Duration = Duration::from_millis(500);

/// Answers commands until `quit` or the end of the input: `run WORKLOAD ITERATIONS`, `memory`, `quit`.
///
/// # Errors
/// Input or output that breaks off. For every other failure the process answers `{"error": "..."}` and
/// continues.
pub fn serve(
    file: &Path,
    threads: usize,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), Failure> {
    let mut session = Session { file, threads, asked: None };
    answer_lines(input, &mut output, |words| session.answer(words))
}

/// Answers each line with a line of JSON until `quit` or the end of the input. A failure is answered as
/// `{"error": ".."}`.
pub(crate) fn answer_lines(
    input: impl BufRead,
    output: &mut impl Write,
    mut answer: impl FnMut(&[&str]) -> Result<Value, Failure>,
) -> Result<(), Failure> {
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = answer(&words).unwrap_or_else(|failure| json!({"error": failure.0}));
        writeln!(output, "{answer}")?;
        output.flush()?;
        if words == ["quit"] {
            break;
        }
    }
    Ok(())
}

struct Session<'a> {
    file: &'a Path,
    /// The number of threads for questions about columns.
    threads: usize,
    /// The workload of the last `run` command and its name, ready to run again.
    asked: Option<(String, Question)>,
}

impl Session<'_> {
    fn answer(&mut self, words: &[&str]) -> Result<Value, Failure> {
        let mut line = match words {
            ["run", workload, iterations] | ["run", workload, iterations, "without-gc"] => {
                self.run(workload, iterations)?
            }
            ["memory"] => json!({"command": "memory"}),
            ["quit"] => return Ok(json!({"command": "quit"})),
            _ => {
                return Err(Failure(format!(
                    "no command '{}': expected run, memory or quit",
                    words.join(" ")
                )));
            }
        };
        merge(&mut line, memory::now());
        Ok(line)
    }

    /// Times rounds of a workload. The first call for a workload also warms it up, and reports the time of
    /// set-up and of the very first round.
    fn run(&mut self, workload: &str, iterations: &str) -> Result<Value, Failure> {
        let iterations: u32 =
            iterations.parse().map_err(|_| Failure(format!("not a number of iterations: {iterations}")))?;
        let mut line = json!({"workload": workload, "unit": "ns"});
        if self.asked.as_ref().is_none_or(|(name, _)| name != workload) {
            let mut question = Question::prepare_on(workload, self.file, self.threads)?;
            line["setup_ns"] = json!(question.setup_ns);
            warm_up(&mut question, &mut line)?;
            self.asked = Some((workload.to_owned(), question));
        }
        if let Some((_, question)) = &mut self.asked {
            measure(question, iterations, &mut line)?;
        }
        Ok(line)
    }
}

/// Times `iterations` rounds of a question without a warm-up, and adds the answer and the samples to the JSON
/// object `line`.
///
/// # Errors
/// A fault of the file, or two rounds that disagree.
pub fn measure(question: &mut Question, iterations: u32, line: &mut Value) -> Result<Figures, Failure> {
    let (mut samples, mut syncs) = (Vec::new(), Vec::new());
    let mut found = None;
    for _ in 0..iterations {
        let Asked { answer, ns, sync_ns } = question.ask()?;
        samples.push(ns);
        syncs.extend(sync_ns);
        if found.replace(answer.clone()).is_some_and(|before| before != answer) {
            return Err(Failure("two rounds disagree".into()));
        }
    }
    if let Some(answer) = found {
        line["answer"] = json!(answer.values);
        line["operations"] = json!(answer.operations);
    }
    line["samples"] = json!(samples);
    if !syncs.is_empty() {
        line["sync_ns"] = json!(syncs);
    }
    Ok(Figures { samples: samples.into_iter().map(|ns: u64| ns as f64).collect() })
}

fn warm_up(question: &mut Question, line: &mut Value) -> Result<(), Failure> {
    let start = Instant::now();
    line["first_ns"] = json!(question.ask()?.ns);
    let mut rounds = 1;
    while start.elapsed() < WARMUP {
        question.ask()?;
        rounds += 1;
    }
    line["warmup_rounds"] = json!(rounds);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_answered_and_the_session_goes_on() {
        let mut output = Vec::new();
        let input = "run ast_dfs 1\nrun no_such 1\ndance\nmemory\nquit\nmemory\n";
        serve(Path::new("no such file"), 1, input.as_bytes(), &mut output).unwrap();
        let lines: Vec<Value> = output
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[..3].iter().all(|line| line["error"].is_string()), "{lines:?}");
        assert_eq!(lines[3]["command"], "memory");
        assert_eq!(lines[4]["command"], "quit");
    }
}
