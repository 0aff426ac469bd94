//! String tables: texts without gaps, and texts that overlap.

use std::sync::Arc;

use proptest::prelude::*;
use varvite_format::{Encoding, Profile, Strings, StringsInput, encode_strings};
use varvite_testing::memory::Memory;

/// Encodes slices of a pool as a string table, and checks that each text can be read and found.
fn check(input: StringsInput<'_>, texts: &[&str], profile: Profile) {
    let column = encode_strings(input, profile).unwrap();
    let expected = if input.lengths.is_some() { Encoding::Slices } else { Encoding::Entries };
    assert_eq!(column.row.encoding, expected);
    let (mut memory, root) = Memory::of(&column);
    for block_len in [None, Some(1), Some(5), Some(1000)] {
        memory.block_len = block_len;
        check_table(&Strings::open(&memory, root).unwrap(), input, texts);
    }
}

fn check_table(strings: &Strings<Arc<[u8]>>, input: StringsInput<'_>, texts: &[&str]) {
    assert_eq!(strings.len() as usize, texts.len());
    assert_eq!(strings.is_empty(), texts.is_empty());
    assert_eq!(strings.is_sorted(), input.sorted);
    for (code, text) in texts.iter().enumerate() {
        assert_eq!(strings.get(code as u32).as_deref(), Some(text.as_bytes()));
        assert_eq!(strings.reader().str(code as u32), Some(*text));
        if input.sorted {
            let found = strings.find_sorted(text).unwrap().unwrap();
            assert_eq!(texts[found as usize], *text);
        }
    }
    check_reader(strings, texts);
    check_places(strings, input.pool, texts);
    assert!(strings.get(texts.len() as u32).is_none(), "the code of null");
    assert!(strings.get(u32::MAX).is_none());
    assert!(!input.sorted || strings.find_sorted("no such text") == Some(None));
}

/// Checks a reader of many texts, in ascending order, with gaps, backwards, and past the end.
fn check_reader(strings: &Strings<Arc<[u8]>>, texts: &[&str]) {
    let count = texts.len() as u32;
    for distance in [1, 2, 8, 9] {
        let mut reader = strings.reader();
        let rising = (0..count + 40).step_by(distance);
        for code in rising.clone().chain(rising.rev()).chain([0, 1, u32::MAX, 0, 1]) {
            let text = texts.get(code as usize).map(|text| text.as_bytes());
            assert_eq!(reader.bytes(code), text, "{code} after steps of {distance}");
        }
    }
}

/// Checks the parts of the pool, and the ranges of texts in it.
fn check_places(strings: &Strings<Arc<[u8]>>, pool: &[u8], texts: &[&str]) {
    let parts = strings.pool_len().div_ceil(strings.part_len());
    let mut buffer = Vec::new();
    let joined = (0..parts).flat_map(|part| strings.part(part, &mut buffer).unwrap().to_vec());
    let joined: Vec<u8> = joined.collect();
    assert_eq!(joined, pool);
    for first in 0..texts.len() {
        let (mut starts, mut ends) = (vec![0; texts.len() - first], vec![0; texts.len() - first]);
        strings.slices(first as u32, &mut starts, &mut ends).unwrap();
        let places = starts.iter().zip(&ends).map(|(start, end)| &pool[*start as usize..*end as usize]);
        assert!(places.eq(texts[first..].iter().map(|text| text.as_bytes())));
    }
    assert_eq!(strings.slices(texts.len() as u32, &mut [0], &mut [0]), None);
}

fn check_entries(texts: &[&str], sorted: bool) {
    let pool = texts.concat();
    let lengths = texts.iter().scan(0, |end, text| {
        *end += text.len() as u32;
        Some(*end)
    });
    let starts: Vec<u32> = std::iter::once(0).chain(lengths).collect();
    let input = StringsInput { pool: pool.as_bytes(), starts: &starts, lengths: None, sorted };
    for profile in Profile::ALL {
        check(input, texts, profile);
    }
}

#[test]
fn no_texts_are_a_table_too() {
    check_entries(&[], true);
    let input = StringsInput { pool: b"", starts: &[], lengths: Some(&[]), sorted: false };
    for profile in Profile::ALL {
        check(input, &[], profile);
    }
}

#[test]
fn slices_may_overlap_and_be_empty() {
    let pool = "int main(void)";
    let (starts, lengths) = ([0, 4, 4, 9, 14], [14, 4, 10, 4, 0]);
    let texts = [pool, "main", "main(void)", "void", ""];
    let input =
        StringsInput { pool: pool.as_bytes(), starts: &starts, lengths: Some(&lengths), sorted: false };
    for profile in Profile::ALL {
        check(input, &texts, profile);
    }
}

#[test]
fn a_slice_that_cuts_a_letter_has_bytes_but_no_text() {
    let input =
        StringsInput { pool: "é".as_bytes(), starts: &[0, 1], lengths: Some(&[1, 1]), sorted: false };
    let (memory, root) = Memory::of(&encode_strings(input, Profile::Compact).unwrap());
    let strings = Strings::open(&memory, root).unwrap();
    assert_eq!(strings.reader().str(0), None);
    assert_eq!(strings.get(0).as_deref(), Some(&[0xc3][..]));
}

#[test]
fn starts_and_lengths_must_be_as_many_as_texts() {
    let input = StringsInput { pool: b"abc", starts: &[0, 1, 3], lengths: None, sorted: true };
    let column = encode_strings(input, Profile::Direct).unwrap();
    for count in [0, 1, 3, u64::from(u32::MAX), 1 << 32, u64::MAX] {
        let (mut memory, root) = Memory::of(&column);
        memory.rows[root.index()].count = count;
        assert!(Strings::open(&memory, root).is_err(), "{count}");
    }
    let (mut memory, root) = Memory::of(&column);
    memory.rows[root.index()].encoding = Encoding::Slices;
    assert!(Strings::open(&memory, root).is_err());
}

proptest! {
    #[test]
    fn texts_come_back(texts in prop::collection::vec(".{0,12}", 0..60)) {
        let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        check_entries(&texts, false);
        texts.sort_unstable();
        texts.dedup();
        check_entries(&texts, true);
    }
}
