//! [`Encoding`]: how bytes mean values. `docs/format.md` has each.
//!
//! This is the one table. `make bless` writes the constants of `varvite.h` and of Java's `Encoding` from it,
//! and a test compares `docs/format.md` with it.

macro_rules! encodings {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $text:literal;)+) => {
        /// How the bytes of a column mean values. The numbers are part of the format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u16)]
        pub enum Encoding {
            $($(#[doc = $doc])+ $name = $number,)+
        }

        impl Encoding {
            /// All of them, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name users see.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

encodings! {
    /// Set: no node.
    EmptySet = 0, "empty";
    /// Set: every node.
    AllSet = 1, "all";
    /// Set: the ids from `base` to `base + count`.
    RangeSet = 2, "range";
    /// Set: one bit for each node, with rank words.
    BitmapSet = 3, "bitmap";
    /// Set: the low byte of each member, in buckets of 256 ids.
    SparseSet = 4, "sparse";
    /// Integers: all equal `base`.
    Constant = 16, "constant";
    /// Integers: `base + step * index`.
    Sequence = 17, "sequence";
    /// Integers: `width` bytes each.
    Plain = 18, "plain";
    /// Integers: one bit each, Arrow's order.
    Bits = 19, "bits";
    /// Integers: bit-packed, frame of reference for every 128, exceptions for every 1024.
    Packed = 20, "packed";
    /// Integers: four bytes for every 64, `width` bytes inside.
    TwoLevel = 21, "two-level";
    /// Integers: codes into a table of values.
    Dictionary = 22, "dictionary";
    /// Integers: codes into a table for every 1024.
    Local = 23, "local";
    /// Integers: one byte each above `step`, with exceptions.
    Capped = 24, "capped";
    /// Strings: consecutive entries of a pool.
    Entries = 32, "entries";
    /// Strings: slices of a shared text, which may overlap.
    Slices = 33, "slices";
}

impl Encoding {
    /// Whether a column of it is one of integers.
    pub fn is_of_integers(self) -> bool {
        (Self::Constant as u16..Self::Entries as u16).contains(&(self as u16))
    }

    pub(crate) fn from_number(number: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|encoding| *encoding as u16 == number)
    }
}
