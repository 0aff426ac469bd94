//! Tests of raw traces: blocks, addresses, markers.

use varvite_codec::frame::Framing;
use varvite_memtrace::drmemtrace::{DrmemtraceError, Modules, Tier};
use varvite_memtrace::reference::{Reference, kind};

use super::convert;
use super::encoder::{TO_1970, framed, word};

const MODULES: &[u8] = b"Module Table: version 5, count 2\nColumns: id, containing_id, start, end, entry, offset, preferred_base, path\n\
    \x20 0, 0, 0x0000000000400000, 0x0000000000401000, 0x0000000000400100, 0000000000000000, 0x0000000000400000, v#1,2,\xfe\n/bin/a\n\
    \x20 1, 0, 0x0000000000401000, 0x0000000000402000, 0x0000000000400100, 0000000000001000, 0x0000000000400000, v#1,0,/bin/a\n";

fn words() -> Vec<u64> {
    vec![
        word::extended(4, 0x40, 6),
        word::thread(42),
        word::process(40),
        word::marker(10, 64),
        word::time(TO_1970 + 9),
        word::marker(3, 2),
        word::block(1, 0x1234, 3),
        0x7fff_1234_5678,
        0xffff_ffff_ff60_0000,
        word::extended(3, 16, 1),
        0x60_0000,
        word::block(0xffff, 5, 2),
        word::marker(8, 0x12),
        word::marker(5, 0x3456),
        word::extended(1, 0, 0),
    ]
}

fn expected(block: u16, place: u64) -> Vec<Reference> {
    let entries = [
        (kind::HEADER, 0, 6),
        (kind::MARKER, 9, 0x40),
        (kind::THREAD, 0, 42),
        (kind::PROCESS, 0, 40),
        (kind::MARKER, 10, 64),
        (kind::MARKER, 2, TO_1970 + 9),
        (kind::MARKER, 3, 2),
        (block, 3, place),
        (kind::ADDRESS, 0, 0x7fff_1234_5678),
        (kind::ADDRESS, 0, 0xffff_ffff_ff60_0000),
        (kind::WRITE, 16, 0x60_0000),
        (kind::GENERATED_BLOCK, 2, 5),
        (kind::MARKER, 5, 0x12_0000_3456),
        (kind::FOOTER, 0, 0),
    ];
    entries.map(|(kind, size, value)| Reference { kind, size, value }).into()
}

#[track_caller]
fn check(file: &[u8], modules: Option<&Modules>, expected: &[Reference]) {
    let (report, threads) = convert(file, modules).unwrap();
    let [(42, found)] = &threads[..] else { panic!("not one thread") };
    assert_eq!(found.iter().map(|(_, reference)| *reference).collect::<Vec<_>>(), expected);
    assert_eq!((report.tier, report.version, report.cut), (Tier::Raw, 6, None));
    assert_eq!(found.last().unwrap().0, 9, "the time, since 1970");
}

#[test]
fn words_become_references_with_and_without_modules() {
    let plain = word::bytes(&words());
    check(&plain, None, &expected(kind::UNPLACED_BLOCK, 1 << 33 | 0x1234));
    let modules = Modules::parse(MODULES).unwrap();
    check(&plain, Some(&modules), &expected(kind::BLOCK, 0x40_1234));
}

#[test]
fn every_framing_of_raw_files_is_read() {
    let plain = word::bytes(&words());
    for framing in [Framing::Gzip, Framing::Zlib, Framing::Snappy, Framing::SnappyUnchecked, Framing::Lz4] {
        check(&framed(framing, &plain), None, &expected(kind::UNPLACED_BLOCK, 1 << 33 | 0x1234));
    }
}

#[test]
fn versions_before_5_have_their_header_the_other_way_round() {
    for version in 2..=8 {
        let header =
            if version < 5 { word::extended(0, version, 0x40) } else { word::extended(4, 0x40, version) };
        let (report, _) =
            convert(&word::bytes(&[header, word::thread(1), word::extended(1, 0, 0)]), None).unwrap();
        assert_eq!((report.version, report.file_type, report.cut), (version, 0x40, None));
    }
}

#[test]
fn blocks_of_modules_that_are_not_listed_are_an_error() {
    let modules = Modules::parse(MODULES).unwrap();
    let mut words = words();
    words[6] = word::block(2, 0, 1);
    let error = convert(&word::bytes(&words), Some(&modules)).unwrap_err();
    assert!(
        matches!(error, DrmemtraceError::Entry { what: "module of a block", expected: 2, found: 2, .. }),
        "{error}"
    );
}
