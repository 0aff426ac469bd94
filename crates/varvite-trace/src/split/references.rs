//! The split for memory references: each record is predicted, and only differences from the prediction are
//! stored.
//!
//! Programs repeat themselves. A record's position is the address of the last instruction and the number of
//! records since then. For each position, a table has the last record there: its type, size and value, and
//! the stride from the value before it. If a record equals its prediction, as most records in loops do, a
//! single zero byte replaces its twelve bytes. The idea is value prediction for trace compression: Burtscher,
//! "VPC3: A Fast and Effective Trace-Compression Algorithm" (SIGMETRICS 2004). The table is empty at the
//! beginning of every block, so that blocks stay independent. If two positions share a slot of the table, the
//! output is only larger, not wrong.
//!
//! | part | bytes | content |
//! |---|---|---|
//! | codes | one for each record | bits 0 to 4: outcome of the value's prediction; bit 5: type and size were not as predicted |
//! | heads | four for each code with bit 5 | type and size: all first bytes, then all second bytes, and so on |
//! | planes | given by the codes | zigzag differences: the planes of first bytes, second bytes .. of data, then those of instructions |

use super::Malformed;
use crate::bytes::{u32_at, u64_at};
use crate::schema::REFERENCE_LEN;

/// The size of the table of predictions, in bytes.
pub(crate) const TABLE_LEN: usize = SLOTS * SLOT_LEN;
const SLOTS: usize = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 12;
const SLOT_LEN: usize = 16;
/// The factor that mixes positions.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
/// The difference between the products of a position and of the next position after the same instruction.
const STEP: u64 = (1u64 << 56 | 1 << 3).wrapping_mul(MIX);

/// The value is the last value at the position plus the stride.
const STRIDE: u8 = 0;
/// The value equals the second prediction: for an instruction, the next one in memory; for data, the same
/// value as last time.
const SECOND: u8 = 1;
/// The first of the eight outcomes for data: a difference of 1 to 8 bytes from the base value.
const DATA: u8 = 2;
/// The first of the eight outcomes for instructions: a difference of 1 to 8 bytes from the address of the
/// next instruction in memory.
const INSTRUCTION: u8 = 10;
const OUTCOMES: u8 = 18;
const OUTCOME: u8 = 31;
const NEW_HEAD: u8 = 32;
const PLANES: usize = 16;

/// The last record of a slot, in 16 bytes: its value (`u64`), its stride (`i32`), and its type and size in
/// one `u32`.
type Slot = [u8; SLOT_LEN];

/// The state of an encoder or decoder before each record. Both take the same steps, so they have the same
/// state at each record.
struct Predictor<'a> {
    slots: &'a mut [Slot; SLOTS],
    /// The last value of each type, indexed by the low byte of the type.
    last_of_type: [u64; 256],
    anchors: u64,
    /// The address after the last instruction.
    next: u64,
    /// The product of the position and [`MIX`]; its top bits are the slot.
    position: u64,
}

/// The predictions for a record of known type and size.
struct Guess {
    slot: usize,
    is_anchor: bool,
    first: u64,
    base: u64,
}

impl<'a> Predictor<'a> {
    fn new(table: &'a mut [u8], anchors: u64) -> Self {
        let slots: &mut [Slot; SLOTS] =
            table.as_chunks_mut().0.try_into().expect("the table has TABLE_LEN bytes");
        slots.fill([0; SLOT_LEN]);
        Self { slots, last_of_type: [0; 256], anchors, next: 0, position: 0 }
    }

    #[inline(always)]
    fn slot(&self) -> usize {
        (self.position >> (64 - SLOT_BITS)) as usize
    }

    fn head(&self, slot: usize) -> u32 {
        u32_at(&self.slots[slot], 12)
    }

    #[inline(always)]
    fn is_anchor(&self, head: u32) -> bool {
        let kind = head & 0xffff;
        (kind < 64) & (self.anchors >> (kind & 63) & 1 != 0)
    }

