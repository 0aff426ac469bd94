//! Profiles of what programs did when they ran: read into one form, whichever tool made them.
//!
//! ```no_run
//! use varvite_profile::{Limits, heaptrack};
//!
//! # fn main() -> Result<(), varvite_profile::ProfileError> {
//! let profile = heaptrack::open("run.heaptrack.zst".as_ref(), &Limits::default())?;
//! println!("{} calls, {} bytes leaked", profile.totals.calls, profile.totals.leaked_bytes);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Profile`] is a tree of calls, what each place in it is called in the source, and what was counted at the places that
//! allocate. It holds no events: what they come to is summed while they are read.
//!
//! Profiles come from outside, so every one of their bytes is treated as hostile: what makes no sense is counted and told, never a
//! panic, and never memory that the file merely claims to need.
//!
//! - `profile`, `texts`, `timeline`: the form. `inclusive`: sums over whole subtrees of calls.
//! - `read_ahead`: a thread that decompresses ahead of whoever reads.
//! - `heaptrack`: files of heaptrack, as `heaptrack_interpret` leaves them.
//! - `layer`: profiles joined to the code of a graph.
#![forbid(unsafe_code)]

mod error;
pub mod heaptrack;
mod inclusive;
pub mod layer;
mod limits;
mod profile;
mod read_ahead;
mod source;
mod texts;
mod timeline;

pub use error::ProfileError;
pub use inclusive::inclusive;
pub use limits::Limits;
pub use profile::{Counts, Frame, Location, Noticed, Origin, Profile, Site, Step, Totals};
pub use source::source_digest;
pub use texts::{TextId, Texts};
pub use timeline::{Moment, Timeline};
