//! JSON from strangers: read without recursion, within a budget, and with each key of an object once.
//!
//! Plans and walks are read here. The parser of `serde_json` has no limit of memory, and for a key that
//! stands twice in one object it keeps the last value: two readers of one text may then read two plans. The
//! bytes of a [`ReadJson`] are taken from the budget before they are allocated, and go back when it is
//! dropped.
//!
//! `reader` is the state machine over the text, `meter` counts the memory of values, `once` finds keys that
//! stand twice, for types that are read with `serde`.

mod meter;
mod once;
mod reader;

use serde_json::Value as Json;

pub use meter::{Meter, bytes_of};
pub use once::Once;
pub use reader::{Subject, read};

use crate::budget::OverBudget;

/// A text that was read.
#[derive(Debug)]
pub struct ReadJson {
    /// The value.
    #[doc(hidden)]
    pub json: Json,
    /// The bytes of that.
    #[doc(hidden)]
    pub meter: Meter,
    /// Most lists and objects inside of each other.
    #[doc(hidden)]
    pub depth: usize,
}

/// The reason why a text was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// It is no JSON, or has a key twice; where and why.
    Form { reason: String },
    /// Lists and objects are nested deeper than the caller allows.
    TooDeep,
    /// More objects have the field `step` than the caller allows.
    TooManySteps,
    /// It takes more than the budget has.
    OverBudget(OverBudget),
}

impl From<OverBudget> for JsonFault {
    fn from(error: OverBudget) -> Self {
        Self::OverBudget(error)
    }
}
