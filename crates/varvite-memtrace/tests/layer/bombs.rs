//! Tests of small binaries that would need much memory or time: their symbols share names, or parts of their
//! debug information refer to one another.

use varvite_memtrace::code::Binary;

use super::elf::{with_debug, with_symbols};
use super::*;

/// A DWARF 4 unit: its length, its version, the offset of its abbreviations, the size of an address, and its
/// entries.
fn unit(abbreviations: u32, entries: &[u8]) -> Vec<u8> {
    let len = (entries.len() + 7) as u32;
    [&len.to_le_bytes()[..], &4u16.to_le_bytes(), &abbreviations.to_le_bytes(), &[8], entries].concat()
}

/// Whether the debug information of a file without symbols is used at all.
fn is_used(sections: Vec<(&'static str, Vec<u8>)>) -> bool {
    let binary = Binary::parse(&with_debug(sections), None).unwrap();
    binary.source_of(0x1000);
    !binary.is_stripped()
}

/// Abbreviation 1 is a unit with children and ranges; abbreviation 2 is an inlined function with children.
const ABBREVIATIONS: &[u8] = &[1, 0x11, 1, 0x55, 0x17, 0, 0, 2, 0x1d, 1, 0, 0, 0];

/// A list of `count` ranges of two addresses each, and the end of the list.
fn ranges(count: u64) -> Vec<u8> {
    let range =
        |number: u64| [(0x1000 + 16 * number).to_le_bytes(), (0x1008 + 16 * number).to_le_bytes()].concat();
    (0..count).flat_map(range).chain([0; 16]).collect()
}

#[test]
fn symbols_that_share_one_long_name_are_refused() {
    let mut names = vec![b'a'; 400_000];
    (names[0], names[399_999]) = (0, 0);
    let same = with_symbols(&names, std::iter::repeat_n(1, 20_000));
    let ends = with_symbols(&names, (0..20_000).map(|number| 1 + number));
    for file in [same, ends] {
        assert!(file.len() < 1_000_000);
        let error = Binary::parse(&file, None).err().unwrap().to_string();
        assert!(error.contains("names of its symbols are more than 4 times as long as the file"), "{error}");
    }
}

#[test]
fn symbols_that_share_ends_of_names_as_linkers_make_them_are_read() {
    let binary = Binary::parse(&with_symbols(b"\0my_free\0", [1, 4].into_iter()), None).unwrap();
    assert_eq!([0x1000, 0x1010].map(|at| binary.function_name(at)), [Some("my_free"), Some("free")]);
}

#[test]
fn units_that_share_a_long_list_of_ranges_are_left_out() {
    let units = |count: usize| unit(0, &[1, 0, 0, 0, 0, 0]).repeat(count);
    let file = |count| {
        vec![
            (".debug_info", units(count)),
            (".debug_abbrev", ABBREVIATIONS.to_vec()),
            (".debug_ranges", ranges(10_000)),
        ]
    };
    assert!(is_used(file(10)));
    assert!(!is_used(file(10_000)), "a hundred million ranges in 300 KB");
}

#[test]
fn entries_within_entries_without_end_are_left_out() {
    let nested = |depth: usize| {
        let entries = [&[1, 0, 0, 0, 0][..], &vec![2; depth], &vec![0; depth + 1]].concat();
        vec![
            (".debug_info", unit(0, &entries)),
            (".debug_abbrev", ABBREVIATIONS.to_vec()),
            (".debug_ranges", ranges(1)),
        ]
    };
    assert!(is_used(nested(100)));
    assert!(!is_used(nested(100_000)), "each level would be a call");
}

#[test]
fn units_with_tables_of_abbreviations_within_one_another_are_left_out() {
    let count = 40_000u32;
    let table: Vec<u8> = (0..count).flat_map(|_| [1, 0x11, 0, 0, 0]).chain([0]).collect();
    let units: Vec<u8> = (0..count).flat_map(|number| unit(5 * number, &[1])).collect();
    assert!(!is_used(vec![(".debug_info", units), (".debug_abbrev", table)]));
}

#[test]
fn an_entry_with_attributes_that_take_no_bytes_is_weighed() {
    // Attributes of the form DW_FORM_flag_present take no bytes, so each byte is an entry with 20,000
    // attributes.
    let attributes: Vec<u8> = (0..20_000).flat_map(|_| [0x27, 0x19]).collect();
    let table = [&[1, 0x11, 1][..], &attributes, &[0, 0, 0]].concat();
    assert!(!is_used(vec![(".debug_info", unit(0, &vec![1; 100_000])), (".debug_abbrev", table)]));
}

#[test]
fn a_trace_that_names_a_binary_often_reads_a_replacement_once() {
    let folder = Folder::new();
    let path = folder.0.path().join("shapes");
    std::fs::copy(data("shapes"), &path).unwrap();
    let binaries = Folder::binaries(path.clone());
    // The file is removed, so it can't be read again.
    std::fs::remove_file(path).unwrap();
    for name in ["/one/shapes", "/other/shapes"] {
        let module = Module { path: name.into(), ..Module::default() };
        assert!(varvite_memtrace::code::Binaries::find(&binaries, &module).is_ok(), "{name}");
    }
}
