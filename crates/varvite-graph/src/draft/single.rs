//! Conversion between single-precision numbers and the doubles that tapes hold. Every bit is restored,
//! including the bits of NaN, which an ordinary conversion may change.

/// The fraction of a double has this many bits more than the fraction of a single.
const MORE: u32 = 29;
const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
const QUIET: u32 = 1 << 22;

/// The bits of the double with the value of a single.
pub(crate) fn double_of_single(bits: u32) -> u64 {
    let single = f32::from_bits(bits);
    if !single.is_nan() {
        return f64::from(single).to_bits();
    }
    let (sign, fraction) = (u64::from(bits & SIGN) << 32, u64::from(bits & !SIGN & !INFINITY) << MORE);
    sign | f64::INFINITY.to_bits() | fraction
}

/// The bits of the single nearest to a double.
pub(super) fn single_of_double(bits: u64) -> u32 {
    let double = f64::from_bits(bits);
    if !double.is_nan() {
        return (double as f32).to_bits();
    }
    let fraction = (bits >> MORE) as u32 & !SIGN & !INFINITY;
    // A NaN with a fraction of zero would be an infinity.
    let fraction = if fraction == 0 { QUIET } else { fraction };
    ((bits >> 32) as u32 & SIGN) | INFINITY | fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_a_single_comes_back() {
        let all = (0..=u32::MAX).step_by(65_521);
        let nans = [0x7f80_0001, 0xff80_0001, 0x7fc0_0000, 0xffff_ffff, 0x7fa0_0000];
        for bits in all.chain(nans).chain([0, SIGN, INFINITY, SIGN | INFINITY]) {
            assert_eq!(single_of_double(double_of_single(bits)), bits, "{bits:#x}");
        }
    }

    #[test]
    fn a_double_that_is_no_number_becomes_a_single_that_is_none() {
        for bits in [f64::NAN.to_bits(), 0x7ff0_0000_0000_0001, 0xfff0_0000_0000_0001] {
            assert!(f32::from_bits(single_of_double(bits)).is_nan());
        }
        assert_eq!(single_of_double(0.1f64.to_bits()), 0.1f32.to_bits());
    }
}
