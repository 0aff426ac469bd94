//! The codecs by number, name and level.
//!
//! A stored block contains neither its codec nor its plain length: the caller has to store both. Files
//! contain the numbers of codecs; a file format may permit only some codecs.

use core::fmt;
use core::ops::RangeInclusive;

/// The compression of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Codec {
    /// No compression.
    None = 0,
    /// LZ4 block format, without a frame.
    Lz4 = 1,
    /// One Zstandard frame.
    Zstd = 2,
    /// Snappy block format, without a frame.
    Snappy = 3,
    /// One zlib stream.
    Zlib = 4,
    /// One gzip member.
    Gzip = 5,
}

impl Codec {
    /// Every codec, in the order of their numbers.
    pub const ALL: [Self; 6] = [Self::None, Self::Lz4, Self::Zstd, Self::Snappy, Self::Zlib, Self::Gzip];

    /// The codec with this number in a file; `None` if there is none.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| *codec as u8 == number)
    }

    /// The codec with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|codec| codec.name() == name)
    }

    /// The name that users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lz4 => "lz4",
            Self::Zstd => "zstd",
            Self::Snappy => "snappy",
            Self::Zlib => "zlib",
            Self::Gzip => "gzip",
        }
    }

    /// Whether this build includes the codec, at least for decoding. Cargo features select codecs.
    pub fn is_built(self) -> bool {
        match self {
            Self::None => true,
            Self::Lz4 => cfg!(feature = "lz4"),
            Self::Zstd => cfg!(any(feature = "zstd", feature = "zstd-rust")),
            Self::Snappy => cfg!(feature = "snappy"),
            Self::Zlib | Self::Gzip => cfg!(feature = "zlib"),
        }
    }

    /// The levels that this build has, from the fastest to that with the smallest output.
    ///
    /// | codec | levels |
    /// |---|---|
    /// | none, snappy | 0 |
    /// | lz4 | 0; with the feature `lz4-hc` also -1 and below, which skip more bytes the lower they are, and 1 to 9, which search longer the higher they are ("HC") |
    /// | zstd | -7 to 22 |
    /// | zlib, gzip | 0 (stored) to 9 |
    pub fn levels(self) -> RangeInclusive<i32> {
        match self {
            Self::Lz4 if cfg!(feature = "lz4-hc") => -65_536..=9,
            Self::None | Self::Lz4 | Self::Snappy => 0..=0,
            Self::Zstd => -7..=22,
            Self::Zlib | Self::Gzip => 0..=9,
        }
    }

    /// The level to use by default: a good compromise between speed and size.
    pub fn default_level(self) -> i32 {
        match self {
            Self::None | Self::Lz4 | Self::Snappy => 0,
            Self::Zstd => 3,
            Self::Zlib | Self::Gzip => 6,
        }
    }

    /// The largest possible stored size of a block of `plain_len` bytes.
    pub fn stored_len_max(self, plain_len: usize) -> usize {
        match self {
            Self::None => plain_len,
            Self::Lz4 => plain_len + plain_len / 10 + 20,
            Self::Zstd => plain_len + (plain_len >> 8) + 64,
            Self::Snappy => plain_len + plain_len / 6 + 32,
            Self::Zlib | Self::Gzip => plain_len + (plain_len >> 3) + 64,
        }
    }
}

/// A codec at one of its levels, for new blocks. Readers do not need the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Coding {
    /// The codec.
    pub codec: Codec,
    /// The level, one of [`Codec::levels`].
    pub level: i32,
}

impl From<Codec> for Coding {
    /// The codec at its default level.
    fn from(codec: Codec) -> Self {
        Self { codec, level: codec.default_level() }
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
