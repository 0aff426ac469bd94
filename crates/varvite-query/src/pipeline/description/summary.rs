//! [`Summary`]: an aggregate over the rows of a group.

use serde::Serialize;
use serde_json::Value as Json;

use super::fields::{Field, Fields, only_field};
use crate::pipeline::error::Result;

/// A column of `summarize`: an aggregate over the rows of a group, or over the values of one property in
/// these rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Summary {
    /// The number of rows.
    Count,
    /// The sum of a property's values, 0 if there are none.
    Sum(String),
    /// The least of a property's values, null if there are none.
    Min(String),
    /// The greatest of a property's values, null if there are none.
    Max(String),
    /// The mean of a property's values, null if there are none.
    Mean(String),
}

impl Summary {
    /// The sum of a property.
    pub fn sum(property: &str) -> Self {
        Self::Sum(property.to_owned())
    }

    /// The least value of a property.
    pub fn min(property: &str) -> Self {
        Self::Min(property.to_owned())
    }

    /// The greatest value of a property.
    pub fn max(property: &str) -> Self {
        Self::Max(property.to_owned())
    }

    /// The mean of a property.
    pub fn mean(property: &str) -> Self {
        Self::Mean(property.to_owned())
    }

    fn of_json(f: &Fields, field: &str, json: &Json) -> Result<Self> {
        match (json.as_str(), only_field(json)) {
            (Some("count"), _) => Ok(Self::Count),
            (_, Some(("sum", Json::String(property)))) => Ok(Self::sum(property)),
            (_, Some(("min", Json::String(property)))) => Ok(Self::min(property)),
            (_, Some(("max", Json::String(property)))) => Ok(Self::max(property)),
            (_, Some(("mean", Json::String(property)))) => Ok(Self::mean(property)),
            _ => {
                let expected = "\"count\", or \"sum\", \"min\", \"max\" or \"mean\" of a property, such as {\"min\": \"ORDER\"},";
                Err(f.wrong(field, expected, json))
            }
        }
    }
}

impl Field for Vec<Summary> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?;
        list.iter().map(|json| Summary::of_json(f, field, json)).collect()
    }
}
