//! [`Keep`]: operations that give some of their rows as they are.

use super::KeyPlan;

/// An operation that gives some of its rows. `operators/keep.rs` has the operator of each, and makes it.
#[derive(Clone, Debug)]
pub(crate) enum Keep {
    Dedup(KeyPlan),
    Limit(u64),
    Skip(u64),
    Sample { count: u64, seed: u64 },
}

impl Keep {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Dedup(by) => format!("distinct on {}", by.words()),
            Self::Limit(count) => format!("limit {count}"),
            Self::Skip(count) => format!("offset {count}"),
            Self::Sample { count, .. } => format!("reservoir sample of {count}"),
        }
    }

    /// Whether it keeps rows of its input until the end.
    pub(super) fn holds_rows(&self) -> bool {
        matches!(self, Self::Sample { .. })
    }
}
