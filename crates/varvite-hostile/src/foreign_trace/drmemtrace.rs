//! DynamoRIO files: invalid entries, zip files with false claims, compressed data that expands enormously.

use std::io::Cursor;

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing, ZipWriter};

use crate::bomb::zstd_run;
use crate::{HostileFile, Kind};

const CHUNK: usize = 12;

pub(crate) fn all() -> Vec<HostileFile> {
    HostileFile::made(
        Kind::Drmemtrace,
        &[
            ("a-sound-drmemtrace", || [head(), entries(&[(10, 4, 0x40_1000), (26, 0, 0)])].concat()),
            ("a-header-of-version-2^64", || entries(&[(25, 0, u64::MAX)])),
            ("a-header-without-an-end", || {
                entries(&[(25, 0, 7)]).into_iter().chain([28, 0].repeat(6000)).collect()
            }),
            ("70000-threads", || {
                let threads = (0..70_000).map(|thread| (22, 4, thread));
                [head(), entries(&threads.collect::<Vec<_>>())].concat()
            }),
            ("a-million-changes-of-thread", || {
                let threads = (0..1_000_000).map(|turn| (22, 4, turn % 60_000));
                [head(), entries(&threads.collect::<Vec<_>>())].concat()
            }),
            ("times-that-go-back", || {
                let times = (0..1000).map(|turn| (28, 2, u64::MAX - turn));
                [head(), entries(&times.collect::<Vec<_>>())].concat()
            }),
            ("encodings-without-instructions", || {
                [head(), entries(&vec![(47, 65_535, u64::MAX); 100_000])].concat()
            }),
            ("entries-of-unknown-types", || [head(), entries(&[(0xffff, 0xffff, 0)])].concat()),
            ("entries-cut-in-the-middle", || [head(), vec![10, 0, 4]].concat()),
            ("a-raw-header-twice", || words(&[header_word(), 2 << 61 | 1, header_word()])),
            ("raw-blocks-of-a-module-that-is-not-there", || {
                words(&[header_word(), 2 << 61 | 1, 5 << 61 | 0xfff << 49 | 0xffff << 33 | 0x1_ffff_ffff, 5])
            }),
            ("raw-words-of-noise", || [words(&[header_word()]), vec![0xa5; 1 << 20]].concat()),
            ("gzip-bomb-of-entries", || framed(Framing::Gzip, &bomb())),
            ("lz4-bomb-of-entries", || framed(Framing::Lz4, &bomb())),
            ("snappy-bomb-of-entries", || framed(Framing::Snappy, &bomb())),
            ("zlib-bomb-of-raw-words", || {
                framed(Framing::Zlib, &[words(&[header_word(), 2 << 61 | 1]), vec![0; 64 << 20]].concat())
            }),
            ("gzip-of-gzip-of-nothing", || framed(Framing::Gzip, &framed(Framing::Gzip, &[]))),
            ("lz4-frame-of-noise", || [&[4, 0x22, 0x4d, 0x18, 0x7c, 0x70], &[0xff; 300][..]].concat()),
            ("snappy-chunk-of-16-megabytes", || {
                [&b"\xff\x06\x00\x00sNaPpY"[..], &[0x00, 0xff, 0xff, 0xff], &[0; 50]].concat()
            }),
            ("two-gigabytes-of-loads-in-zstd", || zstd_run(&head(), 0, &[])),
            ("zip-bomb-of-components", zip_bomb),
            ("zip-of-100000-components", || {
                zip((0..100_000).map(|number| (format!("chunk.{number:08}"), Vec::new())))
            }),
            ("zip-of-components-of-other-names", || zip([("../../x".to_owned(), head())].into_iter())),
            ("zip-that-says-it-has-2^16-components", zip_of_a_wrong_count),
            ("zip-of-overlapping-components", zip_of_overlapping_components),
            ("zip-of-nothing", || b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()),
        ],
    )
}

fn entries(entries: &[(u16, u16, u64)]) -> Vec<u8> {
    let bytes = |(kind, size, value): &(u16, u16, u64)| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    entries.iter().flat_map(bytes).collect()
}

/// The entries at the start of a trace: header, version, file type, thread, process, line size, page size,
/// time, processor.
fn head() -> Vec<u8> {
    entries(&[
        (25, 0, 7),
        (28, 12, 7),
        (28, 9, 0x240),
        (22, 4, 1),
        (24, 4, 4000),
        (28, 10, 64),
        (28, 18, 4096),
        (28, 2, 13_000_000_000_000_000),
        (28, 3, 1),
    ])
}

/// A trace with 64 MB of loads from address 0.
fn bomb() -> Vec<u8> {
    [head(), vec![0; (64 << 20) / CHUNK * CHUNK]].concat()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The header entry of a raw trace of version 6.
fn header_word() -> u64 {
    6 << 61 | 4 << 56 | 6 << 48 | 0x40
}

fn framed(framing: Framing, plain: &[u8]) -> Vec<u8> {
    let level = framing.codec().default_level();
    let writer = FrameWriter::new(framing, level, Vec::new(), &FrameOptions::default());
    let written = writer.and_then(|mut writer| {
        writer.write_plain(plain)?;
        writer.finish()
    });
    written.expect("a Vec takes all")
}

fn zip(parts: impl Iterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let zip = ZipWriter::new(Cursor::new(Vec::new()), 6, &FrameOptions::default());
    let written = zip.and_then(|mut zip| {
        for (name, plain) in parts {
            let mut component = zip.component(&name)?;
            component.write_plain(&plain)?;
            component.finish()?;
        }
        zip.finish()
    });
    written.expect("a Vec takes all").into_inner()
}

fn zip_bomb() -> Vec<u8> {
    let zeros = vec![0; (32 << 20) / CHUNK * CHUNK];
    let rest = (1..8).map(|number| (format!("chunk.{number:04}"), zeros.clone()));
    zip([("chunk.0000".to_owned(), head())].into_iter().chain(rest))
}

fn zip_of_a_wrong_count() -> Vec<u8> {
    let mut zip = zip([("chunk.0000".to_owned(), head())].into_iter());
    let at = zip.len() - 14;
    zip[at..at + 4].fill(0xff);
    zip
}

/// A zip file in which all entries of the central directory refer to the first component.
fn zip_of_overlapping_components() -> Vec<u8> {
    let mut zip = zip((0..100).map(|number| (format!("chunk.{number:04}"), vec![0; 1 << 20])));
    let central: Vec<usize> = (0..zip.len() - 4).filter(|at| zip[*at..].starts_with(b"PK\x01\x02")).collect();
    central.into_iter().for_each(|at| zip[at + 42..at + 46].fill(0));
    zip
}
