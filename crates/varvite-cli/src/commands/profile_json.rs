//! Measures and coverage of a profile as JSON.

use serde_json::{Value as Json, json};
use varvite_profile::layer::Coverage;
use varvite_profile::{Counts, Measures, Slot, Totals, heaptrack};

/// Counts as JSON, by measure.
pub(super) fn counts_json(counts: &Counts, measures: &Measures) -> Json {
    measures.iter().map(|(slot, measure)| (measure.name().to_owned(), Json::from(counts[slot]))).collect()
}

/// The sums over a run as JSON. For a profile of heaptrack, this includes the values that only heaptrack
/// reports.
pub(super) fn totals_json(totals: &Totals, measures: &Measures) -> Json {
    let mut document = counts_json(&totals.counts, measures);
    document["runtime_ms"] = totals.runtime_ms.into();
    if *measures == heaptrack::measures() {
        document["suppressed_bytes"] = totals.suppressed_bytes.into();
        document["peak_resident_bytes"] = totals.peak_resident_bytes.into();
    }
    document
}

/// The share of a profile that was joined to the code of a graph, as JSON.
pub(super) fn coverage_json(coverage: &Coverage, measures: &Measures) -> Json {
    let counts_json = |counts: &Counts| counts_json(counts, measures);
    let shares_json = |part: &Counts, whole: &Counts| shares_json(part, whole, measures);
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

/// Shares from 0 to 1; null if the whole is 0.
fn shares_json(part: &Counts, whole: &Counts, measures: &Measures) -> Json {
    let share = |slot: Slot| (whole[slot] > 0).then(|| part[slot] as f64 / whole[slot] as f64);
    measures.iter().map(|(slot, measure)| (measure.name().to_owned(), Json::from(share(slot)))).collect()
}

/// A share in per cent; 0 if the whole is 0.
pub(super) fn percent(part: i64, whole: i64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}
