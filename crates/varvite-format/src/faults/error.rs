//! Errors of a file's bytes.

use thiserror::Error;
use varvite_codec::CodecError;

use crate::{ErrorCode, Fault, Foreign, InputError, Part, Quantity};

/// Result of reading bytes.
pub type Result<T, E = FormatError> = std::result::Result<T, E>;

/// The reason why bytes are not a usable Varvite file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    /// The file does not start as a Varvite file does.
    #[error("this is not a Varvite file: {found}")]
    NotVarvite {
        /// Its likely form, and the remedy.
        found: Foreign,
    },
    /// A newer engine wrote the file.
    #[error("the file has format version {found}, this program reads up to {supported}: use a newer varvite")]
    NewerFormat {
        /// Version in the file.
        found: u32,
        /// Newest version known here.
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
        /// The structure, column or segment.
        part: Part,
        /// Absolute offset in the file, or offset within the part where only that is known.
        offset: Option<u64>,
        /// The reason.
        fault: Fault,
    },
    /// A block does not decode.
    #[error("damaged {part}: block {block}: {source}")]
    Block {
        /// The number of the segment.
        part: Part,
        /// Block number within it.
        block: u64,
        /// The error of the codec.
        r#source: CodecError,
    },
    /// The caller's data can't be written.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A limit of the format was passed by the data to be written.
    #[error("{what}: {found} exceeds the limit of the format ({limit})")]
    TooLarge {
        /// The things that are too many.
        what: Quantity,
        /// Their number.
        found: u64,
        /// The limit.
        limit: u64,
    },
}

impl FormatError {
    /// The number of this kind of error in every language.
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

    /// The fault of a part.
    pub fn damaged(part: impl Into<Part>, fault: Fault) -> Self {
        Self::Damaged { part: part.into(), offset: None, fault }
    }

    /// The same, at a byte offset.
    pub fn damaged_at(part: impl Into<Part>, offset: u64, fault: Fault) -> Self {
        Self::Damaged { part: part.into(), offset: Some(offset), fault }
    }
}

/// Shows an offset where there is one.
struct At<'a>(&'a Option<u64>);

impl std::fmt::Display for At<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(offset) => write!(formatter, " at byte {offset}"),
            None => Ok(()),
        }
    }
}
