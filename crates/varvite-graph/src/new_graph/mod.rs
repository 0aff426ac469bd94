//! New graphs of a schema of one's own: [`NewGraph`] takes nodes and edges one by one, and writes a file of
//! them.
//!
//! Calls are checked and hashed here; additions go into a draft (`draft`), like those of importers. Columns
//! are the draft's matter.
//!
//! Reading order: `added`: the subjects of calls; `stored`: a value as a draft takes it; `call_digest`: the
//! hash of all calls; `making`, `bytes`, `options`.

mod added;
mod bytes;
mod call_digest;
mod making;
mod options;
mod stored;

pub use added::{Added, AddedEdge};
pub use making::{NewGraph, NewGraphReport};
pub use options::NewGraphOptions;