    /// If the record is the first guess, learns it and returns true. The slot's stride and head then stay.
    #[inline(always)]
    fn takes_as_guessed(&mut self, slot: usize, head: u32, value: u64) -> bool {
        let entry = &mut self.slots[slot];
        let stride = u32_at(entry, 8) as i32;
        let guess = u64_at(entry, 0).wrapping_add_signed(i64::from(stride));
        let is_guessed = (u32_at(entry, 12) == head) & (guess == value);
        if is_guessed {
            entry[..8].copy_from_slice(&value.to_le_bytes());
            self.step(self.is_anchor(head), head, value);
        }
        is_guessed
    }

    #[inline(always)]
    fn guess(&self, slot: usize, head: u32, is_new: bool) -> Guess {
        let is_anchor = self.is_anchor(head);
        let (of_type, of_slot) = (self.last_of_type[usize::from(head as u8)], u64_at(&self.slots[slot], 0));
        let base = if is_new { of_type } else { of_slot };
        let stride = if is_new { 0 } else { u32_at(&self.slots[slot], 8) as i32 };
        let first = base.wrapping_add_signed(i64::from(stride));
        let base = if is_anchor { self.next } else { base };
        Guess { slot, is_anchor, first, base }
    }

    #[inline(always)]
    fn learn(&mut self, guess: &Guess, head: u32, is_new: bool, value: u64) {
        let slot = &mut self.slots[guess.slot];
        let stride = value.wrapping_sub(u64_at(slot, 0)) as i64;
        let strides = !guess.is_anchor & !is_new;
        let stride = if strides { i32::try_from(stride).unwrap_or(0) } else { 0 };
        *slot = slot_of(value, stride, head);
        self.step(guess.is_anchor, head, value);
    }

    /// Moves on to the position of the next record.
    #[inline(always)]
    fn step(&mut self, is_anchor: bool, head: u32, value: u64) {
        self.last_of_type[usize::from(head as u8)] = value;
        let after = self.position.wrapping_add(STEP);
        self.position = if is_anchor { value.wrapping_mul(MIX) } else { after };
        self.next = if is_anchor { value.wrapping_add(u64::from(head >> 16)) } else { self.next };
    }
}

/// The bytes of a slot. They are assembled as one number, since copying the parts separately would need
/// function calls.
fn slot_of(value: u64, stride: i32, head: u32) -> Slot {
    (u128::from(value) | u128::from(stride as u32) << 64 | u128::from(head) << 96).to_le_bytes()
}

/// The bytes of a record, assembled as one number as in [`slot_of`].
fn record_of(head: u32, value: u64) -> [u8; REFERENCE_LEN] {
    let bytes = (u128::from(head) | u128::from(value) << 32).to_le_bytes();
    *bytes.first_chunk().expect("a record is shorter")
}

/// The maximum size of the output of [`encode`] for `plain_len` bytes.
pub(crate) fn bound(plain_len: usize) -> usize {
    plain_len + plain_len / REFERENCE_LEN
}

