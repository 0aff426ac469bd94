//! Edits of a valid file. Each is four bytes: an offset (u16), an operation, and its operand.
//!
//! Offsets are counted backwards from the end or forwards from the beginning, so that they are in the
//! directory, the segments, and the used parts of header and superblocks rather than in padding.

use crate::repair::repair;

/// Applies the edits, and then repairs all checksums.
pub fn edit(file: &mut [u8], edits: &[u8]) {
    for edit in edits.as_chunks::<4>().0 {
        let [low, high, action, value] = *edit;
        change(file, usize::from(u16::from_le_bytes([low, high])), action, value);
    }
    repair(file);
}

fn change(file: &mut [u8], place: usize, action: u8, value: u8) {
    if file.is_empty() {
        return;
    }
    let at = match place % 8 {
        0 => place / 8 % file.len(),
        _ => file.len() - 1 - place % file.len().min(3000),
    };
    match action % 8 {
        0 | 1 => file[at] = value,
        2 => file[at] ^= 1 << (value % 8),
        3 => file[at] = file[at].wrapping_add(1),
        4 => file[at] = file[at].wrapping_sub(1),
        5 => file[at..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
        6 => file[at..].iter_mut().take(8).for_each(|byte| *byte = value),
        _ => file.rotate_left(usize::from(value == 0)),
    }
}
