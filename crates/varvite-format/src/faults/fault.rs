//! [`Fault`]: the fault of a part of a file.
//!
//! A fault holds numbers and nouns such as `bytes` or `name`. Its `Display` combines them into a sentence
//! that states the value that the format requires and the value in the file. The error that contains the
//! fault names the part and the file.

use std::fmt;
use std::ops::Range;

use crate::{Encoding, Excess, SegmentId};

/// The fault of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The checksum of some bytes differs from the stored one: the bytes were changed after they were
    /// written.
    Checksum {
        /// The stored checksum.
        expected: u64,
        /// The checksum of the bytes.
        found: u64,
    },
    /// The number of items differs from the number that other parts of the file claim.
    Count {
        /// The noun for the counted items, in the plural.
        what: &'static str,
        /// The number that other parts claim.
        expected: u64,
        /// The number of items.
        found: u64,
    },
    /// There are fewer items than required.
    TooFew {
        /// The noun for the counted items, in the plural.
        what: &'static str,
        /// The required number.
        least: u64,
        /// The number of items.
        found: u64,
    },
    /// There are more items than possible.
    TooMany {
        /// The noun for the counted items, in the plural.
        what: &'static str,
        /// The largest possible number.
        most: u64,
        /// The number of items.
        found: u64,
    },
    /// A segment is too short for the values of its column.
    ShortSegment {
        /// The number of the segment.
        segment: SegmentId,
        /// The number of bytes that the column needs.
        least: u64,
        /// The number of bytes in the segment.
        found: u64,
    },
    /// The directory claims more than a file of this length may.
    Excess(Excess),
    /// A number is outside its valid range.
    Number {
        /// The noun for the number.
        what: &'static str,
        /// The node, edge or entry to which the number belongs; `None` if there is only one number.
        at: Option<u64>,
        /// The least valid number.
        least: i64,
        /// The greatest valid number.
        most: i64,
        /// The number; `None` if its bytes can't be read.
        found: Option<i64>,
    },
    /// An entry of a list, or a value, is outside its valid range.
    Entry {
        /// The number of the entry in the column.
        entry: u64,
        /// The node or edge to which the value belongs.
        owner: u32,
        /// The least valid number.
        least: i64,
        /// The greatest valid number.
        most: i64,
        /// The number; `None` if its bytes can't be read.
        found: Option<i64>,
    },
    /// A cursor found an invalid value.
    Impossible {
        /// The node or edge to which the value belongs.
        owner: u32,
    },
    /// A range of bytes lies outside its valid range.
    Range {
        /// The valid range.
        within: Range<u64>,
        /// The range of the bytes.
        found: Range<u64>,
    },
    /// A number is not a multiple of another number.
    Multiple {
        /// The number by which the number in the file must be divisible.
        of: u64,
        /// The number in the file.
        found: u64,
    },
    /// A number has no meaning in this version of the format.
    Unknown {
        /// The noun for the number.
        what: &'static str,
        /// The number in the file.
        found: i64,
    },
    /// A number refers to an item that does not exist.
    NoSuch {
        /// The noun for the item.
        what: &'static str,
        /// The number of the item.
        number: u64,
        /// The number of items.
        count: u64,
    },
    /// An item is missing.
    Missing {
        /// The noun for the missing item.
        what: &'static str,
        /// The number of the item; `None` if there is only one.
        number: Option<u64>,
    },
    /// The file has an item that is not allowed.
    Unexpected {
        /// The noun for the item.
        what: &'static str,
    },
    /// Values are relative to keys in a column that can't have keys.
    Relative,
    /// No superblock has a commit: the writer that began the file was stopped before its first commit.
    NeverCommitted,
    /// A superblock has a generation that belongs to the other superblock.
    Generation {
        /// The number of the superblock.
        slot: u32,
        /// The generation in the superblock.
        found: u64,
    },
    /// A column has an encoding for another kind of values.
    Encoding {
        /// The noun for the values that the column must hold.
        expected: &'static str,
        /// The encoding of the column.
        found: Encoding,
    },
    /// Bytes that must be zero are not.
    NotZero,
    /// A part does not begin with its magic number.
    Magic,
    /// A text is not UTF-8, or is not inside its pool.
    NotText {
        /// The number of the text; `None` if there is only one.
        number: Option<u64>,
    },
    /// Items are not in the required order.
    Order {
        /// The noun for the items, with their required order.
        what: &'static str,
        /// The number of the first item that is out of order.
        at: u64,
    },
    /// Subtrees are not nested, or have more edges than the tree label.
    Nesting {
        /// The first node with an impossible subtree.
        node: u32,
        /// The number of edges of the tree label.
        edges: u64,
    },
    /// An item that may occur once occurs twice.
    Twice {
        /// The noun for the item.
        what: &'static str,
        /// The name or number of the item.
        which: String,
    },
    /// A name contains a NUL byte, which ends a string in C.
    Nul {
        /// The offset in the name, in bytes.
        at: u64,
    },
    /// Two parts of the file that describe the same items contradict each other.
    Others {
        /// The noun for the items, in the plural.
        what: &'static str,
    },
    /// An operation of a diff is invalid.
    Refused {
        /// The number of the operation, from 0.
        operation: u64,
        /// The reason.
        reason: String,
    },
}

