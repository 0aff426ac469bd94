//! [`Results`]: everything that a benchmark measured, as rows of samples, and the file of results in
//! `bench/results`. All benchmarks use this form; `report` makes their pages from it.
//!
//! The file is a JSON object with a line for each circumstance (`bench`, `name`, `date`, `machine`, ..) and a
//! line for each row, so that a textual diff of two runs shows the rows that differ.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::Failure;
use crate::record::figures::{Figures, Unit, ratio};

/// The side of flatgraph with plain loops. (A side is an engine in one configuration, by its name in
/// results.)
pub const FLATGRAPH: &str = "flatgraph";
/// The side of flatgraph with Joern's steps.
pub const JOERN: &str = "joern";
/// The sides of Varvite's profiles.
pub const PROFILES: [&str; 3] = [DIRECT, COMPACT, ARCHIVE];
/// The side of the profile `direct`.
pub const DIRECT: &str = "direct";
/// The side of the profile `compact`, the default of imports.
pub const COMPACT: &str = "compact";
/// The side of the profile `archive`.
pub const ARCHIVE: &str = "archive";
/// The side of the profile `compact` on one thread.
pub const COMPACT_1: &str = "compact_1";
/// The side of the profile `compact` on two threads.
pub const COMPACT_2: &str = "compact_2";
/// The side of the profile `compact`, with the time of syncs left out.
pub const UNSYNCED: &str = "compact_unsynced";
/// The side of commits to the log of a `compact` file.
pub const LOG: &str = "compact_log";
/// The side of redb, the peer in rows about changes.
pub const REDB: &str = "redb";
/// The side of a changed copy of the `compact` file.
pub const CHANGED: &str = "compact_changed";

/// The beginning of the names of rows about columns. These rows have their own table on the page, as have the
/// rows of the constants below.
pub const COLUMN: &str = "column_";
/// The beginning of the names of rows about plans.
pub const PLAN: &str = "plan_";
/// The beginning of the names of rows about changes.
pub const CHANGE: &str = "change_";
/// The beginning of the names of rows about loading into column engines.
pub const TABLE: &str = "table_";
/// The beginning of the names of rows about resident memory after a workload.
pub const MEMORY: &str = "memory_after_";

/// One measure of a workload: the samples of all sides (engines and their configurations).
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the workload, which no other row of the results has.
    pub name: String,
    /// The human-readable title.
    pub title: String,
    /// The unit.
    pub unit: Unit,
    /// The samples of each measured side, by its name.
    pub sides: BTreeMap<String, Figures>,
}

impl Row {
    /// A row without samples.
    pub fn new(name: impl Into<String>, title: impl Into<String>, unit: Unit) -> Self {
        Self { name: name.into(), title: title.into(), unit, sides: BTreeMap::new() }
    }

    /// Adds a sample of one side.
    pub fn add(&mut self, side: &str, sample: f64) {
        self.extend(side, [sample]);
    }

    /// Adds samples of one side.
    pub fn extend(&mut self, side: &str, samples: impl IntoIterator<Item = f64>) {
        self.sides.entry(side.to_owned()).or_default().samples.extend(samples);
    }

    /// The median of a side; `None` if the side was not measured.
    pub fn median(&self, side: &str) -> Option<f64> {
        self.sides.get(side)?.median()
    }

    /// The median of a peer divided by that of a side; `None` if one of them was not measured.
    pub fn ratio(&self, peer: &str, side: &str) -> Option<f64> {
        ratio(self.sides.get(peer)?, self.sides.get(side)?)
    }

    /// The median of a side with its spread, or `-` if the side was not measured.
    pub fn text(&self, side: &str) -> String {
        self.sides.get(side).map_or_else(|| "-".into(), |figures| figures.text(self.unit))
    }

    fn json(&self) -> Value {
        let sides: BTreeMap<_, _> = self.sides.iter().map(|(side, figures)| (side, figures.json())).collect();
        json!({"name": self.name, "title": self.title, "unit": self.unit.name(), "sides": sides})
    }

    fn of_json(row: &Value) -> Option<Self> {
        let side = |(side, samples): (&String, &Value)| Some((side.clone(), Figures::of_json(samples)?));
        Some(Self {
            sides: row["sides"].as_object()?.iter().map(side).collect::<Option<_>>()?,
            ..Self::new(row["name"].as_str()?, row["title"].as_str()?, Unit::of_name(row["unit"].as_str()?)?)
        })
    }
}

