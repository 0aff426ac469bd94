//! [`Encoding`]: how bytes mean values. `docs/format.md` has each.

/// How the bytes of a column mean values. The numbers are part of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Encoding {
    /// Set: no node.
    EmptySet = 0,
    /// Set: every node.
    AllSet = 1,
    /// Set: the ids from `base` to `base + count`.
    RangeSet = 2,
    /// Set: one bit for each node, with rank words.
    BitmapSet = 3,
    /// Set: the low byte of each member, in buckets of 256 ids.
    SparseSet = 4,
    /// Integers: all equal `base`.
    Constant = 16,
    /// Integers: `base + step * index`.
    Sequence = 17,
    /// Integers: `width` bytes each.
    Plain = 18,
    /// Integers: one bit each, Arrow's order.
    Bits = 19,
    /// Integers: bit-packed, frame of reference for every 128, exceptions for every 1024.
    Packed = 20,
    /// Integers: four bytes for every 64, `width` bytes inside.
    TwoLevel = 21,
    /// Integers: codes into a table of values.
    Dictionary = 22,
    /// Integers: codes into a table for every 1024.
    Local = 23,
    /// Integers: one byte each above `step`, with exceptions.
    Capped = 24,
    /// Strings: consecutive entries of a pool.
    Entries = 32,
    /// Strings: slices of a shared text, which may overlap.
    Slices = 33,
}

impl Encoding {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 16] = [
        Self::EmptySet,
        Self::AllSet,
        Self::RangeSet,
        Self::BitmapSet,
        Self::SparseSet,
        Self::Constant,
        Self::Sequence,
        Self::Plain,
        Self::Bits,
        Self::Packed,
        Self::TwoLevel,
        Self::Dictionary,
        Self::Local,
        Self::Capped,
        Self::Entries,
        Self::Slices,
    ];

    pub(crate) fn from_number(number: u16) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| *encoding as u16 == number)
    }

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::EmptySet => "empty",
            Self::AllSet => "all",
            Self::RangeSet => "range",
            Self::BitmapSet => "bitmap",
            Self::SparseSet => "sparse",
            Self::Constant => "constant",
            Self::Sequence => "sequence",
            Self::Plain => "plain",
            Self::Bits => "bits",
            Self::Packed => "packed",
            Self::TwoLevel => "two-level",
            Self::Dictionary => "dictionary",
            Self::Local => "local",
            Self::Capped => "capped",
            Self::Entries => "entries",
            Self::Slices => "slices",
        }
    }
}
