//! Tests of compressed files that expand too far, with each command that reads compressed files.

use std::fs;

use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};

use crate::command::{Folder, varvite};

/// A mebibyte of the same byte.
fn mebibyte(byte: u8) -> Vec<u8> {
    vec![byte; 1 << 20]
}

/// A line of a mebibyte of the same character.
fn line(character: u8) -> Vec<u8> {
    [mebibyte(character), b"\n".to_vec()].concat()
}

/// Writes a file of `begin` and 70 copies of `again`.
fn bomb(folder: &Folder, name: &str, framing: Framing, begin: &[u8], again: &[u8]) -> String {
    let mut writer =
        FrameWriter::new(framing, framing.codec().default_level(), Vec::new(), &FrameOptions::default())
            .unwrap();
    writer.write_plain(begin).unwrap();
    (0..70).for_each(|_| writer.write_plain(again).unwrap());
    fs::write(folder.path(name), writer.finish().unwrap()).unwrap();
    folder.path(name)
}

/// Checks that the command refuses a bomb, leaves no new file, and accepts the bomb with a larger
/// `--expansion`.
#[track_caller]
fn is_refused_unless_allowed(folder: &Folder, words: &[&str]) {
    let before = folder.files().len();
    let said = ["bytes expand to", "the limit is 200", "raise it with --expansion N"];
    varvite(words).fails(3, &said);
    assert_eq!(folder.files().len(), before, "{words:?}");
    let answer = varvite(&[words, &["--expansion", "100000"]].concat());
    assert_eq!(answer.errors(), "", "{words:?}");
}

const HEAPTRACK: &[u8] = b"v 10400 3\ns 4 main\ns 1 m\ni 1 2 1\nt 1 0\na 8 1\n+ 0\nc 5\n";

#[test]
fn imports_of_graphs() {
    let folder = Folder::new();
    let table = bomb(&folder, "n.csv.zst", Framing::Zstd, b":ID\na\n", &mebibyte(b'\n'));
    let target = folder.path("t.varvite");
    let words = ["import", "--nodes", &table, "-o", &target];
    varvite(&[&words[..], &["--expansion", "1000"]].concat()).fails(3, &["the limit is 1000"]);
    is_refused_unless_allowed(&folder, &words);
    let text = b"<graphml><graph edgedefault='directed'><node id='a'/></graph></graphml>\n";
    let document = bomb(&folder, "g.graphml.zst", Framing::Zstd, text, &mebibyte(b'\n'));
    // A single text of more than 64 MiB is always refused.
    let target = folder.path("g.varvite");
    varvite(&["import", &document, "-o", &target]).fails(3, &[]);
    assert!(!folder.files().contains(&"g.varvite".into()));
}

#[test]
fn profiles() {
    let folder = Folder::new();
    let stacks = bomb(&folder, "s.zst", Framing::Zstd, b"main;work 2\n", &line(b' '));
    let heap = bomb(&folder, "h.zst", Framing::Zstd, HEAPTRACK, &line(b'#'));
    is_refused_unless_allowed(&folder, &["heap", "top", &stacks]);
    is_refused_unless_allowed(&folder, &["heap", "flame", &heap]);
    let after = folder.path("after.zst");
    fs::copy(&heap, &after).unwrap();
    is_refused_unless_allowed(&folder, &["heap", "diff", &heap, &after]);
    let graph = folder.import("g.varvite", "compact");
    for profile in [&stacks, &heap] {
        let before = fs::read(&graph).unwrap();
        varvite(&["import", "--into", &graph, profile]).fails(3, &["raise it with --expansion N"]);
        assert!(fs::read(&graph).unwrap() == before);
        let answer = varvite(&["import", "--into", &graph, profile, "--expansion", "100000"]);
        assert!(answer.output().contains("layer"), "{}", answer.errors());
    }
    varvite(&["heap", "top", &stacks, "--expansion", "0"]).fails(2, &["--expansion"]);
}

#[test]
fn traces() {
    let folder = Folder::new();
    let entries: [(u16, u16, u64); 9] = [
        (25, 0, 7),
        (28, 12, 7),
        (28, 9, 0x240),
        (22, 4, 1),
        (24, 4, 4000),
        (28, 10, 64),
        (28, 18, 4096),
        (28, 2, 13_000_000_000_000_000),
        (28, 3, 1),
    ];
    let bytes = |(kind, size, value): (u16, u16, u64)| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    let head: Vec<u8> = entries.into_iter().flat_map(bytes).collect();
    let trace = bomb(&folder, "t.lz4", Framing::Lz4, &head, &mebibyte(0));
    let target = folder.path("t.vtrace");
    let words = ["trace", "convert", &trace, "-o", &target];
    varvite(&words).fails(3, &["the limit is 200", "raise it with --expansion N"]);
    assert!(!folder.files().contains(&"t.vtrace".into()));
    let answer = varvite(&[&words[..], &["--expansion", "1000"]].concat());
    assert!(answer.output().contains("records"), "{}", answer.errors());
}
