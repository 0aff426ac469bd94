//! [`Results`]: everything that a run measured, as rows with one figure for each side, and as the JSON in the
//! results file.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::Failure;
use crate::record::column_engine::{ColumnEngine, ENGINES};
use crate::record::figures::{Figures, Unit, ratio};

/// The sides of a comparison other than column engines: flatgraph by plain loops, the profiles of Varvite,
/// flatgraph by Joern's steps, and the sides of questions about columns and about changes.
const OWN_SIDES: [&str; 11] = [
    "flatgraph",
    "direct",
    "compact",
    "archive",
    "joern",
    "compact_1",
    "compact_2",
    "compact_unsynced",
    "compact_log",
    "redb",
    "compact_changed",
];
/// The sides of a comparison: `OWN_SIDES`, then the sides of [`ENGINES`]. Files of results identify sides
/// by these names.
pub static SIDES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let engines = ENGINES.iter().flat_map(|engine| engine.sides);
    OWN_SIDES.into_iter().chain(engines.map(|(name, _)| *name)).collect()
});
/// Index of flatgraph by plain loops in [`SIDES`].
pub const FLATGRAPH: usize = 0;
/// Index of flatgraph by Joern's steps in [`SIDES`].
pub const JOERN: usize = 4;
/// Index of the profile `compact`, the default of imports.
pub const COMPACT: usize = 2;
/// Index in [`SIDES`] of the profile `compact` with questions about columns on one thread.
pub const COMPACT_1: usize = 5;
/// Index in [`SIDES`] of the profile `compact` with questions about columns on two threads.
pub const COMPACT_2: usize = 6;
/// Index in [`SIDES`] of the profile `compact` without the time of syncs.
pub const UNSYNCED: usize = 7;
/// Index in [`SIDES`] of records of a log of the profile `compact`.
pub const LOG: usize = 8;
/// Index of redb, the peer of changes.
pub const REDB: usize = 9;
/// Index in [`SIDES`] of the profile `compact` once the graph has changed, where a row is the time of a step
/// before and after.
pub const CHANGED: usize = 10;
/// Indexes of the profiles in [`SIDES`].
pub const PROFILES: std::ops::RangeInclusive<usize> = 1..=3;

impl ColumnEngine {
    /// The sides of the engine as indexes in [`SIDES`], each with its number of threads.
    pub fn indexes(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        let index = |name: &str| SIDES.iter().position(|side| *side == name);
        self.sides.iter().filter_map(move |(name, threads)| Some((index(name)?, *threads)))
    }

    /// The index of the side that stands for the engine's file, which all its sides share.
    pub fn main_side(&self) -> usize {
        self.indexes().last().map_or(0, |(side, _)| side)
    }
}

/// The beginning of the names of rows about plans.
pub const PLAN: &str = "plan_";

/// The beginning of the names of rows about changes.
pub const CHANGE: &str = "change_";

/// One measure of all sides.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name in results.
    pub name: String,
    /// The title, for people.
    pub title: String,
    /// The unit.
    pub unit: Unit,
    /// A cell for each of [`SIDES`]; `None` if a side has nothing to measure.
    pub cells: Vec<Option<Figures>>,
}

impl Row {
    /// A row without figures.
    pub fn new(name: &str, title: &str, unit: Unit) -> Self {
        Self { name: name.into(), title: title.into(), unit, cells: vec![None; SIDES.len()] }
    }

    /// Adds a sample of one side.
    pub fn add(&mut self, side: usize, sample: f64) {
        self.cells[side].get_or_insert_default().samples.push(sample);
    }

    /// The ratio of a peer's figure to that of a profile; `None` if one of them has no figure.
    pub fn ratio(&self, peer: usize, side: usize) -> Option<f64> {
        ratio(self.cells[peer].as_ref()?, self.cells[side].as_ref()?)
    }

    /// Whether the run measured Joern's steps too.
    pub fn has_steps(&self) -> bool {
        self.cells[JOERN].is_some()
    }

