//! [`Results`]: everything that a run measured, as rows of one figure for each side, and as the JSON that is kept.

use serde_json::{Value, json};

use crate::figures::{Figures, Unit, ratio};

/// The sides of a comparison: flatgraph by plain loops, the profiles of Varvite, and flatgraph by Joern's steps.
pub const SIDES: [&str; 5] = ["flatgraph", "direct", "compact", "archive", "joern"];
/// Index of flatgraph by plain loops in [`SIDES`].
pub const FLATGRAPH: usize = 0;
/// Index of flatgraph by Joern's steps in [`SIDES`].
pub const JOERN: usize = 4;
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
    pub cells: [Option<Figures>; 5],
}

impl Row {
    /// A row that waits for its figures.
    pub fn new(name: &str, title: &str, unit: Unit) -> Self {
        Self { name: name.into(), title: title.into(), unit, cells: [const { None }; 5] }
    }

    /// Adds a sample of one side.
    pub fn add(&mut self, side: usize, sample: f64) {
        self.cells[side].get_or_insert_default().samples.push(sample);
    }

    /// Sets what else one side said.
    pub fn note(&mut self, side: usize, notes: Value) {
        self.cells[side].get_or_insert_default().notes = notes;
    }

    /// How many times the figure of a profile fits into that of a peer; none where either has none.
    pub fn ratio(&self, peer: usize, side: usize) -> Option<f64> {
        ratio(self.cells[peer].as_ref()?, self.cells[side].as_ref()?)
    }

    /// Whether Joern's steps were asked too.
    pub fn has_steps(&self) -> bool {
        self.cells[JOERN].is_some()
    }

    fn json(&self) -> Value {
        let mut row = json!({"name": self.name, "title": self.title, "unit": self.unit.name()});
        for (name, cell) in SIDES.iter().zip(&self.cells) {
            row[name] = cell.as_ref().map_or(Value::Null, Figures::json);
        }
        row["ratios"] = self.ratios(FLATGRAPH);
        row["ratios_to_steps"] = self.ratios(JOERN);
        row
    }

    fn ratios(&self, peer: usize) -> Value {
        PROFILES.filter_map(|side| Some((SIDES[side], json!(self.ratio(peer, side)?)))).collect()
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
        row.add(JOERN, 100.0);
        assert_eq!(row.ratio(FLATGRAPH, 1), Some(3.0));
        assert_eq!(row.ratio(JOERN, 1), Some(5.0));
        assert_eq!(row.ratio(FLATGRAPH, 2), None);
        assert_eq!(row.json()["ratios"], json!({"direct": 3.0}));
        assert_eq!(row.json()["ratios_to_steps"], json!({"direct": 5.0}));
        assert!(row.json()["archive"].is_null());
    }
}
