//! Checks the input of encoders. Lists with gaps or overlaps, members of a set that are not in ascending
//! order, and texts outside their pool are refused, because readers would report a column of such values as
//! damaged.

use crate::{Fault, InputError};

/// The texts of a string table as slices of a pool.
#[derive(Clone, Copy, Debug)]
pub struct StringsInput<'a> {
    /// The bytes of all texts.
    pub pool: &'a [u8],
    /// The start of each text. Without `lengths`, also the end of the last text.
    pub starts: &'a [u32],
    /// The length of each text; `None` if each text ends where the next begins.
    pub lengths: Option<&'a [u32]>,
    /// Whether texts are in ascending order of their bytes.
    pub sorted: bool,
}

type Result = std::result::Result<(), InputError>;

/// Checks that `ends` ascend from 0 to `total`, and that their number is the number of lists plus one. Takes
/// one pass.
///
/// # Errors
/// An end is invalid; the error states the first such end. `argument` is the name of `ends` in the error.
pub fn check_list_ends(argument: &'static str, ends: &[u32], lists: Option<usize>, total: usize) -> Result {
    let expected = lists.map_or(1, |lists| lists as u64 + 1);
    let found = ends.len() as u64;
    if found < expected || lists.is_some() && found > expected {
        let fault = match lists {
            Some(_) => Fault::Count { what: "ends of lists", expected, found },
            None => Fault::TooFew { what: "ends of lists", least: 1, found },
        };
        return Err(InputError::new(argument, fault));
    }
    let first = ends.first().copied().unwrap_or(0);
    if first != 0 {
        return Err(out_of_bounds(argument, "end", 0, 0..=0, first));
    }
    // The loop has no branch for each end, because nearly every caller passes ascending ends.
    let is_rising = ends.windows(2).fold(true, |all, pair| all & (pair[0] <= pair[1]));
    if !is_rising {
        let falls = |pair: &[u32]| pair[0] > pair[1];
        let at = ends.windows(2).position(falls).map_or(0, |at| at + 1);
        return Err(InputError::new(
            argument,
            Fault::Order { what: "ends of lists that rise", at: at as u64 },
        ));
    }
    let last = ends.last().copied().unwrap_or(0);
    if last as usize != total {
        let fault =
            Fault::Count { what: "entries up to the last end", expected: last.into(), found: total as u64 };
        return Err(InputError::new(argument, fault));
    }
    Ok(())
}

/// Checks that a bitmap has as many words as `universe` bits need.
pub(crate) fn check_bitmap(words: &[u64], universe: u32) -> Result {
    let (expected, found) = (u64::from(universe.div_ceil(64)), words.len() as u64);
    if found != expected {
        return Err(InputError::new("bitmap", Fault::Count { what: "words", expected, found }));
    }
    let in_last = universe % 64;
    let beyond = words.last().filter(|_| in_last != 0).map_or(0, |word| word >> in_last);
    if beyond != 0 {
        let member = universe + beyond.trailing_zeros();
        return Err(beyond_universe("bitmap", None, universe, member));
    }
    Ok(())
}

/// Checks that members are in ascending order and below `universe`.
pub(crate) fn check_members(ids: &[u32], universe: u32) -> Result {
    let is_rising = ids.windows(2).fold(true, |all, pair| all & (pair[0] < pair[1]));
    if !is_rising {
        let at = ids.windows(2).position(|pair| pair[0] >= pair[1]).map_or(0, |at| at as u64 + 1);
        return Err(InputError::new("members", Fault::Order { what: "members that rise", at }));
    }
    match ids.last().filter(|last| **last >= universe) {
        Some(last) => Err(beyond_universe("members", Some(ids.len() as u64 - 1), universe, *last)),
        None => Ok(()),
    }
}

