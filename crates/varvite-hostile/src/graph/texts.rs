//! Texts and codes out of range, texts that share bytes many times, and invalid texts.

use varvite_format::ColumnRow;

use super::sketch::Sketch;
use crate::HostileFile;
use crate::file::Made;

const POOL: usize = 1 << 20;

pub(super) fn all() -> Vec<HostileFile> {
    let files: [Made<Sketch>; 19] = [
        ("texts-that-begin-outside", || entries(&[500, 600, 700], b"some text")),
        ("texts-that-end-outside", || entries(&[0, 4, u32::MAX], b"some text")),
        ("texts-that-end-before-they-begin", || entries(&[9, 4, 0], b"some text")),
        ("texts-that-are-not-utf-8", || entries(&[0, 3, 6], &[0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80])),
        ("texts-cut-within-a-letter", || entries(&[0, 1, 2], "\u{fc}".as_bytes())),
        ("texts-of-control-characters", || entries(&[0, 9, 12], b"\x1b[2J\x1b]0;\x00\r\n\x07")),
        ("texts-that-all-are-one-megabyte", || overlapping(3, POOL as i64)),
        ("10000-texts-that-all-are-one-megabyte", || overlapping(10_000, POOL as i64)),
        ("a-million-texts-that-all-are-one-megabyte", || overlapping(1_000_000, POOL as i64)),
        ("a-million-texts-that-all-end-a-megabyte", overlapping_ends),
        ("slices-of-2^32-bytes", || overlapping(10, i64::from(u32::MAX))),
        ("slices-of-2^63-bytes", || overlapping(10, i64::MAX)),
        ("texts-that-claim-to-be-sorted", claim_to_be_sorted),
        ("codes-outside", || codes(&[0, 3, 1000, u32::MAX])),
        ("codes-outside-in-a-constant", codes_outside_in_a_constant),
        ("codes-that-are-negative", codes_that_are_negative),
        ("200000-texts-that-are-equal", equal_texts),
        ("100000-methods-of-one-name", methods_of_one_name),
        ("a-pool-that-is-the-starts-of-its-texts", pool_that_is_its_starts),
    ];
    files.into_iter().map(|(name, make)| HostileFile::graph(name, make().finish())).collect()
}

/// A graph whose property FULL_NAME has two texts, which start and end at these offsets in the pool.
fn entries(starts: &[u32], pool: &[u8]) -> Sketch {
    let mut sketch = Sketch::code(4);
    let (starts, pool) = (sketch.plain(starts), sketch.segment(pool.to_vec()));
    let (texts, codes) = (sketch.entries(2, starts, pool), sketch.bytes(vec![0, 1, 0, 1]));
    sketch.text_property("FULL_NAME", 4, codes, texts);
    sketch
}

/// A graph with a node for each text; all texts begin at the start of the pool.
fn overlapping(count: u64, length: i64) -> Sketch {
    let mut sketch = Sketch::code(count as u32);
    let pool = sketch.segment(vec![b'x'; POOL]);
    let (starts, lengths) = (sketch.constant(count, 0), sketch.constant(count, length));
    let (texts, codes) = (sketch.slices(count, starts, lengths, pool), sketch.sequence(count, 0, 1));
    sketch.text_property("FULL_NAME", count as u32, codes, texts);
    sketch
}

fn overlapping_ends() -> Sketch {
    let mut sketch = Sketch::code(POOL as u32);
    let pool = sketch.segment(vec![b'x'; POOL]);
    let starts = sketch.sequence(POOL as u64, 0, 1);
    let lengths = sketch.sequence(POOL as u64, POOL as i64, -1);
    let texts = sketch.slices(POOL as u64, starts, lengths, pool);
    let codes = sketch.sequence(POOL as u64, 0, 1);
    sketch.text_property("FULL_NAME", POOL as u32, codes, texts);
    sketch
}

fn claim_to_be_sorted() -> Sketch {
    let mut sketch = Sketch::code(4);
    let texts = sketch.texts(&["z", "y", "main", "a"]);
    let row = sketch.directory.columns[texts.0 as usize];
    let texts = sketch.column(ColumnRow { sorted: true, ..row });
    let codes = sketch.bytes(vec![0, 1, 2, 3]);
    sketch.text_property("FULL_NAME", 4, codes, texts);
    sketch
}

fn codes(codes: &[u32]) -> Sketch {
    let mut sketch = Sketch::code(4);
    let (texts, codes) = (sketch.texts(&["one", "two"]), sketch.plain(codes));
    sketch.text_property("FULL_NAME", 4, codes, texts);
    sketch
}

fn codes_outside_in_a_constant() -> Sketch {
    let mut sketch = Sketch::code(1000);
    let (texts, codes) = (sketch.texts(&["one", "two"]), sketch.constant(1000, 1 << 40));
    sketch.text_property("FULL_NAME", 1000, codes, texts);
    sketch
}

fn codes_that_are_negative() -> Sketch {
    let mut sketch = Sketch::code(1000);
    let (texts, codes) = (sketch.texts(&["one", "two"]), sketch.sequence(1000, -1, -1));
    sketch.text_property("FULL_NAME", 1000, codes, texts);
    sketch
}

fn equal_texts() -> Sketch {
    const COUNT: u32 = 200_000;
    let mut sketch = Sketch::code(COUNT);
    let (texts, codes) =
        (sketch.texts(&vec!["main"; COUNT as usize]), sketch.sequence(u64::from(COUNT), 0, 1));
    sketch.text_property("FULL_NAME", COUNT, codes, texts);
    sketch
}

fn methods_of_one_name() -> Sketch {
    const COUNT: u32 = 100_000;
    let mut sketch = Sketch::code(COUNT);
    let (texts, codes) = (sketch.texts(&["main"]), sketch.constant(u64::from(COUNT), 0));
    sketch.directory.properties.clear();
    sketch.text_property("NAME", COUNT, codes, texts);
    sketch.text_property("FULL_NAME", COUNT, codes, texts);
    sketch
}

fn pool_that_is_its_starts() -> Sketch {
    let mut sketch = Sketch::code(2);
    let starts = sketch.plain(&[0, 4, 8]);
    let segment = sketch.directory.columns[starts.0 as usize].segments[0].expect("plain values are bytes");
    let (texts, codes) = (sketch.entries(2, starts, segment), sketch.bytes(vec![0, 1]));
    sketch.text_property("FULL_NAME", 2, codes, texts);
    sketch
}
