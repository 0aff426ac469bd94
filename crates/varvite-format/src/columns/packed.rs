//! Bit-packed integers with a frame of reference. Each value can be read alone.
//!
//! Values are in blocks of 1024, each of eight lanes of 128. A lane has a base and a width; a value is the
//! base plus a code of `width` bits. If a few values of a lane are far from the others, they are stored as
//! exceptions of the block, and the lane's largest code stands for them. In a sloped column a lane also has a
//! slope: value `j` of the lane is near `base + slope * j`, which suits offsets and lists of ascending ids.
//! One block header fits a cache line, so that a read has at most two cache misses.
//!
//! ```text
//! segment = headers (48 bytes for each block, 64 if sloped), then data, then 8 bytes of zeros
//! header  = 0  u32 x 8  bases of the lanes
//!           32 u8  x 8  widths of the lanes, 0..=32; top bit: the lane has exceptions
//!           40 u32      offset of the block's data, in units of 8 bytes from the end of the headers
//!           44 u16      number of the block's exceptions
//!           46 u16      zero
//!           48 u16 x 8  slopes of the lanes, if sloped: (low 12 bits) * j >> (high 4 bits) is added to value j
//! data    = lanes, 16 * width bytes each; then, for each exception, its u16 position in the block, ascending;
//!           then the u32 value of each exception; zeros up to a multiple of 8 bytes
//! ```
//!
//! The scheme is patched frame of reference (Zukowski et al., ICDE 2006), with a layout for single reads.

use std::ops::Range;

use crate::bytes::{append_bits, u16_at, u32_at, u64_at};
use crate::columns::codes::{LANE, unpack};
use crate::columns::kernels;
use crate::{Encoding, Fault, FormatError, Part, Quantity, Result};

/// The number of values in a block.
pub(crate) const BLOCK: usize = 1024;
const LANES: usize = BLOCK / LANE;
const FLAT_HEADER: usize = 4 * LANES + LANES + 4 + 2 + 2;
pub(crate) const SLOPED_HEADER: usize = FLAT_HEADER + 2 * LANES;
pub(crate) const PADDING: usize = 8;
const WIDTH_MAX: u32 = 32;
const HAS_EXCEPTIONS: u8 = 0x80;
/// The size of an exception in bits.
const EXCEPTION_BITS: usize = 48;

/// Reads packed values from `B`.
#[derive(Clone, Debug)]
pub(crate) struct Packed<B> {
    bytes: B,
    header: usize,
    data: usize,
}

/// The expected difference between value `j` of a lane and the first value, as 12 bits of mantissa and 4 bits
/// of shift.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Slope(u16);

impl Slope {
    /// The greatest slope that is at most `rise / steps`.
    fn of(rise: u32, steps: u32) -> Self {
        for shift in (0..16u32).rev() {
            let mantissa = (u64::from(rise) << shift) / u64::from(steps.max(1));
            if mantissa < 1 << 12 {
                return Self((shift << 12) as u16 | mantissa as u16);
            }
        }
        Self(0x0fff)
    }

    #[inline]
    fn at(self, j: usize) -> u32 {
        (u32::from(self.0 & 0xfff) * j as u32) >> (self.0 >> 12)
    }
}

/// The header of a lane, and the offset of its codes.
struct Lane {
    base: u32,
    slope: Slope,
    width: u32,
    exceptions: bool,
    at: usize,
}

/// The exceptions of a block: their positions in the block, which are ascending in an undamaged file, and the
/// value of each.
struct Exceptions<'a> {
    positions: &'a [[u8; 2]],
    values: &'a [[u8; 4]],
}

impl<B: std::ops::Deref<Target = [u8]>> Packed<B> {
    /// A reader of `count` values.
    pub(crate) fn new(bytes: B, count: u64, sloped: bool) -> Result<Self> {
        let blocks = count.div_ceil(BLOCK as u64);
        let header = header_size(sloped);
        let data = blocks.saturating_mul(header as u64);
        if data > bytes.len() as u64 {
            return Err(FormatError::damaged(
                Part::encoding(Encoding::Packed),
                Fault::TooFew { what: "bytes with block headers", least: data, found: bytes.len() as u64 },
            ));
        }
        Ok(Self { bytes, header, data: data as usize })
    }

