//! Tests of final traces in every framing, width and version, and with all the entries that name threads.

use varvite_codec::frame::Framing;
use varvite_memtrace::drmemtrace::{DrmemtraceError, Tier};
use varvite_memtrace::reference::Reference;

use super::convert;
use super::encoder::{Entry, TO_1970, chunks, framed, narrow, thread_trace, wide, zipped};

fn references(entries: &[Entry]) -> Vec<Reference> {
    entries.iter().map(|(kind, size, value)| Reference { kind: *kind, size: *size, value: *value }).collect()
}

/// Checks that a file has exactly these entries, all of thread 42.
#[track_caller]
fn check(file: &[u8], entries: &[Entry]) {
    let (report, threads) = convert(file, None).unwrap();
    let [(42, found)] = &threads[..] else {
        panic!("threads {:?}", threads.iter().map(|(thread, _)| thread))
    };
    assert!(found.iter().map(|(_, reference)| *reference).eq(references(entries)));
    assert_eq!((report.tier, report.cut, report.counts.records), (Tier::Final, None, entries.len() as u64));
}

#[test]
fn every_framing_gives_every_entry() {
    let entries = thread_trace(7, 42, 5000);
    let plain = wide(&entries);
    check(&plain, &entries);
    for framing in
        [Framing::Gzip, Framing::Lz4, Framing::Snappy, Framing::SnappyUnchecked, Framing::Zlib, Framing::Zstd]
    {
        check(&framed(framing, &plain), &entries);
    }
}

#[test]
fn zips_have_components_with_four_digits_or_eight() {
    let entries = thread_trace(7, 42, 5000);
    for digits in [4, 8] {
        check(&zipped(&chunks(&entries, 1000, digits)), &entries);
    }
}

#[test]
fn more_components_than_four_digits_can_number_are_read() {
    let entries = thread_trace(7, 42, 10_100);
    let parts = chunks(&entries, 1, 4);
    assert_eq!(parts[10_000].0, "chunk.10000");
    check(&zipped(&parts), &entries);
}

#[test]
fn every_version_is_read_and_others_are_named() {
    for version in 1..=7 {
        let entries = thread_trace(version, 42, 100);
        assert_eq!(convert(&wide(&entries), None).unwrap().0.version, version);
    }
    for version in [0, 8, 1 << 20] {
        let error = convert(&wide(&thread_trace(version, 42, 100)), None).unwrap_err();
        assert!(matches!(error, DrmemtraceError::Version { last: 7, .. }), "{error}");
    }
}

#[test]
fn entries_of_32_bit_programs_are_half_as_wide() {
    let mut entries: Vec<Entry> = thread_trace(3, 42, 500);
    entries.iter_mut().for_each(|entry| entry.2 &= 0xffff_ffff);
    check(&narrow(&entries), &entries);
    check(&framed(Framing::Gzip, &narrow(&entries)), &entries);
}

#[test]
fn threads_of_one_file_are_taken_apart() {
    let mut entries = vec![(25, 0, 1)];
    for turn in 0..6u64 {
        entries.push((22, 4, 100 + turn % 3));
        entries.push((24, 4, 4000));
        entries.extend((0..10).map(|number| (10, 4, 0x1000 * turn + number)));
    }
    entries.push((26, 0, 0));
    let (_, threads) = convert(&wide(&entries), None).unwrap();
    assert_eq!(
        threads.iter().map(|(thread, found)| (*thread, found.len())).collect::<Vec<_>>(),
        [(100, 25), (101, 24), (102, 25)]
    );
}

#[test]
fn times_are_those_of_1970() {
    let (_, threads) = convert(&wide(&thread_trace(7, 42, 2500)), None).unwrap();
    let times: Vec<u64> = threads[0].1.iter().map(|(time, _)| *time).collect();
    assert_eq!((times[0], times[8], times[times.len() - 1]), (0, 4_000_000, 5_001_999));
}

#[test]
fn time_that_goes_backwards_is_an_error() {
    let mut entries = thread_trace(7, 42, 2500);
    entries.insert(3000, (28, 2, TO_1970));
    let error = convert(&wide(&entries), None).unwrap_err();
    assert!(error.to_string().contains("time goes backwards in thread 42"), "{error}");
}
