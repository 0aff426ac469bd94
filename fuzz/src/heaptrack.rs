//! Profiles of heaptrack: whatever they hold, reading them gives a profile or an error, and every question about one an answer.

use varvite_profile::layer::{CallerLimits, Code, FlameTree, HeapDiff, HeapLayer, Measure};
use varvite_profile::{Limits, heaptrack, inclusive};

/// Steps of a profile that questions are asked about: those about stacks cost as much as these are long.
const STEPS_MAX: usize = 10_000;

/// Reads the profile, and asks what can be asked of it.
pub(crate) fn read_heaptrack(bytes: &[u8]) {
    let limits = Limits { memory_bytes: 16 << 20 };
    let Ok(profile) = heaptrack::read(bytes, &limits) else { return };
    assert_eq!(inclusive(&profile).len(), profile.steps.len());
    let all: i64 = profile.sites.iter().map(|site| site.counts.calls).fold(0, i64::saturating_add);
    assert!(profile.origin.is_attached || all == profile.totals.calls);
    if profile.steps.len() > STEPS_MAX {
        return;
    }
    let Ok(layer) = HeapLayer::of_profile(&profile, &limits) else { return };
    assert_eq!(layer.coverage().all().calls, all);
    for name in layer.function_names().take(3) {
        for places in layer.functions_named(name) {
            let rows = layer.callers(&places, Measure::Calls, CallerLimits { depth: 20, rows: 100 });
            assert!(rows.len() <= 100);
        }
    }
    let leaks = layer.leaks(&Code::default(), 2);
    assert!(leaks.iter().all(|leak| leak.stacks.len() <= leak.stacks_found.min(2)));
    let diff = HeapDiff::of(&layer, &layer);
    assert!(diff.rows.iter().all(|row| row.before == row.after));
    for measure in Measure::ALL {
        let flame = FlameTree::of(&layer, measure);
        let mut out = std::io::sink();
        flame.write_collapsed(&mut out).expect("the sink takes everything");
        flame.write_html("a run", &mut out).expect("the sink takes everything");
    }
}
