//! Each query by a process of its own: `varvite ask FILE QUERY`, whose output is dropped.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::queries::Query;
use crate::Failure;
use crate::record::figures::Unit;
use crate::record::results::Results;
use crate::report::asks::{COLD, FLOOR, OURS};

/// The number of processes for each query.
const ROUNDS: u32 = 5;

/// Measures all queries, and the least that a process costs: `varvite --version`. Returns the ids of the
/// queries that fail, which have no row: a misspelt name, or the first of no rows.
pub(super) fn measure(
    queries: &[Query],
    command: &Path,
    graph: &Path,
    results: &mut Results,
) -> Result<Vec<String>, Failure> {
    for _ in 0..ROUNDS {
        let ns = timed(Command::new(command).arg("--version"))?;
        results.row_mut(FLOOR, "`varvite --version`", Unit::Time).extend(OURS, ns);
    }
    let mut failed = Vec::new();
    for query in queries {
        let ask = || timed(Command::new(command).arg("ask").arg(graph).arg(&query.text));
        let samples = (0..ROUNDS).map(|_| ask()).collect::<Result<Option<Vec<f64>>, _>>()?;
        match samples {
            Some(samples) => {
                results.row_mut(&format!("{COLD}{}", query.id), &query.id, Unit::Time).extend(OURS, samples);
            }
            None => failed.push(query.id.clone()),
        }
    }
    Ok(failed)
}

/// The nanoseconds from a process's start to its end. `None` if it fails.
fn timed(command: &mut Command) -> Result<Option<f64>, Failure> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let begin = Instant::now();
    let status = command.status();
    let ns = begin.elapsed().as_nanos() as f64;
    let program = command.get_program().to_string_lossy();
    let status = status.map_err(|error| Failure(format!("cannot run {program}: {error}")))?;
    Ok(status.success().then_some(ns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_fails_has_no_time() {
        assert!(timed(&mut Command::new("true")).unwrap().unwrap() > 0.0);
        assert_eq!(timed(&mut Command::new("false")).unwrap(), None);
        assert!(timed(&mut Command::new("/no/such")).unwrap_err().0.starts_with("cannot run /no/such: "));
    }
}
