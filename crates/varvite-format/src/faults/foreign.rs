//! [`Foreign`]: the likely form of a file that is not Varvite's.

use std::fmt;

/// The likely form of a file that is not Varvite's, from its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// Nothing: the file is empty.
    Empty,
    /// A `cpg.bin` of flatgraph, which can be imported.
    Flatgraph,
    /// A `cpg.bin` of overflowdb, as older versions of Joern wrote it.
    Overflowdb,
    /// A zip archive.
    Zip,
    /// One of ours, copied by a program that took it for text.
    CopiedAsText,
    /// Anything else.
    Other,
}

impl Foreign {
    pub(crate) fn of(page: &[u8]) -> Self {
        match page {
            [] => Self::Empty,
            [b'F', b'L', b'T', b' ', b'G', b'R', b'P', b'H', ..] => Self::Flatgraph,
            [b'H', b':', b'2', ..] => Self::Overflowdb,
            [b'P', b'K', ..] => Self::Zip,
            [0x89, b'V', b'A', b'R', b'V', b'I', b'T', b'E', ..] => Self::CopiedAsText,
            _ => Self::Other,
        }
    }
}

impl fmt::Display for Foreign {
    /// Its likely form, and the remedy.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "it is empty",
            Self::Flatgraph => "it is a flatgraph file (cpg.bin): run `varvite import` on it first",
            Self::Overflowdb => {
                "it looks like an overflowdb file: open it once with a current Joern, which converts it"
            }
            Self::Zip => "it is a zip archive",
            Self::CopiedAsText => {
                "its first bytes were changed, perhaps by a copy in text mode: copy it again in binary mode"
            }
            Self::Other => "its first 16 bytes are not those of a .varvite file",
        })
    }
}
