//! Framings: data that is written and read back, and data that is cut off, damaged or hostile.

use std::io::{self, Read, Write};

use proptest::prelude::*;
use varvite_codec::Allocator;
use varvite_codec::frame::{
    Expanded, Expansion, FrameError, FrameOptions, FrameProblem, FrameReader, FrameWriter, Framing,
};

use crate::counting::{Asked, global_calls_during};
use crate::sample::log_lines;

pub(crate) fn framed(framing: Framing, plain: &[u8]) -> Vec<u8> {
    let options = FrameOptions::default();
    let mut writer = FrameWriter::new(framing, framing.codec().default_level(), Vec::new(), &options)
        .expect("the program has memory, and a Vec takes all");
    writer.write_all(plain).expect("the program has memory, and a Vec takes all");
    writer.finish().expect("the program has memory, and a Vec takes all")
}

/// Reads plain bytes up to the end or the first error. Returns the bytes, and the error if there is one.
pub(crate) fn unframed(
    framing: Framing,
    data: &[u8],
    options: &FrameOptions,
) -> (Vec<u8>, Option<FrameError>) {
    let mut reader =
        FrameReader::new(framing, data, options).expect("the program has memory, and a Vec takes all");
    let (mut plain, mut piece) = (Vec::new(), [0; 1000]);
    loop {
        match reader.read_plain(&mut piece) {
            Ok(0) => return (plain, None),
            Ok(len) => plain.extend_from_slice(&piece[..len]),
            Err(error) => return (plain, Some(error)),
        }
    }
}

/// Checks the result of reading `data`: the plain length if the data is whole, else the text of the error
/// with its offset.
fn check(framing: Framing, data: &[u8], expected: &str) {
    let (plain, error) = unframed(framing, data, &FrameOptions::default());
    let found = error.map_or(format!("{} bytes", plain.len()), |error| error.to_string());
    assert!(found.contains(expected), "{framing}: expected {expected:?}, found {found:?}");
}

#[test]
fn every_framing_there_and_back_at_lengths_around_its_chunks() {
    let plain = log_lines(600_000);
    for framing in Framing::ALL {
        for len in [0, 1, 65_535, 65_536, 65_537, 262_144, 262_145, 600_000] {
            let data = framed(framing, &plain[..len]);
            let (back, error) = unframed(framing, &data, &FrameOptions::default());
            assert!(error.is_none() && back == plain[..len], "{framing} {len}: {error:?}");
        }
    }
}

#[test]
fn streams_of_one_framing_follow_each_other() {
    for framing in Framing::ALL {
        let two = [framed(framing, b"one, "), framed(framing, b"two")].concat();
        match framing {
            Framing::Zlib => check(framing, &two, "bytes follow the end of the stream"),
            _ => assert_eq!(unframed(framing, &two, &FrameOptions::default()).0, b"one, two", "{framing}"),
        }
    }
}

#[test]
fn data_that_was_cut_gives_all_whole_chunks_and_says_that_it_was_cut() {
    let plain = log_lines(300_000);
    for framing in Framing::ALL {
        let data = framed(framing, &plain);
        let (back, error) = unframed(framing, &data[..data.len() - 1], &FrameOptions::default());
        let error = error.unwrap_or_else(|| panic!("{framing} noticed nothing"));
        assert!(matches!(error.problem, FrameProblem::Truncated { .. }), "{error}");
        let whole = match framing {
            Framing::Snappy | Framing::SnappyUnchecked => 4 * 65_536,
            Framing::HadoopSnappy => 262_144,
            _ => 300_000 - 65_536,
        };
        assert!(back.len() >= whole && plain.starts_with(&back), "{framing}: {} bytes", back.len());
    }
}

#[test]
fn a_flipped_bit_is_noticed_by_framings_with_checksums() {
    let plain = log_lines(3000);
    for framing in [Framing::Snappy, Framing::Lz4, Framing::Zlib, Framing::Gzip, Framing::Zstd] {
        let data = framed(framing, &plain);
        for bit in (0..data.len() * 8).step_by(5) {
            let mut damaged = data.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let (back, error) = unframed(framing, &damaged, &FrameOptions::default());
            // Bits of a gzip header for the time and the operating system may have any value.
            assert!(error.is_some() || back == plain, "{framing}: bit {bit}");
        }
    }
}

