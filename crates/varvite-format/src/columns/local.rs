//! Integers as codes into a small table for every 1024 values.
//!
//! The form suits names and types: one function uses few of them, repeatedly, and their codes in a large
//! string table may be far apart. If a table would save nothing, a block has no table, and stores each value
//! minus the smallest value of the block.
//!
//! ```text
//! segment = headers (16 bytes for each block), then data, then 8 bytes of zeros
//! header  = 0  u32  base: the smallest value of the block
//!           4  u32  offset of the block's data, in units of 8 bytes from the end of the headers
//!           8  u16  number of values in the table; 0: no table
//!           10 u8   width of a code, or of a value if there is no table
//!           11 u8   width of a table value
//!           12 u32  zero
//! data    = codes, 128 * width bytes; then table values minus the base, ascending;
//!           zeros up to a multiple of 8 bytes
//! ```

use std::ops::{ControlFlow, Deref, Range};

use crate::bytes::{append_bits, u16_at, u32_at, u64_at};
use crate::columns::codes::{LANE, PADDING as LOAD_PADDING, unpack};
use crate::columns::stored_bounds::StoredBounds;
use crate::{Encoding, Fault, FormatError, Part, Quantity, Result};

const BLOCK: usize = 1024;
const HEADER: usize = 16;
const PADDING: usize = 8;

/// Reads values of [`local`] columns from `B`.
#[derive(Clone, Debug)]
pub(crate) struct LocalDictionary<B> {
    bytes: B,
    data: usize,
}

/// The header of a block, as offsets and widths of its parts.
struct Block {
    base: u32,
    entries: usize,
    code_width: usize,
    entry_width: usize,
    codes: usize,
}

impl Block {
    fn table(&self) -> usize {
        self.codes + BLOCK / 8 * self.code_width
    }
}

impl<B: Deref<Target = [u8]>> LocalDictionary<B> {
    /// A reader of `count` values.
    pub(crate) fn new(bytes: B, count: u64) -> Result<Self> {
        let headers = count.div_ceil(BLOCK as u64).saturating_mul(HEADER as u64);
        if headers > bytes.len() as u64 {
            return Err(FormatError::damaged(
                Part::encoding(Encoding::Local),
                Fault::TooFew { what: "bytes with headers", least: headers, found: bytes.len() as u64 },
            ));
        }
        Ok(Self { bytes, data: headers as usize })
    }

