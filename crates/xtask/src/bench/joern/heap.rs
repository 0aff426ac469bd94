//! Finds the smallest Java heap with which a program succeeds.

use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::process;
use crate::{Failure, Outcome};

/// The first heap size that is tried, in megabytes; the next constant is the last. Each size is twice the
/// previous one, until the program succeeds; then the size is bisected between the last two.
const LEAST: u32 = 8;
const GREATEST: u32 = 1 << 16;
/// The time after which a program counts as having too little heap, because it then only collects garbage.
const PATIENCE: Duration = Duration::from_secs(300);
const POLL: Duration = Duration::from_millis(20);

/// The smallest sufficient heap in megabytes, to within 5 %.
pub(super) fn smallest(program: impl Fn(u32) -> Command) -> Outcome<f64> {
    let enough = |heap: u32| ends_well(&mut program(heap));
    let (mut less, mut found) = (0, LEAST);
    while !enough(found)? {
        (less, found) = (found, 2 * found);
        if found > GREATEST {
            return Err(Failure(format!(
                "failed with a heap of {less} MB: {}",
                process::line(&program(less))
            )));
        }
    }
    while found - less > (found / 20).max(1) {
        let middle = less.midpoint(found);
        if enough(middle)? { found = middle } else { less = middle }
    }
    Ok(f64::from(found))
}

fn ends_well(program: &mut Command) -> Outcome<bool> {
    let started = Instant::now();
    let child = program.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child =
        child.map_err(|error| process::could_not_start(program, &error, "see cargo xtask jdk"))?;
    let failed = |error| Failure(format!("cannot wait for {}: {error}", process::line(program)));
    while started.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().map_err(failed)? {
            return Ok(status.success());
        }
        thread::sleep(POLL);
    }
    child.kill().and_then(|()| child.wait()).map_err(failed)?;
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_that_is_enough_is_found() {
        let needs = |least: u32| move |heap: u32| Command::new(if heap >= least { "true" } else { "false" });
        assert_eq!(smallest(needs(19)).unwrap(), 19.0);
        assert_eq!(smallest(needs(1)).unwrap(), 1.0);
        let found = smallest(needs(1000)).unwrap();
        assert!((1000.0..1050.0).contains(&found), "{found}");
        assert!(smallest(needs(u32::MAX)).is_err());
    }
}
