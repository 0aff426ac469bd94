//! [`Reference`]: the record of twelve bytes that all traces of instructions and data use; and
//! [`References`], which collects these records from importers.
//!
//! The layout and the numbers are those of DynamoRIO's `trace_entry_t`, so DynamoRIO's traces are converted
//! without loss.
//!
//! | offset | size | field |
//! |---|---|---|
//! | 0 | 2 | type, see [`kind`] |
//! | 2 | 2 | size: bytes of the access or instruction; for a marker, its kind |
//! | 4 | 8 | value: an address, a program counter, a number, or up to eight bytes of an instruction |

mod block_writer;
mod blocks;
mod piped;
mod references;

use varvite_codec::hash;
use varvite_trace::{Clock, Schema};

pub(crate) use blocks::{few_records, for_each_block, other_content};
pub use references::{ReferenceError, References, THREADS_MAX};

/// The content name of traces of memory references.
pub const CONTENT: &str = "memory-references";

/// Numbers of the types of references.
pub mod kind {
    /// A load.
    pub const READ: u16 = 0;
    /// A store.
    pub const WRITE: u16 = 1;
    /// An instruction that is not a branch.
    pub const INSTRUCTION: u16 = 10;
    /// The id of a thread, as the value.
    pub const THREAD: u16 = 22;
    /// The id of a thread that ends, as the value.
    pub const THREAD_EXIT: u16 = 23;
    /// The id of a process, as the value.
    pub const PROCESS: u16 = 24;
    /// The header at the beginning of a file; the value is a version.
    pub const HEADER: u16 = 25;
    /// The footer at the end of a file.
    pub const FOOTER: u16 = 26;
    /// A marker; the size is its kind.
    pub const MARKER: u16 = 28;
    /// Bytes of the next instruction, as the value.
    pub const ENCODING: u16 = 47;

    /// The last type that DynamoRIO defines. The types after this one are Varvite's, for references from
    /// DynamoRIO's raw traces.
    pub const LAST: u16 = 49;
    /// An address that was read or written, as the value; the size of the access is not known.
    pub const ADDRESS: u16 = 58;
    /// The base address of a gather or scatter instruction, as the value.
    pub const GATHER_BASE: u16 = 59;
    /// A block that ran: the value is its program counter, the size its number of instructions.
    pub const BLOCK: u16 = 60;
    /// A block of generated code that ran: the value is its number in `encodings.bin`, the size its number of
    /// instructions.
    pub const GENERATED_BLOCK: u16 = 61;
    /// A block that ran, from a trace without `modules.log`: the value has the module's number from bit 33
    /// on, and the offset in the module in the bits below.
    pub const UNPLACED_BLOCK: u16 = 62;

    /// The types that DynamoRIO defines, with their names.
    const NAMES: [(u16, &str); 50] = [
        (READ, "read"),
        (WRITE, "write"),
        (2, "prefetch"),
        (3, "prefetch_read_l1"),
        (4, "prefetch_read_l2"),
        (5, "prefetch_read_l3"),
        (6, "prefetchnta"),
        (7, "prefetch_read"),
        (8, "prefetch_write"),
        (9, "prefetch_instr"),
        (INSTRUCTION, "instr"),
        (11, "instr_direct_jump"),
        (12, "instr_indirect_jump"),
        (13, "instr_conditional_jump"),
        (14, "instr_direct_call"),
        (15, "instr_indirect_call"),
        (16, "instr_return"),
        (17, "instr_bundle"),
        (18, "instr_flush"),
        (19, "instr_flush_end"),
        (20, "data_flush"),
        (21, "data_flush_end"),
        (THREAD, "thread"),
        (THREAD_EXIT, "thread_exit"),
        (PROCESS, "pid"),
        (HEADER, "header"),
        (FOOTER, "footer"),
        (27, "hardware_prefetch"),
        (MARKER, "marker"),
        (29, "instr_no_fetch"),
        (30, "instr_maybe_fetch"),
        (31, "instr_sysenter"),
        (32, "prefetch_read_l1_nt"),
        (33, "prefetch_read_l2_nt"),
        (34, "prefetch_read_l3_nt"),
        (35, "prefetch_instr_l1"),
        (36, "prefetch_instr_l1_nt"),
        (37, "prefetch_instr_l2"),
        (38, "prefetch_instr_l2_nt"),
        (39, "prefetch_instr_l3"),
        (40, "prefetch_instr_l3_nt"),
        (41, "prefetch_write_l1"),
        (42, "prefetch_write_l1_nt"),
        (43, "prefetch_write_l2"),
        (44, "prefetch_write_l2_nt"),
        (45, "prefetch_write_l3"),
        (46, "prefetch_write_l3_nt"),
        (ENCODING, "encoding"),
        (48, "instr_taken_jump"),
        (49, "instr_untaken_jump"),
    ];