    /// Value number `index`, before the column's base is added. The caller checks `index` against the count.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<u32> {
        let lane = self.lane(index / LANE)?;
        self.value(&lane, index)
    }

    /// Values number `index` and `index + 1`, which are usually in the same lane.
    #[inline]
    pub(crate) fn pair(&self, index: usize) -> Option<(u32, u32)> {
        let lane = self.lane(index / LANE)?;
        let first = self.value(&lane, index)?;
        let next = index + 1;
        let second = if !next.is_multiple_of(LANE) { self.value(&lane, next)? } else { self.get(next)? };
        Some((first, second))
    }

    /// Value number `index`, which is in `lane`.
    #[inline]
    fn value(&self, lane: &Lane, index: usize) -> Option<u32> {
        let bit = index % LANE * lane.width as usize;
        let word = u64_at(&self.bytes, lane.at + bit / 8)?;
        let mask = (1u64 << lane.width) - 1;
        let code = word >> (bit % 8) & mask;
        if lane.exceptions && code == mask {
            return self.exception(index);
        }
        Some(lane.base.wrapping_add(code as u32).wrapping_add(lane.slope.at(index % LANE)))
    }

    #[inline]
    fn lane(&self, number: usize) -> Option<Lane> {
        if self.header == FLAT_HEADER {
            return self.lane_below::<FLAT_HEADER>(number);
        }
        let mut lane = self.lane_below::<SLOPED_HEADER>(number)?;
        let slopes = number / LANES * SLOPED_HEADER + FLAT_HEADER;
        lane.slope = Slope(u16_at(&self.bytes, slopes + 2 * (number % LANES))?);
        Some(lane)
    }

    /// Lane `number` without its slope. The size of headers is a constant here, so that one bounds check
    /// covers all fields.
    #[inline]
    fn lane_below<const HEADER: usize>(&self, number: usize) -> Option<Lane> {
        let header: &[u8; HEADER] = self.bytes.get(number / LANES * HEADER..)?.first_chunk()?;
        let within = number % LANES;
        let widths = u64_at(header, 32)?;
        let width = (widths >> (8 * within)) as u8;
        // One multiplication sums the widths of the lanes before this one: the sum is at most 255.
        let before = (widths & 0x3f3f_3f3f_3f3f_3f3f) & ((1u64 << (8 * within)) - 1);
        let before = before.wrapping_mul(0x0101_0101_0101_0101) >> 56;
        let block = u32_at(header, 40)? as usize;
        Some(Lane {
            base: u32_at(header, 4 * within)?,
            slope: Slope(0),
            width: u32::from(width & 0x3f).min(WIDTH_MAX),
            exceptions: width & HAS_EXCEPTIONS != 0,
            at: self.data + block * 8 + before as usize * 16,
        })
    }

    #[cold]
    fn exception(&self, index: usize) -> Option<u32> {
        self.exceptions(index / BLOCK)?.find(index)
    }

    /// The exceptions of a block.
    fn exceptions(&self, block: usize) -> Option<Exceptions<'_>> {
        let header = self.bytes.get(block * self.header..)?.get(..self.header)?;
        let count = usize::from(u16_at(header, 44)?);
        let widths = u64_at(header, 32)?.to_le_bytes();
        let codes: usize = widths.iter().map(|width| 16 * usize::from(width & 0x3f)).sum();
        let positions = self.data + u32_at(header, 40)? as usize * 8 + codes;
        let values = positions + (count * 2).next_multiple_of(4);
        let positions = self.bytes.get(positions..)?.get(..2 * count)?;
        let values = self.bytes.get(values..)?.get(..4 * count)?;
        Some(Exceptions { positions: positions.as_chunks().0, values: values.as_chunks().0 })
    }

    /// The smallest and largest value that the lane of value `index` can hold, according to its header and
    /// the exceptions of its block.
    #[inline]
    pub(crate) fn lane_bounds(&self, index: usize) -> Option<(u32, u32)> {
        let lane = self.lane(index / LANE)?;
        let span = (1u64 << lane.width) - 1 + u64::from(lane.slope.at(LANE - 1));
        // Sums beyond 32 bits wrap, so that the lane may hold any value.
        let Ok(high) = u32::try_from(u64::from(lane.base) + span) else { return Some((0, u32::MAX)) };
        if lane.exceptions {
            self.widen_bounds(lane.base, high, index / BLOCK)
        } else {
            Some((lane.base, high))
        }
    }

    /// Widens bounds to include the exceptions of a block. If there are more exceptions than values, the
    /// block is damaged and the bounds include all values.
    fn widen_bounds(&self, low: u32, high: u32, block: usize) -> Option<(u32, u32)> {
        // If exceptions are damaged, only decoding shows whether the lane has exceptions.
        let Some(Exceptions { values, .. }) = self.exceptions(block).filter(|it| it.values.len() <= BLOCK)
        else {
            return Some((0, u32::MAX));
        };
        Some(values.iter().fold((low, high), |(low, high), value| {
            let value = u32::from_le_bytes(*value);
            (low.min(value), high.max(value))
        }))
    }

    /// Calls `visit` with the values of `range`, lane by lane, until `visit` returns `None`. Returns `None`
    /// in that case, and if bytes are missing. The caller checks the range against the count.
    #[inline]
    pub(crate) fn runs(
        &self,
        range: Range<usize>,
        mut visit: impl FnMut(&[u32]) -> Option<()>,
    ) -> Option<()> {
        let mut values = [0u32; LANE];
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / LANE + 1) * LANE);
            visit(self.decode(at..end, &mut values)?)?;
            at = end;
        }
        Some(())
    }

    /// Decodes the values of `range`, which are all in one lane, into a part of `values`, and returns that
    /// part.
    pub(crate) fn decode<'v>(&self, range: Range<usize>, values: &'v mut [u32; LANE]) -> Option<&'v [u32]> {
        let lane = self.lane(range.start / LANE)?;
        unpack(lane.width, self.bytes.get(lane.at..)?, values)?;
        let first = range.start % LANE;
        let values = values.get_mut(first..first + range.len())?;
        let expected = |index: usize| lane.base.wrapping_add(lane.slope.at(first + index));
        let excepted = if lane.exceptions { marks(values, ((1u64 << lane.width) - 1) as u32) } else { 0 };
        if lane.slope == Slope(0) {
            values.iter_mut().for_each(|value| *value = value.wrapping_add(lane.base));
        } else {
            let indexed = values.iter_mut().enumerate();
            indexed.for_each(|(index, value)| *value = value.wrapping_add(expected(index)));
        }
        if excepted != 0 {
            self.put_exceptions(range.start, excepted, values)?;
        }
        Some(values)
    }

    /// Replaces the marked values by exceptions; the first of `values` has index `start`.
    fn put_exceptions(&self, start: usize, mut marks: u128, values: &mut [u32]) -> Option<()> {
        let exceptions = self.exceptions(start / BLOCK)?;
        while marks != 0 {
            let index = marks.trailing_zeros() as usize;
            *values.get_mut(index)? = exceptions.find(start + index)?;
            marks &= marks - 1;
        }
        Some(())
    }
}

