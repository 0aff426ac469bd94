//! Common parts of the text importers: files, which may be compressed, positions in files, and faults.
//!
//! Reading order: `source`, `place`, `error`, `fault`, then `options` (the common options for the new file).

mod error;
mod fault;
mod options;
mod place;
mod source;

pub use error::ForeignError;
pub(crate) use error::ForeignFault;
pub use fault::{TextError, TextFault};
pub(crate) use options::{draft_options, target_options};
pub use place::{Column, TextPosition};
pub(crate) use source::TextSource;
