//! New graphs with a custom schema: [`NewGraph`] takes nodes and edges one by one, and writes them to a file.
//!
//! Calls are checked and hashed here; additions are stored in a draft (`draft`), as those of importers are.
//! The draft encodes the columns.
//!
//! Reading order: `added`: the owners of values in calls; `stored`: a value in the form of a draft;
//! `call_digest`: the hash of all calls; `making`, `bytes`, `options`.

mod added;
mod bytes;
mod call_digest;
mod making;
mod options;
mod stored;

pub use added::{Added, AddedEdge};
pub use making::{NewGraph, NewGraphReport};
pub use options::NewGraphOptions;
