//! Tests of files that are truncated, damaged or hostile.

use proptest::prelude::*;
use varvite_codec::frame::{FrameError, FrameProblem, Framing};
use varvite_memtrace::drmemtrace::{DrmemtraceError, DrmemtraceOptions, Expansion};
use varvite_testing::targets::drmemtrace::read_drmemtrace;

use super::encoder::{beginning, chunks, framed, thread_trace, wide, word, zipped};
use super::{convert, convert_with};

#[test]
fn a_cut_file_gives_everything_before_and_says_what_is_missing() {
    let entries = thread_trace(7, 42, 300);
    let plain = wide(&entries);
    for len in (200..plain.len()).step_by(37) {
        let (report, threads) = convert(&plain[..len], None).unwrap();
        assert_eq!(threads[0].1.len(), len / 12);
        assert!(report.cut.is_some(), "{len}");
    }
    for framing in [Framing::Gzip, Framing::Lz4, Framing::Snappy, Framing::SnappyUnchecked] {
        let file = framed(framing, &wide(&thread_trace(7, 42, 20_000)));
        let (report, threads) = convert(&file[..file.len() * 2 / 3], None).unwrap();
        assert!(report.cut.is_some_and(|cut| !cut.is_empty()), "{framing}");
        assert!(threads[0].1.len() > 1000, "{framing}");
    }
}

#[test]
fn components_out_of_order_are_named() {
    let entries = thread_trace(7, 42, 500);
    let parts = chunks(&entries, 100, 4);
    let mut swapped = parts.clone();
    swapped.swap(1, 2);
    let missing = [&parts[..1], &parts[2..]].concat();
    for parts in [&swapped[..], &missing] {
        let error = convert(&zipped(parts), None).unwrap_err();
        assert!(
            matches!(&error, DrmemtraceError::Order { expected, found } if expected == "chunk.0001" && found == "chunk.0002"),
            "{error}"
        );
    }
    let other = [("7".to_owned(), wide(&entries))];
    assert!(matches!(convert(&zipped(&other), None), Err(DrmemtraceError::Order { .. })));
}

#[test]
fn damaged_framings_are_errors() {
    let plain = wide(&thread_trace(7, 42, 5000));
    for framing in [Framing::Gzip, Framing::Snappy] {
        let mut file = framed(framing, &plain);
        let middle = file.len() / 2;
        file[middle] ^= 0x55;
        assert!(matches!(convert(&file, None), Err(DrmemtraceError::Frame(_))), "{framing}");
    }
    let mut zip = zipped(&chunks(&thread_trace(7, 42, 5000), 1000, 8));
    let middle = zip.len() / 2;
    zip[middle] ^= 0x55;
    assert!(matches!(convert(&zip, None), Err(DrmemtraceError::Frame(_))));
}

#[test]
fn entries_that_cannot_be_are_errors() {
    let whole = thread_trace(7, 42, 100);
    let with = |at: usize, entry| {
        let mut entries = whole.clone();
        entries.insert(at, entry);
        convert(&wide(&entries), None).unwrap_err()
    };
    for (at, entry) in [(20, (50, 0, 0)), (20, (0xffff, 0, 0)), (20, (25, 0, 7)), (whole.len(), (10, 4, 1))] {
        let error = with(at, entry);
        assert!(matches!(error, DrmemtraceError::Entry { entry, .. } if entry == at as u64), "{error}");
    }
    let endless: Vec<_> = [(25, 0, 7)].into_iter().chain((0..1000).map(|number| (28, 3, number))).collect();
    assert!(matches!(convert(&wide(&endless), None), Err(DrmemtraceError::Entry { entry: 256, .. })));
    let crowd: Vec<_> = [(25, 0, 7)].into_iter().chain((0..70_000).map(|thread| (22, 4, thread))).collect();
    assert!(convert(&wide(&crowd), None).unwrap_err().to_string().contains("more than 65536 threads"));
}

#[test]
fn a_second_header_is_an_error_whatever_its_version() {
    let first = word::extended(4, 0x40, 6);
    for second in [first, word::extended(0, 3, 0), word::extended(0, 0x1234_5678, 0xff)] {
        let error = convert(&word::bytes(&[first, word::thread(1), second]), None).unwrap_err();
        assert!(error.to_string().contains("headers of one trace"), "{error}");
    }
}

#[test]
fn a_file_that_becomes_far_longer_than_it_is_is_refused() {
    let entries = thread_trace_of_equal_loads(6 << 20);
    let zip = zipped(&[("chunk.0000".to_owned(), entries.clone())]);
    for file in [framed(Framing::Zstd, &entries), framed(Framing::Gzip, &entries), zip] {
        let error = convert(&file, None).unwrap_err();
        let DrmemtraceError::Frame(FrameError { problem: FrameProblem::Expanded(error), .. }) = error else {
            panic!("{error}")
        };
        assert_eq!((error.stored_len, error.ratio_max), (file.len() as u64, 200));
    }
    // If the decompressed data is shorter than 64 MiB, it may expand any number of times; if it is longer,
    // the limit can be raised.
    let short = framed(Framing::Zstd, &thread_trace_of_equal_loads(5 << 20));
    assert!(convert(&short, None).is_ok());
    let long = framed(Framing::Zstd, &entries);
    let how = DrmemtraceOptions { expansion: Expansion::new(100_000), ..DrmemtraceOptions::default() };
    assert!(convert_with(&long, &how).is_ok());
}

/// A trace of `loads` loads from address 0.
fn thread_trace_of_equal_loads(loads: usize) -> Vec<u8> {
    let mut entries = beginning(7, 0x40, 42);
    entries.resize(entries.len() + loads, (0, 4, 0));
    wide(&entries)
}

#[test]
fn what_is_no_trace_is_refused() {
    for file in [&b""[..], b"short", b"==1== Lackey, an example Valgrind tool", &[0; 100]] {
        assert!(matches!(convert(file, None), Err(DrmemtraceError::NotDrmemtrace { .. })), "{file:?}");
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let plain = wide(&thread_trace(7, 42, 60));
    let raw = word::bytes(&[
        word::extended(4, 0x40, 6),
        word::thread(1),
        word::block(0, 1, 1),
        5,
        word::extended(1, 0, 0),
    ]);
    let framings = [Framing::Gzip, Framing::Lz4, Framing::Snappy, Framing::SnappyUnchecked, Framing::Zlib];
    let framed = framings.map(|framing| framed(framing, &plain));
    [vec![plain.clone(), raw, zipped(&chunks(&thread_trace(7, 42, 60), 30, 4))], framed.into()].concat()
}

proptest! {
    #[test]
    fn any_bytes_are_references_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_drmemtrace(&bytes);
    }

    #[test]
    fn edited_files_are_references_or_an_error(
        seed in proptest::sample::select(seeds()), edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = seed;
        for (place, value) in edits {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        read_drmemtrace(&bytes);
    }
}
