//! Tests of profiles in pprof's format: messages written by hand, and the warnings for faulty messages.

use proptest::prelude::*;
use varvite_profile::layer::{By, HeapLayer};
use varvite_profile::{
    Counts, Kind, Limits, Measure, Noticed, Profile, ProfileError, ProfileFormat, Sampling,
};
use varvite_testing::targets::profiles::read_profile;

/// Encodes a field of bytes. The next function encodes a field with a number.
fn bytes(field: u8, content: &[u8]) -> Vec<u8> {
    [&[field << 3 | 2, content.len() as u8], content].concat()
}

fn number(field: u8, value: u8) -> Vec<u8> {
    vec![field << 3, value]
}

fn fields(fields: &[Vec<u8>]) -> Vec<u8> {
    fields.concat()
}

fn text(text: &str) -> Vec<u8> {
    bytes(6, text.as_bytes())
}

fn read(message: &[u8]) -> Result<Profile, ProfileError> {
    assert_eq!(ProfileFormat::of_bytes(message), Some(ProfileFormat::Pprof));
    ProfileFormat::Pprof.read(message, &Limits::default())
}

/// A heap profile, as Go's runtime writes it. `alloc` was inlined into `work`, which `main` calls; the texts
/// come last.
fn go_heap() -> Vec<u8> {
    let value_type = |field, kind, unit| bytes(field, &fields(&[number(1, kind), number(2, unit)]));
    fields(&[
        value_type(1, 1, 2),
        value_type(1, 3, 4),
        // Two samples with locations and values. In the first sample, both lists are packed, and the sample
        // has a label.
        bytes(2, &fields(&[bytes(1, &[1, 2]), bytes(2, &[5, 0x80, 0x08]), bytes(3, &[0x08, 3])])),
        bytes(2, &fields(&[number(1, 2), number(2, 1), number(2, 64)])),
        bytes(3, &fields(&[number(1, 1), number(5, 10)])),
        bytes(
            4,
            &fields(&[
                number(1, 1),
                number(2, 1),
                number(3, 0x20),
                bytes(4, &fields(&[number(1, 1), number(2, 7)])),
                bytes(4, &fields(&[number(1, 2), number(2, 9)])),
            ]),
        ),
        bytes(4, &fields(&[number(1, 2), number(2, 1), bytes(4, &fields(&[number(1, 3), number(2, 30)]))])),
        bytes(5, &fields(&[number(1, 1), number(2, 5), number(4, 8)])),
        bytes(5, &fields(&[number(1, 2), number(2, 6), number(4, 8)])),
        bytes(5, &fields(&[number(1, 3), number(3, 7), number(4, 8)])),
        value_type(11, 9, 4),
        vec![12 << 3, 0x80, 0x80, 0x20],
        text(""),
        text("inuse_objects"),
        text("count"),
        text("inuse_space"),
        text("bytes"),
        text("main.alloc"),
        text("main.work"),
        text("main.main"),
        text("main.go"),
        text("space"),
        text("/bin/app"),
    ])
}

#[test]
fn a_heap_profile_of_go_is_sampled_and_has_functions_that_were_inlined() {
    let profile = read(&go_heap()).unwrap();
    // A sample has a label, which is noted.
    let noticed = Noticed { labelled_samples: 1, ..Noticed::default() };
    assert_eq!((profile.kind, profile.noticed), (Kind::Heap, noticed));
    assert_eq!(
        profile.sampling,
        Some(Sampling { period: 524_288, unit: "bytes".to_owned(), kind: "space".to_owned() })
    );
    assert_eq!(profile.measures.names().collect::<Vec<_>>(), ["inuse_objects", "inuse_space"]);
    assert_eq!(
        (profile.totals.counts, profile.recording.command.as_str()),
        (Counts::of(&[6, 1088]), "/bin/app")
    );
    let layer = HeapLayer::of_profile(&profile, &Limits::default()).unwrap();
    let mut rows: Vec<_> = layer
        .top(By::Place)
        .into_iter()
        .map(|row| (row.place.function, row.place.line, row.own, row.all))
        .collect();
    rows.sort_by_key(|row| row.1);
    let counts = |numbers: &[i64]| Counts::of(numbers);
    let expected = [
        ("main.alloc".to_owned(), 7, counts(&[5, 1024]), counts(&[5, 1024])),
        ("main.work".to_owned(), 9, counts(&[]), counts(&[5, 1024])),
        ("main.main".to_owned(), 30, counts(&[1, 64]), counts(&[6, 1088])),
    ];
    assert_eq!(rows, expected);
}

