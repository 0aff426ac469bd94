//! Tests that profiles, written in the formats of other programs and read again, have the same sums by stack.

use std::collections::BTreeMap;
use std::path::PathBuf;

use varvite_profile::layer::{FlameTree, HeapLayer};
use varvite_profile::{Limits, Profile, ProfileFormat, Slot, heaptrack};

/// The count of each stack, by the names of its functions.
fn stacks(layer: &HeapLayer, slot: Slot) -> BTreeMap<String, i64> {
    let mut text = Vec::new();
    FlameTree::of(layer, slot).write_collapsed(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let line = |line: &str| {
        line.rsplit_once(' ').map(|(names, value)| (names.to_owned(), value.parse().unwrap())).unwrap()
    };
    text.lines().map(line).collect()
}

fn layer(profile: &Profile) -> HeapLayer {
    HeapLayer::of_profile(profile, &Limits::default()).unwrap()
}

fn sample(name: &str) -> Profile {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/{name}.heaptrack.zst"));
    heaptrack::open(&path, &Limits::default()).unwrap()
}

/// Writes a layer in a format, and reads it again.
fn again(layer: &HeapLayer, format: ProfileFormat) -> HeapLayer {
    let mut out = Vec::new();
    match format {
        ProfileFormat::Pprof => layer.write_pprof(heaptrack::PEAK_BYTES, &mut out).unwrap(),
        _ => layer.write_speedscope(heaptrack::PEAK_BYTES, &mut out).unwrap(),
    }
    let profile = varvite_profile_of(format, &out);
    assert_eq!(profile.noticed, Default::default());
    self::layer(&profile)
}

fn varvite_profile_of(format: ProfileFormat, bytes: &[u8]) -> Profile {
    format.read(bytes, &Limits::default()).unwrap()
}

#[test]
fn profiles_of_heaptrack_go_through_pprof_and_speedscope_with_all_counts() {
    for name in ["zlib", "sqlite"] {
        let before = layer(&sample(name));
        for format in [ProfileFormat::Pprof, ProfileFormat::Speedscope] {
            let after = again(&before, format);
            assert_eq!((&after.measures, &after.sampling), (&before.measures, &before.sampling));
            assert_eq!((&after.command, after.names.kind), (&before.command, before.names.kind));
            for (slot, measure) in before.measures.iter() {
                let (before, after) = (stacks(&before, slot), stacks(&after, slot));
                assert!(!before.is_empty() && before == after, "{name} {format:?} {}", measure.name());
            }
        }
    }
}

#[test]
fn fractions_go_through_all_forms() {
    let text = "main;a 0.25\nmain;b 12.5\n";
    let before = layer(&varvite_profile_of(ProfileFormat::Collapsed, text.as_bytes()));
    let mut again_text = Vec::new();
    FlameTree::of(&before, Slot::default()).write_collapsed(&mut again_text).unwrap();
    assert_eq!(String::from_utf8(again_text).unwrap(), text);
    for format in [ProfileFormat::Pprof, ProfileFormat::Speedscope] {
        let after = again(&before, format);
        assert_eq!(
            (&after.measures, after.totals.counts),
            (&before.measures, before.totals.counts),
            "{format:?}"
        );
    }
    // Two measures with the same unit stay separate.
    let two = layer(&varvite_profile_of(ProfileFormat::Collapsed, b"main;a 1 2\nmain;b 3 4\n"));
    let after = again(&two, ProfileFormat::Speedscope);
    assert_eq!((&after.measures, after.totals.counts), (&two.measures, two.totals.counts));
}

#[test]
fn collapsed_stacks_go_through_all_forms() {
    let before = layer(&sample("zlib"));
    for (slot, _) in before.measures.iter() {
        let (mut text, expected) = (Vec::new(), stacks(&before, slot));
        FlameTree::of(&before, slot).write_collapsed(&mut text).unwrap();
        let collapsed = layer(&varvite_profile_of(ProfileFormat::Collapsed, &text));
        assert_eq!(stacks(&collapsed, Slot::default()), expected);
        for format in [ProfileFormat::Pprof, ProfileFormat::Speedscope] {
            let after = again(&collapsed, format);
            assert_eq!(stacks(&after, Slot::default()), expected, "{format:?}");
            assert!(after.sampling.is_some() && after.measures == collapsed.measures);
        }
    }
}