    /// Whether the row is a question about columns; these have a table of their own.
    pub fn is_about_columns(&self) -> bool {
        self.name.starts_with("column_")
    }

    /// Whether the row is a plan of `examples/plans`; plans have a table of their own.
    pub fn is_about_plans(&self) -> bool {
        self.name.starts_with(PLAN)
    }

    /// Whether the row is about changes of a graph; these have a table of their own.
    pub fn is_about_changes(&self) -> bool {
        self.name.starts_with(CHANGE)
    }

    /// Whether the row compares reads of a changed graph with reads of the graph before the change, in pairs.
    pub fn is_about_reading_changes(&self) -> bool {
        self.is_about_changes() && self.cells[CHANGED].is_some()
    }

    /// Whether the row is about the loading of column engines; the report shows these rows beside the table
    /// of columns.
    pub fn is_about_loading(&self) -> bool {
        self.name.starts_with("table_")
    }

    fn json(&self) -> Value {
        let mut row = json!({"name": self.name, "title": self.title, "unit": self.unit.name()});
        for (name, cell) in SIDES.iter().zip(&self.cells) {
            if let Some(figures) = cell {
                row[name] = figures.json();
            }
        }
        row
    }

    fn of_json(row: &Value) -> Option<Self> {
        let unit = Unit::of_name(row["unit"].as_str()?)?;
        let cells = SIDES.iter().map(|side| Figures::of_json(&row[*side])).collect();
        Some(Self { cells, ..Self::new(row["name"].as_str()?, row["title"].as_str()?, unit) })
    }
}

/// The graph that was measured.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name of the graph: that of the file without `.cpg.bin`.
    pub name: String,
    /// Name of the file.
    pub file: String,
    /// The number of nodes.
    pub nodes: u32,
    /// The number of edges.
    pub edges: u64,
}

impl Subject {
    fn of_json(value: &Value) -> Option<Self> {
        Some(Self {
            name: value["name"].as_str()?.into(),
            file: value["file"].as_str()?.into(),
            nodes: value["nodes"].as_u64()?.try_into().ok()?,
            edges: value["edges"].as_u64()?,
        })
    }
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
    /// The row with this name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// Reads the JSON of a results file: the inverse of [`json`](Self::json).
    ///
    /// # Errors
    /// JSON that is not the results of a run.
    pub fn of_json(mut kept: Value) -> Result<Self, Failure> {
        let foreign = || Failure("these are not the results of a comparison".into());
        let fields = kept.as_object_mut().ok_or_else(foreign)?;
        let mut taken = |name: &str| fields.remove(name).ok_or_else(foreign);
        let (subject, rows, memory) = (taken("graph")?, taken("rows")?, taken("memory_after")?);
        let rows_of = |rows: &Value| rows.as_array()?.iter().map(Row::of_json).collect::<Option<_>>();
        Ok(Self {
            subject: Subject::of_json(&subject).ok_or_else(foreign)?,
            circumstances: kept,
            rows: rows_of(&rows).ok_or_else(foreign)?,
            memory: rows_of(&memory).ok_or_else(foreign)?,
        })
    }

    /// The JSON of the results file: every sample of every row, from which all pages can be made again.
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
        crate::record::results_file::merge(&mut value, own);
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
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let mut row = Row::new("file", "file size", Unit::Size);
        row.add(FLATGRAPH, 60.0);
        row.add(1, 20.5);
        let subject = Subject { name: "g".into(), file: "g.cpg.bin".into(), nodes: 3, edges: 5 };
        let circumstances = json!({"date": "2026-01-31"});
        let results = Results { subject, circumstances, rows: vec![row], memory: Vec::new() };
        let kept = results.json();
        assert_eq!(kept["rows"][0]["direct"], json!({"samples": [20.5]}));
        assert!(kept["rows"][0].get("archive").is_none());
        assert_eq!(Results::of_json(kept.clone()).unwrap().json(), kept);
        assert!(Results::of_json(json!({"graph": {}})).is_err());
    }
}
