//! The time from cancelling work to its end.
//!
//! The work first runs once to its end. Then it runs again several times: each time a second thread sets the
//! flag after a different share of the time of the first run. A sample is the time from setting the flag to
//! the error.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use varvite::Cancel;

use crate::Failure;
use crate::record::figures::{Figures, Unit};

/// The longest time from cancelling to the end of the work.
pub const LATENCY_MAX: Duration = Duration::from_millis(50);

/// Work that was cancelled, and the times until it ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Cancelled {
    /// The name of the work, for people.
    pub work: String,
    /// The times from setting the flag to the error, in nanoseconds.
    pub latency: Figures,
}

impl Cancelled {
    /// Measures the latency of `work`, which gets the flag and returns whether the flag ended it.
    ///
    /// # Errors
    /// Work that fails for another reason, or that always ended before the flag was set.
    pub fn measure(
        name: &str,
        samples: u32,
        mut work: impl FnMut(&Cancel) -> Result<bool, Failure>,
    ) -> Result<Self, Failure> {
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
        Ok(Self { work: name.to_owned(), latency })
    }

    /// The work and its samples as JSON, for the results file.
    pub fn json(&self) -> Value {
        json!({"work": self.work, "latency": self.latency.json()})
    }

    /// Reads the JSON of the results file; `None` if a field is missing.
    pub fn of_json(value: &Value) -> Option<Self> {
        Some(Self { work: value["work"].as_str()?.to_owned(), latency: Figures::of_json(&value["latency"])? })
    }

    /// Whether the work always ended within [`LATENCY_MAX`].
    pub fn is_soon(&self) -> bool {
        self.latency.max().is_some_and(|latency| latency <= LATENCY_MAX.as_nanos() as f64)
    }

    /// The line of the report about this work.
    pub fn text(&self) -> String {
        format!("{}: {}", self.work, self.latency.text(Unit::Time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let often = Cancelled::measure("often", 3, work(40)).unwrap();
        let seldom = Cancelled::measure("seldom", 3, work(1)).unwrap();
        assert!(often.latency.median() < seldom.latency.median(), "{often:?} {seldom:?}");
        assert_eq!(Cancelled::of_json(&often.json()), Some(often));
    }

    #[test]
    fn work_that_never_looks_is_refused() {
        let deaf = |_: &Cancel| Ok(false);
        assert!(Cancelled::measure("deaf", 2, deaf).is_err());
    }
}
