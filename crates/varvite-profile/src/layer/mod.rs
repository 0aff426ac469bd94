//! Makes layers from profiles: the counts of a run are joined to the code in a graph.
//!
//! [`import`] adds the tree of calls of a profile to a graph, and joins the places of calls to METHODs and
//! CALLs, by file, line and name. The sums of METHODs and CALLs become properties of these nodes. The report
//! shows how much was joined, by the certainty of the match. The layer of a profile of memory is named
//! `heap`; that of any other profile is named `cpu`.
//!
//! - `tree`: the tree of calls by their place in the source, with a node for each inlined function.
//!   `placement`: finds the METHOD and the CALL of a place.
//! - `join`: the METHODs and CALLs that match the tree. `sums`: the sums of METHODs and CALLs. `coverage`:
//!   the share of the profile that was joined.
//! - `names`, `contents`, `moments`, `events`: the parts of the layer. `stored`, `stored_events`: read a
//!   profile from a graph. `at`: the heap at a moment of the run. `known_place`: a place in results.
//! - `top`: counts by function, place, file and module. `inverted`: callers of a function. `leaks`: memory
//!   that was not freed.
//! - `sizes`: allocations by size.
//! - `diff`, `diff_paths`, `diff_frames`: the comparison of two profiles. `flame`, `flame_svg`: stacks by
//!   function names, and drawings of them; `timeline_svg`: drawings of memory over time; `svg`: common parts
//!   of drawings. `pprof`, `speedscope`: write stacks in the formats of other programs.
//! - `code_measures`: what ran in each METHOD, from all profiles and traces of a graph.
//! - `on_code`, `code_row`: the counts of METHODs and CALLs; `chains`: their callers; `code`: finds loops and
//!   callers in the code.

mod at;
mod chains;
mod code;
mod code_measures;
mod code_row;
mod contents;
mod coverage;
mod diff;
mod diff_frames;
mod diff_paths;
mod error;
mod events;
mod flame;
mod flame_svg;
mod flame_view;
mod import;
mod inverted;
mod join;
mod known_place;
mod leaks;
mod moments;
mod names;
mod on_code;
mod placement;
mod pprof;
mod read_error;
mod report;
mod sizes;
mod speedscope;
mod stack_text;
mod stored;
mod stored_events;
mod sums;
mod svg;
mod timeline_svg;
mod top;
mod tree;

pub use at::At;
pub use chains::ChainLink;
pub use code::Code;
pub use code_measures::{CodeMeasure, CodeMeasures};
pub use code_row::{CodeKind, CodeRow};
pub use coverage::{Coverage, ModuleReport};
pub use diff::{Backtrace, DiffClass, DiffRow, HeapDiff};
pub use diff_paths::DiffFrame;
pub use error::HeapLayerError;
pub use events::LayerEvents;
pub use flame::FlameTree;
pub use flame_svg::{DRAWING_STYLE, FLAME_SCRIPT, FLAME_STYLE, FigureLimits};
pub use import::{HeapOptions, import, import_events};
pub use inverted::{CallerLimits, CallerRow};
pub use known_place::KnownPlace;
pub use leaks::{Leak, LeakStack};
pub use names::Names;
pub use on_code::{MissingEdge, Reasons};
pub use placement::MatchClass;
pub use read_error::LayerReadError;
pub use report::HeapReport;
pub use sizes::SizeRow;
pub use stack_text::LongStacks;
pub use stored::{HeapLayer, Moments, STEP_BYTES};
pub use top::{By, TopRow};
