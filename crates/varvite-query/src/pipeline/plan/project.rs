//! [`Project`]: operations that give values of each row.

use super::KeyPlan;

/// An operation that gives values of each row. `operators/values.rs` has the operator of each, and makes it.
#[derive(Clone, Debug)]
pub(crate) enum Project {
    Values(KeyPlan),
    Columns(Vec<KeyPlan>),
}

impl Project {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Values(by) => format!("project {}", by.words()),
            Self::Columns(columns) => {
                let words: Vec<String> = columns.iter().map(KeyPlan::words).collect();
                format!("project {}", words.join(", "))
            }
        }
    }
}
