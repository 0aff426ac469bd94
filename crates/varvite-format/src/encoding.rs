//! [`Encoding`]: the byte forms of values. `docs/format.md` specifies each one.
//!
//! Only the table in this file gives encodings their numbers. `make bless` generates the constants of
//! `varvite.h` and of Java's `Encoding` from the table, and a test compares `docs/format.md` with it.

macro_rules! encodings {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $text:literal;)+) => {
        /// The byte form of a column's values. The numbers are part of the format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Encoding {
            $($(#[doc = $doc])+ $name = $number,)+
        }

        impl Encoding {
            /// All encodings, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name of the encoding in the output of the command.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

encodings! {
    /// Set without nodes.
    EmptySet = 0, "empty";
    /// Set of all nodes.
    AllSet = 1, "all";
    /// Set of the ids from `base` to `base + count - 1`.
    RangeSet = 2, "range";
    /// Set as one bit for each node, with rank words.
    BitmapSet = 3, "bitmap";
    /// Set as the low byte of each member's id, in buckets of 256 ids.
    SparseSet = 4, "sparse";
    /// Integers that all equal `base`.
    Constant = 16, "constant";
    /// Integers computed as `base + step * index`.
    Sequence = 17, "sequence";
    /// Integers of `width` bytes each.
    Plain = 18, "plain";
    /// Integers of one bit each, in the bit order of Arrow.
    Bits = 19, "bits";
    /// Bit-packed integers, with a base and a width for every 128 of them and a list of exceptions for every
    /// 1024.
    Packed = 20, "packed";
    /// Integers in groups of 64: a four-byte base for each group, and for each integer its distance from the
    /// base, in `width` bytes.
    TwoLevel = 21, "two-level";
    /// Integers as codes, which are indexes into a table of values.
    Dictionary = 22, "dictionary";
    /// Integers as codes, which are indexes into a table; every 1024 integers have a table of their own.
    Local = 23, "local";
    /// Integers as their distance from `step`, one byte each, with a list of exceptions.
    Capped = 24, "capped";
    /// Strings that are consecutive entries of a pool.
    Entries = 32, "entries";
    /// Strings that are slices of a shared text; the slices may overlap.
    Slices = 33, "slices";
}

impl Encoding {
    /// Whether a column with this encoding contains integers.
    pub fn is_of_integers(self) -> bool {
        (Self::Constant as u16..Self::Entries as u16).contains(&(self as u16))
    }

    pub(crate) fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|encoding| *encoding as u16 == number)
    }
}
