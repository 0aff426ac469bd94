//! The cells of rows as JSON. Nodes are described, so that a page can show and open them.

use serde_json::{Value as Json, json};
use varvite::pipeline::{Cell, Column, Edge, Rows};
use varvite_show::{Cell as Shown, EdgeLabels};

use crate::nodes::Nodes;

/// The largest whole number that a number of JavaScript holds exactly.
const EXACT_MAX: u64 = (1 << 53) - 1;
/// The most characters of a text in a cell, and the most items of a list.
const CHARS_MAX: usize = 2_000;
const ITEMS_MAX: usize = 1_000;

/// Makes cells.
pub(crate) struct Cells<'c> {
    pub(crate) nodes: Nodes<'c>,
    pub(crate) edges: EdgeLabels,
}

impl Cells<'_> {
    /// The cells of a row.
    pub(crate) fn row(&mut self, rows: &Rows<'_>, row: usize) -> Vec<Json> {
        rows.columns().map(|column| self.cell(&column, row)).collect()
    }

    fn cell(&mut self, column: &Column<'_>, row: usize) -> Json {
        if column.is_list() || column.kind() == varvite::pipeline::ColumnKind::Element {
            return column.list(row).take(ITEMS_MAX).map(|cell| self.json(cell)).collect();
        }
        column.get(row).map_or(Json::Null, |cell| self.json(cell))
    }

    fn json(&mut self, cell: Cell<'_>) -> Json {
        match cell {
            Cell::Node(node) => json!(self.nodes.of(node)),
            Cell::Edge(Edge { label, source, target, .. }) => {
                json!({ "edge": self.edges.name(label), "source": source, "target": target })
            }
            Cell::Label(label) => label.into(),
            Cell::Value(value) => exact(Shown::of(Some(value)).to_json()),
            _ => Json::Null,
        }
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
        Json::String(text) => match text.char_indices().nth(CHARS_MAX) {
            Some((end, _)) => format!("{}…", &text[..end]).into(),
            None => text.into(),
        },
        Json::Array(items) => items.into_iter().take(ITEMS_MAX).map(exact).collect(),
        other => other,
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
}
