//! The impact of a change: the METHODs on the changed lines, and their callers.
//!
//! [`Patch`] reads the changed lines of a patch. [`Impact`] finds the METHODs on these lines, then the
//! METHODs that call them, directly or not, each with its distance. A METHOD without callers is an entry
//! point.

mod callers;
mod duplicates;
mod header;
mod impact_of;
mod matching;
mod patch;
mod patch_error;
mod patch_path;
mod side;
mod span;

pub use callers::{Reached, callers_above};
pub use duplicates::Duplicates;
pub use impact_of::{FileImpact, FileState, Impact, Touched};
pub use matching::methods_matching;
pub use patch::{ChangedFile, Patch};
pub use patch_error::{PatchError, PatchFault};
pub use side::Side;
pub use span::Span;
