//! Profiles of programs, read into one common form from the files of several tools.
//!
//! ```no_run
//! use varvite_profile::{Limits, heaptrack};
//!
//! # fn main() -> Result<(), varvite_profile::ProfileError> {
//! let profile = heaptrack::open("run.heaptrack.zst".as_ref(), &Limits::default())?;
//! let [calls, leaked] = [heaptrack::CALLS, heaptrack::LEAKED_BYTES].map(|slot| profile.totals.counts[slot]);
//! println!("{calls} calls, {leaked} bytes leaked");
//! # Ok(())
//! # }
//! ```
//!
//! A [`Profile`] is a tree of calls. Each step has a place in the source and counts: allocations and their
//! bytes, samples, or other measures of the tool. Events are summed while they are read and are not kept; a
//! caller can receive them during the read.
//!
//! Profiles come from outside, so every byte is treated as hostile: invalid parts are counted and reported
//! and cause no panic, and a size stated in a file allocates no memory by itself.
//!
//! - `measure`: the measures. `profile`, `texts`, `timeline`: the profile in memory. `inclusive`: sums over
//!   whole subtrees of calls.
//! - `events`: the events of a run in their order, grouped into stretches.
//! - `format`: detection of a file's form. `source`, `bytes`: the bytes of a file. `stacks`: builds a profile
//!   from stacks.
//! - `heaptrack`: files of heaptrack, as written by `heaptrack_interpret`. `collapsed`: a text with one stack
//!   a line.
//! - `perf`: the text of `perf script`. `pprof`, `speedscope`: the forms of these programs.
//! - `layer`: profiles joined to the code of a graph.
#![forbid(unsafe_code)]

mod bytes;
pub mod collapsed;
mod error;
mod events;
mod format;
pub mod heaptrack;
mod inclusive;
pub mod layer;
mod limits;
mod measure;
pub mod perf;
pub mod pprof;
mod profile;
mod source;
pub mod speedscope;
mod stacks;
mod texts;
mod timeline;
mod written_name;

pub use error::ProfileError;
pub use events::{Event, EventKind, EventSink, EventTable, SiteState, Stamp, Stretch};
pub use format::{ForeignForm, ProfileFormat};
pub use inclusive::inclusive;
pub use limits::{Limits, Roots};
pub use measure::{Counts, Kind, MEASURES_MAX, Measure, Measures, Sampling, Slot};
pub use profile::{Frame, Location, Noticed, Profile, Recording, Site, Step, Totals};
pub use source::{ProfileSource, open};
pub use texts::{TextId, Texts};
pub use timeline::{Moment, Timeline};
pub use varvite_codec::frame::{Expanded, Expansion};