/// Splits whole records into `output`, which has [`bound`] bytes. Returns the number of bytes written.
/// `scratch` has at least as many bytes as `plain`, and `table` has [`TABLE_LEN`] bytes.
pub(crate) fn encode(
    plain: &[u8],
    anchors: u64,
    table: &mut [u8],
    scratch: &mut [u8],
    output: &mut [u8],
) -> usize {
    let records = plain.as_chunks::<REFERENCE_LEN>().0;
    let (codes, rest) = output.split_at_mut(records.len());
    let (heads, missed) = scratch.split_at_mut(4 * records.len());
    let (heads, missed) = (heads.as_chunks_mut::<4>().0, missed.as_chunks_mut::<8>().0);
    let missed = &mut missed[..records.len()];
    // Differences of data grow from the front, those of instructions from the back.
    let (mut heads_len, mut data_len, mut anchors_at) = (0, 0, records.len());
    let mut predictor = Predictor::new(table, anchors);
    for (record, code) in records.iter().zip(codes.iter_mut()) {
        let (head, value) = (u32_at(record, 0), u64_at(record, 4));
        let slot = predictor.slot();
        if predictor.takes_as_guessed(slot, head, value) {
            *code = STRIDE;
            continue;
        }
        let is_new = predictor.head(slot) != head;
        let guess = predictor.guess(slot, head, is_new);
        let difference = zigzag(value.wrapping_sub(guess.base));
        let is_missed = (value != guess.first) & (difference != 0);
        // Instead of a branch that the processor would often predict wrongly, each value is written, and the
        // lengths grow only if it is kept.
        missed[if guess.is_anchor { anchors_at - 1 } else { data_len }] = difference.to_le_bytes();
        data_len += usize::from(is_missed & !guess.is_anchor);
        anchors_at -= usize::from(is_missed & guess.is_anchor);
        let bytes = (71 - difference.leading_zeros() as u8) / 8;
        let first = if guess.is_anchor { INSTRUCTION - 1 } else { DATA - 1 };
        let found = u8::from(value != guess.first);
        heads[heads_len] = head.to_le_bytes();
        heads_len += usize::from(is_new);
        *code = if is_missed { first + bytes } else { found } | u8::from(is_new) << 5;
        predictor.learn(&guess, head, is_new, value);
    }
    let (head_planes, planes) = rest.split_at_mut(4 * heads_len);
    spread_heads(&heads[..heads_len], head_planes);
    let (data, anchored) = missed.split_at_mut(anchors_at);
    anchored.reverse();
    let data_planes = spread(&mut data[..data_len], planes);
    codes.len() + head_planes.len() + data_planes + spread(anchored, &mut planes[data_planes..])
}

pub(super) fn spread_heads(heads: &[[u8; 4]], planes: &mut [u8]) {
    for (index, head) in heads.iter().enumerate() {
        (0..4).for_each(|byte| planes[byte * heads.len() + index] = head[byte]);
    }
}

/// Writes each byte of the differences to its plane, and returns the total length of the planes. Overwrites
/// the differences.
pub(super) fn spread(differences: &mut [[u8; 8]], planes: &mut [u8]) -> usize {
    let (mut len, mut at) = (differences.len(), 0);
    while len > 0 {
        let mut kept = 0;
        let plane = &mut planes[at..at + len];
        for (index, byte) in plane.iter_mut().enumerate() {
            let difference = u64::from_le_bytes(differences[index]);
            *byte = difference as u8;
            // A difference that has more bytes stays for the next plane.
            differences[kept] = (difference >> 8).to_le_bytes();
            kept += usize::from(difference > 0xff);
        }
        (at, len) = (at + len, kept);
    }
    at
}

/// For an outcome with a difference, the first of its planes, and the number of planes.
fn planes_of(outcome: u8) -> (usize, usize) {
    match outcome.checked_sub(INSTRUCTION) {
        Some(bytes) => (8, usize::from(bytes) + 1),
        None => (0, usize::from(outcome - DATA) + 1),
    }
}

/// Counts how often each outcome occurs in the codes, and how many codes have a new head (a type and size
/// that were not predicted). Some invalid codes are counted as outcomes from [`OUTCOMES`] on; [`decode`]
/// finds the others.
fn count(codes: &[u8]) -> ([usize; 32], usize) {
    let mut by_code = [0usize; 256];
    codes.iter().for_each(|code| by_code[usize::from(*code)] += 1);
    let (mut outcomes, mut heads) = ([0; 32], 0);
    for (code, count) in by_code.iter().enumerate() {
        outcomes[code & usize::from(OUTCOME)] += count;
        heads += if code & usize::from(NEW_HEAD) != 0 { count } else { &0 };
    }
    (outcomes, heads)
}

/// The start of each plane, and the end of the last plane.
fn plane_starts(outcomes: &[usize; 32]) -> ([usize; PLANES], usize) {
    let (mut starts, mut end) = ([0; PLANES], 0);
    for (plane, start) in starts.iter_mut().enumerate() {
        *start = end;
        let from = usize::from(DATA) + plane;
        let until = usize::from(if plane < 8 { INSTRUCTION } else { OUTCOMES });
        end += outcomes[from..until].iter().sum::<usize>();
    }
    (starts, end)
}

