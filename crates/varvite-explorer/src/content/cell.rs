//! The cells of rows as JSON. Nodes are described, so that a page can show and open them.

use serde_json::{Value as Json, json};
use varvite::pipeline::{Cell, Column, ColumnKind, Edge, Rows};
use varvite::{Budget, Cardinality, Property, Value, ValueType};
use varvite_cpg::characters::shortened;
use varvite_show::{Beginning, Cell as Shown, EdgeLabels};

use super::nodes::Nodes;
use crate::fault::Result;

/// The largest whole number that a number of JavaScript holds exactly.
const EXACT_MAX: u64 = (1 << 53) - 1;
/// The most characters of a text in a cell, and the most items of a list.
const CHARS_MAX: usize = 2_000;
const ITEMS_MAX: usize = 1_000;
/// The most bytes of a character.
const CHAR_BYTES_MAX: usize = 4;
/// The bytes of memory of a value for each byte of its JSON.
const MEMORY_OF_JSON: usize = 8;

/// Makes cells, as many as there is room for.
pub(crate) struct Cells<'c> {
    pub(crate) nodes: Nodes<'c>,
    pub(crate) edges: EdgeLabels,
    pub(crate) room: &'c mut Room,
}

/// The bytes of JSON that the cells of an answer may have, all of its parts together. They are taken from the
/// memory of the question item by item: a row may have thousands of lists.
pub(crate) struct Room {
    left: usize,
    budget: Budget,
}

impl Room {
    pub(crate) fn of(bytes: usize, budget: Budget) -> Self {
        Self { left: bytes, budget }
    }

    /// The value, if there is room for it.
    pub(crate) fn take(&mut self, value: Json) -> Result<Option<Json>> {
        let bytes = size_of_json(&value);
        let Some(left) = self.left.checked_sub(bytes) else { return Ok(None) };
        self.budget.take(bytes.saturating_mul(MEMORY_OF_JSON))?;
        self.left = left;
        Ok(Some(value))
    }

    /// The bytes of JSON for which there is room.
    pub(crate) fn left(&self) -> usize {
        self.left
    }
}

impl Cells<'_> {
    /// The cells of a row; `None` if there is no room for them.
    pub(crate) fn row(&mut self, rows: &Rows<'_>, row: usize) -> Result<Option<Json>> {
        rows.columns().map(|column| self.cell(&column, row)).collect()
    }

    fn cell(&mut self, column: &Column<'_>, row: usize) -> Result<Option<Json>> {
        if column.is_list() || column.kind() == ColumnKind::Element {
            return column.list(row).take(ITEMS_MAX).map(|item| self.item(item)).collect();
        }
        column.get(row).map_or(Ok(Some(Json::Null)), |cell| self.item(cell))
    }

    fn item(&mut self, cell: Cell<'_>) -> Result<Option<Json>> {
        let json = self.json(cell);
        self.room.take(json)
    }

    fn json(&mut self, cell: Cell<'_>) -> Json {
        match cell {
            Cell::Node(node) => json!(self.nodes.of(node)),
            Cell::Edge(Edge { label, source, target, .. }) => {
                json!({ "edge": self.edges.name(label), "source": source, "target": target })
            }
            Cell::Label(label) => label.into(),
            Cell::Value(value) => of_value(value),
            _ => Json::Null,
        }
    }
}

/// The value of an owner. Of a long text, only the beginning is read.
pub(crate) fn of_owner(property: &Property, owner: u32) -> Json {
    match (property.cardinality(), property.value_type()) {
        (Cardinality::List, _) => property.all(owner).take(ITEMS_MAX).map(of_value).collect(),
        (_, ValueType::String) => Beginning::of(property, owner, (CHARS_MAX + 1) * CHAR_BYTES_MAX)
            .map_or(Json::Null, |beginning| cut(&beginning.text)),
        _ => property.get(owner).map_or(Json::Null, of_value),
    }
}

fn of_value(value: Value<'_>) -> Json {
    match value {
        Value::Str(text) => cut(&text),
        // Each byte becomes two digits.
        Value::Bytes(bytes) => {
            let digits = bytes.iter().take(CHARS_MAX).map(|byte| format!("{byte:02x}"));
            cut(&digits.collect::<String>())
        }
        value => exact(Shown::of(Some(value)).to_json()),
    }
}

/// A value that JavaScript reads without a loss: large whole numbers become texts. Long texts are cut.
pub(crate) fn exact(value: Json) -> Json {
    match value {
        Json::Number(number) => {
            let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            match size.is_some_and(|size| size > EXACT_MAX) {
                true => number.to_string().into(),
                false => Json::Number(number),
            }
        }
        Json::String(text) => cut(&text),
        Json::Array(items) => items.into_iter().take(ITEMS_MAX).map(exact).collect(),
        other => other,
    }
}

fn cut(text: &str) -> Json {
    shortened(text, CHARS_MAX).into()
}

/// About the bytes of a value in JSON.
fn size_of_json(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len() + 3,
        Json::Array(items) => 2 + items.iter().map(size_of_json).sum::<usize>(),
        Json::Object(parts) => {
            2 + parts.iter().map(|(name, part)| name.len() + 4 + size_of_json(part)).sum::<usize>()
        }
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_texts_and_long_texts_are_cut() {
        assert_eq!(exact(json!(9_007_199_254_740_991_u64)), json!(9_007_199_254_740_991_u64));
        assert_eq!(exact(json!(9_007_199_254_740_992_u64)), json!("9007199254740992"));
        assert_eq!(exact(json!(i64::MIN)), json!("-9223372036854775808"));
        assert_eq!(exact(json!([1.5, u64::MAX])), json!([1.5, "18446744073709551615"]));
        assert_eq!(exact(json!("x".repeat(2_001))), json!(format!("{}…", "x".repeat(2_000))));
    }

    #[test]
    fn room_is_taken_from_the_memory_of_the_question() {
        let mut room = Room::of(10, Budget::new(100));
        assert_eq!(room.take(json!("1234567")).unwrap(), Some(json!("1234567")));
        assert_eq!(room.take(json!("")).unwrap(), None);
        let mut room = Room::of(100, Budget::new(9));
        assert!(room.take(json!("1234567")).is_err());
    }
}
