//! Ascending lists of numbers that are used as sets, for removed elements and for owners of changed values.

/// Whether an ascending list contains a number.
pub(super) fn contains(rising: &[u32], number: u32) -> bool {
    rising.binary_search(&number).is_ok()
}

/// Inserts the numbers `new`, which may be in any order, into an ascending list. The cost grows with the
/// count of members after the lowest new number.
pub(super) fn insert(rising: &mut Vec<u32>, new: impl IntoIterator<Item = u32>) {
    let mut new: Vec<u32> = new.into_iter().collect();
    let Some(least) = new.iter().min() else { return };
    let mut behind = rising.split_off(rising.partition_point(|number| number < least));
    behind.append(&mut new);
    // The list consists of an ascending run followed by the new numbers; this sort is fast for such lists.
    behind.sort();
    behind.dedup();
    rising.append(&mut behind);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_into_their_places_once() {
        let mut rising = vec![2, 4, 8];
        for (new, expected) in [
            (vec![], vec![2, 4, 8]),
            (vec![9, 4, 9], vec![2, 4, 8, 9]),
            (vec![1], vec![1, 2, 4, 8, 9]),
            (vec![7, 3], vec![1, 2, 3, 4, 7, 8, 9]),
        ] {
            insert(&mut rising, new);
            assert_eq!(rising, expected);
        }
    }
}
