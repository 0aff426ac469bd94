//! Tests of reading texts of valgrind's lackey: a genuine text, and damaged and hostile ones.

use proptest::prelude::*;
use varvite_memtrace::lackey::{LackeyError, LackeyReport, import};
use varvite_memtrace::reference::{Counts, Reference, References, kind, schema};
use varvite_testing::targets::lackey::read_lackey;
use varvite_trace::{Clock, MemorySource, Options, Reader, Recorder};

const TINY: &str = include_str!("../data/lackey/tiny.lackey");

fn convert(text: impl std::io::Read) -> Result<(LackeyReport, Vec<Reference>), LackeyError> {
    let recorder = Recorder::create(Vec::new(), &Options::new(schema(Clock::Ticks), [0; 16])).unwrap();
    let report = import(text, References::new(&recorder))?;
    let mut reader = Reader::open(MemorySource(recorder.finish().unwrap())).unwrap();
    let mut references = Vec::new();
    while let Some(block) = reader.next_block().unwrap() {
        references.extend(block.records().map(|record| Reference::from_bytes(record.first_chunk().unwrap())));
    }
    Ok((report, references))
}

/// The references in the text, as a simple parser finds them line by line.
fn plainly(text: &str) -> Vec<Reference> {
    let mut references = Vec::new();
    for line in text.lines() {
        let Some((head, (address, size))) =
            line.split_at_checked(3).map(|(head, rest)| (head, rest.split_once(',').unwrap_or_default()))
        else {
            continue;
        };
        let kinds: &[u16] = match head {
            "I  " => &[kind::INSTRUCTION],
            " L " => &[kind::READ],
            " S " => &[kind::WRITE],
            " M " => &[kind::READ, kind::WRITE],
            _ => continue,
        };
        let value = u64::from_str_radix(address, 16).unwrap();
        references.extend(kinds.iter().map(|kind| Reference {
            kind: *kind,
            size: size.parse().unwrap(),
            value,
        }));
    }
    references
}

#[test]
fn a_real_text_becomes_the_references_that_it_lists() {
    let (report, references) = convert(TINY.as_bytes()).unwrap();
    assert_eq!(references, plainly(TINY));
    assert_eq!(references[0], Reference { kind: kind::INSTRUCTION, size: 5, value: 0x40_1000 });
    let counts = Counts { records: 574, instructions: 491, reads: 41, writes: 42 };
    assert_eq!(report, LackeyReport { counts, is_whole: true, missing: 0 });
}

#[test]
fn instructions_that_lackey_has_counted_but_not_printed_are_missing() {
    let text = "I  401000,3\n==7==   guest instrs:  1,003\n==7== Exit code:       0\n";
    let report = convert(text.as_bytes()).unwrap().0;
    assert_eq!((report.counts.instructions, report.missing, report.is_whole), (1, 1002, true));
    let report = convert(text.replace("1,003", "0").as_bytes()).unwrap().0;
    assert_eq!(report.missing, 0);
}

#[test]
fn a_cut_text_keeps_its_whole_lines_and_is_not_whole() {
    for len in [0, 500, 1000, 5000, 5001, 5002, 5003] {
        let (report, references) = convert(&TINY.as_bytes()[..len]).unwrap();
        let whole = &TINY[..TINY[..len].rfind('\n').map_or(0, |end| end + 1)];
        assert_eq!((references, report.is_whole), (plainly(whole), false), "{len}");
    }
}

#[test]
fn lines_of_others_are_named() {
    let text = "==1== Lackey\nI  0401ab70,3\nhello from the program\n";
    let error = convert(text.as_bytes()).unwrap_err();
    assert!(
        matches!(&error, LackeyError::Line { line: 3, text } if text == "hello from the program"),
        "{error}"
    );
    assert!(error.to_string().contains("--log-file"));
}

#[test]
fn a_line_without_an_end_does_not_take_all_memory() {
    let endless = std::io::Read::take(std::io::repeat(b'='), 1 << 30);
    assert!(matches!(convert(endless), Err(LackeyError::Line { line: 1, .. })));
}

proptest! {
    #[test]
    fn any_bytes_are_references_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_lackey(&bytes);
    }

    #[test]
    fn edited_texts_are_references_or_an_error(
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
    ) {
        let mut bytes = TINY.as_bytes().to_vec();
        for (place, value) in edits {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        read_lackey(&bytes);
    }
}
