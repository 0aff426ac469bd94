//! The bytes of a message.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 4 | kind: 1 items, 2 runs, 3 a process begins, 4 a process forks |
//! | 4 | 4 | process |
//! | 8 | 4 | thread of the runs, as the kernel numbers it |
//! | 12 | 4 | flags; bit 0: runs before this message were dropped |
//! | 16 | 8 | number of the message in its process |
//! | 24 | 8 | microseconds since 1970 |
//! | 32 | | content |

use super::bytes::{Bytes, ENTRY_LEN};

/// The version of the format.
pub(super) const VERSION: u32 = 4;

pub(super) const ITEMS: u32 = 1;
pub(super) const RUNS: u32 = 2;
pub(super) const BEGIN: u32 = 3;
pub(super) const FORK: u32 = 4;
pub(super) const FLAG_GAP: u32 = 1;

/// The part of a message before its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub kind: u32,
    pub process: u32,
    pub thread: u32,
    pub flags: u32,
    pub time_us: u64,
}

/// What a message says about processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEvent<'a> {
    /// The process begins to run a program.
    Begin {
        /// The process from which this one was forked, and the number of that fork there; `None` if the
        /// process begins by executing the program.
        forked: Option<(u32, u32)>,
        /// The path of the program, as it was executed.
        program: &'a [u8],
    },
    /// The process forks, for the time of this number. The child's blocks are those of the process now.
    Fork(u32),
}

/// The process that sent a message, and what the message says about processes. `None` if the message is too
/// short.
pub fn process_of(message: &[u8]) -> Option<(u32, Option<ProcessEvent<'_>>)> {
    let (head, content) = split(message)?;
    let event = match head.kind {
        BEGIN => begin(content).map(|(_, event)| event),
        FORK => Bytes(content).u32().map(ProcessEvent::Fork),
        _ => None,
    };
    Some((head.process, event))
}

/// The version of the format, and the process that begins.
pub(super) fn begin(content: &[u8]) -> Option<(u32, ProcessEvent<'_>)> {
    let mut bytes = Bytes(content);
    let (version, parent, fork) = (bytes.u32()?, bytes.u32()?, bytes.u32()?);
    let forked = (fork > 0).then_some((parent, fork));
    Some((version, ProcessEvent::Begin { forked, program: bytes.0 }))
}

/// An item of a message of items.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// The number of the format, which the first version had as an item.
    Hello(u32),
    /// The number of a block, and its entries.
    Block(u32, &'a [[u8; ENTRY_LEN]]),
    /// Blocks that do not run any more.
    Forget(std::ops::Range<u32>),
    /// A part of a file that was mapped; without a path, memory that belongs to no file any more.
    Module { address: u64, len: u64, file_offset: u64, is_code: bool, path: &'a [u8] },
    /// The program has ended with this exit code, and this number of mapped files was not sent.
    End(u32, u32),
}

/// Splits a message into its head and content.
pub(super) fn split(message: &[u8]) -> Option<(Head, &[u8])> {
    let mut bytes = Bytes(message);
    let (kind, process) = (bytes.u32()?, bytes.u32()?);
    let (thread, flags) = (bytes.u32()?, bytes.u32()?);
    let (_number, time_us) = (bytes.u64()?, bytes.u64()?);
    Some((Head { kind, process, thread, flags, time_us }, bytes.0))
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
        5 => Some(Item::End(content.u32()?, content.u32()?)),
        _ => None,
    }
}
