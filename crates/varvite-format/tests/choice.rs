//! Tests of the choice of encodings. For each encoding there is input for which that encoding is the best.

use varvite_format::{EncodedColumn, Encoding, Keys, Profile, Purpose, encode_ints};

const COUNT: u64 = 8192;

/// Numbers that look random but are equal in every run.
fn scattered(limit: u64) -> impl Iterator<Item = i64> {
    (1..=COUNT).map(move |number| (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as i64 % limit as i64)
}

#[track_caller]
fn check(column: EncodedColumn, expected: (Encoding, u8, bool)) {
    let found = (column.row.encoding, column.row.width, column.row.relative);
    assert_eq!(found, expected);
}

#[track_caller]
fn encoded(values: &[i64], keys: Keys<'_>, purpose: Purpose, profile: Profile) -> EncodedColumn {
    encode_ints(values, keys, purpose, profile).unwrap()
}

#[test]
fn special_shapes_need_no_bytes_in_any_profile() {
    let steps: Vec<i64> = (0..COUNT as i64).map(|index| 7 - 3 * index).collect();
    for profile in Profile::ALL {
        for purpose in [Purpose::Ids, Purpose::Truth, Purpose::Numbers] {
            check(encoded(&[], Keys::None, purpose, profile), (Encoding::Constant, 0, false));
            check(encoded(&[-9; 100], Keys::Index, purpose, profile), (Encoding::Constant, 0, false));
            check(encoded(&steps, Keys::None, purpose, profile), (Encoding::Sequence, 0, false));
        }
    }
}

#[test]
fn the_compact_profile_takes_what_is_smallest() {
    let compact = |values: &[i64], keys| encoded(values, keys, Purpose::Ids, Profile::Compact);
    let clusters: Vec<i64> =
        scattered(256).zip(0i64..).map(|(value, index)| value + ((index / 128 * 7919 % 64) << 24)).collect();
    check(compact(&clusters, Keys::None), (Encoding::Packed, 0, false));

    let line: Vec<i64> = scattered(16).zip(0i64..).map(|(value, index)| value + 100 * index).collect();
    let column = compact(&line, Keys::None);
    check(column.clone(), (Encoding::Packed, 0, false));
    assert!(column.row.sloped);

    let functions: Vec<i64> =
        scattered(8).zip(0i64..).map(|(value, index)| (value * 31 + index / 1024 * 977) * 65_537).collect();
    check(compact(&functions, Keys::None), (Encoding::Local, 0, false));

    let truths: Vec<i64> = scattered(2).collect();
    check(compact(&truths, Keys::None), (Encoding::Bits, 0, false));

    let few: Vec<i64> = scattered(50).map(|value| value * 80_000_000).collect();
    check(compact(&few, Keys::None), (Encoding::Dictionary, 0, false));

    let bursts = |index: i64| {
        380 * (index / 128) + 190 * (i64::from(index % 128 >= 63) + i64::from(index % 128 >= 64))
    };
    let offsets: Vec<i64> = (0..COUNT as i64).map(|index| index + bursts(index)).collect();
    let direct = encoded(&offsets, Keys::Index, Purpose::Offsets, Profile::Direct);
    check(direct, (Encoding::TwoLevel, 1, false));

    let nodes: Vec<u32> = (0..COUNT as u32).map(|index| index * 1000).collect();
    let ends: Vec<u32> = (0..=COUNT as u32).collect();
    let near: Vec<i64> =
        nodes.iter().zip(scattered(16)).map(|(node, step)| i64::from(*node) + step).collect();
    assert!(compact(&near, Keys::Lists { nodes: &nodes, offsets: &ends }).row.relative);
    check(compact(&[0, 1 << 33, 2], Keys::None), (Encoding::Plain, 8, false));
}

#[test]
fn the_direct_profile_keeps_bytes_that_other_tools_read() {
    let direct = |values: &[i64], purpose| encoded(values, Keys::None, purpose, Profile::Direct);
    let cases: [(&[i64], u8, bool); 9] = [
        (&[0, 255, 3], 1, false),
        (&[-128, 127, 3], 1, true),
        (&[0, 256, 3], 2, false),
        (&[-129, 256, 3], 2, true),
        (&[0, 65_536, 3], 4, false),
        (&[-1, 65_536, 3], 4, true),
        (&[0, 1 << 32, 3], 8, true),
        (&[-1, 0xffff_fffe, 3], 8, true),
        (&[i64::MIN, i64::MAX, 3], 8, true),
    ];
    for (values, width, signed) in cases {
        let column = direct(values, Purpose::Numbers);
        check(column.clone(), (Encoding::Plain, width, false));
        assert_eq!((column.row.signed, column.row.base), (signed, 0), "{values:?}");
    }
    check(direct(&[0, 9, 3], Purpose::Ids), (Encoding::Plain, 4, false));
    check(direct(&[0, 1, 1], Purpose::Truth), (Encoding::Bits, 0, false));
    check(direct(&[0, 2, 1], Purpose::Truth), (Encoding::Plain, 1, false));
}

#[test]
fn the_archive_profile_takes_narrow_bytes_with_a_filter() {
    let archive = |values: &[i64], keys, purpose| encoded(values, keys, purpose, Profile::Archive);
    let offsets: Vec<i64> = scattered(7)
        .scan(0, |sum, degree| {
            *sum += degree;
            Some(*sum)
        })
        .collect();
    let column = archive(&offsets, Keys::None, Purpose::Ids);
    check(column.clone(), (Encoding::Plain, 2, false));
    let filter = column.segments[0].filter;
    assert_eq!((filter.width, filter.delta, filter.planes), (2, true, true));
    check(archive(&[0, 1, 1], Keys::None, Purpose::Truth), (Encoding::Bits, 0, false));
    check(archive(&[1_000_000, 1_000_200, 1_000_100], Keys::None, Purpose::Ids), (Encoding::Plain, 1, false));
    let drift: Vec<i64> = scattered(9).zip(0i64..).map(|(step, index)| 1000 * index + step).collect();
    let nodes: Vec<u32> = (0..COUNT as u32).map(|index| index * 1000).collect();
    let ends: Vec<u32> = (0..=COUNT as u32).collect();
    let keys = Keys::Lists { nodes: &nodes, offsets: &ends };
    check(archive(&drift, keys, Purpose::Ids), (Encoding::Plain, 1, true));
}
