//! Removal of empty lists.

/// The bitmap of the owners that have a nonempty list, and the offsets without those of empty lists.
/// `offsets` must ascend.
pub(super) fn take_out_empty(offsets: &[u32]) -> (Vec<u64>, Vec<u32>) {
    let owners = offsets.len() - 1;
    let (mut bitmap, mut starts) = (Vec::with_capacity(owners.div_ceil(64)), Vec::new());
    for first in (0..owners).step_by(64) {
        let ends = &offsets[first..=(first + 64).min(owners)];
        // Most edge labels and properties have few owners, so most words are empty.
        let is_empty = ends[0] == ends[ends.len() - 1];
        bitmap.push(if is_empty { 0 } else { take_out_of_word(ends, &mut starts) });
    }
    starts.push(offsets[owners]);
    (bitmap, starts)
}

/// The same as [`take_out_empty`], for up to 64 owners. There is no branch for each owner, because the
/// processor could not predict such a branch.
fn take_out_of_word(ends: &[u32], starts: &mut Vec<u32>) -> u64 {
    let (mut kept, mut count, mut word) = ([0; 64], 0, 0);
    for (bit, pair) in ends.windows(2).enumerate() {
        let has_list = pair[0] != pair[1];
        kept[count] = pair[0];
        count += usize::from(has_list);
        word |= u64::from(has_list) << bit;
    }
    starts.extend_from_slice(&kept[..count]);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_in_their_order_without_the_empty_ones() {
        assert_eq!(take_out_empty(&[0]), (vec![], vec![0]));
        assert_eq!(take_out_empty(&[0, 0, 2, 2, 3]), (vec![0b1010], vec![0, 2, 3]));
        let mut offsets = vec![0; 200];
        offsets.extend([1; 57]);
        assert_eq!(take_out_empty(&offsets), (vec![0, 0, 0, 1 << 7], vec![0, 1]));
        let all: Vec<u32> = (0..=130).collect();
        assert_eq!(take_out_empty(&all), (vec![u64::MAX, u64::MAX, 0b11], all));
    }
}