/// Fills `plain` with the records from the output of [`encode`].
pub(crate) fn decode(
    split: &[u8],
    anchors: u64,
    table: &mut [u8],
    plain: &mut [u8],
) -> Result<(), Malformed> {
    let records = plain.as_chunks_mut::<REFERENCE_LEN>().0;
    let (codes, rest) = split.split_at_checked(records.len()).ok_or(Malformed("codes of all records"))?;
    let (outcomes, heads_len) = count(codes);
    let (mut places, planes_len) = plane_starts(&outcomes);
    if codes.iter().any(|code| *code >= 2 * NEW_HEAD || code & OUTCOME >= OUTCOMES) {
        return Err(Malformed("codes of references that mean something"));
    }
    if rest.len() != 4 * heads_len + planes_len {
        return Err(Malformed("as many bytes as the codes of references say"));
    }
    let (heads, planes) = rest.split_at(4 * heads_len);
    let mut head_at = 0;
    let mut predictor = Predictor::new(table, anchors);
    for (record, code) in records.iter_mut().zip(codes) {
        let slot = predictor.slot();
        let is_new = code & NEW_HEAD != 0;
        let head = if is_new {
            head_at += 1;
            u32::from_le_bytes(std::array::from_fn(|byte| heads[byte * heads_len + head_at - 1]))
        } else {
            predictor.head(slot)
        };
        let guess = predictor.guess(slot, head, is_new);
        let value = match code & OUTCOME {
            STRIDE => guess.first,
            SECOND => guess.base,
            outcome => guess.base.wrapping_add(unzigzag(gather(planes, &mut places, outcome))),
        };
        *record = record_of(head, value);
        predictor.learn(&guess, head, is_new, value);
    }
    Ok(())
}

/// Reads a difference, whose bytes are the next ones in the planes of the outcome.
fn gather(planes: &[u8], places: &mut [usize; PLANES], outcome: u8) -> u64 {
    let (first, bytes) = planes_of(outcome);
    let mut value = 0;
    for (index, place) in places[first..first + bytes].iter_mut().enumerate() {
        value |= u64::from(planes[*place]) << (8 * index);
        *place += 1;
    }
    value
}

/// Zigzag encoding: maps small numbers of either sign to small unsigned numbers.
pub(super) fn zigzag(difference: u64) -> u64 {
    difference << 1 ^ (difference as i64 >> 63) as u64
}

