//! Codes of a fixed width, end to end in bits: a lane of them at a time.
//!
//! Eight codes of `W` bits fill `W` bytes, so every group of eight starts at a byte, and with the width known when this is
//! compiled all shifts within a group are constants. One code of a lane is read faster where it lies.

/// Codes in a lane: those that have one width.
pub(crate) const LANE: usize = 128;
/// Codes whose bits end at a whole byte.
const GROUP: usize = 8;
/// Bytes behind a lane that are loaded and not used.
pub(crate) const PADDING: usize = 8;

/// The codes of one lane, `width` bits each, at the start of `bytes`. None if bytes are missing: those of the whole lane and
/// [`PADDING`] more have to be there. Widths above 32 are not known.
#[inline]
pub(crate) fn unpack(width: u32, bytes: &[u8], codes: &mut [u32; LANE]) -> Option<()> {
    let bytes = bytes.get(..LANE / GROUP * width as usize + PADDING)?;
    macro_rules! by_width {
        ($($known:literal)*) => {
            match width {
                $($known => unpack_of::<$known>(bytes, codes),)*
                _ => None,
            }
        };
    }
    by_width!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

fn unpack_of<const W: usize>(bytes: &[u8], codes: &mut [u32; LANE]) -> Option<()> {
    let mask = ((1u64 << W) - 1) as u32;
    let (groups, _) = codes.as_chunks_mut::<GROUP>();
    for (number, group) in groups.iter_mut().enumerate() {
        let bytes = bytes.get(number * W..number * W + W + PADDING)?;
        for (index, code) in group.iter_mut().enumerate() {
            let bit = index * W;
            let word = u64::from_le_bytes(*bytes.get(bit / 8..)?.first_chunk()?);
            *code = (word >> (bit % 8)) as u32 & mask;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::append_bits;

    #[test]
    fn codes_of_every_width_come_back() {
        for width in 0..=32u32 {
            let mask = ((1u64 << width) - 1) as u32;
            let expected: [u32; LANE] =
                std::array::from_fn(|index| (index as u32 + 1).wrapping_mul(0x9e37_79b1) & mask);
            let mut bytes = Vec::new();
            append_bits(expected.iter().copied(), width, &mut bytes);
            bytes.resize(LANE / GROUP * width as usize, 0);
            let mut codes = [0; LANE];
            assert_eq!(unpack(width, &bytes, &mut codes), None, "no padding");
            bytes.extend([0xff; PADDING]);
            unpack(width, &bytes, &mut codes).unwrap();
            assert_eq!(codes, expected, "width {width}");
        }
    }

    #[test]
    fn a_width_that_no_code_has_is_refused() {
        assert_eq!(unpack(33, &[0; 1000], &mut [0; LANE]), None);
    }
}
