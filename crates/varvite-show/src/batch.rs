//! Batches of rows as the engine returns them, and the cells of these rows.

use serde_json::{Value as Json, json};
use varvite::pipeline::{Cell as Found, Column as FoundColumn, Edge, Rows as Batch, Run};

use crate::label_names::EdgeLabels;
use crate::output::{Cell, json_of};

/// The last batch of a run or, if `side` is given, the rows of that batch that passed the `side` step of this
/// name.
pub(crate) fn rows_of<'r>(run: &'r Run, side: Option<&str>) -> Option<Batch<'r>> {
    side.map_or_else(|| run.rows(), |name| run.side(name))
}

impl EdgeLabels {
    /// The cell of `column` in a row.
    pub(crate) fn cell<'r>(&self, column: &FoundColumn<'r>, row: usize) -> Cell<'r> {
        if column.is_list() {
            return Json::Array(column.list(row).map(|cell| self.json(&cell)).collect()).into();
        }
        match column.get(row) {
            Some(Found::Node(node)) => node.into(),
            Some(Found::Label(label)) => label.into(),
            Some(Found::Value(value)) => Cell::of(Some(value)),
            Some(cell) => self.json(&cell).into(),
            None => Cell::Null,
        }
    }

    /// The JSON of an element of a list.
    pub(crate) fn json(&self, cell: &Found<'_>) -> Json {
        match cell {
            Found::Node(node) => (*node).into(),
            Found::Edge(Edge { label, source, target, .. }) => {
                json!({"edge": self.name(*label), "source": source, "target": target})
            }
            Found::Label(label) => (*label).into(),
            Found::Value(value) => json_of(Some(value.clone())),
            _ => Json::Null,
        }
    }
}
