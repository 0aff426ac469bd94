//! Checks of an iterator: its remaining length, its order from both ends, and its end.

use std::fmt::Debug;
use std::iter::FusedIterator;

/// Checks that items come in order, even after some were taken one by one; that size hints are right at every
/// step; and that an iterator that has ended stays at its end.
pub fn check_forward<I>(iter: I, expected: &[I::Item])
where
    I: Iterator<Item: Debug + PartialEq> + FusedIterator + Clone,
{
    let mut left = iter.clone();
    for (taken, item) in expected.iter().enumerate() {
        let (least, most) = left.size_hint();
        let count = expected.len() - taken;
        assert!(least <= count && most.is_none_or(|most| count <= most), "{count} in {least}..={most:?}");
        assert_eq!(left.next().as_ref(), Some(item), "item {taken}");
    }
    assert_eq!(left.size_hint().0, 0);
    assert!((0..3).all(|_| left.next().is_none()), "fused");
    for taken in [0, 1, 2, 70] {
        let mut left = iter.clone();
        let mut found: Vec<I::Item> = left.by_ref().take(taken).collect();
        left.for_each(|item| found.push(item));
        assert_eq!(found, expected, "{taken} one by one, then the rest");
    }
}

/// Checks an iterator as [`check_forward`] does, and also from both ends, which may meet at any item.
pub fn check_both_ends<I>(iter: I, expected: &[I::Item])
where
    I: DoubleEndedIterator<Item: Debug + PartialEq> + FusedIterator + Clone,
{
    check_forward(iter.clone(), expected);
    let backwards: Vec<I::Item> = iter.clone().rev().collect();
    assert!(backwards.iter().eq(expected.iter().rev()), "{backwards:?}");
    for (front, back) in [(1, 1), (2, 1), (1, 3), (70, 70)] {
        let (mut left, mut rest) = (iter.clone(), expected);
        while !rest.is_empty() {
            for _ in 0..front {
                assert_eq!(left.next().as_ref(), rest.split_off_first());
            }
            for _ in 0..back {
                assert_eq!(left.next_back().as_ref(), rest.split_off_last());
            }
            // Only short iterators are folded at every step.
            if rest.len() < 200 {
                let mut found = Vec::new();
                left.clone().for_each(|item| found.push(item));
                assert_eq!(found, rest, "between the ends");
            }
        }
        assert!((0..3).all(|_| left.next().is_none() && left.next_back().is_none()), "fused");
    }
}

/// Checks an iterator as [`check_both_ends`] does, and also its length at every step.
pub fn check_exact<I>(iter: I, expected: &[I::Item])
where
    I: DoubleEndedIterator<Item: Debug + PartialEq> + ExactSizeIterator + FusedIterator + Clone,
{
    check_both_ends(iter.clone(), expected);
    let (mut left, mut count) = (iter, expected.len());
    assert_eq!(left.len(), count);
    while count > 0 {
        match count % 3 {
            0 => _ = left.next_back(),
            _ => _ = left.next(),
        }
        count -= 1;
        assert_eq!((left.len(), left.size_hint()), (count, (count, Some(count))));
    }
    assert_eq!((left.next(), left.len()), (None, 0));
    assert_eq!((left.next_back(), left.len()), (None, 0));
}
