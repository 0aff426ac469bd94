//! Rising lists of numbers as sets: what is removed, and whose values changed.

/// Whether a number is in a rising list.
pub(super) fn contains(rising: &[u32], number: u32) -> bool {
    rising.binary_search(&number).is_ok()
}

/// Makes a list rise, with each number once.
pub(super) fn rise(numbers: &mut Vec<u32>) {
    numbers.sort_unstable();
    numbers.dedup();
}

/// Takes the numbers `new`, in any order, into a rising list.
pub(super) fn insert(rising: &mut Vec<u32>, new: impl IntoIterator<Item = u32>) {
    let before = rising.len();
    rising.extend(new);
    if rising.len() > before {
        // Two runs, of which the first rises: what this sort is quick at.
        rising.sort();
        rising.dedup();
    }
}
