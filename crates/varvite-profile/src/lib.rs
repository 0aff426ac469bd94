//! Reads profiles of programs, from the files of several tools, into one common data structure.
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
//! A [`Profile`] is a tree of calls. Each step has a place in the source, and counts: of allocations and
//! their bytes, of samples, or of other measures of the tool. Events are added up while they are read, and
//! not stored; a caller can receive them during the read.
//!
//! Profiles come from outside, so every byte is treated as hostile. Invalid parts are counted and reported,
//! and cause no panic. No memory is allocated only because a file states a size.
//!
//! - `measure`: the measures that a profile counts. `profile`, `texts`, `timeline`: the profile in memory.
//!   `inclusive`: sums over whole subtrees of calls.
//! - `events`: the events of a run in order, in groups (stretches).
//! - `format`: detects the format of a file. `source`, `bytes`: read the bytes of a file. `stacks`: builds a
//!   profile from stacks.
//! - `heaptrack`: heaptrack's files, as `heaptrack_interpret` writes them. `collapsed`: texts with one stack
//!   per line.
//! - `perf`: the text output of `perf script`. `pprof`, `speedscope`: the formats of these programs.
//! - `layer`: joins profiles to the code in a graph.
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
