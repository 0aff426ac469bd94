//! Reads JSON from untrusted sources: without recursion, within a budget, and without duplicate keys.
//!
//! This module reads plans and walks. The parser of `serde_json` has no memory limit. If a key occurs twice
//! in an object, that parser keeps the last value, while another parser may keep the first: the two would
//! read different plans from one text. The bytes of a [`ReadJson`] are charged to the budget before they are
//! allocated, and given back when it is dropped.
//!
//! `reader` is the state machine over the text, `meter` counts the memory of values, and `once` finds
//! duplicate keys for types that are read with `serde`.

mod meter;
mod once;
mod reader;

use serde_json::Value as Json;

pub use meter::{Meter, bytes_of};
pub use once::Once;
pub use reader::{Subject, read};

use crate::budget::OverBudget;

/// The JSON value of a text, and its size.
#[derive(Debug)]
pub struct ReadJson {
    /// The value.
    #[doc(hidden)]
    pub json: Json,
    /// The bytes that the value holds.
    #[doc(hidden)]
    pub meter: Meter,
    /// The greatest depth of nested lists and objects.
    #[doc(hidden)]
    pub depth: usize,
}

/// The reason why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// The text is not JSON, or an object has a key twice. `reason` says where and why.
    Form { reason: String },
    /// Lists and objects are nested deeper than the caller allows.
    TooDeep,
    /// More objects have the field `step` than the caller allows.
    TooManySteps,
    /// The value takes more memory than the budget has.
    OverBudget(OverBudget),
}

impl From<OverBudget> for JsonFault {
    fn from(error: OverBudget) -> Self {
        Self::OverBudget(error)
    }
}
