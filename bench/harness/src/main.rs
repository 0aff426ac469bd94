//! The command of the benchmark: `cargo xtask bench` runs it with what it needs.
#![forbid(unsafe_code)]

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use varvite_bench::question::Question;
use varvite_bench::{Failure, memory};

const HELP: &str = "\
usage: varvite-bench COMMAND

  workload NAME FILE ITERATIONS   ask one workload of a .varvite file (import_PROFILE: of a cpg.bin); one JSON line
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["workload", name, file, iterations] => workload(name, Path::new(file), iterations),
        _ => Err(Failure(HELP.trim_end().into())),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Every round is a sample, the first included, which pays for all page faults.
fn workload(name: &str, file: &Path, iterations: &str) -> Result<(), Failure> {
    let iterations: u32 = iterations.parse().map_err(|_| Failure(format!("not a number: {iterations}")))?;
    let mut question = Question::prepare(name, file)?;
    let mut samples = Vec::new();
    let mut line = json!({"workload": name, "unit": "ns", "setup_ns": question.setup_ns});
    for _ in 0..iterations {
        let (answer, ns) = question.ask()?;
        line["answer"] = json!(answer.values);
        line["operations"] = json!(answer.operations);
        samples.push(ns);
    }
    line["samples"] = json!(samples);
    samples.sort_unstable();
    line["median"] = json!(samples.get(samples.len() / 2));
    merge(&mut line, memory::now());
    println!("{line}");
    Ok(())
}

fn merge(line: &mut Value, fields: Value) {
    if let (Value::Object(line), Value::Object(fields)) = (line, fields) {
        line.extend(fields);
    }
}