/// Checks that texts are inside a pool of `pool` bytes.
pub(crate) fn check_texts(texts: StringsInput<'_>, pool: usize) -> Result {
    let StringsInput { starts, lengths, .. } = texts;
    let Some(lengths) = lengths else {
        return check_list_ends("starts of texts", starts, None, pool);
    };
    if starts.len() != lengths.len() {
        let (expected, found) = (starts.len() as u64, lengths.len() as u64);
        return Err(InputError::new("lengths of texts", Fault::Count { what: "lengths", expected, found }));
    }
    let end = |(start, length): (&u32, &u32)| u64::from(*start) + u64::from(*length);
    match starts.iter().zip(lengths).map(end).position(|end| end > pool as u64) {
        None => Ok(()),
        Some(at) => {
            let start = u64::from(starts[at]);
            let found = start..start + u64::from(lengths[at]);
            Err(InputError::new(format!("text {at}"), Fault::Range { within: 0..pool as u64, found }))
        }
    }
}

fn beyond_universe(argument: &'static str, at: Option<u64>, universe: u32, found: u32) -> InputError {
    let Some(most) = universe.checked_sub(1) else {
        return InputError::new(argument, Fault::Unexpected { what: "member" });
    };
    let (most, found) = (most.into(), Some(found.into()));
    InputError::new(argument, Fault::Number { what: "member", at, least: 0, most, found })
}

fn out_of_bounds(
    argument: &'static str,
    what: &'static str,
    at: u64,
    bounds: std::ops::RangeInclusive<u32>,
    found: u32,
) -> InputError {
    let (least, most) = ((*bounds.start()).into(), (*bounds.end()).into());
    InputError::new(argument, Fault::Number { what, at: Some(at), least, most, found: Some(found.into()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: Result) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn ends_of_lists_rise_from_nothing_to_all() {
        assert_eq!(check_list_ends("offsets", &[0, 2, 2, 3], Some(3), 3), Ok(()));
        let check = |ends: &[u32], total| told(check_list_ends("offsets", ends, None, total));
        assert_eq!(check(&[], 0), "argument offsets: expected at least 1 ends of lists, found 0");
        assert_eq!(check(&[1, 2], 2), "argument offsets: expected an end 0 of 0, found 1");
        assert_eq!(
            check(&[0, 2, 1], 1),
            "argument offsets: expected ends of lists that rise, found another order at 2"
        );
        assert_eq!(check(&[0, 2], 3), "argument offsets: expected 2 entries up to the last end, found 3");
        let short = told(check_list_ends("offsets", &[0, 2], Some(2), 2));
        assert_eq!(short, "argument offsets: expected 3 ends of lists, found 2");
    }

    #[test]
    fn a_bitmap_has_a_bit_for_each_node_and_no_more() {
        assert_eq!(check_bitmap(&[0b111], 3), Ok(()));
        assert_eq!(check_bitmap(&[], 0), Ok(()));
        assert_eq!(
            told(check_bitmap(&[0b1000], 3)),
            "argument bitmap: expected a member from 0 to 2, found 3"
        );
        assert_eq!(told(check_bitmap(&[1], 65)), "argument bitmap: expected 2 words, found 1");
    }

    #[test]
    fn members_rise_and_exist() {
        assert_eq!(check_members(&[0, 4], 5), Ok(()));
        assert_eq!(
            told(check_members(&[4, 4], 5)),
            "argument members: expected members that rise, found another order at 1"
        );
        assert_eq!(
            told(check_members(&[4, 5], 5)),
            "argument members: expected a member 1 from 0 to 4, found 5"
        );
        assert_eq!(told(check_members(&[0], 0)), "argument members: expected no member, found one");
    }

    #[test]
    fn texts_are_in_their_pool() {
        let texts = StringsInput { pool: b"abc", starts: &[0, 2], lengths: Some(&[2, 1]), sorted: false };
        assert_eq!(check_texts(texts, 3), Ok(()));
        assert_eq!(told(check_texts(texts, 2)), "argument text 1: expected a range within 0..2, found 2..3");
    }
}