#[test]
fn an_error_comes_again_and_is_found_inside_an_io_error() {
    let mut reader = FrameReader::new(Framing::Gzip, &b"PK\x03\x04"[..], &FrameOptions::default()).unwrap();
    let first = reader.read(&mut [0; 10]).unwrap_err();
    assert_eq!(first.kind(), io::ErrorKind::InvalidData);
    let inside = FrameError::inside(&first).unwrap();
    assert_eq!(
        inside.to_string(),
        "gzip data, byte 0: expected a gzip member (1f 8b), found [50, 4b, 03, 04]"
    );
    assert!(reader.read(&mut [0; 10]).unwrap_err().to_string().contains("an earlier error"));
}

#[test]
fn limits_stop_bombs() {
    let bomb = vec![0; 3_000_000];
    for framing in Framing::ALL {
        let options = FrameOptions { plain_len_max: 1_000_000, ..FrameOptions::default() };
        let (plain, error) = unframed(framing, &framed(framing, &bomb), &options);
        let error = error.unwrap();
        assert!(matches!(error.problem, FrameProblem::TooLong { max: 1_000_000, .. }), "{error}");
        assert!(plain.len() <= 1_000_000);
    }
}

/// Half of the data is noise and half is zeros: the zeros alone exceed the expansion limit, but the whole
/// data does not.
#[test]
fn plain_bytes_are_held_against_the_whole_length() {
    let noise: Vec<u8> =
        (0..100_000_u32).map(|number| (number.wrapping_mul(0x9e37_79b9) >> 11) as u8).collect();
    let plain = [&vec![0; 2_000_000][..], &noise].concat();
    for framing in Framing::ALL {
        let data = framed(framing, &plain);
        let stored_len = data.len() as u64;
        let ratio_max = plain.len() as u64 / stored_len;
        let options = |expansion: Expansion| FrameOptions { expansion, ..FrameOptions::default() };
        let within = Expansion::new(ratio_max + 1).with_free_len(1000);
        assert_eq!(unframed(framing, &data, &options(within.of_len(stored_len))).0, plain, "{framing}");
        let beyond = Expansion::new(ratio_max / 2).with_free_len(1000);
        let (begun, error) = unframed(framing, &data, &options(beyond.of_len(stored_len)));
        let FrameProblem::Expanded(error) = error.unwrap().problem else { panic!("{framing}") };
        assert_eq!((error.stored_len, error.ratio_max), (stored_len, ratio_max / 2), "{framing}");
        assert!(begun.len() as u64 <= stored_len * (ratio_max / 2), "{framing}: noticed while reading");
        // If the length is not known, the limit is computed from the number of bytes read so far.
        let (begun, error) = unframed(framing, &data, &options(Expansion::new(1).with_free_len(1000)));
        assert!(matches!(error.unwrap().problem, FrameProblem::Expanded(Expanded { ratio_max: 1, .. })));
        assert!(begun.len() <= data.len(), "{framing}");
    }
}

#[test]
fn a_bomb_ends_at_64_mebibytes_unless_it_is_allowed() {
    let writer = FrameWriter::new(Framing::Zstd, 1, Vec::new(), &FrameOptions::default());
    let mut writer = writer.unwrap();
    (0..100).for_each(|_| writer.write_all(&vec![b'\n'; 1 << 20]).unwrap());
    let bomb = writer.finish().unwrap();
    let read = |options: &FrameOptions| {
        let reader = FrameReader::new(Framing::Zstd, &bomb[..], options).unwrap();
        io::copy(&mut { reader }, &mut io::sink())
    };
    let error = read(&FrameOptions::default()).unwrap_err();
    let FrameProblem::Expanded(error) = FrameError::inside(&error).unwrap().problem else {
        panic!("{error}")
    };
    assert!(error.plain_len <= (64 << 20) + (1 << 20), "{error}");
    let trusting = FrameOptions { expansion: Expansion::UNLIMITED, ..FrameOptions::default() };
    assert_eq!(read(&trusting).unwrap(), 100 << 20);
}

