//! What is counted of a profile, as JSON has it.

use serde_json::{Value as Json, json};
use varvite_profile::layer::Coverage;
use varvite_profile::{Counts, Totals};

/// What something allocates.
pub(super) fn counts_json(counts: &Counts) -> Json {
    json!({
        "calls": counts.calls, "temporary": counts.temporary, "leaked_bytes": counts.leaked_bytes,
        "peak_bytes": counts.peak_bytes,
    })
}

/// Sums over a run.
pub(super) fn totals_json(totals: &Totals) -> Json {
    json!({
        "calls": totals.calls, "temporary": totals.temporary, "peak_bytes": totals.peak_bytes,
        "leaked_bytes": totals.leaked_bytes, "suppressed_bytes": totals.suppressed_bytes,
        "runtime_ms": totals.runtime_ms, "peak_resident_bytes": totals.peak_resident_bytes,
    })
}

/// How much of a profile could be joined to the code of a graph.
pub(super) fn coverage_json(coverage: &Coverage) -> Json {
    let (covered, placed) = coverage.of_covered_modules();
    let by_class =
        coverage.by_class.iter().map(|(class, counts)| (class.name().to_owned(), counts_json(counts)));
    let modules = coverage.modules.iter().map(|module| {
        json!({
            "path": module.path, "counts": counts_json(&module.counts), "placed": counts_json(&module.placed),
            "share": shares_json(&module.placed, &module.counts),
        })
    });
    json!({
        "placed": counts_json(&coverage.placed()),
        "share": shares_json(&coverage.placed(), &coverage.all()),
        "share_in_covered_modules": shares_json(&placed, &covered),
        "by_match": serde_json::Map::from_iter(by_class),
        "below_methods": counts_json(&coverage.below_methods),
        "modules": modules.collect::<Vec<_>>(),
    })
}

/// Shares from 0 to 1; null of nothing.
fn shares_json(part: &Counts, whole: &Counts) -> Json {
    let share = |part: i64, whole: i64| (whole > 0).then(|| part as f64 / whole as f64);
    json!({
        "calls": share(part.calls, whole.calls), "temporary": share(part.temporary, whole.temporary),
        "leaked_bytes": share(part.leaked_bytes, whole.leaked_bytes),
        "peak_bytes": share(part.peak_bytes, whole.peak_bytes),
    })
}

/// A share for people: of nothing, nothing.
pub(super) fn percent(part: i64, whole: i64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
