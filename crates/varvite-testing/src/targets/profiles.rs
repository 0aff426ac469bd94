//! Profiles in all formats: reading any bytes returns a profile or an error, every query of a profile has a
//! result, and an export for viewers can be read back with equal sums.

use varvite_profile::layer::{CallerLimits, Code, FlameTree, HeapDiff, HeapLayer};
use varvite_profile::{Counts, Expansion, Limits, Profile, ProfileFormat, Roots, inclusive};

/// The largest number of steps for which a profile is queried: the time of queries of stacks is proportional
/// to the depth of the stacks.
const STEPS_MAX: usize = 2_000;
/// The limits of a read.
const LIMITS: Limits =
    Limits { memory_bytes: 16 << 20, expansion: Expansion::new(Expansion::RATIO), roots: Roots::None };

/// Reads a profile of collapsed stacks.
pub fn read_collapsed(bytes: &[u8]) {
    read_profile(ProfileFormat::Collapsed, bytes);
}

/// Reads the output of `perf script`.
pub fn read_perf(bytes: &[u8]) {
    read_profile(ProfileFormat::Perf, bytes);
}

/// Reads a profile in pprof's format.
pub fn read_pprof(bytes: &[u8]) {
    read_profile(ProfileFormat::Pprof, bytes);
}

/// Reads a profile in speedscope's format.
pub fn read_speedscope(bytes: &[u8]) {
    read_profile(ProfileFormat::Speedscope, bytes);
}

/// Reads a profile in a format, and runs all queries of it.
pub fn read_profile(format: ProfileFormat, bytes: &[u8]) {
    let Ok(profile) = format.read(bytes, &LIMITS) else { return };
    assert_eq!(inclusive(&profile).len(), profile.steps.len());
    let sum = profile.sites.iter().fold(Counts::default(), |mut sum, site| {
        sum += site.counts;
        sum
    });
    let is_exact = !profile.noticed.is_saturated && format != ProfileFormat::Heaptrack;
    assert!(!is_exact || sum == profile.totals.counts);
    if profile.steps.len() > STEPS_MAX {
        return;
    }
    let Ok(layer) = HeapLayer::of_profile(&profile, &LIMITS) else { return };
    assert!(profile.noticed.is_saturated || layer.coverage().all() == sum);
    ask(&layer);
    write(&layer, &profile);
}

fn ask(layer: &HeapLayer) {
    for (slot, _) in layer.measures.iter() {
        let leaks = layer.leaks(slot, &Code::default(), 2);
        assert!(leaks.iter().all(|leak| leak.stacks.len() <= leak.stacks_found.min(2)));
        for name in layer.function_names().take(3) {
            for places in layer.functions_named(name) {
                let rows = layer.callers(&places, slot, CallerLimits { depth: 20, rows: 100 });
                assert!(rows.len() <= 100);
            }
        }
    }
    let diff = HeapDiff::of(layer, layer);
    assert!(diff.rows.iter().all(|row| row.before == row.after));
}

/// Writes the profile in all formats for viewers, and checks that reading them back gives equal sums.
fn write(layer: &HeapLayer, profile: &Profile) {
    for (slot, _) in layer.measures.iter() {
        let flame = FlameTree::of(layer, slot);
        flame.write_html("a run", &mut std::io::sink()).expect("the sink takes everything");
        let mut text = Vec::new();
        flame.write_collapsed(&mut text).expect("memory takes it");
        let limits = Limits { memory_bytes: 256 << 20, ..Limits::default() };
        if let Ok(again) = ProfileFormat::Collapsed.read(&text[..], &limits) {
            assert!(again.noticed.bad_lines == 0 && slot_total(&again) == flame.total.to_string());
        }
        assert!(flame.total > 0 || text.is_empty());
    }
    let Some((slot, _)) = layer.measures.iter().next() else { return };
    let limits = Limits { memory_bytes: 256 << 20, ..Limits::default() };
    let mut message = Vec::new();
    layer.write_pprof(slot, &mut message).expect("memory takes it");
    if let Ok(again) = ProfileFormat::Pprof.read(&message[..], &limits) {
        let is_exact = !profile.noticed.is_saturated && profile.totals.suppressed_bytes == 0;
        assert!(again.noticed.bad_samples == 0);
        assert!(
            !is_exact
                || profile.recording.is_attached
                || again.totals.counts == profile.totals.counts
                || again.noticed.is_saturated
        );
    }
    let mut document = Vec::new();
    layer.write_speedscope(slot, &mut document).expect("memory takes it");
    if let Ok(again) = ProfileFormat::Speedscope.read(&document[..], &limits) {
        assert!(again.noticed.bad_samples == 0);
    }
}

fn slot_total(profile: &Profile) -> String {
    profile.totals.counts[Default::default()].to_string()
}
