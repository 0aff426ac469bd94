//! New graphs of a schema of one's own: [`NewGraph`] takes nodes and edges one by one, and writes a file of
//! them.
//!
//! What it is given goes into a draft (`draft`), as what importers read does; here calls are checked, and
//! hashed. Nothing here knows a column.
//!
//! Reading order: `added`: what calls are about; `stored`: a value as a draft takes it; `said`: the hash of
//! all calls; `making`, `bytes`, `options`.

mod added;
mod bytes;
mod making;
mod options;
mod said;
mod stored;

pub use added::{Added, AddedEdge};
pub use making::{NewGraph, NewGraphReport};
pub use options::NewGraphOptions;
