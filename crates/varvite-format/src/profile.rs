//! The three layouts that a file can be written in.

/// The purpose that the encodings of a new file serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Byte-aligned values: one load each, zero-copy to other tools.
    Direct,
    /// Bit-packed values: still constant time each, and as small as that allows.
    Compact,
    /// Codec blocks over byte-aligned values, decoded when first touched.
    Archive,
}

impl Profile {
    /// All of them, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Direct, Self::Compact, Self::Archive];

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Compact => "compact",
            Self::Archive => "archive",
        }
    }

    /// The number that a file holds.
    pub fn to_number(self) -> u32 {
        match self {
            Self::Direct => 0,
            Self::Compact => 1,
            Self::Archive => 2,
        }
    }

    /// The profile that a file means by `number`, if there is one.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.to_number() == number)
    }
}
