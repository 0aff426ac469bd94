//! [`Cell`]: the value of one column in one row, borrowed from the graph or the caller.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Value as Json;
use varvite::{Cardinality, Property, Str, Value};

use super::value::{json_of, name_of_float};

/// A cell of a row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Cell<'a> {
    /// Null, for example for a property that a node does not have.
    Null,
    /// A signed whole number.
    Int(i64),
    /// An unsigned whole number.
    Uint(u64),
    /// A text.
    Text(Cow<'a, str>),
    /// A text borrowed from the graph.
    Str(Str<'a>),
    /// An infinity or NaN.
    NotFinite(f64),
    /// Any other value: truth values, finite floats, lists and objects.
    Json(Cow<'a, Json>),
}

impl<'a> Cell<'a> {
    /// Makes the cell of a value. `None` becomes null.
    pub fn of(value: Option<Value<'a>>) -> Self {
        match value {
            Some(Value::Int(number)) => Self::Int(number),
            Some(Value::Uint(number)) => Self::Uint(number),
            Some(Value::Ref(Some(node))) => node.into(),
            Some(Value::Str(text)) => Self::Str(text),
            Some(Value::F32(number)) if !number.is_finite() => Self::NotFinite(number.into()),
            Some(Value::F64(number)) if !number.is_finite() => Self::NotFinite(number),
            other => json_of(other).into(),
        }
    }

    /// Makes the cell of a property's value for `owner`, which is a node or the rank of an edge. If the
    /// property holds lists, the cell is an array.
    pub fn of_owner(property: &'a Property, owner: u32) -> Self {
        match property.cardinality() {
            Cardinality::List => {
                property.all(owner).map(|value| json_of(Some(value))).collect::<Json>().into()
            }
            _ => Self::of(property.get(owner)),
        }
    }

    /// Makes the cell of a borrowed text. `None` becomes null.
    pub fn of_text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, |text| Self::Text(Cow::Borrowed(text)))
    }

    /// Converts the cell to one that owns its content.
    pub fn into_owned(self) -> Cell<'static> {
        match self {
            Self::Null => Cell::Null,
            Self::Int(number) => Cell::Int(number),
            Self::Uint(number) => Cell::Uint(number),
            Self::NotFinite(number) => Cell::NotFinite(number),
            Self::Text(text) => Cell::Text(Cow::Owned(text.into_owned())),
            Self::Str(text) => Cell::Text(Cow::Owned(String::from(text))),
            Self::Json(json) => Cell::Json(Cow::Owned(json.into_owned())),
        }
    }

    /// Converts the cell to JSON.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Null => Json::Null,
            Self::Int(number) => (*number).into(),
            Self::Uint(number) => (*number).into(),
            Self::Text(text) => (&**text).into(),
            Self::Str(text) => (&**text).into(),
            Self::NotFinite(number) => name_of_float(*number).into(),
            Self::Json(json) => json.clone().into_owned(),
        }
    }

    /// The text of the cell. `None` if it is not a text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Str(text) => Some(text),
            Self::NotFinite(number) => Some(name_of_float(*number)),
            Self::Json(json) => json.as_str(),
            _ => None,
        }
    }

    /// Whether the cell is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null) || matches!(self, Self::Json(json) if json.is_null())
    }

    /// The cell as text in formats other than JSON: empty for null, a text unchanged, any other value as
    /// JSON.
    pub(super) fn plain(&self) -> Cow<'_, str> {
        match self {
            _ if self.is_null() => Cow::Borrowed(""),
            Self::Int(number) => Cow::Owned(number.to_string()),
            Self::Uint(number) => Cow::Owned(number.to_string()),
            Self::Json(json) if !json.is_string() => Cow::Owned(json.to_string()),
            _ => Cow::Borrowed(self.text().unwrap_or_default()),
        }
    }

    /// The approximate number of heap bytes that the cell takes if it owns its content.
    pub fn heap_bytes(&self) -> usize {
        match self {
            Self::Json(json) if !json.is_null() => json.to_string().len() * 2,
            _ => self.text().map_or(0, str::len),
        }
    }

    /// Compares two cells. Numbers come before all other values, which are compared as texts. Null comes
    /// last, even in descending order.
    pub(crate) fn compare(&self, other: &Self, descending: bool) -> Ordering {
        let by_value = match (self.is_null(), other.is_null()) {
            (false, false) => match (self.number(), other.number()) {
                // Different large whole numbers may be equal as doubles, so whole numbers are compared
                // exactly.
                (Some(one), Some(other_number)) => match (self.whole(), other.whole()) {
                    (Some(one), Some(other)) => one.cmp(&other),
                    _ => one.total_cmp(&other_number),
                },
                (one, other_number) => {
                    other_number.is_some().cmp(&one.is_some()).then_with(|| self.plain().cmp(&other.plain()))
                }
            },
            (one, other) => return one.cmp(&other),
        };
        if descending { by_value.reverse() } else { by_value }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Int(number) => Some(*number as f64),
            Self::Uint(number) => Some(*number as f64),
            Self::NotFinite(number) => Some(*number),
            Self::Json(json) => json.as_f64(),
            _ => None,
        }
    }

    fn whole(&self) -> Option<i128> {
        match self {
            Self::Int(number) => Some((*number).into()),
            Self::Uint(number) => Some((*number).into()),
            _ => None,
        }
    }
}

