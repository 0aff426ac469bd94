//! Common parts of importers of text: files that may be compressed, positions in them, and their faults.
//!
//! Reading order: `source`, `place`, `fault`, `error`; `options`: the common options for the new file.

mod error;
mod fault;
mod options;
mod place;
mod source;

pub use error::TextError;
pub use fault::TextFault;
pub(crate) use options::{draft_options, target_options};
pub use place::{Column, TextPosition};
pub(crate) use source::TextSource;