    /// The name of a type; `None` if the type is not known.
    pub fn name(kind: u16) -> Option<&'static str> {
        match kind {
            ADDRESS => Some("address"),
            GATHER_BASE => Some("gather_base"),
            BLOCK => Some("block"),
            GENERATED_BLOCK => Some("generated_block"),
            UNPLACED_BLOCK => Some("unplaced_block"),
            _ => NAMES.get(usize::from(kind)).map(|(_, name)| *name),
        }
    }

    /// Whether references of a type are instructions. Their value is then a program counter.
    pub fn is_instruction(kind: u16) -> bool {
        matches!(kind, 10..=16 | 29..=31 | 48 | 49)
    }

    #[cfg(test)]
    mod tests {
        #[test]
        fn names_stand_at_their_numbers() {
            super::NAMES
                .iter()
                .enumerate()
                .for_each(|(index, (number, _))| assert_eq!(index, usize::from(*number)));
            assert_eq!((super::name(super::ENCODING), super::name(50)), (Some("encoding"), None));
        }
    }
}

/// Kinds of markers. A reference of the type [`kind::MARKER`] has its marker kind as the size.
pub mod marker {
    /// The value is a time, in microseconds since 1601.
    pub const TIMESTAMP: u16 = 2;
    /// The value is the upper half of the value of the next marker.
    pub const SPLIT_VALUE: u16 = 8;
    /// References before this marker are missing; the value counts such places from 1.
    pub const WINDOW: u16 = 14;
    /// The value has bits that describe the content of a file.
    pub const FILE_TYPE: u16 = 9;
    /// The references of the thread are samples: others are missing between them, without further markers.
    /// The value is the number of events for which each stands, or 0. This kind is Varvite's; DynamoRIO's are
    /// lower.
    pub const SAMPLED: u16 = 0xff00;

    /// Whether a marker says that references are missing in the middle of a trace. The first window alone
    /// does not: it may only say that the beginning was left out.
    pub fn is_of_samples(kind: u16, value: u64) -> bool {
        kind == SAMPLED || kind == WINDOW && value > 1
    }
}

/// One memory reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The type of the reference, see [`kind`].
    pub kind: u16,
    /// The size in bytes, or the kind of a marker.
    pub size: u16,
    /// An address, a program counter or a number.
    pub value: u64,
}

impl Reference {
    /// Length of a reference in bytes.
    pub const LEN: usize = 12;

    /// The reference as bytes, in the layout of traces.
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let mut bytes = [0; Self::LEN];
        bytes[..2].copy_from_slice(&self.kind.to_le_bytes());
        bytes[2..4].copy_from_slice(&self.size.to_le_bytes());
        bytes[4..].copy_from_slice(&self.value.to_le_bytes());
        bytes
    }

    /// Makes the reference with these bytes. Any bytes are valid.
    pub fn from_bytes(bytes: &[u8; Self::LEN]) -> Self {
        let [k0, k1, s0, s1, v0, v1, v2, v3, v4, v5, v6, v7] = *bytes;
        Self {
            kind: u16::from_le_bytes([k0, k1]),
            size: u16::from_le_bytes([s0, s1]),
            value: u64::from_le_bytes([v0, v1, v2, v3, v4, v5, v6, v7]),
        }
    }
}

/// The schema of traces of memory references with this clock.
pub fn schema(clock: Clock) -> Schema {
    let anchors = (0..64)
        .filter(|number| kind::is_instruction(*number) || is_block(*number))
        .fold(0, |bits, number| bits | 1 << number);
    Schema::of_references(CONTENT, anchors).with_clock(clock)
}

/// Whether references of a type are blocks. Addresses follow a block as they follow an instruction.
fn is_block(number: u16) -> bool {
    matches!(number, kind::BLOCK | kind::GENERATED_BLOCK | kind::UNPLACED_BLOCK)
}

/// The numbers of references that an import recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of references.
    pub records: u64,
    /// The number of instructions.
    pub instructions: u64,
    /// The number of loads.
    pub reads: u64,
    /// The number of stores.
    pub writes: u64,
}

impl Counts {
    /// The increase of each count since `before`.
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            records: self.records - before.records,
            instructions: self.instructions - before.instructions,
            reads: self.reads - before.reads,
            writes: self.writes - before.writes,
        }
    }

    /// Adds the counts of other references.
    pub(crate) fn add(&mut self, other: Self) {
        self.records += other.records;
        self.instructions += other.instructions;
        self.reads += other.reads;
        self.writes += other.writes;
    }

    pub(crate) fn count(&mut self, kind: u16) {
        self.records += 1;
        match kind {
            kind::READ => self.reads += 1,
            kind::WRITE => self.writes += 1,
            _ => self.instructions += u64::from(kind::is_instruction(kind)),
        }
    }
}

/// The identity of a trace: a hash of bytes of its source. It is enough to pass the beginning and the length
/// of the source.
pub fn trace_id(bytes: &[u8]) -> [u8; 16] {
    let halves = u128::from(hash(bytes, 1)) << 64 | u128::from(hash(bytes, 2));
    halves.to_le_bytes()
}
