//! Integers that nearly always fit in a byte: reading one takes a load and a comparison.
//!
//! The form suits the columns of the hottest loops (subtree sizes, AST and CFG neighbours). Compared to
//! bit-packing, reads take half the time, and the column takes a few per cent more bytes. The byte 255 means
//! that the value is an exception.
//!
//! ```text
//! segment = u8 for each value: the value minus the step of the row, or 255; zeros up to a multiple of 8 bytes
//!           u32 for every 1024 values: the number of exceptions before them; and one for the number of all
//!           u16 for each exception: its index modulo 1024; zeros up to a multiple of 4 bytes
//!           u32 for each exception: its value
//! ```

use std::ops::Deref;

use crate::bytes::u32_at;
use crate::columns::kernels::Stored;
use crate::columns::packed::densest_window;
use crate::{Encoding, Fault, FormatError, Part, Result};

const BLOCK: usize = 1024;
const EXCEPTION: u8 = u8::MAX;
/// The size of an exception in bytes.
const EXCEPTION_SIZE: usize = 6;

/// Reads capped values from `B`.
#[derive(Clone, Debug)]
pub(crate) struct Capped<B> {
    bytes: B,
    step: i64,
    starts: usize,
    positions: usize,
    values: usize,
}

impl<B: Deref<Target = [u8]>> Capped<B> {
    /// A reader of `count` values; byte `b` stands for the value `step + b`.
    pub(crate) fn new(bytes: B, count: u64, step: i64) -> Result<Self> {
        let part = || Part::encoding(Encoding::Capped);
        let blocks = count.div_ceil(BLOCK as u64);
        let fixed = count.next_multiple_of(8) + (blocks + 1) * 4;
        if fixed > bytes.len() as u64 {
            return Err(FormatError::damaged(
                part(),
                Fault::TooFew { what: "bytes", least: fixed, found: bytes.len() as u64 },
            ));
        }
        let starts = count.next_multiple_of(8) as usize;
        let exceptions = u32_at(&bytes, starts + blocks as usize * 4).unwrap_or(0) as usize;
        let positions = fixed as usize;
        let values = positions + (2 * exceptions).next_multiple_of(4);
        if values + 4 * exceptions > bytes.len() {
            let least = (values + 4 * exceptions) as u64;
            let fault = Fault::TooFew { what: "bytes with exceptions", least, found: bytes.len() as u64 };
            return Err(FormatError::damaged(part(), fault));
        }
        Ok(Self { bytes, step, starts, positions, values })
    }

    /// Value number `index`, before the column's base is added. The caller checks `index` against the count.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<i64> {
        let byte = *self.bytes.get(index)?;
        if byte == EXCEPTION {
            return self.exception(index);
        }
        Some(self.step.wrapping_add(i64::from(byte)))
    }

    /// Fills `output` with the values from index `start` on, plus `base`. `None` if bytes are missing. The
    /// caller checks the range against the count.
    pub(crate) fn read(&self, start: usize, base: i64, output: &mut [i64]) -> Option<()> {
        let bytes = self.bytes.get(start..start + output.len())?;
        let first = base.wrapping_add(self.step);
        output.iter_mut().zip(bytes).for_each(|(value, byte)| *value = first.wrapping_add(i64::from(*byte)));
        for index in exceptions(bytes) {
            *output.get_mut(index)? = base.wrapping_add(self.exception(start + index)?);
        }
        Some(())
    }

    /// The value that byte 0 stands for.
    pub(crate) fn step(&self) -> i64 {
        self.step
    }

    /// All bytes of the segment: one for each value, then those of the exceptions.
    pub(crate) fn bytes(&self) -> &B {
        &self.bytes
    }

    #[cold]
    fn exception(&self, index: usize) -> Option<i64> {
        let block = self.starts + index / BLOCK * 4;
        let (start, end) = (u32_at(&self.bytes, block)? as usize, u32_at(&self.bytes, block + 4)? as usize);
        let (positions, _) =
            self.bytes.get(self.positions + 2 * start..self.positions + 2 * end)?.as_chunks();
        let wanted = (index % BLOCK) as u16;
        let below = count_below(positions, wanted);
        (u16::from_le_bytes(*positions.get(below)?) == wanted).then_some(())?;
        u32_at(&self.bytes, self.values + 4 * (start + below)).map(i64::from)
    }
}

