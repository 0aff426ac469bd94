//! Errors of reading or making the bytes of a file.

use thiserror::Error;
use varvite_codec::CodecError;

use crate::{ErrorCode, Fault, Foreign, InputError, Part, Quantity};

/// The result of reading or making the bytes of a file.
pub type Result<T, E = FormatError> = std::result::Result<T, E>;

/// The reason why bytes are not a usable Varvite file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file does not begin with the bytes of a Varvite file.
    #[error("this is not a Varvite file: {found}")]
    NotVarvite {
        /// The likely kind of the file, with advice.
        found: Foreign,
    },
    /// A newer engine wrote the file.
    #[error("the file has format version {found}, this program reads up to {supported}: use a newer varvite")]
    NewerFormat {
        /// The version in the file.
        found: u32,
        /// The newest version that this program reads.
        supported: u32,
    },
    /// The file needs a feature that this engine does not have.
    #[error("the file needs unknown features {bits:#x}: use a newer varvite")]
    UnknownFeature {
        /// The unknown bits.
        bits: u64,
    },
    /// Bytes contradict the format or their checksum.
    #[error("damaged {part}{}: {fault}", At(.offset))]
    Damaged {
        /// The damaged structure, column or segment.
        part: Part,
        /// The offset in the file, or the offset within the part if only that is known; `None` if neither is
        /// known.
        offset: Option<u64>,
        /// The fault of the part.
        fault: Fault,
    },
    /// A block can't be decoded.
    #[error("damaged {part}: block {block}: {source}")]
    Block {
        /// The segment of the block.
        part: Part,
        /// The number of the block in its segment.
        block: u64,
        /// The error of the codec.
        r#source: CodecError,
    },
    /// The caller's data can't be written.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The data to be written exceeds a limit of the format.
    #[error("{what}: {found} exceeds the limit of the format ({limit})")]
    TooLarge {
        /// The quantity that is too large.
        what: Quantity,
        /// The amount in the data.
        found: u64,
        /// The limit.
        limit: u64,
    },
}

impl FormatError {
    /// The number of this error, the same in every language.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::NotVarvite { .. } => ErrorCode::NotVarvite,
            Self::NewerFormat { .. } => ErrorCode::NewerFormat,
            Self::UnknownFeature { .. } => ErrorCode::UnknownFeature,
            Self::Damaged { .. } | Self::Block { .. } => ErrorCode::Damaged,
            Self::Input(_) => ErrorCode::Argument,
            Self::TooLarge { .. } => ErrorCode::TooLarge,
        }
    }

    /// An error for a fault of a part, without an offset.
    pub fn damaged(part: impl Into<Part>, fault: Fault) -> Self {
        Self::Damaged { part: part.into(), offset: None, fault }
    }

    /// An error for a fault of a part at a byte offset.
    pub fn damaged_at(part: impl Into<Part>, offset: u64, fault: Fault) -> Self {
        Self::Damaged { part: part.into(), offset: Some(offset), fault }
    }
}

/// Displays an offset; nothing for `None`.
struct At<'a>(&'a Option<u64>);

impl std::fmt::Display for At<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(offset) => write!(formatter, " at byte {offset}"),
            None => Ok(()),
        }
    }
}
