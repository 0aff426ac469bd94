//! Tests of small profiles that become very long when they are decompressed: each is refused if it exceeds
//! the limit of expansion, and read if the limit is raised.

use std::path::{Path, PathBuf};

use varvite_codec::frame::{FrameError, FrameOptions, FrameProblem, FrameWriter, Framing};
use varvite_profile::{Expanded, Expansion, Limits, ProfileError, ProfileFormat, ProfileSource};

/// A format; the first bytes of a profile in this format; bytes that may follow any number of times; and the
/// last bytes.
type Form = (ProfileFormat, &'static [u8], &'static [u8], &'static [u8]);

const FORMS: [Form; 5] = [
    (ProfileFormat::Heaptrack, b"v 10400 3\ns 4 main\ns 1 m\ni 1 2 1\nt 1 0\na 8 1\n+ 0\n", b"\n", b"c 5\n"),
    (ProfileFormat::Collapsed, b"main;work 2\n", b"\n", b"main 1\n"),
    (ProfileFormat::Perf, b"a 7 1.2: 1 cycles: \n\tff main (/a)\n\n", b"\n", b"\n"),
    // The repeated bytes are a comment without text.
    (ProfileFormat::Pprof, &[0x0a, 4, 0x08, 1, 0x10, 2, 0x12, 3, 0x12, 1, 5], &[0x68, 0], &[]),
    (
        ProfileFormat::Speedscope,
        b"{\"shared\":{\"frames\":[{\"name\":\"main\"}]},\"profiles\":[",
        b" ",
        b"{\"type\":\"sampled\",\"name\":\"\",\"unit\":\"none\",\"startValue\":0,\"endValue\":1,\"samples\":[[0]],\"weights\":[1]}]}",
    ),
];

fn packed(framing: Framing, begin: &[u8], (len, again): (usize, &[u8]), end: &[u8]) -> Vec<u8> {
    let mut writer =
        FrameWriter::new(framing, framing.codec().default_level(), Vec::new(), &FrameOptions::default())
            .unwrap();
    writer.write_plain(begin).unwrap();
    let piece = again.repeat((1 << 20) / again.len());
    (0..len >> 20).for_each(|_| writer.write_plain(&piece).unwrap());
    writer.write_plain(end).unwrap();
    writer.finish().unwrap()
}

fn written(folder: &Path, bytes: &[u8]) -> PathBuf {
    let path = folder.join("profile");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[track_caller]
fn expanded(error: ProfileError) -> Expanded {
    assert!(error.to_string().ends_with("raise it with --expansion N"), "{error}");
    match error {
        ProfileError::Frame(FrameError { problem: FrameProblem::Expanded(expanded), .. }) => expanded,
        error => panic!("{error}"),
    }
}

#[test]
fn each_form_is_held_against_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    for (format, begin, again, end) in FORMS {
        for framing in [Framing::Gzip, Framing::Zstd] {
            let bytes = packed(framing, begin, (4 << 20, again), end);
            let path = written(folder.path(), &bytes);
            let read = |expansion| {
                let limits = Limits { expansion, ..Limits::default() };
                ProfileSource::open(&path)?.read(Some(format), &limits).map(|(profile, _)| profile)
            };
            let within = bytes.len() as u64 * 100;
            assert!(within < 3 << 20, "{format:?} {framing} is no bomb: {} bytes", bytes.len());
            let error = expanded(read(Expansion::new(100).with_free_len(1 << 20)).unwrap_err());
            assert_eq!(
                (error.stored_len, error.ratio_max),
                (bytes.len() as u64, 100),
                "{format:?} {framing}"
            );
            assert!(error.plain_len < 4 << 20, "{format:?} {framing}");
            // If the plain message has at most 64 MiB, any expansion is allowed.
            let whole = read(Expansion::default()).unwrap();
            let lifted = read(Expansion::new(100_000).with_free_len(1 << 20)).unwrap();
            assert_eq!(
                (whole.totals, whole.noticed),
                (lifted.totals, lifted.noticed),
                "{format:?} {framing}"
            );
            assert!(!whole.sites.is_empty(), "{format:?} {framing}");
        }
    }
}

/// The length of a pipe is not known, so the limit depends on the number of bytes read so far.
#[test]
fn a_stream_is_held_against_what_was_read_of_it() {
    for (format, begin, again, end) in FORMS {
        let bytes = packed(Framing::Zstd, begin, (4 << 20, again), end);
        let limits = Limits { expansion: Expansion::default().with_free_len(1 << 20), ..Limits::default() };
        let error = expanded(format.read(&bytes[..], &limits).unwrap_err());
        assert!(error.stored_len <= bytes.len() as u64, "{format:?}");
        assert!(format.read(&bytes[..], &Limits::default()).is_ok(), "{format:?}");
    }
}

#[test]
fn a_profile_of_more_than_64_mebibytes_is_refused_unless_it_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let (format, begin, _, end) = FORMS[1];
    let blank_line = [&[b' '; 1023][..], b"\n"].concat();
    let path = written(folder.path(), &packed(Framing::Zstd, begin, (70 << 20, &blank_line), end));
    let read = |limits: &Limits| ProfileSource::open(&path)?.read(Some(format), limits);
    let error = expanded(read(&Limits::default()).unwrap_err());
    assert!((64 << 20..66 << 20).contains(&error.plain_len), "{error}");
    assert!(read(&Limits { expansion: Expansion::new(100_000), ..Limits::default() }).is_ok());
}