/// The number of positions below `wanted`; `positions` are in ascending order. If there are at most 256
/// positions, all are compared, because that needs no branch that is hard to predict.
#[inline]
fn count_below(positions: &[[u8; 2]], wanted: u16) -> usize {
    const FEW: usize = 256;
    let is_below = |position: &[u8; 2]| u16::from_le_bytes(*position) < wanted;
    match positions.len() {
        0..=FEW => positions.iter().map(|position| u16::from(is_below(position))).sum::<u16>().into(),
        _ => positions.partition_point(is_below),
    }
}

/// The indexes of exceptions, found by comparing many bytes at a time.
fn exceptions(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes.chunks(64).enumerate().flat_map(|(number, chunk)| {
        let (values, _) = chunk.as_chunks::<1>();
        let mut mask = <[u8; 1]>::mask_within(values, EXCEPTION.into(), EXCEPTION.into());
        std::iter::from_fn(move || {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask.checked_sub(1)?;
            Some(64 * number + bit)
        })
    })
}

/// The step that leaves the fewest exceptions in a sample, and the estimated size in bytes of the capped form
/// of `count` values.
pub(crate) fn capped_plan(mut sample: Vec<u32>, count: usize) -> (u32, usize) {
    sample.sort_unstable();
    let (step, inside) = densest_window(&sample, u64::from(EXCEPTION) - 1);
    let exceptions = (sample.len() - inside) * count / sample.len().max(1);
    (step, count + exceptions * EXCEPTION_SIZE + count / BLOCK * 4)
}

/// The capped form of `values`; byte 0 stands for the value `step`.
pub(crate) fn capped(values: &[u32], step: u32) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.len() + values.len() / 8);
    let (mut starts, mut positions, mut exceptions) = (Vec::new(), Vec::new(), Vec::new());
    for (index, value) in values.iter().enumerate() {
        if index % BLOCK == 0 {
            starts.push(exceptions.len() as u32);
        }
        match value.checked_sub(step).filter(|above| *above < u32::from(EXCEPTION)) {
            Some(above) => bytes.push(above as u8),
            None => {
                bytes.push(EXCEPTION);
                positions.push((index % BLOCK) as u16);
                exceptions.push(*value);
            }
        }
    }
    starts.push(exceptions.len() as u32);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    starts.iter().for_each(|start| bytes.extend(start.to_le_bytes()));
    positions.iter().for_each(|position| bytes.extend(position.to_le_bytes()));
    if positions.len() % 2 == 1 {
        bytes.extend([0; 2]);
    }
    exceptions.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(values: &[u32]) {
        let (step, _) = capped_plan(values.to_vec(), values.len());
        let bytes = capped(values, step);
        let read = Capped::new(&bytes[..], values.len() as u64, i64::from(step)).unwrap();
        for (index, value) in values.iter().enumerate() {
            assert_eq!(read.get(index), Some(i64::from(*value)), "value {index}");
        }
    }

    #[test]
    fn the_step_is_where_most_values_are() {
        let values = [5_000_000, 5_000_100, 5_000_254, 7, u32::MAX, 5_000_255];
        assert_eq!(capped_plan(values.to_vec(), values.len()).0, 5_000_000);
        check(&values);
    }

    #[test]
    fn exceptions_are_found_among_few_and_many_of_a_block() {
        for every in [2, 3, 5, 200, 1000] {
            let value_of = |index: u32| if index.is_multiple_of(every) { 70_000 + 999 * index } else { 9 };
            check(&(0..3000).map(value_of).collect::<Vec<u32>>());
        }
    }

    proptest! {
        #[test]
        fn capped_values_come_back(values in proptest::collection::vec(
            prop_oneof![9 => 1000u32..1200, 1 => any::<u32>()], 0..3000)) {
            check(&values);
        }

        #[test]
        fn damaged_bytes_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..400), count in 0u64..2000, index in 0usize..2000,
        ) {
            if let Ok(read) = Capped::new(&bytes[..], count, 0) {
                let _ = read.get(index);
            }
        }
    }
}
