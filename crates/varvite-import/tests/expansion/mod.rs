//! Small files that become long when decompressed: each is refused beyond 64 MiB, unless the limit is raised.

use std::path::{Path, PathBuf};

use tempfile::TempDir;
use varvite::{ErrorCode, IfExists};
use varvite_codec::frame::{FrameOptions, FrameWriter, Framing};
use varvite_import::graphml::GraphmlImport;
use varvite_import::neo4j_csv::{CsvGroup, CsvImport};
use varvite_import::{Expanded, Expansion, TextError};

const MEBIBYTE: usize = 1 << 20;

/// Writes a compressed file that contains `begin`, then `times` copies of `again` (one mebibyte each), then
/// `end`.
fn packed(
    folder: &TempDir,
    framing: Framing,
    begin: &str,
    (times, again): (usize, &[u8]),
    end: &str,
) -> PathBuf {
    assert_eq!(again.len(), MEBIBYTE);
    let mut writer =
        FrameWriter::new(framing, framing.codec().default_level(), Vec::new(), &FrameOptions::default())
            .unwrap();
    writer.write_plain(begin.as_bytes()).unwrap();
    (0..times).for_each(|_| writer.write_plain(again).unwrap());
    writer.write_plain(end.as_bytes()).unwrap();
    let path = folder.path().join("packed");
    std::fs::write(&path, writer.finish().unwrap()).unwrap();
    path
}

/// Checks that a decompression bomb was noticed soon after its plain bytes exceeded the limit.
#[track_caller]
fn is_noticed<T>(result: Result<T, TextError>, source: &Path) {
    let error = result.err().expect("it is a bomb");
    assert_eq!(error.code(), ErrorCode::Foreign, "{error}");
    assert!(error.to_string().starts_with(&format!("{}: ", source.display())), "{error}");
    assert!(error.to_string().ends_with("raise it with --expansion N"), "{error}");
    let TextError::Expanded { expanded: Expanded { plain_len, stored_len, ratio_max }, .. } = error else {
        panic!("{error}")
    };
    assert!((64 << 20..66 << 20).contains(&plain_len), "{plain_len}");
    assert_eq!((stored_len, ratio_max), (std::fs::metadata(source).unwrap().len(), 200));
}

#[test]
fn tables_of_empty_lines() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("g");
    let empty = vec![b'\n'; MEBIBYTE];
    let table = |times| packed(&folder, Framing::Gzip, ":ID\na\n", (times, &empty), "b\n");
    let import = |path: &Path| CsvImport::new().nodes(CsvGroup::of([path])).if_exists(IfExists::Replace);
    assert_eq!(import(&table(60)).write_to(&target).unwrap().nodes, 2);
    std::fs::remove_file(&target).unwrap();
    let source = table(70);
    is_noticed(import(&source).write_to(&target), &source);
    assert!(!target.exists());
    let trusting = import(&source).expansion(Expansion::new(100_000));
    assert_eq!(trusting.write_to(&target).unwrap().nodes, 2);
}

#[test]
fn documents_of_comments() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("g");
    let comment = [b"<!--".as_slice(), &vec![b' '; MEBIBYTE - 7], b"-->"].concat();
    let document = |times| {
        let begin = "<graphml><graph edgedefault='directed'><node id='a'/>";
        packed(&folder, Framing::Zstd, begin, (times, &comment), "</graph></graphml>")
    };
    let import = |path: &Path| GraphmlImport::new(path).if_exists(IfExists::Replace);
    assert_eq!(import(&document(60)).write_to(&target).unwrap().nodes, 1);
    std::fs::remove_file(&target).unwrap();
    let source = document(70);
    is_noticed(import(&source).write_to(&target), &source);
    assert!(!target.exists());
    let trusting = import(&source).expansion(Expansion::new(100_000));
    assert_eq!(trusting.write_to(&target).unwrap().nodes, 1);
}

/// The limit is a multiple of the file's length. With incompressible noise beside a bomb, the file is so long
/// that the limit exceeds the length of the whole content.
#[test]
fn a_bomb_beside_other_content_is_held_against_the_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let empty = vec![b'\n'; MEBIBYTE];
    let noise = |number: u64| format!("{:016x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let rows: String = (0..100_000).map(noise).collect();
    let source = packed(&folder, Framing::Zstd, ":ID\n", (70, &empty), &rows);
    let stored_len = std::fs::metadata(&source).unwrap().len();
    assert!(stored_len * 200 > 72 << 20, "{stored_len}");
    let report = CsvImport::new().nodes(CsvGroup::of([source])).write_to(folder.path().join("g")).unwrap();
    assert_eq!(report.nodes, 100_000);
}
