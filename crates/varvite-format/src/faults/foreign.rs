//! [`Foreign`]: the likely kind of a file that is not a Varvite file.

use std::fmt;

/// The likely kind of a file that is not a Varvite file, judged by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Foreign {
    /// An empty file.
    Empty,
    /// A `cpg.bin` of flatgraph, which `varvite import` can read.
    Flatgraph,
    /// A `cpg.bin` of overflowdb, as older versions of Joern wrote it.
    Overflowdb,
    /// A zip archive.
    Zip,
    /// A Varvite file that was copied in text mode, which changed its line breaks.
    CopiedAsText,
    /// Another kind of file.
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
    /// Describes the likely kind of the file, and gives advice.
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