impl From<u32> for Cell<'_> {
    fn from(number: u32) -> Self {
        Self::Uint(number.into())
    }
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Self::Uint(number)
    }
}

impl From<usize> for Cell<'_> {
    fn from(number: usize) -> Self {
        Self::Uint(number as u64)
    }
}

impl From<i64> for Cell<'_> {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Cell<'_> {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

impl From<Json> for Cell<'_> {
    fn from(json: Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::String(text) => text.into(),
            other => Self::Json(Cow::Owned(other)),
        }
    }
}

impl<'a> From<&'a Json> for Cell<'a> {
    fn from(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::String(text) => text.as_str().into(),
            other => Self::Json(Cow::Borrowed(other)),
        }
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(mut cells: Vec<Cell<'static>>, descending: bool) -> Vec<String> {
        cells.sort_by(|a, b| a.compare(b, descending));
        cells.iter().map(|cell| cell.plain().into_owned()).collect()
    }

    #[test]
    fn cells_have_an_order_in_which_null_is_last_either_way() {
        let cells =
            || vec!["b".into(), Cell::Null, 10u64.into(), (-2i64).into(), "a".into(), Json::from(2.5).into()];
        assert_eq!(sorted(cells(), false), ["-2", "2.5", "10", "a", "b", ""]);
        assert_eq!(sorted(cells(), true), ["b", "a", "10", "2.5", "-2", ""]);
    }

    #[test]
    fn whole_numbers_have_an_order_beyond_what_a_double_tells_apart() {
        let cells = || vec![u64::MAX.into(), (u64::MAX - 1).into(), i64::MIN.into(), (i64::MIN + 1).into()];
        let rising =
            ["-9223372036854775808", "-9223372036854775807", "18446744073709551614", "18446744073709551615"];
        assert_eq!(sorted(cells(), false), rising);
        assert!(sorted(cells(), true).iter().eq(rising.iter().rev()));
    }

    #[test]
    fn floats_that_are_not_finite_are_told_and_have_their_places() {
        let cell = |number| Cell::of(Some(Value::F64(number)));
        let cells = vec![cell(f64::NAN), Cell::Null, cell(f64::INFINITY), cell(1.5), cell(f64::NEG_INFINITY)];
        assert_eq!(sorted(cells, false), ["-Infinity", "1.5", "Infinity", "NaN", ""]);
        assert_eq!(Cell::of(Some(Value::F32(f32::NEG_INFINITY))).to_json(), "-Infinity");
        assert_eq!(json_of(Some(Value::F32(f32::NAN))), "NaN");
    }
}
