//! Profiles as layers: what the code did, on what the code is.
//!
//! [`import`] adds to a graph the tree of calls of a profile, and joins it to the code: the places of calls to METHODs and CALLs, by
//! file, line and name. What METHODs and CALLs come to are properties of these. The report says how much could be joined, and how
//! surely.
//!
//! - `tree`: calls by their place in the source, inlined ones each on their own. `placement`: from a place to METHOD and CALL.
//! - `sums`: what METHODs and CALLs come to. `names`, `contents`: what the layer is made of.
//! - `stored`: a profile as a graph has it. `top`: what functions, places, files and modules come to.

mod contents;
mod error;
mod import;
mod names;
mod placement;
mod report;
mod stored;
mod sums;
mod top;
mod tree;

pub use error::HeapLayerError;
pub use import::{HeapOptions, import};
pub use names::Names;
pub use placement::MatchClass;
pub use report::{HeapReport, ModuleReport};
pub use stored::HeapLayer;
pub use top::{By, TopRow};
