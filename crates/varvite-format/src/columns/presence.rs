//! Loops that move values and bits between the ranks of members (their positions in a set) and the indexes of
//! nodes.
//!
//! A column holds only the values of its owners, without gaps. These loops move the values, or one bit for
//! each value, to the indexes of the owners among all nodes, 64 nodes at a time. Moving bits is the bit
//! deposit of Knuth, The Art of Computer Programming 4A, 7.1.3.

use crate::columns::kernels::wide;

/// The number of bits in a word.
const WORD: usize = 64;

/// Moves the values of members, which are at the start of `values`, to the indexes of the members, and sets
/// all other elements to 0. Index `i` is a member if bit `i % 64` of `members[i / 64]` is set. `None` if
/// there are more members than elements, or the length of `members` does not fit that of `values`.
///
/// Costs almost nothing if all indexes are members, else about a nanosecond for each element.
pub fn spread(values: &mut [i64], members: &[u64]) -> Option<()> {
    wide(|| spread_plainly(values, members))
}

#[inline(always)]
fn spread_plainly(values: &mut [i64], members: &[u64]) -> Option<()> {
    let mut left: usize = members.iter().map(|word| word.count_ones() as usize).sum();
    if left > values.len() || values.len().div_ceil(WORD) != members.len() {
        return None;
    }
    for (index, word) in members.iter().enumerate().rev() {
        let (start, end) = (index * WORD, values.len().min((index + 1) * WORD));
        // All earlier indexes are members, so their values are already in place.
        if left == end {
            return Some(());
        }
        let first = left.checked_sub(word.count_ones() as usize)?;
        match left - first {
            0 => values.get_mut(start..end)?.fill(0),
            WORD => values.copy_within(first..left, start),
            _ => spread_word(values.get_mut(..end)?, *word, start, left),
        }
        left = first;
    }
    Some(())
}

/// Fills the elements from `start` on, back to front. The value of the last remaining member is at `left -
/// 1`, which is never after the element that is filled.
#[inline(always)]
fn spread_word(values: &mut [i64], word: u64, start: usize, mut left: usize) {
    for place in (start..values.len()).rev() {
        let is_member = word >> (place - start) & 1;
        let value = values.get(left.wrapping_sub(1)).copied().unwrap_or(0);
        values[place] = if is_member == 1 { value } else { 0 };
        left -= is_member as usize;
    }
}

/// Clears the bits of members that are not kept. The k-th set bit of `members` stays if bit `k % 64` of
/// `kept[k / 64]` is set; members beyond the end of `kept` are cleared.
///
/// Costs a fraction of a nanosecond for each bit.
pub fn keep_members(members: &mut [u64], kept: &[u64]) {
    wide(|| keep_plainly(members, kept));
}

#[inline(always)]
fn keep_plainly(members: &mut [u64], kept: &[u64]) {
    let mut next = 0;
    for members in members {
        let count = members.count_ones() as usize;
        *members = match word_at(kept, next) & low_bits(count) {
            0 => 0,
            word if word == low_bits(count) => *members,
            word => deposit(word, *members),
        };
        next += count;
    }
}

/// Appends the values of wanted members to `output`. `values` has the values of all members, without gaps;
/// `members` and `wanted` have a bit for each index.
///
/// For each word of 64 indexes, costs almost nothing if no member is wanted, little if all are, and else
/// about a nanosecond for each member.
pub fn compress(values: &[i64], members: &[u64], wanted: &[u64], output: &mut Vec<i64>) {
    wide(|| compress_plainly(values, members, wanted, output));
}

#[inline(always)]
fn compress_plainly(values: &[i64], members: &[u64], wanted: &[u64], output: &mut Vec<i64>) {
    let mut rest = values;
    for (members, wanted) in members.iter().zip(wanted) {
        let count = (members.count_ones() as usize).min(rest.len());
        let (values, others) = rest.split_at(count);
        rest = others;
        match members & wanted {
            0 => {}
            both if both == *members => output.extend_from_slice(values),
            both => {
                // Each value is stored; the next value overwrites an unwanted one.
                let (mut found, mut len, mut left) = ([0; WORD], 0, *members);
                for value in values {
                    found[len % WORD] = *value;
                    len += (both >> left.trailing_zeros() & 1) as usize;
                    left &= left.wrapping_sub(1);
                }
                output.extend_from_slice(&found[..len.min(WORD)]);
            }
        }
    }
}

