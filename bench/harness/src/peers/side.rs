//! [`Side`]: a process that takes turns with other processes at one question. [`Agreed`]: the answer, which
//! must be the same on all sides.

use serde_json::{Value, json};

use crate::Failure;
use crate::peers::peer::Peer;
use crate::record::figures::Figures;
use crate::workloads::plan::Asked;

/// The time of one side's turn. A turn takes longer if a single round takes longer, and less time if
/// [`ROUNDS_MAX`] rounds take less. After another process ran, caches and cores are cold for a tenth of a
/// second; a turn lasts longer than that, so that its median round is a warm one.
pub(crate) const TURN_NS: f64 = 4e8;
pub(crate) const ROUNDS_MAX: u32 = 1000;

/// The answer to a question, and the first side that gave it.
#[derive(Default)]
pub(crate) struct Agreed(Option<(&'static str, Value)>);

impl Agreed {
    /// Compares the answer of another side with the first answer.
    pub(crate) fn check(&mut self, name: &str, side: &'static str, answer: &Value) -> Result<(), Failure> {
        let answer = if answer.is_array() { answer.clone() } else { json!([answer]) };
        let (first, expected) = self.0.get_or_insert_with(|| (side, answer.clone()));
        if *expected == answer {
            return Ok(());
        }
        Err(Failure(format!("{name}: {first} answers {expected} and {side} answers {answer}")))
    }
}

/// One side that answers one question.
pub(crate) struct Side<'p> {
    /// The side's name in results.
    pub(crate) name: &'static str,
    pub(crate) peer: &'p mut Peer,
    command: String,
    /// The samples, one for each turn.
    pub(crate) samples: Vec<f64>,
    /// The last answer of the process.
    pub(crate) last: Value,
}

impl<'p> Side<'p> {
    /// Sets up a workload, warms it up, and computes the number of rounds that fill a turn.
    pub(crate) fn warmed(name: &'static str, peer: &'p mut Peer, workload: &str) -> Result<Self, Failure> {
        let line = peer.ask(&format!("run {workload} 1 without-gc"))?;
        let rounds = rounds_of_turn(number(&line["samples"], 0)?);
        let command = format!("run {workload} {rounds} without-gc");
        Ok(Self { name, peer, command, samples: Vec::new(), last: line })
    }

    /// Takes a turn, and adds the median of its rounds as a sample.
    pub(crate) fn take(&mut self, asked: &Asked, agreed: &mut Agreed) -> Result<(), Failure> {
        let line = self.peer.ask(&self.command)?;
        agreed.check(asked.name, self.name, &line["answer"])?;
        let rounds = line["samples"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        let rounds = Figures { samples: rounds.collect() };
        let divisor = if asked.is_per_operation { number(&line, "operations")? } else { 1.0 };
        self.samples.push(rounds.median().unwrap_or_default() / divisor);
        self.last = line;
        Ok(())
    }
}

/// The number of rounds in a turn, if a round takes `ns` nanoseconds.
pub(crate) fn rounds_of_turn(ns: f64) -> u32 {
    ((TURN_NS / ns.max(1.0)) as u32).clamp(1, ROUNDS_MAX)
}

/// The number in a field of a peer's line.
pub(crate) fn number(
    line: &Value,
    at: impl serde_json::value::Index + std::fmt::Display,
) -> Result<f64, Failure> {
    let missing = || Failure(format!("no number '{at}' in {line}"));
    line.get(&at).and_then(Value::as_f64).ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_that_differ_are_named() {
        let mut agreed = Agreed::default();
        agreed.check("ast_dfs", "flatgraph", &json!(5)).unwrap();
        agreed.check("ast_dfs", "direct", &json!([5])).unwrap();
        let failure = agreed.check("ast_dfs", "compact", &json!([6])).unwrap_err();
        assert_eq!(failure.0, "ast_dfs: flatgraph answers [5] and compact answers [6]");
    }

    #[test]
    fn short_rounds_fill_a_turn_together() {
        assert_eq!([1e9, 5e6, 7e3, 0.0].map(rounds_of_turn), [1, 80, 1000, 1000]);
    }
}
