//! Strategies for values of columns. For each encoding there is a shape of values that suits it.

use proptest::collection::vec;
use proptest::prelude::*;

/// Integers of every shape: none, one, or many.
pub(crate) fn integers() -> impl Strategy<Value = Vec<i64>> {
    let narrow =
        prop_oneof![Just(0i64), Just(-40), Just(i64::MIN), Just(i64::MAX - 0x1_0000_0000), any::<i64>()];
    prop_oneof![
        Just(Vec::new()),
        any::<i64>().prop_map(|value| vec![value]),
        (any::<i64>(), 0usize..2000).prop_map(|(value, count)| vec![value; count]),
        (any::<i32>(), any::<i32>(), 0..2000i64)
            .prop_map(|(start, step, count)| sequence(start, step, count)),
        (narrow, small_offsets()).prop_map(|(base, offsets)| shifted(base, &offsets)),
        vec(any::<i64>(), 0..300),
        vec(extremes(), 0..300),
        vec(0i64..=1, 0..2000),
        (vec(any::<u32>(), 1..20), vec(any::<prop::sample::Index>(), 0..2000)).prop_map(
            |(values, places)| { places.iter().map(|place| i64::from(*place.get(&values))).collect() }
        ),
        rising(),
    ]
}

/// Ascending integers, like offsets.
pub(crate) fn rising() -> impl Strategy<Value = Vec<i64>> {
    let step = prop_oneof![20 => 0u32..6, 1 => 0u32..1000, 1 => 60_000u32..70_000];
    vec(step, 0..2000).prop_map(|steps| {
        let sums = steps.iter().scan(0i64, |sum, step| {
            *sum += i64::from(*step);
            Some(*sum)
        });
        sums.collect()
    })
}

fn sequence(start: i32, step: i32, count: i64) -> Vec<i64> {
    (0..count).map(|index| i64::from(start) + i64::from(step) * index).collect()
}

/// Differences from a base, below 2^32: small ones, clusters with some values far away, or any numbers.
fn small_offsets() -> impl Strategy<Value = Vec<u32>> {
    let cluster = (any::<u32>(), vec(0u32..500, 1..300)).prop_map(|(middle, spread)| {
        spread.iter().map(|value| (middle / 2).wrapping_add(*value)).collect::<Vec<_>>()
    });
    prop_oneof![
        vec(0u32..100, 0..2500),
        vec(prop_oneof![40 => 0u32..16, 1 => any::<u32>()], 0..2500),
        vec(cluster, 0..8).prop_map(|clusters| clusters.concat()),
        vec(any::<u32>(), 0..600),
        vec(0x8000_0001u32..=u32::MAX, 0..600).prop_map(|mut values| {
            values.insert(0, 0);
            values
        }),
    ]
}

fn shifted(base: i64, offsets: &[u32]) -> Vec<i64> {
    offsets.iter().map(|offset| base.saturating_add(i64::from(*offset))).collect()
}

fn extremes() -> impl Strategy<Value = i64> {
    let values = [i64::MIN, i64::MIN + 1, -1, 0, 1, 0x7fff_ffff, 0xffff_ffff, 0x1_0000_0000, i64::MAX];
    prop::sample::select(values.to_vec())
}