/// Moves the bits of `word`, from the lowest on, to the positions of the set bits of `members`.
#[inline(always)]
fn deposit(mut word: u64, mut members: u64) -> u64 {
    let mut bits = 0;
    while word != 0 {
        let lowest = members & members.wrapping_neg();
        bits |= lowest & (word & 1).wrapping_neg();
        members ^= lowest;
        word >>= 1;
    }
    bits
}

/// The 64 bits from bit `start` on.
#[inline(always)]
fn word_at(words: &[u64], start: usize) -> u64 {
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    let shift = start % WORD;
    word(start / WORD) >> shift | (word(start / WORD + 1) << 1) << (WORD - 1 - shift)
}

/// A mask of the lowest `count` bits, at most 64.
#[inline(always)]
fn low_bits(count: usize) -> u64 {
    u64::MAX.checked_shr((WORD - count) as u32).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with no bits, all bits, every second bit or few bits set, in an order that depends on `seed`.
    fn members_of(len: usize, seed: u64) -> Vec<u64> {
        let kinds = [0, u64::MAX, 0x5555_5555_5555_5555, 1 << 63, 0xf0f0_0000_ffff_0001];
        let word = |index: usize| kinds[(seed as usize / kinds.len().pow(index as u32 % 8)) % kinds.len()];
        let mut words: Vec<u64> = (0..len.div_ceil(WORD)).map(word).collect();
        if let Some(last) = words.last_mut().filter(|_| !len.is_multiple_of(WORD)) {
            *last &= low_bits(len % WORD);
        }
        words
    }

    fn is_set(words: &[u64], index: usize) -> bool {
        words[index / WORD] >> (index % WORD) & 1 != 0
    }

    #[test]
    fn values_go_where_members_are() {
        for (len, seed) in
            [0, 1, 63, 64, 65, 200, 320].into_iter().flat_map(|len| (0..400).map(move |seed| (len, seed)))
        {
            let members = members_of(len, seed);
            let mut next = 0;
            let mut value = |place: usize| {
                next += i64::from(is_set(&members, place));
                if is_set(&members, place) { next } else { 0 }
            };
            let expected: Vec<i64> = (0..len).map(&mut value).collect();
            let mut values: Vec<i64> = (1..=next).collect();
            values.resize(len, -1);
            spread(&mut values, &members).unwrap();
            assert_eq!(values, expected, "{len} {seed}");
        }
    }

    #[test]
    fn values_of_wanted_members_are_appended() {
        for seed in 0..3000 {
            let (members, wanted) = (members_of(320, seed), members_of(320, seed.wrapping_mul(40_503) >> 3));
            let places = (0..320).filter(|place| is_set(&members, *place));
            let numbered: Vec<(i64, usize)> = (1..).zip(places).collect();
            let values: Vec<i64> = numbered.iter().map(|(value, _)| *value).collect();
            let are_wanted = numbered.iter().filter(|(_, place)| is_set(&wanted, *place));
            let mut output = vec![-1];
            compress(&values, &members, &wanted, &mut output);
            assert!(output[1..].iter().eq(are_wanted.map(|(value, _)| value)), "{seed}");
        }
    }

    #[test]
    fn members_without_a_place_are_refused() {
        assert_eq!(spread(&mut [0; 3], &[0b1111]), None);
        assert_eq!(spread(&mut [0; 3], &[0, 1]), None);
        assert_eq!(spread(&mut [], &[]), Some(()));
    }

    #[test]
    fn members_are_kept_by_their_bits() {
        for seed in 0..3000 {
            let (members, found) =
                (members_of(320, seed), members_of(320, seed.wrapping_mul(2_654_435_761) >> 7));
            let mut kept = members.clone();
            keep_members(&mut kept, &found);
            let mut next = 0;
            for place in 0..320 {
                let is_member = is_set(&members, place);
                assert_eq!(is_set(&kept, place), is_member && is_set(&found, next), "{seed} {place}");
                next += usize::from(is_member);
            }
        }
    }
}
