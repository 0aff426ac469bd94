//! [`Key`]: the key by which rows are sorted, grouped and deduplicated.

use serde::Serialize;
use serde_json::Value as Json;

use super::fields::{Field, Fields, only_field};
use crate::pipeline::error::Result;

/// The value of a row by which rows are sorted, grouped or deduplicated, or which a column shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Key {
    /// The row itself: a node's id, an edge, a value.
    #[default]
    Itself,
    /// The labels of a node, or the label of an edge.
    Label,
    /// The length of the path inside the last `repeat`.
    Depth,
    /// The first value of a property.
    Property(String),
    /// A column of a table, by its name. The key is the column's value or, for a list, its length.
    Column(String),
}

impl Key {
    /// The column of this name, for rows with several columns.
    pub fn column(name: &str) -> Self {
        Self::Column(name.to_owned())
    }

    fn of_json(f: &Fields, field: &str, json: &Json) -> Result<Self> {
        match (json.as_str(), only_field(json)) {
            (Some("itself"), _) => Ok(Self::Itself),
            (Some("label"), _) => Ok(Self::Label),
            (Some("depth"), _) => Ok(Self::Depth),
            (_, Some(("property", Json::String(name)))) => Ok(Self::Property(name.clone())),
            (_, Some(("column", Json::String(name)))) => Ok(Self::Column(name.clone())),
            _ => {
                let expected = "a key, which is \"itself\", \"label\", \"depth\", {\"property\": ..} or {\"column\": ..}";
                Err(f.wrong(field, expected, json))
            }
        }
    }
}

impl From<&str> for Key {
    /// The property of this name.
    fn from(name: &str) -> Self {
        Self::Property(name.to_owned())
    }
}

impl Field for Key {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let found = f.need(field, "a key")?;
        Self::of_json(f, field, &found)
    }

    fn is_left_out(&self) -> bool {
        *self == Self::Itself
    }
}

impl Field for Vec<Key> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?;
        list.iter().map(|json| Key::of_json(f, field, json)).collect()
    }
}
