//! [`Key`]: the key by which rows are sorted, grouped and deduplicated, or which a column shows.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

use super::fields::{Field, Fields};
use super::{Pipeline, Steps};
use crate::pipeline::error::Result;

/// The value of a row by which rows are sorted, grouped or deduplicated, or which a column shows.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// The first result of an inner pipeline, which begins with the row.
    First(Steps),
    /// All results of an inner pipeline, as a list. Only a column can show a list.
    List(Steps),
    /// Whether an inner pipeline gives any result.
    Exists(Steps),
    /// A key whose column has this name.
    Named(String, Box<Key>),
}

/// The keys, as errors list them.
const EXPECTED: &str = "a key, which is \"itself\", \"label\", \"depth\", {\"property\": ..}, {\"column\": ..}, \
     {\"first\": [..]}, {\"list\": [..]} or {\"exists\": [..]}";

const ONE_FIELD: &str = "a key has one of property, column, first, list, exists and key, beside \"as\"";

impl Key {
    /// The column of this name, for rows with several columns.
    pub fn column(name: &str) -> Self {
        Self::Column(name.to_owned())
    }

    /// The first result of `pipeline`, which begins with the row: nothing if it gives none.
    pub fn first(pipeline: Pipeline) -> Self {
        Self::First(pipeline.into())
    }

    /// All results of `pipeline`, which begins with the row, as a list. Only for columns.
    pub fn list(pipeline: Pipeline) -> Self {
        Self::List(pipeline.into())
    }

    /// Whether `pipeline`, which begins with the row, gives any result.
    pub fn exists(pipeline: Pipeline) -> Self {
        Self::Exists(pipeline.into())
    }

    /// The same key, whose column has this name.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        Self::Named(name.to_owned(), Box::new(self.into_unnamed()))
    }

    /// The key without the name of its column.
    pub(crate) fn unnamed(&self) -> &Self {
        match self {
            Self::Named(_, key) => key.unnamed(),
            key => key,
        }
    }

    fn into_unnamed(self) -> Self {
        match self {
            Self::Named(_, key) => key.into_unnamed(),
            key => key,
        }
    }

    /// The name of the key's column, if the key has one.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Named(name, _) => Some(name),
            _ => None,
        }
    }

    /// The inner pipeline that computes the key. `None` for other keys.
    pub(crate) fn pipeline(&self) -> Option<&Steps> {
        match self.unnamed() {
            Self::First(steps) | Self::List(steps) | Self::Exists(steps) => Some(steps),
            _ => None,
        }
    }

    /// The same as [`Key::pipeline`], to change the pipeline.
    pub(super) fn pipeline_mut(&mut self) -> Option<&mut Steps> {
        match self {
            Self::First(steps) | Self::List(steps) | Self::Exists(steps) => Some(steps),
            Self::Named(_, key) => key.pipeline_mut(),
            _ => None,
        }
    }

    /// Reads a key. `inside` is the prefix of the numbers of the steps in it.
    fn of_json(f: &Fields, field: &str, json: Json, inside: &str) -> Result<Self> {
        let mut object = match json {
            Json::Object(object) => object,
            json => return Self::of_word(&json).ok_or_else(|| f.wrong(field, EXPECTED, &json)),
        };
        let name = match object.remove("as") {
            Some(Json::String(name)) => Some(name),
            Some(other) => return Err(f.wrong("as", "a text", &other)),
            None => None,
        };
        let mut entries = object.into_iter();
        let key = match (entries.next(), entries.next()) {
            (Some((word, value)), None) => Self::of_entry(f, field, (&word, value), inside)?,
            _ => return Err(f.says(ONE_FIELD)),
        };
        Ok(match name {
            Some(name) => Self::Named(name, Box::new(key)),
            None => key,
        })
    }

    fn of_word(json: &Json) -> Option<Self> {
        match json.as_str()? {
            "itself" => Some(Self::Itself),
            "label" => Some(Self::Label),
            "depth" => Some(Self::Depth),
            _ => None,
        }
    }

    fn of_entry(f: &Fields, field: &str, (word, value): (&str, Json), inside: &str) -> Result<Self> {
        match (word, value) {
            ("key", word) => Self::of_word(&word).ok_or_else(|| f.wrong("key", EXPECTED, &word)),
            ("property", Json::String(name)) => Ok(Self::Property(name)),
            ("column", Json::String(name)) => Ok(Self::Column(name)),
            ("first", steps) => f.steps_of("first", steps, inside).map(Self::First),
            ("list", steps) => f.steps_of("list", steps, inside).map(Self::List),
            ("exists", steps) => f.steps_of("exists", steps, inside).map(Self::Exists),
            _ => {
                Err(f.says(format!("the field {field:?} must be {EXPECTED}, found an object with {word:?}")))
            }
        }
    }

    /// Writes the fields of the key into an object.
    fn write_into<M: SerializeMap>(&self, object: &mut M) -> std::result::Result<(), M::Error> {
        match self {
            Self::Itself | Self::Label | Self::Depth => object.serialize_entry("key", self),
            Self::Property(name) => object.serialize_entry("property", name),
            Self::Column(name) => object.serialize_entry("column", name),
            Self::First(steps) => object.serialize_entry("first", steps),
            Self::List(steps) => object.serialize_entry("list", steps),
            Self::Exists(steps) => object.serialize_entry("exists", steps),
            Self::Named(name, key) => {
                object.serialize_entry("as", name)?;
                key.write_into(object)
            }
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Itself => serializer.serialize_str("itself"),
            Self::Label => serializer.serialize_str("label"),
            Self::Depth => serializer.serialize_str("depth"),
            key => {
                let mut object = serializer.serialize_map(None)?;
                key.write_into(&mut object)?;
                object.end()
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
        Self::of_json(f, field, found, &f.inside_of(field))
    }

    fn is_left_out(&self) -> bool {
        *self == Self::Itself
    }
}

impl Field for Vec<Key> {
    fn read(f: &mut Fields, field: &'static str) -> Result<Self> {
        let list = f.some(field)?.into_iter();
        let key = |(number, json)| Key::of_json(f, field, json, &f.inside_of_nth(number));
        (1..).zip(list).map(key).collect()
    }
}
