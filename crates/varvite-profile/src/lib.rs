//! Profiles of programs that ran: read into one form, whichever tool made them.
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
//! A [`Profile`] is a tree of calls, with the place in the source and the counts of each: allocations and
//! their bytes, samples, or other measures of the tool. It holds no events: they are summed while they are
//! read, and a caller can receive them then.
//!
//! Profiles come from outside, so every one of their bytes is treated as hostile: invalid parts are counted
//! and reported, they cause no panic, and a mere claim of size allocates no memory.
//!
//! - `measure`: the measures. `profile`, `texts`, `timeline`: the form. `inclusive`: sums over whole subtrees
//!   of calls.
//! - `events`: the events of a run in their order, in stretches.
//! - `format`: which form a file has, read or not. `source`, `bytes`: its bytes. `stacks`: a profile out of
//!   stacks.
//! - `heaptrack`: files of heaptrack, as `heaptrack_interpret` leaves them. `collapsed`: stacks in a line
//!   each.
//! - `perf`: the text of `perf script`. `pprof`, `speedscope`: the forms that these programs read.
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