pub(super) fn unzigzag(value: u64) -> u64 {
    value >> 1 ^ (value & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ANCHORS: u64 = 1 << 10;

    fn record(kind: u16, size: u16, value: u64) -> [u8; REFERENCE_LEN] {
        let mut record = [0; REFERENCE_LEN];
        record[..2].copy_from_slice(&kind.to_le_bytes());
        record[2..4].copy_from_slice(&size.to_le_bytes());
        record[4..].copy_from_slice(&value.to_le_bytes());
        record
    }

    fn split(plain: &[u8]) -> Vec<u8> {
        let mut output = vec![0; bound(plain.len())];
        let len = encode(plain, ANCHORS, &mut [0; TABLE_LEN], &mut vec![0; plain.len()], &mut output);
        output.truncate(len);
        output
    }

    fn join(split: &[u8], records: usize) -> Result<Vec<u8>, Malformed> {
        let mut plain = vec![0; REFERENCE_LEN * records];
        decode(split, ANCHORS, &mut [1; TABLE_LEN], &mut plain).map(|()| plain)
    }

    /// The split as docs/trace-format.md describes it, record by record and with plain branches.
    fn split_by_the_page(plain: &[u8]) -> Vec<u8> {
        let mut slots = vec![(0u64, 0i32, 0u32); 4096];
        let (mut of_type, mut instruction, mut len, mut since) = ([0u64; 256], 0u64, 0u64, 0u64);
        let (mut codes, mut heads, mut planes) = (Vec::new(), Vec::new(), vec![Vec::new(); 16]);
        for record in plain.as_chunks::<REFERENCE_LEN>().0 {
            let (head, value) = (u32_at(record, 0), u64_at(record, 4));
            let place = instruction.wrapping_add(since << 56 | since << 3);
            let slot = &mut slots[(place.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize];
            let is_new = head != slot.2;
            let (base, stride) = if is_new { (of_type[head as usize & 255], 0) } else { (slot.0, slot.1) };
            let is_instruction = head & 0xffff < 64 && ANCHORS >> (head & 0xffff) & 1 == 1;
            let second = if is_instruction { instruction.wrapping_add(len) } else { base };
            let zigzag = zigzag(value.wrapping_sub(second));
            let bytes = (1..=8).find(|bytes| *bytes == 8 || zigzag < 1 << (8 * bytes)).unwrap();
            let first = if is_instruction { 8 } else { 0 };
            let code = match value {
                value if value == base.wrapping_add_signed(stride.into()) => 0,
                value if value == second => 1,
                _ => {
                    (0..bytes).for_each(|byte| planes[first + byte].push((zigzag >> (8 * byte)) as u8));
                    1 + first + bytes
                }
            };
            codes.push(code as u8 | u8::from(is_new) << 5);
            heads.extend(is_new.then_some(head.to_le_bytes()));
            let stride = i32::try_from(value.wrapping_sub(slot.0) as i64).unwrap_or(0);
            *slot = (value, if is_instruction || is_new { 0 } else { stride }, head);
            of_type[head as usize & 255] = value;
            (since, instruction, len) = match is_instruction {
                true => (0, value, (head >> 16).into()),
                false => (since + 1, instruction, len),
            };
        }
        let heads = (0..4).flat_map(|byte| heads.iter().map(move |head| head[byte]));
        codes.into_iter().chain(heads).chain(planes.concat()).collect()
    }

    #[test]
    fn a_loop_over_an_array_becomes_zeros() {
        let turn =
            |turn: u64| [record(10, 4, 0x1000), record(0, 8, 0x8000 + 8 * turn), record(10, 2, 0x1004)];
        let plain: Vec<u8> = (0..50).flat_map(turn).flatten().collect();
        let split = split(&plain);
        assert!(split[15..150].iter().all(|code| *code == 0), "{split:?}");
        assert_eq!(join(&split, 150).unwrap(), plain);
        assert_eq!(split, split_by_the_page(&plain));
    }

    #[test]
    fn values_of_every_width_come_back() {
        let values = (0..64).flat_map(|bit| [1u64 << bit, u64::MAX << bit, (1 << bit) - 1]);
        let plain: Vec<u8> = values.flat_map(|value| record(value as u16 % 12, 3, value)).collect();
        assert_eq!(join(&split(&plain), plain.len() / REFERENCE_LEN).unwrap(), plain);
        assert_eq!(split(&plain), split_by_the_page(&plain));
    }

    #[test]
    fn codes_and_lengths_that_cannot_be_are_refused() {
        for codes in [[64, 0], [18, 0], [31, 0], [32, 0], [2, 0], [255, 255]] {
            assert!(join(&codes, 2).is_err(), "{codes:?}");
        }
        assert!(join(&[0, 0, 0], 2).is_err(), "a byte too many");
        assert!(join(&[0], 2).is_err(), "a byte too few");
    }

    proptest! {
        #[test]
        fn any_records_come_back(
            records in proptest::collection::vec((0u16..14, 0u16..9, prop_oneof![0u64..50, any::<u64>()]), 0..400),
        ) {
            let plain: Vec<u8> = records.iter().flat_map(|(kind, size, value)| record(*kind, *size, *value)).collect();
            prop_assert_eq!(split(&plain), split_by_the_page(&plain));
            prop_assert_eq!(join(&split(&plain), records.len()).unwrap(), plain);
        }

        #[test]
        fn any_bytes_are_records_or_an_error(split in proptest::collection::vec(0u8..70, 0..200), records in 0usize..40) {
            let _ = join(&split, records);
        }
    }
}