impl Exceptions<'_> {
    /// The exception for value number `index`.
    fn find(&self, index: usize) -> Option<u32> {
        let wanted = (index % BLOCK) as u16;
        let position = |position: &[u8; 2]| u16::from_le_bytes(*position);
        let found = self.positions.binary_search_by_key(&wanted, position).ok()?;
        Some(u32::from_le_bytes(*self.values.get(found)?))
    }
}

/// A bitmap of the codes of a lane that stand for an exception.
fn marks(codes: &[u32], mask: u32) -> u128 {
    let (mut marks, mut at) = (0, 0);
    kernels::masks_within(codes, mask, mask, |word, count| {
        marks |= u128::from(word) << at;
        at += count;
    });
    marks
}

pub(crate) fn header_size(sloped: bool) -> usize {
    if sloped { SLOPED_HEADER } else { FLAT_HEADER }
}

/// Packs `values`.
///
/// # Errors
/// [`FormatError::TooLarge`] if the data exceeds 32 GiB.
pub(crate) fn pack(values: &[u32], sloped: bool) -> Result<Vec<u8>> {
    let blocks = values.len().div_ceil(BLOCK);
    let size = header_size(sloped);
    let mut output = vec![0u8; blocks * size];
    let start = output.len();
    for (number, block) in values.chunks(BLOCK).enumerate() {
        let header = pack_block(block, sloped, (output.len() - start) / 8, &mut output)?;
        output[number * size..(number + 1) * size].copy_from_slice(&header[..size]);
    }
    output.resize(output.len() + PADDING, 0);
    Ok(output)
}

