//! Encodes and decodes blocks of any bytes with every codec and filter.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 1 | codec |
//! | 1 | 2 | filter, as in a segment row |
//! | 3 | 2 | claimed number of plain bytes |
//! | 5 | .. | bytes of the block: first decoded as stored bytes, then encoded as plain bytes |

use varvite_codec::{Codec, Filter, Workspace};

/// Decodes the block if it is valid; then encodes the same bytes, and checks that decoding restores them.
pub fn code_block(bytes: &[u8]) {
    let Some((&[codec, width, flags, low, high], block)) = bytes.split_first_chunk() else { return };
    let built: Vec<Codec> = Codec::ALL.into_iter().filter(|codec| codec.is_built()).collect();
    let codec = built[usize::from(codec) % built.len()];
    let filter = Filter::from_numbers([width, flags]).unwrap_or(Filter::NONE);
    let (mut workspace, mut scratch) = (Workspace::new(), Vec::new());
    let mut plain = vec![0; usize::from(u16::from_le_bytes([low, high]))];
    if workspace.decompress(codec, block, &mut plain).is_ok() {
        filter.undo(&mut plain, &mut scratch);
    }
    let (mut filtered, mut stored, mut back) = (Vec::new(), Vec::new(), vec![0; block.len()]);
    filter.apply(block, &mut filtered);
    workspace.compress(codec, &filtered, &mut stored).expect("compressing fails only without memory");
    workspace.decompress(codec, &stored, &mut back).expect("what was compressed decodes");
    filter.undo(&mut back, &mut scratch);
    assert_eq!(back, block);
}
