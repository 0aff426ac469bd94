//! Measures the time from cancelling work to its end.
//!
//! The work first runs once without being cancelled. Then it runs several more times, and each time a second
//! thread sets the cancel flag after a different share of the first run's time. A sample is the time from
//! setting the flag to the error.

use std::time::Instant;

use varvite::Cancel;

use crate::Failure;
use crate::record::figures::Figures;

/// Measures the times from setting the flag to the error, in nanoseconds. `work` gets the flag and returns
/// whether the flag ended it.
///
/// # Errors
/// The work fails for another reason, or ends before the flag is set in every run.
pub fn latency(
    name: &str,
    samples: u32,
    mut work: impl FnMut(&Cancel) -> Result<bool, Failure>,
) -> Result<Figures, Failure> {
    let began = Instant::now();
    if work(&Cancel::default())? {
        return Err(Failure(format!("{name} was cancelled by nobody")));
    }
    let (whole, mut latency) = (began.elapsed(), Figures::default());
    for sample in 0..samples {
        let (cancel, after) = (Cancel::default(), whole * (2 * sample + 1) / (2 * samples));
        let (outcome, ended, set) = std::thread::scope(|scope| {
            let flag = cancel.clone();
            let setting = scope.spawn(move || {
                std::thread::sleep(after);
                let now = Instant::now();
                flag.cancel();
                now
            });
            let outcome = work(&cancel);
            (outcome, Instant::now(), setting.join())
        });
        let set = set.map_err(|_| Failure("the thread that cancels is gone".to_owned()))?;
        // This run may be faster than the first, and end before the flag is set.
        if outcome? {
            latency.samples.push(ended.saturating_duration_since(set).as_nanos() as f64);
        }
    }
    if latency.samples.is_empty() {
        return Err(Failure(format!("{name} always ended before it was cancelled")));
    }
    Ok(latency)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Work of 40 ms that checks the flag after each of its `parts` parts.
    fn work(parts: u32) -> impl FnMut(&Cancel) -> Result<bool, Failure> {
        move |cancel| {
            for _ in 0..parts {
                std::thread::sleep(Duration::from_millis(40) / parts);
                if cancel.check().is_err() {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }

    #[test]
    fn work_that_looks_seldom_ends_late() {
        let often = latency("often", 3, work(40)).unwrap();
        let seldom = latency("seldom", 3, work(1)).unwrap();
        assert!(often.median() < seldom.median(), "{often:?} {seldom:?}");
    }

    #[test]
    fn work_that_never_looks_is_refused() {
        let deaf = |_: &Cancel| Ok(false);
        assert!(latency("deaf", 2, deaf).is_err());
    }
}
