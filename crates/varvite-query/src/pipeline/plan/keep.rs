//! [`Keep`]: operations that pass on some of their rows, unchanged.

use super::KeyPlan;

/// An operation that passes on some of its rows. `operators/keep.rs` defines and makes the operators.
#[derive(Clone, Debug)]
pub(crate) enum Keep {
    Dedup(KeyPlan),
    Limit(u64),
    Skip(u64),
    Sample {
        count: u64,
        seed: u64,
    },
    /// Rows whose key is true.
    True(KeyPlan),
}

impl Keep {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Dedup(by) => format!("distinct on {}", by.words()),
            Self::Limit(count) => format!("limit {count}"),
            Self::Skip(count) => format!("offset {count}"),
            Self::True(by) => format!("filter {}", by.words()),
            Self::Sample { count, .. } => format!("reservoir sample of {count}"),
        }
    }

    /// Whether the operation keeps rows of its input until the end.
    pub(super) fn holds_rows(&self) -> bool {
        matches!(self, Self::Sample { .. })
    }
}
