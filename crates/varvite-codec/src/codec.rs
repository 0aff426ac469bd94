//! The codecs by number, name and level.
//!
//! A stored block says neither its codec nor its plain length: whoever stores it knows both. The numbers are what
//! files hold; a file format may take fewer codecs than there are.

use core::fmt;
use core::ops::RangeInclusive;

/// How the bytes of a block are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Codec {
    /// As they are.
    None = 0,
    /// LZ4 block format, without a frame.
    Lz4 = 1,
    /// One Zstandard frame.
    Zstd = 2,
}

impl Codec {
    /// Every codec, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::None, Self::Lz4, Self::Zstd];

    /// The codec with this number in a file, if there is one.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| *codec as u8 == number)
    }

    /// The codec of this name, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| codec.name() == name)
    }

    /// The name users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
        }
    }

    /// The levels that this build has, from fast to small.
    pub fn levels(self) -> RangeInclusive<i32> {
        match self {
            Self::None | Self::Lz4 => 0..=0,
            Self::Zstd => -7..=22,
        }
    }

    /// The level to take when nobody asks for another: the knee of the curve of speed and size.
    pub fn default_level(self) -> i32 {
        match self {
            Self::None | Self::Lz4 => 0,
            Self::Zstd => 3,
        }
    }

    /// The most bytes that a block of `plain_len` bytes can be stored in.
    pub fn stored_len_max(self, plain_len: usize) -> usize {
        match self {
            Self::None => plain_len,
            Self::Lz4 => lz4_flex::block::get_maximum_output_size(plain_len),
            Self::Zstd => plain_len + (plain_len >> 8) + 64,
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back_to_their_codec() {
        for codec in Codec::ALL {
            assert_eq!(Codec::from_number(codec as u8), Some(codec));
            assert_eq!(Codec::from_name(codec.name()), Some(codec));
            assert!(codec.levels().contains(&codec.default_level()));
        }
        assert_eq!(Codec::from_number(255), None);
        assert_eq!(Codec::from_name("lzma"), None);
    }
}