/// Everything that a benchmark measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// The benchmark (`bench`), the name of the file after its date (`name`), date, machine, versions, commit
    /// and command; and circumstances that only one benchmark has, such as its graph.
    pub circumstances: Value,
    /// The rows, in the order in which pages show them.
    pub rows: Vec<Row>,
}

impl Results {
    /// The row with this name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The row with this name; adds it if there is none.
    pub fn row_mut(&mut self, name: &str, title: &str, unit: Unit) -> &mut Row {
        let index = self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            self.rows.push(Row::new(name, title, unit));
            self.rows.len() - 1
        });
        &mut self.rows[index]
    }

    /// The rows whose names begin with `prefix`.
    pub fn named(&self, prefix: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.name.starts_with(prefix))
    }

    /// A circumstance as text: the value at a JSON pointer; `unknown` if there is none.
    pub fn word(&self, pointer: &str) -> String {
        match self.circumstances.pointer(pointer) {
            Some(Value::String(word)) => word.clone(),
            None | Some(Value::Null) => "unknown".into(),
            Some(other) => other.to_string(),
        }
    }

    /// A circumstance as a number; 0 if there is none.
    pub fn number(&self, pointer: &str) -> f64 {
        self.circumstances.pointer(pointer).and_then(Value::as_f64).unwrap_or_default()
    }

    /// The name of the file without its ending: `DATE-NAME`.
    pub fn stem(&self) -> String {
        format!("{}-{}", self.word("/date"), self.word("/name"))
    }

    /// Reads a results file.
    ///
    /// # Errors
    /// A file that cannot be read, or that holds no results.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let cannot = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", path.display()));
        let text = std::fs::read(path).map_err(|error| cannot(&error))?;
        let value = serde_json::from_slice(&text).map_err(|error| cannot(&error))?;
        Self::of_json(value).ok_or_else(|| cannot(&"not the results of a benchmark"))
    }

    /// Results from the JSON of a results file; `None` if the JSON has another form.
    pub fn of_json(mut circumstances: Value) -> Option<Self> {
        let rows = circumstances.as_object_mut()?.remove("rows")?;
        let rows = rows.as_array()?.iter().map(Row::of_json).collect::<Option<_>>()?;
        circumstances["bench"].as_str()?;
        Some(Self { circumstances, rows })
    }

    /// The text of the results file.
    pub fn text(&self) -> String {
        let fields = self.circumstances.as_object().into_iter().flatten();
        let fields: String = fields.map(|(name, value)| format!("  {}: {value},\n", json!(name))).collect();
        let rows: Vec<String> = self.rows.iter().map(|row| format!("    {}", row.json())).collect();
        format!("{{\n{fields}  \"rows\": [\n{}\n  ]\n}}\n", rows.join(",\n"))
    }
}

/// Adds the fields of one object to another.
pub fn merge(line: &mut Value, fields: Value) {
    if let (Value::Object(line), Value::Object(fields)) = (line, fields) {
        line.extend(fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_ratios_where_both_sides_have_figures() {
        let mut row = Row::new("ast_dfs", "AST", Unit::Time);
        row.add(FLATGRAPH, 60.0);
        row.add(DIRECT, 20.0);
        assert_eq!(row.ratio(FLATGRAPH, DIRECT), Some(3.0));
        assert_eq!(row.ratio(FLATGRAPH, COMPACT), None);
    }

    #[test]
    fn a_row_of_a_file_is_a_line_and_is_read_again() {
        let mut results =
            Results { circumstances: json!({"bench": "graph", "machine": {"cores": 2}}), rows: vec![] };
        results.row_mut("file", "file size", Unit::Size).extend(DIRECT, [1.0, 2.5]);
        results.row_mut("open", "open", Unit::Time).add(FLATGRAPH, 3.0);
        let expected = r#"{
  "bench": "graph",
  "machine": {"cores":2},
  "rows": [
    {"name":"file","sides":{"direct":[1,2.5]},"title":"file size","unit":"bytes"},
    {"name":"open","sides":{"flatgraph":[3]},"title":"open","unit":"ns"}
  ]
}
"#;
        assert_eq!(results.text(), expected);
        assert_eq!(Results::of_json(serde_json::from_str(expected).unwrap()), Some(results));
        assert_eq!(Results::of_json(json!({"rows": [{"name": "file"}]})), None);
    }
}