/// The number of bytes that packing `values` would take, including headers.
pub(crate) fn packed_size(values: &[u32], sloped: bool) -> usize {
    let lanes: usize = values.chunks(LANE).map(|lane| Fit::best(lane, sloped).bits()).sum();
    lanes / 8 + values.len().div_ceil(BLOCK) * header_size(sloped) + PADDING
}

/// Appends the data of a block to `output`, and returns its header. The data is at offset `units`, in units
/// of eight bytes after the headers.
pub(crate) fn pack_block(
    block: &[u32],
    sloped: bool,
    units: usize,
    output: &mut Vec<u8>,
) -> Result<[u8; SLOPED_HEADER]> {
    let units = u32::try_from(units).map_err(|_| FormatError::TooLarge {
        what: Quantity::Column(Encoding::Packed),
        found: units as u64 * 8,
        limit: u64::from(u32::MAX) * 8,
    })?;
    let mut header = [0u8; SLOPED_HEADER];
    let mut positions = Vec::new();
    let mut exceptions = Vec::new();
    for (number, lane) in block.chunks(LANE).enumerate() {
        let fit = Fit::best(lane, sloped);
        header[FLAT_HEADER + 2 * number..][..2].copy_from_slice(&fit.slope.0.to_le_bytes());
        header[4 * number..4 * number + 4].copy_from_slice(&fit.base.to_le_bytes());
        header[32 + number] = fit.width as u8 | if fit.exceptions > 0 { HAS_EXCEPTIONS } else { 0 };
        let before = positions.len();
        let codes = lane.iter().enumerate().map(|(index, value)| {
            let code = value.wrapping_sub(fit.slope.at(index)).wrapping_sub(fit.base);
            if fit.exceptions > 0 && u64::from(code) >= fit.mask() {
                positions.push((number * LANE + index) as u16);
                exceptions.push(*value);
                return fit.mask() as u32;
            }
            code
        });
        pack_lane(codes, fit.width, output);
        // A value far below the base may wrap to a valid code, so there may be fewer exceptions than planned.
        debug_assert!(positions.len() - before <= fit.exceptions);
    }
    header[40..44].copy_from_slice(&units.to_le_bytes());
    header[44..46].copy_from_slice(&(positions.len() as u16).to_le_bytes());
    positions.iter().for_each(|position| output.extend(position.to_le_bytes()));
    if positions.len() % 2 == 1 {
        output.extend([0; 2]);
    }
    exceptions.iter().for_each(|value| output.extend(value.to_le_bytes()));
    if (positions.len().div_ceil(2) + exceptions.len()) % 2 == 1 {
        output.extend([0; 4]);
    }
    Ok(header)
}

