//! [`Difference`]: the differences of two graphs, and the diff that turns one into the other.
//!
//! - `edit`, `pairing`, `node_map`, `walk`, `schema`: the parts of a difference. In this order: single
//!   changes, pairs of edges, pairs of nodes, the canonical order of nodes, and names that both graphs have.
//! - `content`, `matching`: the content of nodes as hashes, and the matching of nodes by these hashes.
//! - `compared`: two graphs with their pairs of nodes; `counts`, `visit`: their differences as counts and as
//!   calls of a visitor; `beside`: differences that do not concern nodes, values or edges, such as those of
//!   schemas.
//! - `edge_plan`: the edges that the diff keeps, and the order in which it adds other edges; `unreachable`:
//!   the differences that no diff can remove; `turning`: the diff itself.

mod beside;
mod compared;
mod content;
mod counts;
mod edge_plan;
mod edit;
mod matching;
mod node_map;
mod pairing;
mod schema;
mod turning;
mod unreachable;
mod visit;
mod walk;

pub use beside::{Beside, DeclaredAs};
pub use compared::Difference;
pub use counts::{ChangeCounts, EdgeCounts, NodeCounts};
pub use edit::{EdgeAt, Edit};
pub use schema::{SharedEdgeLabel, SharedProperty};
pub use turning::TurningDiff;
pub use unreachable::Unreachable;
