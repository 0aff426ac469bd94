//! What is counted of a profile, as JSON has it.

use serde_json::{Value as Json, json};
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
