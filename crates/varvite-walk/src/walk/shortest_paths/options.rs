//! [`PathOptions`]: limits of a search.

use varvite_store::Cancel;

use varvite_graph::Budget;

/// Limits of a search.
#[derive(Clone, Debug)]
pub struct PathOptions {
    /// Most edges of a path.
    pub length_max: u32,
    /// Most bytes that the search may hold.
    pub memory_bytes: usize,
    /// The flag that cancels.
    pub cancel: Cancel,
}

impl Default for PathOptions {
    /// Any length, a quarter of the machine's memory ([`Budget::default_bytes`]).
    fn default() -> Self {
        Self { length_max: u32::MAX, memory_bytes: Budget::default_bytes(), cancel: Cancel::default() }
    }
}