/// Appends the codes of one lane. The last lane of a column may have fewer values and is filled with zeros.
fn pack_lane(codes: impl Iterator<Item = u32>, width: u32, output: &mut Vec<u8>) {
    let end = output.len() + 16 * width as usize;
    append_bits(codes, width, output);
    output.resize(end, 0);
}

/// The slope, base and width of a lane that take the fewest bits.
struct Fit {
    slope: Slope,
    base: u32,
    width: u32,
    exceptions: usize,
}

impl Fit {
    /// The flat or the sloped fit, whichever takes fewer bits.
    fn best(lane: &[u32], sloped: bool) -> Self {
        if let Some(base) = lane.first().filter(|first| lane.iter().all(|value| value == *first)) {
            return Self { slope: Slope(0), base: *base, width: 0, exceptions: 0 };
        }
        let flat = Self::of(lane, Slope(0));
        match (lane.first(), lane.last()) {
            (Some(first), Some(last)) if sloped && first < last && flat.width > 1 => {
                let leaning = Self::of(lane, Slope::of(last - first, lane.len() as u32 - 1));
                if leaning.bits() < flat.bits() { leaning } else { flat }
            }
            _ => flat,
        }
    }

    fn of(values: &[u32], slope: Slope) -> Self {
        let mut lane = [0u32; LANE];
        let lane = &mut lane[..values.len()];
        // The residual of a value below the slope would wrap. Adding `lift` to all residuals keeps their
        // order; the base of the lane is lowered by `lift` to compensate.
        let lift = slope.at(LANE);
        for (index, (residual, value)) in lane.iter_mut().zip(values).enumerate() {
            *residual = value.wrapping_sub(slope.at(index)).wrapping_add(lift);
        }
        let mut fit = Self::of_residuals(lane);
        fit.base = fit.base.wrapping_sub(lift);
        fit.slope = slope;
        fit
    }

    fn of_residuals(lane: &mut [u32]) -> Self {
        let low = lane.iter().copied().min().unwrap_or(0);
        let high = lane.iter().copied().max().unwrap_or(0);
        let width = u32::BITS - (high - low).leading_zeros();
        let mut best = Self { slope: Slope(0), base: low, width, exceptions: 0 };
        if width <= 2 {
            return best;
        }
        lane.sort_unstable();
        for width in (1..width).rev() {
            let (base, inside) = densest_window(lane, (1u64 << width) - 2);
            let exceptions = lane.len() - inside;
            let candidate = Self { slope: Slope(0), base, width, exceptions };
            if candidate.exceptions * EXCEPTION_BITS >= best.bits() {
                break;
            }
            if candidate.bits() < best.bits() {
                best = candidate;
            }
        }
        best
    }

    fn mask(&self) -> u64 {
        (1u64 << self.width) - 1
    }

    fn bits(&self) -> usize {
        LANE * self.width as usize + self.exceptions * EXCEPTION_BITS
    }
}