#[test]
fn snappy_chunks_that_cannot_be() {
    let start = b"\xff\x06\0\0sNaPpY";
    let after_start = |chunk: &[u8]| [start, chunk].concat();
    check(Framing::Snappy, b"", "0 bytes");
    check(Framing::Snappy, start, "0 bytes");
    check(Framing::Snappy, b"\0\0\0\0", "byte 0: expected the chunk 'sNaPpY'");
    check(Framing::Snappy, b"\xff\x06\0\0sNaPpX", "the stream identifier is not 'sNaPpY'");
    check(Framing::Snappy, b"\xff\x07\0\0sNaPpY1", "the stream identifier is not 'sNaPpY'");
    check(Framing::Snappy, &after_start(b"\x80\x02\0\0xx\xfe\x01\0\0x"), "0 bytes");
    check(Framing::Snappy, &after_start(b"\x04\0\0\0"), "byte 10: chunk type 0x04 is unknown");
    check(Framing::Snappy, &after_start(b"\x02\0\0\0"), "read as snappy_nocrc");
    check(Framing::Snappy, &after_start(b"\0\x03\0\0xxx"), "a chunk has no room for its checksum");
    check(
        Framing::Snappy,
        &after_start(b"\x01\x05\0\0\0\0\0\0x"),
        "the checksum of a chunk's plain bytes is",
    );
    check(Framing::Snappy, &after_start(b"\x01\x05\0\x01"), "65537 bytes exceed the limit of 65536");
    check(
        Framing::Snappy,
        &after_start(b"\0\xff\xff\xff"),
        "compressed chunk: 16777211 bytes exceed the limit of",
    );
    check(
        Framing::Snappy,
        &after_start(b"\0\x09\0\0\0\0\0\0\xff\xff\xff\xff\x0f"),
        "4294967295 bytes exceed the limit of 65536",
    );
    check(Framing::Snappy, &after_start(b"\x01\x05\0"), "ends inside a chunk header, at least 1 bytes early");
    check(Framing::SnappyUnchecked, &after_start(b"\x03\x02\0\0ab"), "2 bytes");
    check(Framing::SnappyUnchecked, &after_start(b"\x02\x04\0\0\x02\x04ab"), "2 bytes");
    check(Framing::SnappyUnchecked, &after_start(b"\x01\x05\0\0\0\0\0\0x"), "the checksum of");
}

#[test]
fn hadoop_blocks_that_cannot_be() {
    check(Framing::HadoopSnappy, &[0, 0, 0, 2, 0, 0, 0, 4, 2, 4, b'a', b'b'], "2 bytes");
    check(Framing::HadoopSnappy, &[0, 0, 0, 2, 0, 0, 0, 3, 1, 0, b'a', 0, 0, 0, 3, 1, 0, b'b'], "2 bytes");
    check(Framing::HadoopSnappy, &[0x7F, 0, 0, 0], "block: 2130706432 bytes exceed the limit of 8388608");
    check(Framing::HadoopSnappy, &[0, 0, 0, 2, 1, 0, 0, 0], "piece: 16777216 bytes exceed the limit of");
    check(Framing::HadoopSnappy, &[0, 0, 0, 2, 0, 0, 0, 1, 0], "an empty piece");
    check(
        Framing::HadoopSnappy,
        &[0, 0, 0, 1, 0, 0, 0, 4, 2, 4, b'a', b'b'],
        "2 bytes exceed the limit of 1",
    );
    check(Framing::HadoopSnappy, &[0, 0, 0, 2, 0, 0], "ends inside a piece");
}

#[test]
fn lz4_frames_that_cannot_be() {
    let good = framed(Framing::Lz4, b"some bytes");
    let with = |at: usize, byte: u8| {
        let mut data = good.clone();
        data[at] = byte;
        data
    };
    check(Framing::Lz4, &with(0, 5), "byte 0: expected an LZ4 frame");
    check(Framing::Lz4, b"\x02\x21\x4c\x18\0\0\0\0", "the legacy frame of lz4 -l is not supported");
    check(Framing::Lz4, b"\x51\x2a\x4d\x18\x02\0\0\0ab", "0 bytes");
    check(Framing::Lz4, b"\x51\x2a\x4d\x18\x03\0\0\0ab", "ends inside a skippable frame, at least 1 bytes");
    check(Framing::Lz4, &with(4, 0x84), "a frame of another version than 01");
    check(Framing::Lz4, b"\x04\x22\x4d\x18\x61\x50\0", "a frame that needs a dictionary");
    check(Framing::Lz4, &with(4, 0x66), "bits that must be zero");
    check(Framing::Lz4, &with(5, 0x30), "bits that must be zero");
    check(Framing::Lz4, &with(6, !good[6]), "the checksum of a frame header");
    check(Framing::Lz4, &with(9, 0xFF), "stored bytes of a block");
    let end = good.len() - 1;
    check(Framing::Lz4, &with(end, !good[end]), "the checksum of a frame's plain bytes");
    let options = FrameOptions { buffer_len_max: 1 << 16, ..FrameOptions::default() };
    let (_, error) = unframed(Framing::Lz4, &good, &options);
    assert!(error.unwrap().to_string().contains("blocks of a frame: 262144 bytes exceed the limit of 65536"));
}

