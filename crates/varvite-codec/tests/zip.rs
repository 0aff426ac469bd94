//! Zip files that are written and read back, and zip files that are cut off, damaged or hostile.

use std::io::{Cursor, Write};

use proptest::prelude::*;
use varvite_codec::frame::{Expansion, FrameError, FrameOptions, FrameProblem, ZipReader, ZipWriter};

use crate::sample::log_lines;

fn zipped(components: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Vec::new(), 6, &FrameOptions::default()).expect("there is memory");
    for (name, plain) in components {
        let mut component = zip.component(name).expect("a Vec takes all");
        component.write_all(plain).expect("a Vec takes all");
        component.finish().expect("a Vec takes all");
    }
    zip.finish().expect("a Vec takes all")
}

/// The plain bytes of each component, or the first error.
fn unzipped(data: &[u8], options: &FrameOptions) -> Result<Vec<Vec<u8>>, FrameError> {
    let zip = ZipReader::open(Cursor::new(data), options)?;
    let read = |index| {
        let mut reader = zip.component(index)?.expect("it is in the list");
        let (mut plain, mut piece) = (Vec::new(), [0; 1000]);
        loop {
            match reader.read_plain(&mut piece)? {
                0 => return Ok(plain),
                len => plain.extend_from_slice(&piece[..len]),
            }
        }
    };
    (0..zip.components().len()).map(read).collect()
}

fn check(data: &[u8], expected: &str) {
    let found = unzipped(data, &FrameOptions::default());
    let found =
        found.map_or_else(|error| error.to_string(), |components| format!("{} components", components.len()));
    assert!(found.contains(expected), "expected {expected:?}, found {found:?}");
}

#[test]
fn components_come_back_in_their_order() {
    let plain = log_lines(300_000);
    let components: [(&str, &[u8]); 4] = [
        ("chunk.00000000", &plain),
        ("chunk.00000001", b""),
        ("chunk.00000002", b"x"),
        ("ü", &plain[..70_000]),
    ];
    let data = zipped(&components);
    let zip = ZipReader::open(Cursor::new(&data[..]), &FrameOptions::default()).unwrap();
    for (found, (name, plain)) in zip.components().iter().zip(components) {
        assert_eq!((&found.name[..], found.plain_len), (name.as_bytes(), plain.len() as u64));
    }
    let back = unzipped(&data, &FrameOptions::default()).unwrap();
    assert!(back.iter().zip(components).all(|(found, (_, plain))| found == plain));
    assert!(zip.component(4).unwrap().is_none());
    assert_eq!(data, zipped(&components), "no clock is in it");
}

#[test]
fn zip_files_that_cannot_be() {
    let good = zipped(&[("a", &log_lines(5000)), ("b", b"second")]);
    check(&good, "2 components");
    check(b"", "there is no end record");
    check(b"PK\x03\x04 and so on", "there is no end record");
    check(&good[..good.len() - 1], "ends inside a zip file");
    check(&good[..good.len() - 30], "there is no end record");
    check(&good[good.len() / 2..], "byte");
    let at = |signature: &[u8]| good.windows(4).rposition(|window| window == signature).unwrap();
    let with = |at: usize, bytes: &[u8]| {
        let mut data = good.clone();
        data[at..at + bytes.len()].copy_from_slice(bytes);
        data
    };
    let second = at(b"PK\x01\x02");
    let first = good.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    check(&with(second + 16, &[1, 2, 3, 4]), "the checksum of a component is");
    check(&with(second + 24, &[5]), "the component holds more bytes than the directory says");
    check(&with(second + 24, &[7]), "the component holds fewer bytes than the directory says");
    check(&with(second + 10, &[12]), "a compression method other than deflate is not supported");
    check(&with(second + 8, &[1]), "an encrypted component is not supported");
    check(&with(second + 42, &[0, 0]), "two components overlap");
    check(&with(first + 42, &[1]), "a header does not have its signature");
    check(&with(first + 20, &[2, 0]), "ends inside a component");
    check(&with(second + 20, &[255, 255, 255, 0]), "a component runs into the central directory");
    let end = at(b"PK\x05\x06");
    check(&with(end + 8, &[3, 0, 3, 0]), "does not hold as many components");
}

#[test]
fn limits_stop_bombs_before_they_unpack() {
    let data = zipped(&[("zeros", &vec![0; 5_000_000])]);
    let options = FrameOptions { plain_len_max: 1_000_000, ..FrameOptions::default() };
    let error = unzipped(&data, &options).unwrap_err();
    assert!(
        matches!(error.problem, FrameProblem::TooLong { found: 5_000_000, max: 1_000_000, .. }),
        "{error}"
    );
    let many: Vec<_> = (0..1000).map(|_| ("a long name for a component without bytes", &b""[..])).collect();
    let options = FrameOptions { buffer_len_max: 10_000, ..FrameOptions::default() };
    let error = unzipped(&zipped(&many), &options).unwrap_err();
    assert!(error.to_string().contains("the central directory"), "{error}");
}

/// Each component alone is within the limit, but both together exceed it.
#[test]
fn all_components_are_held_against_the_whole_length() {
    let data = zipped(&[("a", &vec![0; 600_000]), ("b", &vec![0; 600_000])]);
    let allow = |plain_len: u64| {
        let expansion = Expansion::new(plain_len.div_ceil(data.len() as u64)).with_free_len(1000);
        unzipped(&data, &FrameOptions { expansion, ..FrameOptions::default() })
    };
    let error = allow(1_000_000).unwrap_err();
    let FrameProblem::Expanded(error) = error.problem else { panic!("{error}") };
    assert_eq!((error.plain_len, error.stored_len), (1_200_000, data.len() as u64));
    assert_eq!(allow(1_200_000).unwrap().len(), 2);
}

proptest! {
    #[test]
    fn damage_gives_an_answer_in_bounded_memory(at in any::<prop::sample::Index>(), bytes in prop::collection::vec(any::<u8>(), 0..8), cut: bool) {
        let options = FrameOptions { plain_len_max: 1 << 20, ..FrameOptions::default() };
        let mut data = zipped(&[("a", &log_lines(2000)), ("b", b"second")]);
        let at = at.index(data.len());
        let end = (at + bytes.len()).min(data.len());
        data.splice(at..end, bytes);
        data.truncate(if cut { at } else { data.len() });
        let _ = unzipped(&data, &options);
    }
}
