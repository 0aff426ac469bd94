//! Accidents: a file that was cut short, or in which one bit flipped.

use varvite_import::flatgraph::{FlatgraphError, FlatgraphFile, Scratch};

use super::content::Content;
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

/// There are no checksums, so a flip may go unnoticed; it must not cost more than the file is worth.
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

fn decoded_len(content: &Content) -> usize {
    let edges = content.edges.iter().map(|column| column.quantities.capacity() + column.neighbors.capacity());
    let properties =
        content.properties.iter().map(|column| column.quantities.capacity() + column.values.len());
    edges.chain(properties).sum::<usize>() + content.strings.text().len() + content.strings.len()
}