#[test]
fn gzip_and_zlib_data_that_cannot_be() {
    let good = framed(Framing::Gzip, b"some bytes");
    check(Framing::Gzip, b"", "ends inside a gzip member");
    check(Framing::Gzip, &[&good[..], &[0; 100]].concat(), "10 bytes");
    check(Framing::Gzip, &[&good[..], &[0, 0, 1]].concat(), "bytes follow the end of the stream");
    check(Framing::Gzip, &[&good[..], b"junk"].concat(), "expected another gzip member");
    let mut damaged = good.clone();
    damaged[good.len() - 5] ^= 1;
    check(Framing::Gzip, &damaged, "byte 0: the checksum at the end does not match the plain bytes");
    check(Framing::Zlib, b"", "ends inside a zlib stream");
    check(Framing::Zlib, b"PK", "byte 0: incorrect header check");
}

#[test]
fn zstd_frames_that_cannot_be() {
    let good = framed(Framing::Zstd, b"some bytes");
    check(Framing::Zstd, b"", "0 bytes");
    check(Framing::Zstd, b"PK\x03\x04", "byte 0: expected a Zstandard frame");
    check(Framing::Zstd, &good[..3], "ends inside a frame header");
    check(Framing::Zstd, &[&b"\x50\x2a\x4d\x18\x02\0\0\0ab"[..], &good].concat(), "10 bytes");
    check(Framing::Zstd, b"\x50\x2a\x4d\x18\x03\0\0\0ab", "ends inside a skippable frame");
    // A frame with a window of 2 GiB.
    check(
        Framing::Zstd,
        b"\x28\xb5\x2f\xfd\0\xa8\0\0\0\0",
        "the window of a frame: 2147483648 bytes exceed the limit of 8388608",
    );
    check(Framing::Zstd, b"\x28\xb5\x2f\xfd\x01\x58\x07\0\0\0\0", "a frame that needs a dictionary");
    let mut damaged = good.clone();
    *damaged.last_mut().unwrap() ^= 1;
    check(Framing::Zstd, &damaged, "match checksum");
}

#[test]
fn detection_by_the_first_bytes() {
    for framing in Framing::ALL {
        let found = Framing::detect(&framed(framing, b"varve")).filter(|_| framing != Framing::HadoopSnappy);
        assert_eq!(found, Some(framing).filter(|_| framing != Framing::HadoopSnappy));
        assert_eq!(Framing::from_name(framing.name()), Some(framing));
    }
}

#[test]
fn readers_and_writers_use_the_given_allocator_alone() {
    let plain = log_lines(600_000);
    for framing in Framing::ALL {
        let asked = Asked::default();
        let options = FrameOptions { allocator: asked.allocator(), ..FrameOptions::default() };
        let mut data = vec![0; 700_000];
        let mut left = 0;
        let calls = global_calls_during(|| {
            let mut writer =
                FrameWriter::new(framing, framing.codec().default_level(), &mut data[..], &options).unwrap();
            writer.write_all(&plain).unwrap();
            left = writer.finish().unwrap().len();
        });
        assert_eq!(calls, 0, "writing {framing}");
        data.truncate(700_000 - left);
        let mut piece = vec![0; 10_000];
        let calls = global_calls_during(|| {
            let mut reader = FrameReader::new(framing, &data[..], &options).unwrap();
            while reader.read(&mut piece).unwrap() > 0 {}
        });
        assert_eq!(calls, 0, "reading {framing}");
        let (allocs, frees) = asked.counts();
        assert!(allocs > 0 && allocs == frees, "{framing}: {allocs} taken, {frees} given back");
    }
}

proptest! {
    #[test]
    fn any_bytes_give_an_answer_in_bounded_memory(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        framing in proptest::sample::select(&Framing::ALL),
        at in 0usize..2000,
    ) {
        let options = FrameOptions { plain_len_max: 1 << 20, ..FrameOptions::default() };
        let _ = unframed(framing, &bytes, &options);
        let mut data = framed(framing, &log_lines(2000));
        let at = at % data.len();
        let end = (at + bytes.len() % 8).min(data.len());
        data.splice(at..end, bytes.iter().copied().take(8));
        let _ = unframed(framing, &data, &options);
    }

    #[test]
    fn a_reader_that_gives_little_at_a_time_changes_nothing(
        framing in proptest::sample::select(&Framing::ALL), step in 1usize..50, len in 0usize..70_000,
    ) {
        struct Slow<'d>(&'d [u8], usize);
        impl Read for Slow<'_> {
            fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
                let len = output.len().min(self.1);
                self.0.read(&mut output[..len])
            }
        }
        let plain = log_lines(len);
        let data = framed(framing, &plain);
        let mut back = Vec::new();
        let options = FrameOptions { allocator: Allocator::global(), ..FrameOptions::default() };
        FrameReader::new(framing, Slow(&data, step), &options).unwrap().read_to_end(&mut back).unwrap();
        prop_assert!(back == plain);
    }
}
