//! [`Project`]: operations that turn each row into values.

use super::KeyPlan;

/// An operation that turns each row into values. `operators/values.rs` defines and makes the operators.
#[derive(Clone, Debug)]
pub(crate) enum Project {
    Values(KeyPlan),
    Columns(Vec<KeyPlan>),
    /// One value or node for each row that has the key.
    Map(KeyPlan),
}

impl Project {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Values(by) | Self::Map(by) => format!("project {}", by.words()),
            Self::Columns(columns) => {
                let words: Vec<String> = columns.iter().map(KeyPlan::words).collect();
                format!("project {}", words.join(", "))
            }
        }
    }
}