impl Fault {
    pub(crate) fn missing_segment(index: usize) -> Self {
        Self::Missing { what: "segment", number: Some(index as u64) }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("expected ")?;
        match self {
            Self::Checksum { expected, found } => {
                write!(formatter, "checksum {expected:016x}, found {found:016x}")
            }
            Self::Count { what, expected, found } => write!(formatter, "{expected} {what}, found {found}"),
            Self::TooFew { what, least, found } => {
                write!(formatter, "at least {least} {what}, found {found}")
            }
            Self::TooMany { what, most, found } => write!(formatter, "at most {most} {what}, found {found}"),
            Self::ShortSegment { segment, least, found } => {
                write!(formatter, "at least {least} bytes in segment {}, found {found}", segment.0)
            }
            Self::Excess(Excess { claim, found, limit, file_len }) => {
                write!(formatter, "at most {limit} {claim} in a file of {file_len} bytes, found {found}")
            }
            Self::Number { what, at, least, most, found } => {
                write!(formatter, "{} {what}{}", article(what), Numbered(*at))?;
                match least == most {
                    true => write!(formatter, " of {least}")?,
                    false => write!(formatter, " from {least} to {most}")?,
                }
                write!(formatter, ", found {}", Read(*found))
            }
            Self::Entry { entry, owner, least, most, found } => {
                let found = Read(*found);
                write!(
                    formatter,
                    "{least} to {most} at entry {entry}, of node or edge {owner}, found {found}"
                )
            }
            Self::Impossible { owner } => {
                write!(formatter, "possible values, found an impossible value at node or edge {owner}")
            }
            Self::Range { within, found } => write!(formatter, "a range within {within:?}, found {found:?}"),
            Self::Multiple { of, found } => write!(formatter, "a multiple of {of}, found {found}"),
            Self::Unknown { what, found } => write!(formatter, "a known {what}, found {found}"),
            Self::NoSuch { what, number, count } => {
                let article = article(what);
                write!(formatter, "{article} {what} that exists, found {number} where there are {count}")
            }
            Self::Missing { what, number: None } => write!(formatter, "{} {what}, found none", article(what)),
            Self::Missing { what, number } => write!(formatter, "{what}{}, found none", Numbered(*number)),
            Self::Unexpected { what } => write!(formatter, "no {what}, found one"),
            Self::Relative => formatter.write_str("absolute values, found differences from a key"),
            Self::NeverCommitted => formatter.write_str("a commit, found none: the file was never finished"),
            Self::Generation { slot: 0, found } => write!(formatter, "an odd generation, found {found}"),
            Self::Generation { found, .. } => write!(formatter, "an even generation, found {found}"),
            Self::Encoding { expected, found } => {
                write!(formatter, "{} {expected}, found {}", article(expected), found.name())
            }
            Self::NotZero => formatter.write_str("zeros, found other bytes"),
            Self::Magic => formatter.write_str("its magic, found other bytes"),
            Self::NotText { number: None } => formatter.write_str("valid UTF-8, found other bytes"),
            Self::NotText { number } => {
                write!(
                    formatter,
                    "valid UTF-8 within the pool at text{}, found other bytes",
                    Numbered(*number)
                )
            }
            Self::Order { what, at } => write!(formatter, "{what}, found another order at {at}"),
            Self::Nesting { node, edges } => {
                write!(formatter, "subtrees inside that of node {node}, {edges} edges together, found others")
            }
            Self::Refused { operation, reason } => {
                write!(formatter, "valid operations, found an invalid one at {operation}: {reason}")
            }
            Self::Nul { at } => write!(formatter, "a name without NUL, found one at byte {at}"),
            Self::Others { what } => write!(formatter, "{what}, found others"),
            Self::Twice { what, which } => write!(formatter, "each {what} once, found {which} again"),
        }
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" }
}

/// Displays the number of an item; nothing for `None`.
struct Numbered(Option<u64>);

impl fmt::Display for Numbered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |number| write!(formatter, " {number}"))
    }
}

/// Displays a number, or that its bytes can't be read.
struct Read(Option<i64>);

impl fmt::Display for Read {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(number) => number.fmt(formatter),
            None => formatter.write_str("no bytes"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FormatError, Part};

    /// Every `Result` that a reader returns has room for an error, so errors must be small.
    #[test]
    fn an_error_is_no_larger_than_two_cache_lines() {
        assert!(size_of::<FormatError>() <= 128, "{}", size_of::<FormatError>());
    }

    #[test]
    fn a_fault_says_what_was_expected_and_found() {
        let number =
            |at, least, most, found| Fault::Number { what: "offset of node", at, least, most, found };
        let shown = [
            (Fault::Count { what: "values", expected: 22, found: 20 }, "expected 22 values, found 20"),
            (number(Some(7), 0, 3, Some(9)), "expected an offset of node 7 from 0 to 3, found 9"),
            (number(None, 3, 3, None), "expected an offset of node of 3, found no bytes"),
            (Fault::Range { within: 0..4, found: 2..5 }, "expected a range within 0..4, found 2..5"),
            (
                Fault::NoSuch { what: "edge label", number: 4, count: 3 },
                "expected an edge label that exists, found 4 where there are 3",
            ),
            (Fault::Missing { what: "segment", number: Some(0) }, "expected segment 0, found none"),
            (Fault::Missing { what: "string table", number: None }, "expected a string table, found none"),
        ];
        for (fault, text) in shown {
            assert_eq!(fault.to_string(), text);
        }
        let error = FormatError::damaged_at(Part::Padding, 9, Fault::NotZero);
        assert_eq!(error.to_string(), "damaged padding at byte 9: expected zeros, found other bytes");
    }
}