/// The start of the window of length `span` that contains the most of the sorted values, and the count of
/// these values.
pub(crate) fn densest_window(sorted: &[u32], span: u64) -> (u32, usize) {
    let mut best = (0, 0);
    let mut first = 0;
    for (last, value) in sorted.iter().enumerate() {
        while u64::from(value - sorted[first]) > span {
            first += 1;
        }
        if last + 1 - first > best.1 {
            best = (sorted[first], last + 1 - first);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(values: &[u32]) {
        [false, true].into_iter().for_each(|sloped| check_with(values, sloped));
    }

    fn check_with(values: &[u32], sloped: bool) {
        let bytes = pack(values, sloped).unwrap();
        assert!(packed_size(values, sloped).abs_diff(bytes.len()) <= 8 * values.len().div_ceil(BLOCK) + 8);
        let packed = Packed::new(&bytes[..], values.len() as u64, sloped).unwrap();
        let read: Vec<_> = (0..values.len()).map(|index| packed.get(index).unwrap()).collect();
        assert_eq!(read, values);
        for (index, value) in values.iter().enumerate() {
            let (low, high) = packed.lane_bounds(index).unwrap();
            assert!(low <= *value && *value <= high, "{value} at {index} in {low}..={high}");
        }
        for start in [0, 1, 127, 128, 1000, 1030].into_iter().filter(|start| *start < values.len()) {
            for end in [start + 1, start + 200, values.len()] {
                let (end, mut run) = (end.min(values.len()), Vec::new());
                packed
                    .runs(start..end, |part| {
                        run.extend_from_slice(part);
                        Some(())
                    })
                    .unwrap();
                assert_eq!(run, values[start..end]);
            }
        }
    }

    #[test]
    fn equal_values_take_no_data() {
        let bytes = pack(&[7; 1024], false).unwrap();
        assert_eq!(bytes.len(), FLAT_HEADER + PADDING);
        check(&[7; 1024]);
    }

    #[test]
    fn one_far_value_does_not_widen_its_lane() {
        let mut values: Vec<u32> = (0..128).map(|value| value % 8).collect();
        let alone = pack(&values, false).unwrap().len();
        values[50] = u32::MAX;
        assert!(pack(&values, false).unwrap().len() <= alone + 24);
        check(&values);
    }

    #[test]
    fn the_lowest_value_may_be_the_exception() {
        let mut values = vec![1_000_000; 128];
        values.iter_mut().enumerate().for_each(|(index, value)| *value += index as u32 % 5);
        values[3] = 0;
        values[4] = 5;
        check(&values);
    }

    #[test]
    fn values_on_a_line_take_no_data_if_sloped() {
        let values: Vec<u32> = (0..1024).map(|index| 1000 + 3 * index).collect();
        assert_eq!(pack(&values, true).unwrap().len(), SLOPED_HEADER + PADDING);
        check(&values);
    }

    #[test]
    fn steep_and_wrapping_lanes_come_back() {
        check(&(0..128).map(|index| index * 33_000_000).collect::<Vec<u32>>());
        check(&[5, 0, 0, u32::MAX, 7, 9, u32::MAX - 1]);
    }

    /// The base of the lane wraps below zero, so the base is no lower bound of the values. A search that used
    /// the base as a lower bound would skip the lane.
    #[test]
    fn a_sloped_lane_whose_base_wraps_is_bounded_by_nothing() {
        let steps = [
            0, 1, 752, 341, 78, 1, 1, 1, 1, 1, 1, 913, 23, 774, 963, 524, 780, 458, 697, 604, 0, 0, 241, 0,
            0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 4, 0, 8, 1791, 1259,
        ];
        let rising = steps.iter().scan(0, |sum, step| {
            *sum += step;
            Some(*sum)
        });
        let values: Vec<u32> = rising.collect();
        let bytes = pack(&values, true).unwrap();
        let packed = Packed::new(&bytes[..], values.len() as u64, true).unwrap();
        let lane = packed.lane(0).unwrap();
        assert!(lane.slope.at(LANE) > 0 && lane.base > u32::MAX / 2 && !lane.exceptions);
        assert_eq!(packed.lane_bounds(0), Some((0, u32::MAX)));
        check(&values);
    }

    proptest! {
        #[test]
        fn packed_values_come_back(values in proptest::collection::vec(
            prop_oneof![8 => 1000u32..1100, 1 => any::<u32>(), 1 => Just(0u32)], 0..2500)) {
            check(&values);
        }

        #[test]
        fn rising_values_come_back(steps in proptest::collection::vec(0u32..2000, 0..2500), start in 0u32..9) {
            let rising = steps.iter().scan(start, |sum, step| { *sum += step; Some(*sum) });
            check(&rising.collect::<Vec<u32>>());
        }

        #[test]
        fn damaged_bytes_never_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..400), count in 0u64..5000, index in 0usize..6000,
        ) {
            if let Ok(packed) = Packed::new(&bytes[..], count, index % 2 == 0) {
                let _ = packed.get(index);
                let _ = packed.runs(index..index + 200, |_| Some(()));
                let _ = packed.lane_bounds(index);
            }
        }
    }
}