    /// Value number `index`, before the column's base is added. The caller checks `index` against the count.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        let block = self.block(index / BLOCK)?;
        let code = self.bits(block.codes, index % BLOCK, block.code_width)?;
        if block.entries == 0 {
            return Some(block.base.wrapping_add(code));
        }
        self.entry(&block, code as usize)
    }

    /// Calls `visit` with the values of `range`, lane by lane, until `visit` returns `None`. Returns `None`
    /// in that case, and if bytes are missing. The caller checks the range against the count.
    ///
    /// A table is decoded once if it is small compared to the number of values read from its block; otherwise
    /// only the used entries are decoded.
    #[inline]
    pub(crate) fn runs(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(&[u32]) -> Option<()>,
    ) -> Option<()> {
        let mut values = [0u32; LANE];
        let mut table = [0u32; BLOCK];
        let mut at = range.start;
        while at < range.end {
            let (block, end) = (self.block(at / BLOCK)?, range.end.min((at / BLOCK + 1) * BLOCK));
            let known = match block.entries <= (end - at) / 2 {
                true => self.entries(&block, &mut table)?,
                false => &[],
            };
            while at < end {
                let lane_end = end.min((at / LANE + 1) * LANE);
                visit(self.decode(&block, known, at..lane_end, &mut values)?)?;
                at = lane_end;
            }
        }
        Some(())
    }

    /// Decodes the values of `range`, which are all in one lane, into a part of `values`, and returns that
    /// part.
    #[inline]
    fn decode<'v>(
        &self,
        block: &Block,
        known: &[u32],
        range: Range<usize>,
        values: &'v mut [u32; LANE],
    ) -> Option<&'v [u32]> {
        self.codes(block, range.start % BLOCK / LANE, values)?;
        let first = range.start % LANE;
        let values = values.get_mut(first..first + range.len())?;
        for value in &mut *values {
            *value = match known.get(*value as usize) {
                Some(known) => *known,
                None if block.entries == 0 => block.base.wrapping_add(*value),
                None => self.entry(block, *value as usize)?,
            };
        }
        Some(values)
    }

    /// Decodes the codes of lane `number` of a block.
    #[inline]
    fn codes(&self, block: &Block, number: usize, codes: &mut [u32; LANE]) -> Option<()> {
        let at = block.codes + number * (LANE / 8 * block.code_width);
        unpack(block.code_width as u32, self.bytes.get(at..)?, codes)
    }

    /// Decodes all values of a block's table into the start of `table`.
    fn entries<'t>(&self, block: &Block, table: &'t mut [u32; BLOCK]) -> Option<&'t [u32]> {
        let mut lane = [0u32; LANE];
        let count = block.entries.min(BLOCK);
        for (number, output) in table[..count].chunks_mut(LANE).enumerate() {
            let at = block.table() + number * (LANE / 8 * block.entry_width);
            let bytes = self.bytes.get(at..)?;
            if bytes.len() >= LANE / 8 * block.entry_width + LOAD_PADDING {
                unpack(block.entry_width as u32, bytes, &mut lane)?;
                output
                    .iter_mut()
                    .zip(lane)
                    .for_each(|(value, above)| *value = block.base.wrapping_add(above));
                continue;
            }
            // The last table of a column may end before its last lane is full.
            for (index, value) in (number * LANE..).zip(output) {
                *value = self.entry(block, index)?;
            }
        }
        Some(&table[..count])
    }

    /// The value of a block's table for `code`.
    #[inline]
    fn entry(&self, block: &Block, code: usize) -> Option<u32> {
        let above = self.bits(block.table(), code, block.entry_width)?;
        Some(block.base.wrapping_add(above))
    }

    /// Calls `visit` with every index in `range` whose value is `wanted`, until `visit` breaks. A block whose
    /// table lacks the value is skipped if all values that it can hold are within `bounds`. `None` if bytes
    /// are missing or a value is outside `bounds`.
    pub(crate) fn find_equal(
        &self,
        wanted: u32,
        range: Range<usize>,
        bounds: StoredBounds,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let mut codes = [0u32; LANE];
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / BLOCK + 1) * BLOCK);
            let block = self.block(at / BLOCK)?;
            let greatest = self.greatest(&block)?;
            if !greatest.is_some_and(|greatest| bounds.hold(block.base) && bounds.hold(greatest)) {
                self.runs(at..end, |values| bounds.hold_all(values.iter().copied()).then_some(()))?;
            }
            let Some(code) = self.code_of(&block, wanted)? else {
                at = end;
                continue;
            };
            while at < end {
                let lane_end = end.min((at / LANE + 1) * LANE);
                self.codes(&block, at % BLOCK / LANE, &mut codes)?;
                // The whole lane is compared first, including codes outside the range: its length is
                // constant, so that the compiler vectorises the loop.
                if codes.iter().fold(false, |any, found| any | (*found == code)) {
                    let lane = codes.get(at % LANE..at % LANE + (lane_end - at))?;
                    let mut found = (at..).zip(lane).filter(|(_, found)| **found == code);
                    if found.try_for_each(|(index, _)| visit(index)).is_break() {
                        return Some(());
                    }
                }
                at = lane_end;
            }
        }
        Some(())
    }

    /// Calls `visit` with every index in `range` whose value passes the test, until `visit` breaks. In a
    /// block with a table, each value of the table is tested once; if none passes, the codes are skipped.
    /// `None` if bytes are missing, or if a value of a table or a tested value is outside `bounds`.
    #[inline]
    pub(crate) fn find_if(
        &self,
        range: Range<usize>,
        bounds: StoredBounds,
        passes: impl Fn(u32) -> bool,
        visit: &mut impl FnMut(usize) -> ControlFlow<()>,
    ) -> Option<()> {
        let (mut table, mut codes) = ([0u32; BLOCK], [0u32; LANE]);
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / BLOCK + 1) * BLOCK);
            let block = self.block(at / BLOCK)?;
            let mut passing = [0u64; BLOCK / 64];
            let entries = self.entries(&block, &mut table)?;
            bounds.hold_all(entries.iter().copied()).then_some(())?;
            for (word, values) in passing.iter_mut().zip(entries.chunks(64)) {
                let bits = (0..).zip(values);
                *word = bits.fold(0, |word, (bit, value)| word | u64::from(passes(*value)) << bit);
            }
            let has_table = block.entries > 0;
            if has_table && passing == [0; BLOCK / 64] {
                at = end;
                continue;
            }
            let hits = |code: u32| match has_table {
                true => passing.get(code as usize / 64).is_some_and(|word| word >> (code % 64) & 1 != 0),
                false => passes(block.base.wrapping_add(code)),
            };
            while at < end {
                let lane_end = end.min((at / LANE + 1) * LANE);
                self.codes(&block, at % BLOCK / LANE, &mut codes)?;
                let lane = codes.get(at % LANE..at % LANE + (lane_end - at))?;
                let values = lane.iter().map(|code| block.base.wrapping_add(*code));
                (has_table || bounds.hold_all(values)).then_some(())?;
                let mut found = (at..).zip(lane).filter(|(_, code)| hits(**code));
                if found.try_for_each(|(index, _)| visit(index)).is_break() {
                    return Some(());
                }
                at = lane_end;
            }
        }
        Some(())
    }

    /// The greatest value that a block can hold, if its table is ascending; `Some(None)` if that value
    /// exceeds 32 bits. `None` if bytes are missing.
    fn greatest(&self, block: &Block) -> Option<Option<u32>> {
        let above = match block.entries.checked_sub(1) {
            Some(last) => self.bits(block.table(), last, block.entry_width)?,
            None => ((1u64 << block.code_width) - 1) as u32,
        };
        Some(block.base.checked_add(above))
    }

    /// The code of `wanted` in a block; `Some(None)` if the block does not hold it. `None` if bytes are
    /// missing.
    fn code_of(&self, block: &Block, wanted: u32) -> Option<Option<u32>> {
        let Some(above) = wanted.checked_sub(block.base) else { return Some(None) };
        if block.entries == 0 {
            return Some((u64::from(above) < 1 << block.code_width).then_some(above));
        }
        let (mut low, mut high) = (0, block.entries);
        while low < high {
            let middle = (low + high) / 2;
            if self.bits(block.table(), middle, block.entry_width)? < above {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let found = low < block.entries && self.bits(block.table(), low, block.entry_width)? == above;
        Some(found.then_some(low as u32))
    }

    #[inline]
    fn block(&self, number: usize) -> Option<Block> {
        let header: &[u8; HEADER] = self.bytes.get(number * HEADER..)?.first_chunk()?;
        Some(Block {
            base: u32_at(header, 0)?,
            entries: usize::from(u16_at(header, 8)?),
            code_width: usize::from(header[10].min(32)),
            entry_width: usize::from(header[11].min(32)),
            codes: self.data + u32_at(header, 4)? as usize * 8,
        })
    }

    /// Number `index` among the `width`-bit numbers that begin at offset `start`.
    #[inline]
    fn bits(&self, start: usize, index: usize, width: usize) -> Option<u32> {
        let bit = index * width;
        let word = u64_at(&self.bytes, start + bit / 8)?;
        Some((word >> (bit % 8) & ((1u64 << width) - 1)) as u32)
    }
}

/// The local form of `values`.
///
/// # Errors
/// [`FormatError::TooLarge`] if the data exceeds 32 GiB.
pub(crate) fn local(values: &[u32]) -> Result<Vec<u8>> {
    let mut output = vec![0u8; values.len().div_ceil(BLOCK) * HEADER];
    let start = output.len();
    for (number, block) in values.chunks(BLOCK).enumerate() {
        let plan = Plan::of(block);
        let units = (output.len() - start) / 8;
        let units = u32::try_from(units).map_err(|_| FormatError::TooLarge {
            what: Quantity::Column(Encoding::Local),
            found: units as u64 * 8,
            limit: u64::from(u32::MAX) * 8,
        })?;
        let header = &mut output[number * HEADER..(number + 1) * HEADER];
        header[..4].copy_from_slice(&plan.base.to_le_bytes());
        header[4..8].copy_from_slice(&units.to_le_bytes());
        header[8..10].copy_from_slice(&(plan.table.len() as u16).to_le_bytes());
        header[10] = plan.code_width as u8;
        header[11] = plan.entry_width as u8;
        plan.write(block, &mut output);
    }
    output.resize(output.len() + PADDING, 0);
    Ok(output)
}

/// The number of bytes of the local form of `values`.
pub(crate) fn local_size(values: &[u32]) -> usize {
    let blocks: usize = values.chunks(BLOCK).map(|block| Plan::of(block).bytes()).sum();
    blocks + values.len().div_ceil(BLOCK) * HEADER + PADDING
}

/// The planned layout of a block.
struct Plan {
    base: u32,
    /// The distinct values minus the base, ascending; empty if the block has no table.
    table: Vec<u32>,
    code_width: u32,
    entry_width: u32,
}

impl Plan {
    fn of(block: &[u32]) -> Self {
        if block.iter().all(|value| *value == block[0]) {
            return Self { base: block[0], table: Vec::new(), code_width: 0, entry_width: 0 };
        }
        let mut table = block.to_vec();
        table.sort_unstable();
        table.dedup();
        let base = table[0];
        let value_width = width_of(table[table.len() - 1] - base);
        let code_width = width_of(table.len() as u32 - 1);
        let coded = BLOCK * code_width as usize + table.len() * value_width as usize;
        if coded >= BLOCK * value_width as usize {
            return Self { base, table: Vec::new(), code_width: value_width, entry_width: 0 };
        }
        table.iter_mut().for_each(|value| *value -= base);
        Self { base, table, code_width, entry_width: value_width }
    }

    fn bytes(&self) -> usize {
        let table = (self.table.len() * self.entry_width as usize).div_ceil(64) * 8;
        BLOCK / 8 * self.code_width as usize + table
    }

    fn write(&self, block: &[u32], output: &mut Vec<u8>) {
        let code_of = |value: &u32| {
            let above = value - self.base;
            if self.table.is_empty() {
                above
            } else {
                self.table.partition_point(|entry| *entry < above) as u32
            }
        };
        let end = output.len() + BLOCK / 8 * self.code_width as usize;
        append_bits(block.iter().map(code_of), self.code_width, output);
        output.resize(end, 0);
        append_bits(self.table.iter().copied(), self.entry_width, output);
    }
}

fn width_of(value: u32) -> u32 {
    u32::BITS - value.leading_zeros()
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow::Continue;

    use super::*;
    use proptest::prelude::*;

    fn check(values: &[u32]) {
        let bytes = local(values).unwrap();
        assert_eq!(bytes.len(), local_size(values));
        let read = LocalDictionary::new(&bytes[..], values.len() as u64).unwrap();
        for start in [0, 1, 127, 128, 1000, 1030].into_iter().filter(|start| *start < values.len()) {
            for end in [start + 1, start + 200, values.len()] {
                let (end, mut run) = (end.min(values.len()), Vec::new());
                read.runs(start..end, |part| {
                    run.extend_from_slice(part);
                    Some(())
                })
                .unwrap();
                assert_eq!(run, values[start..end]);
            }
        }
        check_find(&read, values);
    }

    fn check_find(read: &LocalDictionary<&[u8]>, values: &[u32]) {
        for (index, value) in values.iter().enumerate() {
            assert_eq!(read.get(index), Some(*value), "value {index}");
        }
        let bounds = StoredBounds::of(&(0..=u32::MAX.into()), 0);
        for wanted in values.iter().take(5).copied().chain([0, u32::MAX]) {
            let (mut equal, mut passing) = (Vec::new(), Vec::new());
            let all = 0..values.len();
            read.find_equal(wanted, all.clone(), bounds, &mut |index| {
                equal.push(index);
                Continue(())
            })
            .unwrap();
            read.find_if(all.clone(), bounds, |value| value == wanted, &mut |index| {
                passing.push(index);
                Continue(())
            })
            .unwrap();
            let expected: Vec<usize> = all.filter(|index| values[*index] == wanted).collect();
            assert_eq!((equal, passing), (expected.clone(), expected));
        }
    }

    #[test]
    fn few_distinct_values_take_few_bits_however_far_apart() {
        let values: Vec<u32> = (0..1024).map(|index| [3, 70_000, 4_000_000_000][index % 3]).collect();
        assert_eq!(local(&values).unwrap().len(), HEADER + 2 * 128 + 16 + PADDING);
        check(&values);
    }

    #[test]
    fn distinct_values_keep_no_table() {
        let values: Vec<u32> = (0..1500).map(|index| index * 7).collect();
        check(&values);
    }

    proptest! {
        #[test]
        fn local_values_come_back(
            table in proptest::collection::vec(any::<u32>(), 1..30),
            picks in proptest::collection::vec(any::<prop::sample::Index>(), 1..2200),
        ) {
            check(&picks.iter().map(|pick| table[pick.index(table.len())]).collect::<Vec<u32>>());
        }

        #[test]
        fn damaged_bytes_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..400), count in 0u64..5000, index in 0usize..6000,
        ) {
            if let Ok(read) = LocalDictionary::new(&bytes[..], count) {
                let _ = read.get(index);
                let _ = read.find_equal(7, 0..(count as usize), StoredBounds::of(&(0..=9), 0), &mut |_| Continue(()));
                let _ = read.runs(index..index + 2000, |_| Some(()));
            }
        }
    }
}
