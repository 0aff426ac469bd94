//! The bytes of a message.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | kind: 1 items, 2 runs |
//! | 4 | 4 | process |
//! | 8 | 4 | thread of the runs, as the kernel numbers it |
//! | 12 | 4 | flags; bit 0: runs before this message were dropped |
//! | 16 | 8 | number of the message in its process |
//! | 24 | 8 | microseconds since 1970 |
//! | 32 | | content |

use super::bytes::{Bytes, ENTRY_LEN};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

pub(super) const ITEMS: u32 = 1;
pub(super) const RUNS: u32 = 2;
pub(super) const FLAG_GAP: u32 = 1;

/// The part of a message before its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub kind: u32,
    pub thread: u32,
    pub flags: u32,
    pub time_us: u64,
}

/// An item of a message of items.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// The version of the format.
    Hello(u32),
    /// The number of a block, and its entries.
    Block(u32, &'a [[u8; ENTRY_LEN]]),
    /// Blocks that do not run any more.
    Forget(std::ops::Range<u32>),
    /// A part of a file that was mapped.
    Module { address: u64, len: u64, file_offset: u64, is_code: bool, path: &'a [u8] },
    /// The program has ended.
    End,
}

/// Splits a message into its head and content.
pub(super) fn split(message: &[u8]) -> Option<(Head, &[u8])> {
    let mut bytes = Bytes(message);
    let (kind, _process) = (bytes.u32()?, bytes.u32()?);
    let (thread, flags) = (bytes.u32()?, bytes.u32()?);
    let (_number, time_us) = (bytes.u64()?, bytes.u64()?);
    Some((Head { kind, thread, flags, time_us }, bytes.0))
}

/// Reads the item at the front of `bytes`: its kind, its length, and its content.
pub(super) fn take_item<'a>(bytes: &mut Bytes<'a>) -> Option<Item<'a>> {
    let (kind, len) = (bytes.u32()?, bytes.u32()?);
    let mut content = Bytes(bytes.take(len as usize)?);
    match kind {
        1 => Some(Item::Hello(content.u32()?)),
        2 => {
            let (id, entries) = (content.u32()?, content.u32()?);
            let (whole, rest) = content.0.as_chunks();
            (rest.is_empty() && whole.len() == entries as usize).then_some(Item::Block(id, whole))
        }
        3 => Some(Item::Forget(content.u32()?..content.u32()?)),
        4 => {
            let (address, len, file_offset) = (content.u64()?, content.u64()?, content.u64()?);
            let is_code = content.u64()? != 0;
            Some(Item::Module { address, len, file_offset, is_code, path: content.0 })
        }
        5 => Some(Item::End),
        _ => None,
    }
}
