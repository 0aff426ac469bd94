//! Answers the commands of the benchmark by Varvite's walks, as the peers in Java do with theirs.

use std::io::{BufRead, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::varvite_side::VarviteSide;
use crate::Failure;

/// The memory limit, in bytes, for the state of a walk.
const ARENA: usize = 256 << 20;

/// A function that runs another function, and returns the bytes that it allocates. The program passes the
/// measuring function to this module, because it needs a special global allocator, which only a program can
/// set.
pub type Allocated = fn(&mut dyn FnMut()) -> u64;

/// Answers commands until `quit` or the end of the input.
///
/// # Errors
/// Input or output that breaks off. For every other failure the process answers `{"error": "..."}` and
/// continues.
pub fn serve(
    file: &Path,
    allocated: Allocated,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), Failure> {
    let mut side = VarviteSide::open(file, ARENA)?;
    for line in input.lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer =
            answer(&mut side, &words, allocated).unwrap_or_else(|failure| json!({"error": failure.0}));
        writeln!(output, "{answer}")?;
        output.flush()?;
        if words == ["quit"] {
            break;
        }
    }
    Ok(())
}

fn answer(side: &mut VarviteSide, words: &[&str], allocated: Allocated) -> Result<Value, Failure> {
    match words {
        ["about"] => Ok(json!({"version": env!("CARGO_PKG_VERSION"), "walks": side.walks()})),
        ["warm", walk, seconds] => warm(side, walk, Duration::try_from_secs_f64(seconds.parse()?)?),
        ["run", walk, rounds] => run(side, walk, rounds.parse()?, allocated),
        ["quit"] => Ok(json!({})),
        _ => Err(Failure(format!("unknown command: {}", words.join(" ")))),
    }
}

fn warm(side: &mut VarviteSide, walk: &str, time: Duration) -> Result<Value, Failure> {
    let (began, mut rounds) = (Instant::now(), 0);
    while rounds < 2 || began.elapsed() < time {
        side.walk(walk)?;
        rounds += 1;
    }
    Ok(json!({"rounds": rounds}))
}

fn run(side: &mut VarviteSide, walk: &str, rounds: u32, allocated: Allocated) -> Result<Value, Failure> {
    let (mut samples, mut bytes) = (Vec::new(), Vec::new());
    let mut last = None;
    for _ in 0..rounds {
        let mut result = Ok(None);
        let mut time = Duration::ZERO;
        bytes.push(allocated(&mut || {
            let began = Instant::now();
            result = side.walk(walk).map(Some);
            time = began.elapsed();
        }));
        samples.push(time.as_nanos() as u64);
        let counts = result?;
        if last.is_some() && counts != last {
            return Err(Failure(format!("two rounds of {walk} disagree: {last:?} and {counts:?}")));
        }
        last = counts;
    }
    side.check()?;
    let counts = last.unwrap_or_default();
    Ok(json!({
        "samples": samples, "allocated": bytes, "results": counts.results, "expansions": counts.expansions,
        "label_tests": counts.label_reads, "property_reads": counts.value_reads,
    }))
}
