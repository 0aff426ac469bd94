//! Decodes fixed-width codes, which are stored without gaps between their bits, one lane at a time.
//!
//! Eight codes of `W` bits fill `W` bytes, so every group of eight starts at a byte. If the width is known at
//! compile time, all shifts within a group are constants. To read a single code of a lane, other functions
//! are faster than this module.

/// The number of codes in a lane. All codes of a lane have one width.
pub(crate) const LANE: usize = 128;
/// The number of codes in a group, whose bits end at a byte boundary.
const GROUP: usize = 8;
/// The number of bytes after a lane that are loaded but not used.
pub(crate) const PADDING: usize = 8;

/// Decodes one lane of `width`-bit codes from the start of `bytes`. `None` if `bytes` is shorter than the
/// whole lane plus [`PADDING`], or `width` exceeds 32.
#[inline]
pub(crate) fn unpack(width: u32, bytes: &[u8], codes: &mut [u32; LANE]) -> Option<()> {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = fearless_simd::Level::new().as_avx2()
        && avx2::unpack(avx2, width as usize, bytes, codes).is_some()
    {
        return Some(());
    }
    unpack_plainly(width, bytes, codes)
}

#[inline]
fn unpack_plainly(width: u32, bytes: &[u8], codes: &mut [u32; LANE]) -> Option<()> {
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

/// Decodes eight codes at a time by a byte shuffle and a shift. Each code of up to 25 bits lies in four
/// bytes, and each half of a group in sixteen.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        _mm256_and_si256, _mm256_set_m128i, _mm256_set1_epi32, _mm256_shuffle_epi8, _mm256_srlv_epi32,
    };

    use fearless_simd::{kernel, prelude::*, u8x16, u8x32, u32x8};

    use super::{GROUP, LANE};

    const WIDTH_MAX: usize = 25;
    /// The number of bytes loaded for half a group.
    const LOAD: usize = 16;

    /// For each width and code: the four bytes of the half group that contain the code, and the number of the
    /// code's first bit in the first of these bytes.
    const PLACES: [([u8; 4 * GROUP], [u32; GROUP]); WIDTH_MAX + 1] = {
        let mut places = [([0; 4 * GROUP], [0; GROUP]); WIDTH_MAX + 1];
        let mut width = 0;
        while width <= WIDTH_MAX {
            let mut code = 0;
            while code < GROUP {
                let half = if code < GROUP / 2 { 0 } else { width / 2 };
                let first = code * width / 8 - half;
                places[width].1[code] = (code * width % 8) as u32;
                let mut byte = 0;
                while byte < 4 {
                    // A byte after the loaded ones has no bits of the code: the shuffle gives zero for an
                    // index of 128 or more.
                    places[width].0[4 * code + byte] =
                        if first + byte < LOAD { (first + byte) as u8 } else { 128 };
                    byte += 1;
                }
                code += 1;
            }
            width += 1;
        }
        places
    };

    kernel!(
        /// Decodes one lane. `None` if its codes are wider than 25 bits, or too few bytes follow it for the
        /// loads.
        pub(super) fn unpack(avx2: Avx2, width: usize, bytes: &[u8], codes: &mut [u32; LANE]) -> Option<()> {
            let (bytes_of, first_bits) = PLACES.get(width)?;
            let bytes = bytes.get(..LANE / GROUP * width + LOAD)?;
            let shuffle: u8x32<_> = (*bytes_of).simd_into(avx2);
            let shifts: u32x8<_> = (*first_bits).simd_into(avx2);
            let mask = _mm256_set1_epi32(((1u32 << width) - 1) as i32);
            let (groups, _) = codes.as_chunks_mut::<GROUP>();
            for (number, group) in groups.iter_mut().enumerate() {
                let low: &[u8; LOAD] = bytes.get(number * width..)?.first_chunk()?;
                let high: &[u8; LOAD] = bytes.get(number * width + width / 2..)?.first_chunk()?;
                let (low, high): (u8x16<_>, u8x16<_>) = ((*low).simd_into(avx2), (*high).simd_into(avx2));
                let both = _mm256_set_m128i(high.into(), low.into());
                let words = _mm256_shuffle_epi8(both, shuffle.into());
                let found: u32x8<_> =
                    _mm256_and_si256(_mm256_srlv_epi32(words, shifts.into()), mask).simd_into(avx2);
                *group = found.into();
            }
            Some(())
        }
    );
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
            bytes.extend([0xff; 64]);
            let mut codes = [7; LANE];
            unpack(width, &bytes, &mut codes).unwrap();
            assert_eq!(codes, expected, "width {width}, with bytes behind");
        }
    }

    #[test]
    fn a_width_that_no_code_has_is_refused() {
        assert_eq!(unpack(33, &[0; 1000], &mut [0; LANE]), None);
    }
}
