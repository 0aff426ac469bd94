//! [`Row`]: a row of an answer, read from a line of JSON.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value as Json;

use crate::html::{Cell, Title, first_line};

/// The names and values of a row in the order of its columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row(Vec<(String, Json)>);

impl Row {
    /// The row of a line; `None` if the line is not whole.
    pub(super) fn of_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }

    pub(super) fn has_columns_of(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(one, other)| one.0 == other.0)
    }

    /// The titles of a table of these rows. A column is one of numbers if no row has anything else.
    pub(super) fn titles<'r>(&'r self, rows: &'r [Self]) -> impl Iterator<Item = Title> + 'r {
        let is_number = move |index: usize| rows.iter().all(|row| !row.0[index].1.is_string());
        self.0.iter().enumerate().map(move |(index, (name, _))| match is_number(index) {
            true => Title::number(name),
            false => Title::text(name),
        })
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.0.iter().map(|(_, value)| match value {
            Json::Null => Cell::Empty,
            Json::String(text) => Cell::Code(first_line(text)),
            Json::Number(number) => Cell::Amount(number.to_string()),
            other => Cell::Code(other.to_string()),
        })
    }
}

/// A map of JSON as a list, which keeps the order of its names.
impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Row;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a row")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Row, M::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Row(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_keeps_the_order_of_its_columns() {
        let row = Row::of_line(br#"{"z": 1, "a": null, "z": "x"}"#).expect("it is whole");
        let names: Vec<&str> = row.0.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["z", "a", "z"]);
        assert_eq!(Row::of_line(br#"{"z": 1, "#), None);
        assert_eq!(Row::of_line(b""), None);
    }
}
