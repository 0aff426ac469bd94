//! [`Part`]: the part of a file to which an error refers.

use std::fmt;

use crate::{ColumnId, Encoding, SegmentId};

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// The file as a whole.
    File,
    /// The first page.
    Header,
    /// Both superblocks together.
    Superblocks,
    /// One superblock: number 0 is in page 1, number 1 in page 2.
    Superblock(u32),
    /// The directory as a whole.
    Directory,
    /// A table of the directory.
    Table(&'static str),
    /// A row of a table of the directory: the kind of the row, and its number.
    Row(&'static str, u32),
    /// Bytes between segments.
    Padding,
    /// The log after the commit.
    Log,
    /// A record of the log, by its number.
    LogRecord(u64),
    /// A segment.
    Segment(SegmentId),
    /// A block of a segment, by its number.
    Block(SegmentId, u32),
    /// The block table of a segment.
    BlockTable(SegmentId),
    /// A column of integers: its encoding, and its number if that is known.
    Column(Encoding, Option<ColumnId>),
    /// A set of nodes: its encoding and its number.
    Set(Encoding, ColumnId),
    /// A string table: its encoding, and its number if that is known.
    Strings(Encoding, Option<ColumnId>),
    /// A part that another crate names, such as `adjacency` or `column of NAME`.
    Named(String),
}

impl Part {
    /// A column of this encoding, whose number is unknown.
    pub(crate) fn encoding(encoding: Encoding) -> Self {
        Self::Column(encoding, None)
    }
}

impl From<&str> for Part {
    fn from(name: &str) -> Self {
        Self::Named(name.to_owned())
    }
}

impl From<String> for Part {
    fn from(name: String) -> Self {
        Self::Named(name)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => formatter.write_str("file"),
            Self::Header => formatter.write_str("header"),
            Self::Superblocks => formatter.write_str("superblocks"),
            Self::Superblock(number) => write!(formatter, "superblock {number}"),
            Self::Directory => formatter.write_str("directory"),
            Self::Table(name) => write!(formatter, "directory, {name}"),
            Self::Row(what, number) => write!(formatter, "directory, {what} {number}"),
            Self::Padding => formatter.write_str("padding"),
            Self::Log => formatter.write_str("log"),
            Self::LogRecord(number) => write!(formatter, "record {number} of the log"),
            Self::Segment(segment) => write!(formatter, "segment {}", segment.0),
            Self::Block(segment, block) => write!(formatter, "segment {}, block {block}", segment.0),
            Self::BlockTable(segment) => write!(formatter, "block table of segment {}", segment.0),
            Self::Column(encoding, number) => encoded(formatter, *encoding, "column", *number),
            Self::Set(encoding, number) => encoded(formatter, *encoding, "set", Some(*number)),
            Self::Strings(encoding, number) => encoded(formatter, *encoding, "string table", *number),
            Self::Named(name) => formatter.write_str(name),
        }
    }
}

fn encoded(
    formatter: &mut fmt::Formatter<'_>,
    encoding: Encoding,
    what: &str,
    number: Option<ColumnId>,
) -> fmt::Result {
    write!(formatter, "{} {what}", encoding.name())?;
    number.map_or(Ok(()), |number| write!(formatter, " {}", number.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_named_as_people_look_for_it() {
        let shown = [
            (Part::Superblock(1), "superblock 1"),
            (Part::LogRecord(4), "record 4 of the log"),
            (Part::Row("edge label", 3), "directory, edge label 3"),
            (Part::Block(SegmentId(7), 2), "segment 7, block 2"),
            (Part::encoding(Encoding::TwoLevel), "two-level column"),
            (Part::Set(Encoding::RangeSet, ColumnId(4)), "range set 4"),
            (Part::Strings(Encoding::Slices, Some(ColumnId(9))), "slices string table 9"),
            (Part::from("column of NAME"), "column of NAME"),
        ];
        for (part, text) in shown {
            assert_eq!(part.to_string(), text);
        }
    }
}
