//! The three profiles of files: each chooses encodings for another purpose.

/// The purpose that the encodings of a new file serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Byte-aligned values: one load reads a value, and other tools can use the bytes without a copy.
    Direct,
    /// Bit-packed values: as small as possible while reading a value still takes constant time.
    Compact,
    /// Byte-aligned values in compressed blocks, which are decoded at first use.
    Archive,
}

impl Profile {
    /// All profiles, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Direct, Self::Compact, Self::Archive];

    /// The name in commands and output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Compact => "compact",
            Self::Archive => "archive",
        }
    }

    /// The number of the profile in a file.
    pub fn to_number(self) -> u32 {
        match self {
            Self::Direct => 0,
            Self::Compact => 1,
            Self::Archive => 2,
        }
    }

    /// The profile with this number in a file; `None` if there is none.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.to_number() == number)
    }
}