#[test]
fn time_period_and_the_type_that_is_shown_are_kept_when_it_is_written_again() {
    let began = 1_700_000_000_123_456_789u64;
    let varint = |mut number: u64| {
        let mut bytes = Vec::new();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
        bytes
    };
    let times =
        [vec![9 << 3], varint(began), vec![10 << 3], varint(1_234_567_891), vec![14 << 3, 1]].concat();
    let profile = read(&[go_heap(), times].concat()).unwrap();
    let layer = HeapLayer::of_profile(&profile, &Limits::default()).unwrap();
    assert_eq!(layer.measures.get(layer.default_measure()).map(Measure::name), Some("inuse_objects"));
    let mut written = Vec::new();
    layer.write_pprof(layer.default_measure(), &mut written).unwrap();
    let again = ProfileFormat::Pprof.read(&written[..], &Limits::default()).unwrap();
    assert_eq!((&again.recording, &again.sampling), (&profile.recording, &profile.sampling));
    assert_eq!((again.recording.began_unix_ns, again.recording.duration_ns), (began as i64, 1_234_567_891));
    // Without a default type in the message, pprof shows the last type.
    assert_eq!(read(&go_heap()).unwrap().recording.default_measure, "inuse_space");
}

#[test]
fn what_a_message_lacks_or_lies_about_is_noticed() {
    let head =
        fields(&[bytes(1, &fields(&[number(1, 1), number(2, 2)])), text(""), text("samples"), text("count")]);
    let with = |more: &[Vec<u8>]| read(&[head.clone(), more.concat()].concat());
    // A location that does not exist is recorded as unknown code. A sample with too many values is invalid.
    let far = bytes(2, &fields(&[bytes(1, &[9]), bytes(2, &[3])]));
    let long = bytes(2, &fields(&[bytes(1, &[9]), bytes(2, &[3, 4])]));
    let profile = with(&[far, long]).unwrap();
    assert_eq!((profile.noticed.bad_samples, profile.totals.counts), (2, Counts::of(&[3])));
    // A location and a function refer to a function and texts that do not exist.
    let location = bytes(4, &fields(&[number(1, 1), bytes(4, &number(1, 7))]));
    let function = bytes(5, &fields(&[number(1, 8), number(2, 99)]));
    assert_eq!(with(&[location, function]).unwrap().noticed.bad_samples, 2);
    // Two samples of -1; then sums that exceed 64 bits.
    let negative = bytes(2, &bytes(2, &[[0xff; 9].as_slice(), &[1]].concat()));
    let profile = with(&[negative.clone(), negative]).unwrap();
    assert!(profile.noticed.has_negative && profile.totals.counts == Counts::of(&[-2]));
    let most = bytes(2, &bytes(2, &[[0xff; 8].as_slice(), &[0x7f]].concat()));
    let profile = with(&[most.clone(), most]).unwrap();
    assert!(profile.noticed.is_saturated && profile.totals.counts == Counts::of(&[i64::MAX]));
    // There are more sample types than a profile can have measures.
    let types: Vec<Vec<u8>> = (0..9).map(|_| bytes(1, &fields(&[number(1, 1), number(2, 2)]))).collect();
    let sample = bytes(2, &bytes(2, &[1; 10]));
    let profile = with(&[types.concat(), sample]).unwrap();
    assert_eq!((profile.measures.len(), profile.noticed.measures_left_out), (8, 2));
    assert!(profile.measures.names().all(|name| name.starts_with("samples")));
}

#[test]
fn what_is_no_message_is_refused_with_its_place() {
    let whole = go_heap();
    let mut wrong = 0;
    for length in 3..whole.len() {
        match ProfileFormat::Pprof.read(&whole[..length], &Limits::default()) {
            Ok(profile) => assert!(profile.totals.counts == Counts::default() || profile.sites.len() <= 2),
            Err(ProfileError::Pprof { at, .. }) => {
                wrong += 1;
                assert!(at <= length);
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(wrong > 150, "{wrong}");
    let error = ProfileFormat::Pprof.read(&b"\x0b\x0b"[..], &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("not a pprof profile"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_do_harm(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8), length in any::<prop::sample::Index>()) {
        let mut message = go_heap();
        for (at, byte) in edits {
            let at = at.index(message.len());
            message[at] = byte;
        }
        read_profile(ProfileFormat::Pprof, &message);
        message.truncate(length.index(message.len()));
        read_profile(ProfileFormat::Pprof, &message);
    }
}
