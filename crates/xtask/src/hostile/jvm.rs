//! Opens the hostile files in Java: one process with a small heap opens all of them, and must print the same
//! error numbers as the C program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::child;
use crate::process;
use crate::{Failure, Outcome, cannot, java};

/// The address space of the process in bytes: the memory limit, and the space that a JVM reserves.
const ADDRESSES: u64 = 768 << 20;
/// The maximum memory in bytes that the process may have used, in addition to the length of the longest file.
const MEMORY: u64 = 512 << 20;
/// The maximum time for one file in milliseconds.
const PATIENCE: u64 = 10_000;
/// The maximum processor time for all files in seconds.
const CPU_SECONDS: u64 = 600;
const FLAGS: [&str; 5] = [
    "-Xmx64m",
    "-XX:+UseSerialGC",
    "-XX:MaxMetaspaceSize=32m",
    "-XX:CompressedClassSpaceSize=16m",
    "-XX:ReservedCodeCacheSize=32m",
];

/// Opens each of the files in `folder`, and compares the printed numbers with `expected`.
pub(super) fn check(
    root: &Path,
    folder: &Path,
    plans: &[String],
    expected: &BTreeMap<String, String>,
) -> Outcome {
    let names = folder.join("graphs.txt");
    let list: String = expected.keys().map(|name| format!("{name}\n")).collect();
    fs::write(&names, list).map_err(|error| cannot("write", &names, &error))?;
    let jvm = java::of_tests(root, &FLAGS, "varvite.hostile.Ask")?;
    let files = folder.join("files");
    let mut limited = child::limited(ADDRESSES, CPU_SECONDS);
    limited.arg(jvm.get_program()).args(jvm.get_args()).arg(&files).arg(&names).args(plans);
    let answer = output(&mut limited)?;
    let longest =
        expected.keys().filter_map(|name| fs::metadata(files.join(name)).ok()).map(|file| file.len());
    compare(&answer, expected)?;
    check_memory(&answer, MEMORY + longest.max().unwrap_or_default())
}

/// The output of the JVM. If the JVM ended too early, the error names the last file for which it printed an
/// answer.
fn output(jvm: &mut Command) -> Outcome<String> {
    let output =
        jvm.output().map_err(|error| process::could_not_start(jvm, &error, "apt install util-linux"))?;
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(answer);
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let last = answer.lines().last().unwrap_or("none").to_owned();
    Err(Failure(format!("Java failed ({}) on the hostile file after: {last}", output.status)))
}

/// Checks that the peak memory, printed in a line such as `VmHWM:   123456 kB`, is not above the limit.
fn check_memory(answer: &str, limit: u64) -> Outcome {
    let line = answer.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok());
    match kilobytes {
        Some(kilobytes) if kilobytes << 10 <= limit => {
            println!("hostile: Java had at most {} MB", kilobytes >> 10);
            Ok(())
        }
        _ => Err(Failure(format!("Java had more than {} MB on hostile files: {line}", limit >> 20))),
    }
}

fn compare(answer: &str, expected: &BTreeMap<String, String>) -> Outcome {
    let mut wrong = Vec::new();
    for (name, numbers) in expected {
        let line =
            answer.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap_or_default();
        let (milliseconds, found) = line.split_once(' ').unwrap_or(("0", "nothing"));
        let is_slow = milliseconds.parse::<u64>().is_ok_and(|time| time > PATIENCE);
        if found != numbers || is_slow {
            wrong.push(format!("  {name}: {numbers} in C, {found} in Java after {milliseconds} ms"));
        }
    }
    wrong.iter().for_each(|line| println!("{line}"));
    match wrong.len() {
        0 => Ok(()),
        count => Err(Failure(format!("Java and C give different answers for {count} hostile files"))),
    }
}
