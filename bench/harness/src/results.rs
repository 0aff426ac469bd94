//! [`Results`]: everything that a run measured, as rows of one figure for each side, and as the JSON that is kept.

use serde_json::{Value, json};

use crate::figures::{Figures, Unit, ratio};

/// The sides of a comparison: the peer first, then the profiles of Varvite.
pub const SIDES: [&str; 4] = ["flatgraph", "direct", "compact", "archive"];
/// Index of the peer in [`SIDES`].
pub const FLATGRAPH: usize = 0;
/// Indexes of the profiles in [`SIDES`].
pub const PROFILES: std::ops::RangeInclusive<usize> = 1..=3;

/// One measure of all sides.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name in results.
    pub name: String,
    /// What people read.
    pub title: String,
    /// What is counted.
    pub unit: Unit,
    /// A cell for each of [`SIDES`]; none where a side has nothing to measure.
    pub cells: [Option<Figures>; 4],
}

impl Row {
    /// A row that waits for its figures.
    pub fn new(name: &str, title: &str, unit: Unit) -> Self {
        Self { name: name.into(), title: title.into(), unit, cells: [const { None }; 4] }
    }

    /// Adds a sample of one side.
    pub fn add(&mut self, side: usize, sample: f64) {
        self.cells[side].get_or_insert_default().samples.push(sample);
    }

    /// Sets what else one side said.
    pub fn note(&mut self, side: usize, notes: Value) {
        self.cells[side].get_or_insert_default().notes = notes;
    }

    /// How many times a profile fits into the peer's figure; none where either has none.
    pub fn ratio(&self, side: usize) -> Option<f64> {
        ratio(self.cells[FLATGRAPH].as_ref()?, self.cells[side].as_ref()?)
    }

    fn json(&self) -> Value {
        let mut row = json!({"name": self.name, "title": self.title, "unit": self.unit.name()});
        let mut ratios = json!({});
        for (side, name) in SIDES.iter().enumerate() {
            row[name] = self.cells[side].as_ref().map_or(Value::Null, Figures::json);
            if let Some(ratio) = self.ratio(side).filter(|_| side != FLATGRAPH) {
                ratios[name] = json!(ratio);
            }
        }
        row["ratios"] = ratios;
        row
    }
}

/// The graph that was measured.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name: that of the file without `.cpg.bin`.
    pub name: String,
    /// Name of the file.
    pub file: String,
    /// How many nodes it has.
    pub nodes: u32,
    /// How many edges it has.
    pub edges: u64,
}

/// Everything that a run measured.
#[derive(Clone, Debug)]
pub struct Results {
    /// The graph.
    pub subject: Subject,
    /// Machine, versions, commit, date, command and flags.
    pub circumstances: Value,
    /// The figures of the main table.
    pub rows: Vec<Row>,
    /// Resident memory after each workload.
    pub memory: Vec<Row>,
}

impl Results {
    /// The row of a name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// What is kept.
    pub fn json(&self) -> Value {
        let rows = |rows: &[Row]| rows.iter().map(Row::json).collect::<Vec<_>>();
        let mut value = self.circumstances.clone();
        let subject = &self.subject;
        let own = json!({
            "graph": {
                "name": subject.name, "file": subject.file, "nodes": subject.nodes, "edges": subject.edges,
            },
            "rows": rows(&self.rows),
            "memory_after": rows(&self.memory),
        });
        crate::session::merge(&mut value, own);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_ratios_where_both_sides_have_figures() {
        let mut row = Row::new("ast_dfs", "AST", Unit::Time);
        row.add(FLATGRAPH, 60.0);
        row.add(1, 20.0);
        assert_eq!(row.ratio(1), Some(3.0));
        assert_eq!(row.ratio(2), None);
        assert_eq!(row.json()["ratios"], json!({"direct": 3.0}));
        assert!(row.json()["archive"].is_null());
    }
}
