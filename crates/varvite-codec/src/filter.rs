//! Reversible byte filters that make values of fixed width more compressible.
//!
//! `delta` replaces each value by its difference from the previous value; `planes` then writes the first
//! bytes of all values, then the second bytes, and so on. Both filters work inside one block, so that a block
//! can be decoded alone. Bytes at the end that do not fill a value are not changed.

/// The filters of a segment before its codec, and the width of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Filter {
    /// The width of a value in bytes: 1, 2, 4 or 8. With 0 no filter applies, with 1 only `delta`.
    pub width: u8,
    /// Whether each value is replaced by its difference from the previous value.
    pub delta: bool,
    /// Whether bytes are grouped by their position in the value.
    pub planes: bool,
}

impl Filter {
    /// No filter.
    pub const NONE: Self = Self { width: 0, delta: false, planes: false };

    /// Whether the filter leaves all bytes unchanged.
    pub fn is_none(&self) -> bool {
        !self.delta && (self.width < 2 || !self.planes)
    }

    /// The filter as two bytes in a file.
    pub fn to_numbers(self) -> [u8; 2] {
        [self.width, u8::from(self.delta) | u8::from(self.planes) << 1]
    }

    /// The filter for two bytes in a file; `None` if the bytes are invalid.
    pub fn from_numbers(numbers: [u8; 2]) -> Option<Self> {
        let [width, flags] = numbers;
        let known = matches!(width, 0 | 1 | 2 | 4 | 8) && flags < 4 && (width > 0 || flags == 0);
        known.then_some(Self { width, delta: flags & 1 != 0, planes: flags & 2 != 0 })
    }

    /// Filters a block. `output` gets the length of `plain`.
    pub fn apply(&self, plain: &[u8], output: &mut Vec<u8>) {
        output.clear();
        output.extend_from_slice(plain);
        if self.delta {
            each_width(
                self.width,
                output,
                differences::<1>,
                differences::<2>,
                differences::<4>,
                differences::<8>,
            );
        }
        if self.planes && self.width > 1 {
            let interleaved = output.clone();
            let width = usize::from(self.width);
            let values = plain.len() / width;
            for (index, value) in interleaved.chunks_exact(width).enumerate() {
                for (plane, byte) in value.iter().enumerate() {
                    output[plane * values + index] = *byte;
                }
            }
        }
    }

    /// Undoes [`Filter::apply`] in place; `scratch` is overwritten.
    pub fn undo(&self, block: &mut [u8], scratch: &mut Vec<u8>) {
        if self.planes && self.width > 1 {
            scratch.clear();
            scratch.extend_from_slice(block);
            match self.width {
                2 => join_planes::<2>(scratch, block),
                4 => join_planes::<4>(scratch, block),
                _ => join_planes::<8>(scratch, block),
            }
        }
        if self.delta {
            each_width(self.width, block, sums::<1>, sums::<2>, sums::<4>, sums::<8>);
        }
    }
}

type InPlace = fn(&mut [u8]);

fn each_width(width: u8, block: &mut [u8], one: InPlace, two: InPlace, four: InPlace, eight: InPlace) {
    match width {
        1 => one(block),
        2 => two(block),
        4 => four(block),
        8 => eight(block),
        _ => {}
    }
}

fn load<const W: usize>(value: &[u8]) -> u64 {
    let mut bytes = [0u8; 8];
    bytes[..W].copy_from_slice(&value[..W]);
    u64::from_le_bytes(bytes)
}

fn differences<const W: usize>(block: &mut [u8]) {
    let mut before = 0u64;
    for value in block.chunks_exact_mut(W) {
        let current = load::<W>(value);
        value.copy_from_slice(&current.wrapping_sub(before).to_le_bytes()[..W]);
        before = current;
    }
}

fn sums<const W: usize>(block: &mut [u8]) {
    let mut sum = 0u64;
    for value in block.chunks_exact_mut(W) {
        sum = sum.wrapping_add(load::<W>(value));
        value.copy_from_slice(&sum.to_le_bytes()[..W]);
    }
}

fn join_planes<const W: usize>(planes: &[u8], block: &mut [u8]) {
    let values = block.len() / W;
    let plane: [&[u8]; W] = std::array::from_fn(|number| &planes[number * values..(number + 1) * values]);
    for (index, value) in block.chunks_exact_mut(W).enumerate() {
        for (byte, plane) in value.iter_mut().zip(plane) {
            *byte = plane[index];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn planes_group_bytes_by_their_place() {
        let filter = Filter { width: 2, delta: false, planes: true };
        let mut output = Vec::new();
        filter.apply(&[1, 10, 2, 20, 3, 30, 99], &mut output);
        assert_eq!(output, [1, 2, 3, 10, 20, 30, 99]);
    }

    #[test]
    fn delta_keeps_the_first_value() {
        let filter = Filter { width: 1, delta: true, planes: false };
        let mut output = Vec::new();
        filter.apply(&[5, 6, 8, 7], &mut output);
        assert_eq!(output, [5, 1, 2, 255]);
    }

    proptest! {
        #[test]
        fn every_filter_can_be_undone(
            plain in proptest::collection::vec(any::<u8>(), 0..200),
            width in prop_oneof![Just(1u8), Just(2), Just(4), Just(8)],
            delta: bool, planes: bool,
        ) {
            let filter = Filter { width, delta, planes };
            prop_assert_eq!(Filter::from_numbers(filter.to_numbers()), Some(filter));
            let mut block = Vec::new();
            filter.apply(&plain, &mut block);
            filter.undo(&mut block, &mut Vec::new());
            prop_assert_eq!(block, plain);
        }
    }
}
