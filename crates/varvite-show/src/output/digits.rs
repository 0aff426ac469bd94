//! Writes whole numbers in decimal. This must be fast, since most cells of a listing are whole numbers.

/// The maximum length of a number in characters, including its sign.
const LEN_MAX: usize = 20;

/// The numbers less than 100, with two digits each.
const PAIRS: [[u8; 2]; 100] = {
    let (mut pairs, mut number) = ([[b'0'; 2]; 100], 0);
    while number < 100 {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Appends an unsigned number.
#[inline]
pub(super) fn push_uint(out: &mut Vec<u8>, number: u64) {
    push(out, number, false);
}

/// Appends a signed number, with a minus sign if it is negative.
#[inline]
pub(super) fn push_int(out: &mut Vec<u8>, number: i64) {
    push(out, number.unsigned_abs(), number < 0);
}

#[inline]
fn push(out: &mut Vec<u8>, mut number: u64, is_negative: bool) {
    // The buffer is twice as long as needed, so that a copy has a fixed length wherever the digits begin.
    // Such a copy needs no function call.
    let (mut digits, mut start) = ([0; 2 * LEN_MAX], LEN_MAX);
    while number >= 100 {
        start -= 2;
        digits[start..start + 2].copy_from_slice(&PAIRS[(number % 100) as usize]);
        number /= 100;
    }
    if number >= 10 {
        start -= 2;
        digits[start..start + 2].copy_from_slice(&PAIRS[number as usize]);
    } else {
        start -= 1;
        digits[start] = b'0' + number as u8;
    }
    if is_negative {
        start -= 1;
        digits[start] = b'-';
    }
    let end = out.len() + LEN_MAX - start;
    out.extend_from_slice(&digits[start..start + LEN_MAX]);
    out.truncate(end);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_those_of_the_standard_library() {
        let powers = (0..20).map(|power| 10u64.pow(power));
        let around = powers.flat_map(|power| [power - 1, power, power + 1]).chain([u64::MAX, u64::MAX - 1]);
        for number in around {
            let mut out = Vec::new();
            push_uint(&mut out, number);
            assert_eq!(out, number.to_string().into_bytes());
            for number in [number as i64, (number as i64).wrapping_neg(), i64::MIN, i64::MAX] {
                out.clear();
                push_int(&mut out, number);
                assert_eq!(out, number.to_string().into_bytes());
            }
        }
    }
}
