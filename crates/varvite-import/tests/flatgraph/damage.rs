//! Accidental damage: a file that was cut short, or in which one bit was flipped.

use varvite_import::flatgraph::{FlatgraphError, FlatgraphFile, Scratch};

use super::content::Content;
use super::draft::Draft;
use super::roundtrip::{small, write};

fn decode(bytes: &[u8], scratch: &mut Scratch) -> Result<Content, FlatgraphError> {
    Content::decode_with(&FlatgraphFile::from_bytes(bytes.to_vec())?, scratch)
}

#[test]
fn a_file_that_was_cut_is_refused() {
    let (bytes, mut scratch) = (write(&small()).unwrap(), Scratch::new());
    for len in 0..bytes.len() {
        let error = decode(&bytes[..len], &mut scratch).unwrap_err();
        let is_expected = match len {
            0..16 => matches!(error, FlatgraphError::TooShort { .. }),
            _ => matches!(error, FlatgraphError::ManifestOffset { .. } | FlatgraphError::ManifestJson { .. }),
        };
        assert!(is_expected, "cut to {len} bytes: {error}");
    }
}

/// The format has no checksums, so a flipped bit may go unnoticed, but it must not make the reader take more
/// memory than the file's length justifies.
#[test]
fn no_flipped_bit_does_more_than_change_a_value() {
    let (bytes, mut scratch) = (write(&small()).unwrap(), Scratch::new());
    let (mut refused, mut changed) = (0, 0);
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match decode(&flipped, &mut scratch) {
            Err(error) => {
                assert!(!matches!(error, FlatgraphError::OutOfMemory { .. }), "bit {bit}: {error}");
                refused += 1;
            }
            Ok(content) => {
                assert!(decoded_len(&content) < 1 << 10, "bit {bit}: {content:?}");
                changed += 1;
            }
        }
    }
    assert!(refused > changed, "{refused} flips were refused, {changed} were not");
}

/// Each number of the manifest is replaced by each number that might overflow, wrap or cause an allocation.
#[test]
fn no_number_of_the_manifest_does_more_than_change_a_value() {
    const NUMBERS: [u64; 12] =
        [0, 1, 2, 15, 16, 0xffff, 0x7fff_fffc, 0x7fff_ffff, 1 << 31, 0xffff_ffff, 1 << 53, u64::MAX];
    let (text, mut scratch) = (Draft::new().manifest.to_string(), Scratch::new());
    let is_digit = |&at: &usize| text.as_bytes()[at].is_ascii_digit();
    let starts = (1..text.len()).filter(|at| is_digit(at) && !is_digit(&(at - 1)));
    for start in starts {
        let end = (start..text.len()).find(|at| !is_digit(at)).unwrap();
        for number in NUMBERS {
            let mut draft = Draft::new();
            draft.manifest_text = Some(format!("{}{number}{}", &text[..start], &text[end..]).into_bytes());
            match decode(&draft.into_bytes(), &mut scratch) {
                Err(FlatgraphError::OutOfMemory { .. }) => panic!("{number} at {start} of {text}"),
                Err(_) => {}
                Ok(content) => assert!(decoded_len(&content) < 1 << 10, "{number} at {start} of {text}"),
            }
        }
    }
}

fn decoded_len(content: &Content) -> usize {
    let edges = content.edges.iter().map(|column| column.quantities.capacity() + column.neighbors.capacity());
    let properties =
        content.properties.iter().map(|column| column.quantities.capacity() + column.values.len());
    edges.chain(properties).sum::<usize>() + content.strings.text().len() + content.strings.len()
}
