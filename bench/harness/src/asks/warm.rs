//! Each query, warm, in Joern and in Varvite, in turns.

use serde_json::{Value, json};

use super::queries::Query;
use crate::Failure;
use crate::peers::peer::Peer;
use crate::peers::side::rounds_of_turn;
use crate::record::figures::{Figures, Unit};
use crate::record::results::{JOERN, Results};
use crate::report::asks::{COMPILE, OURS, WARM};

/// A round of this many nanoseconds or more is measured in one turn only.
const LONG_NS: f64 = 5e9;

/// Measures all queries. Returns those that a side does not answer, and those whose answers have other
/// numbers of rows, as circumstances of the run.
pub(super) fn measure(
    queries: &[Query],
    peers: &mut [(&'static str, Peer); 2],
    turns: u32,
    results: &mut Results,
) -> Result<Value, Failure> {
    let (mut left_out, mut differing) = (Vec::new(), Vec::new());
    for query in queries {
        match turns_of(query, peers, turns, results) {
            Ok([theirs, ours]) if theirs == ours => {}
            Ok([theirs, ours]) => differing.push(json!({"id": query.id, "joern": theirs, "varvite": ours})),
            Err(failure) => {
                let why = failure.0.lines().next().unwrap_or_default().to_owned();
                eprintln!("bench-ask: {why}");
                left_out.push(json!({"id": query.id, "why": why}));
            }
        }
    }
    Ok(json!({"left_out": left_out, "differing": differing}))
}

/// The turns of both sides at one query. Returns the number of rows of each answer.
fn turns_of(
    query: &Query,
    peers: &mut [(&'static str, Peer); 2],
    turns: u32,
    results: &mut Results,
) -> Result<[Value; 2], Failure> {
    let first = |(_, peer): &mut (_, Peer)| peer.ask(&format!("run {} 1 without-gc", query.id));
    let warmed = peers.iter_mut().map(first).collect::<Result<Vec<_>, _>>()?;
    let rounds = [0, 1].map(|side: usize| median(&warmed[side]));
    let is_long = rounds.iter().any(|ns| *ns > LONG_NS);
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..if is_long { 1 } else { turns } {
        for (side, (_, peer)) in peers.iter_mut().enumerate() {
            let rounds = rounds_of_turn(rounds[side]);
            let line = peer.ask(&format!("run {} {rounds} without-gc", query.id))?;
            samples[side].push(median(&line));
        }
    }
    let name = format!("{WARM}{}", query.id);
    for ((side, _), samples) in peers.iter().zip(samples) {
        results.row_mut(&name, &query.id, Unit::Time).extend(side, samples);
    }
    let compiled = warmed[1]["compile_ns"].as_f64();
    let row = results.row_mut(&format!("{COMPILE}{}", query.id), &query.id, Unit::Time);
    row.extend(OURS, compiled);
    debug_assert_eq!([peers[0].0, peers[1].0], [JOERN, OURS]);
    Ok([warmed[0]["answer"].clone(), warmed[1]["answer"].clone()])
}

/// The median of a peer's rounds.
fn median(line: &Value) -> f64 {
    let samples = line["samples"].as_array().into_iter().flatten().filter_map(Value::as_f64);
    Figures { samples: samples.collect() }.median().unwrap_or_default()
}
