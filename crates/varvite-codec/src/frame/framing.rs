//! The framings, their names, and their detection by the first bytes of data.

use std::fmt;

use crate::Codec;

/// A framing: a format in which other programs store compressed bytes in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Framing {
    /// Snappy's framing format: chunks of up to 64 KiB, each with a CRC-32C.
    Snappy,
    /// Snappy's framing format without checksums, as DynamoRIO writes it (chunk types 2 and 3). Readers also
    /// accept chunks with checksums, and check them.
    SnappyUnchecked,
    /// Snappy as Hadoop frames it: blocks preceded by their lengths, without checksums and without a magic
    /// number.
    HadoopSnappy,
    /// Successive LZ4 frames.
    Lz4,
    /// One zlib stream.
    Zlib,
    /// Successive gzip members.
    Gzip,
    /// Successive Zstandard frames.
    Zstd,
}

impl Framing {
    /// All framings.
    pub const ALL: [Self; 7] = [
        Self::Snappy,
        Self::SnappyUnchecked,
        Self::HadoopSnappy,
        Self::Lz4,
        Self::Zlib,
        Self::Gzip,
        Self::Zstd,
    ];

    /// The name that users see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Snappy => "snappy",
            Self::SnappyUnchecked => "snappy_nocrc",
            Self::HadoopSnappy => "hadoop_snappy",
            Self::Lz4 => "lz4",
            Self::Zlib => "zlib",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The framing with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|framing| framing.name() == name)
    }

    /// The codec of the framing; a writer accepts its levels.
    pub fn codec(self) -> Codec {
        match self {
            Self::Snappy | Self::SnappyUnchecked | Self::HadoopSnappy => Codec::Snappy,
            Self::Lz4 => Codec::Lz4,
            Self::Zlib => Codec::Zlib,
            Self::Gzip => Codec::Gzip,
            Self::Zstd => Codec::Zstd,
        }
    }

    /// Detects the framing of data by its first bytes; eleven are enough. Hadoop's Snappy has no magic number
    /// and is never detected. The magic number of zlib has only two bytes, and one in a thousand other files
    /// begins with such bytes too.
    pub fn detect(start: &[u8]) -> Option<Self> {
        match start {
            [0xFF, 6, 0, 0, b's', b'N', b'a', b'P', b'p', b'Y', rest @ ..] => match rest.first() {
                Some(2 | 3) => Some(Self::SnappyUnchecked),
                _ => Some(Self::Snappy),
            },
            [4, 0x22, 0x4D, 0x18, ..] => Some(Self::Lz4),
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [method, check, ..] if method & 0x8F == 8 && u16::from_be_bytes([*method, *check]) % 31 == 0 => {
                Some(Self::Zlib)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
