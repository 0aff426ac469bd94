//! [`Merged`]: the answers for many graphs as one answer, whose first column is the graph.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use serde_json::Value as Json;

use crate::files::target::Part;
use crate::output::{Cell, Column, Format, Rows, begin_rows, note};

/// The title of the first column: the path of the graph. The title `file` belongs to files of source code.
const GRAPH: &str = "graph";
/// The title of the first column if the rows have a column `graph` of their own.
const GRAPH_FILE: &str = "graph_file";
/// The title of single values.
const VALUE: &str = "value";

/// Writes the parts of the answers, in the order of the files. The first rows decide the columns of a table
/// and of CSV; objects of JSON have the columns of their own graph.
pub(crate) struct Merged {
    format: Format,
    left: u64,
    rows: Option<Rows>,
    /// The columns of all rows, that of the graph first.
    columns: Vec<Column>,
    /// The columns of the graph whose rows come now, until its first row.
    next: Option<Vec<Column>>,
    /// For each column but the first, the place of its cell in the rows of this graph.
    places: Vec<Option<usize>>,
    /// The names of columns that some graphs have, and the answer lacks.
    left_out: BTreeSet<String>,
    is_incomplete: bool,
}

impl Merged {
    /// Begins an answer of at most `limit` rows.
    pub(crate) fn new(format: Format, limit: Option<u64>) -> Self {
        Self {
            format,
            left: limit.unwrap_or(u64::MAX),
            rows: None,
            columns: Vec::new(),
            next: None,
            places: Vec::new(),
            left_out: BTreeSet::new(),
            is_incomplete: false,
        }
    }

    /// Whether the limit of rows was reached.
    pub(crate) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Writes a part of the answer for a graph.
    pub(crate) fn take(&mut self, graph: &Path, part: Part) -> io::Result<()> {
        match part {
            Part::Columns(columns) => self.next = Some(columns),
            Part::Incomplete => self.is_incomplete = true,
            Part::Value(text) => {
                self.next = Some(vec![Column::text(VALUE)]);
                self.write(graph, vec![vec![self.value(text)]])?;
            }
            Part::Rows(rows, _) => self.write(graph, rows)?,
        }
        Ok(())
    }

    /// A value as a cell: the texts of JSON are JSON.
    fn value(&self, text: String) -> Cell<'static> {
        let json: Option<Json> = match self.format {
            Format::Json | Format::Jsonl => serde_json::from_str(&text).ok(),
            _ => None,
        };
        json.map_or_else(|| text.into(), Cell::from)
    }

    fn write(&mut self, graph: &Path, rows: Vec<Vec<Cell<'static>>>) -> io::Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        if let Some(columns) = self.next.take() {
            self.fit(columns)?;
        }
        let Some(written) = &mut self.rows else { return Ok(()) };
        let path = graph.to_string_lossy();
        for row in rows {
            if self.left == 0 {
                break;
            }
            written.put(&Cell::from(&*path))?;
            for place in &self.places {
                written.put(place.and_then(|place| row.get(place)).unwrap_or(&Cell::Null))?;
            }
            written.end_row()?;
            self.left -= 1;
        }
        Ok(())
    }

    /// Fits the rows of a graph with these columns to the answer.
    fn fit(&mut self, columns: Vec<Column>) -> io::Result<()> {
        let is_taken = columns.iter().any(|column| column.name() == GRAPH);
        let graph = Column::text(if is_taken { GRAPH_FILE } else { GRAPH }).whole();
        let all: Vec<Column> = std::iter::once(graph).chain(columns).collect();
        let names =
            |columns: &[Column]| columns.iter().map(|column| column.name().to_owned()).collect::<Vec<_>>();
        let is_new = match &mut self.rows {
            None => {
                self.rows = Some(begin_rows(self.format, all.clone())?);
                true
            }
            Some(rows) => names(&self.columns) != names(&all) && rows.change_columns(&all),
        };
        if is_new {
            self.columns = all.clone();
        }
        let theirs = all.get(1..).unwrap_or_default();
        let place = |column: &Column| theirs.iter().position(|other| other.name() == column.name());
        self.places = self.columns.iter().skip(1).map(place).collect();
        let is_shown = |column: &&Column| self.columns.iter().any(|shown| shown.name() == column.name());
        let left_out =
            theirs.iter().filter(|column| !is_shown(column)).map(|column| column.name().to_owned());
        self.left_out.extend(left_out);
        Ok(())
    }

    /// Ends the answer, and says what it lacks.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        if self.rows.is_none() {
            let columns = self.next.take().unwrap_or_default();
            self.fit(columns)?;
        }
        self.rows.map_or(Ok(()), Rows::finish)?;
        if self.is_incomplete {
            note("the syntax tree is too deep: file and method of some nodes are missing");
        }
        if !self.left_out.is_empty() {
            let names: Vec<String> = self.left_out.into_iter().collect();
            note(&format!(
                "some graphs have columns that the first rows lack, and they are left out: {}; --columns chooses \
                 columns, and --format jsonl shows all",
                names.join(", ")
            ));
        }
        Ok(())
    }
}
