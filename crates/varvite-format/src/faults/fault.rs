//! [`Fault`]: the fault of a part of a file.
//!
//! A fault holds numbers and nouns such as `bytes` or `name`, and makes its sentence when it is shown: the
//! value that the format requires, and the value in the file. The error around it has the part and the file.

use std::fmt;
use std::ops::Range;

use crate::{Encoding, Excess, SegmentId};

/// The fault of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Bytes do not have the checksum that was stored for them: they were changed after they were written.
    Checksum {
        /// The count of the first.
        expected: u64,
        /// The count of the other.
        found: u64,
    },
    /// There is another number of things than other parts say.
    Count {
        /// The counted things, in the plural.
        what: &'static str,
        /// The number that other parts claim.
        expected: u64,
        /// The number of items.
        found: u64,
    },
    /// There are fewer things than are needed.
    TooFew {
        /// The counted things, in the plural.
        what: &'static str,
        /// The number needed.
        least: u64,
        /// The number of items.
        found: u64,
    },
    /// There are more things than there can be.
    TooMany {
        /// The counted things, in the plural.
        what: &'static str,
        /// The largest number.
        most: u64,
        /// The number of items.
        found: u64,
    },
    /// A segment ends before the values that its column has in it.
    ShortSegment {
        /// The number of the segment.
        segment: SegmentId,
        /// The number of bytes that the column needs.
        least: u64,
        /// The number of items.
        found: u64,
    },
    /// The directory claims more than a file of this length may.
    Excess(Excess),
    /// A number is not one of those that it can be.
    Number {
        /// The meaning of the number, in words.
        what: &'static str,
        /// The node, edge or entry of the number, if there are many.
        at: Option<u64>,
        /// The least that it can be.
        least: i64,
        /// The greatest that it can be.
        most: i64,
        /// The number; none if its bytes can't be read.
        found: Option<i64>,
    },
    /// An entry of a list, or a value, is not one of those that it can be.
    Entry {
        /// Its number among all of the column.
        entry: u64,
        /// The node or edge that has it.
        owner: u32,
        /// The least that it can be.
        least: i64,
        /// The greatest that it can be.
        most: i64,
        /// The number; none if its bytes can't be read.
        found: Option<i64>,
    },
    /// A cursor met a value that can't be.
    Impossible {
        /// The node or edge that has it.
        owner: u32,
    },
    /// Bytes lie where they can't.
    Range {
        /// The range that they should lie in.
        within: Range<u64>,
        /// The range that they lie in.
        found: Range<u64>,
    },
    /// A number is no multiple of another.
    Multiple {
        /// The things that it must be one of.
        of: u64,
        /// The value that was found.
        found: u64,
    },
    /// A number has no meaning in this version.
    Unknown {
        /// The meaning of the number, in words.
        what: &'static str,
        /// The value that was found.
        found: i64,
    },
    /// A number names something that does not exist.
    NoSuch {
        /// The kind of thing that it refers to.
        what: &'static str,
        /// The number.
        number: u64,
        /// The number of items.
        count: u64,
    },
    /// Something that must be there is not.
    Missing {
        /// The missing thing, in words.
        what: &'static str,
        /// Its number, if there are many.
        number: Option<u64>,
    },
    /// Something is there that can't be.
    Unexpected {
        /// The value in the file.
        what: &'static str,
    },
    /// Values are stored as differences where each must stand for itself.
    Relative,
    /// No superblock has a commit: the writer that began the file never ended.
    NeverCommitted,
    /// A superblock has a generation that belongs into the other one.
    Generation {
        /// The number of the superblock.
        slot: u32,
        /// Its generation.
        found: u64,
    },
    /// A column is in an encoding of something else.
    Encoding {
        /// The things that the column must hold.
        expected: &'static str,
        /// Its encoding.
        found: Encoding,
    },
    /// Bytes that must be zero are not.
    NotZero,
    /// Bytes are not those that their part begins with.
    Magic,
    /// Bytes are not UTF-8, or not inside of their pool.
    NotText {
        /// The number of the text, where there are many.
        number: Option<u64>,
    },
    /// Things are in another order.
    Order {
        /// The order that they must have.
        what: &'static str,
        /// The number of the first that is not.
        at: u64,
    },
    /// Subtrees do not lie inside each other, or have more edges together than their label.
    Nesting {
        /// The first node with an impossible subtree.
        node: u32,
        /// The edges of the label.
        edges: u64,
    },
    /// Something is there twice that can be there once.
    Twice {
        /// The thing, in words.
        what: &'static str,
        /// Its number.
        which: String,
    },
    /// A name has a byte that ends a text in C.
    Nul {
        /// The offset in the name, in bytes.
        at: u64,
    },
    /// Two things that say the same in different ways do not.
    Others {
        /// The things that the first one counts, in the plural.
        what: &'static str,
    },
    /// An operation of a diff is invalid.
    Refused {
        /// Its number, from 0.
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

/// Its number, if it is given.
struct Numbered(Option<u64>);

impl fmt::Display for Numbered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |number| write!(formatter, " {number}"))
    }
}

/// A number, where its bytes could be read.
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

    /// Every result of a reader has room for one.
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
