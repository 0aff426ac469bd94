//! [`ParquetExport`]: converts a graph to a folder of Parquet files.

use std::path::Path;

use varvite::{Budget, Graph, GraphError};
use varvite_store::StagedFolder;

use super::columns::TableColumns;
use super::error::{ParquetExportError, Result};
use super::file::{Written, write_table};
use super::index::{SHAPE, index_of};
use super::plan::{RowKind, TablePlan, plans_of};
use super::uses::Uses;
use crate::export_settings::ExportSettings;
use crate::text_room::TextRoom;

/// The part of the memory limit for the names of columns. The others are for a batch of rows.
const NAMES_SHARE: usize = 4;

/// An export of a graph to a folder of Parquet files.
///
/// ```no_run
/// use varvite::Graph;
/// use varvite_import::parquet::ParquetExport;
///
/// let graph = Graph::open("code.varvite")?;
/// ParquetExport::new(&graph).write_to("code.parquet")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "an export begins with `write_to`"]
pub struct ParquetExport<'a> {
    graph: &'a Graph,
    settings: ExportSettings<'a>,
}

/// The result of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParquetReport {
    /// The number of nodes of the graph.
    pub nodes: u32,
    /// The number of exported edges.
    pub edges: u64,
    /// The number of Parquet files.
    pub files: usize,
    /// The bytes of all files.
    pub bytes: u64,
    /// The number of nodes that are in no file, because they have no label.
    pub unlabelled: u64,
}

impl<'a> ParquetExport<'a> {
    /// An export of `graph`.
    pub fn new(graph: &'a Graph) -> Self {
        Self { graph, settings: ExportSettings::new() }
    }

    /// Sets the properties to leave out, and the limits of the export, which runs on the caller's thread.
    /// Progress counts files. The memory limit is that of the task; a quarter of it is for a batch of rows,
    /// and a quarter for the names of columns.
    pub fn settings(self, settings: ExportSettings<'a>) -> Self {
        Self { settings, ..self }
    }

    /// Writes a folder at `target`. Equal graphs give equal bytes.
    ///
    /// # Errors
    /// Damage of the graph, an error of the file system, too little memory, or cancellation. After an error
    /// there is no new folder at `target`, and an existing one is unchanged. An existing folder is replaced
    /// only if an export made all of its content.
    pub fn write_to(&self, target: impl AsRef<Path>) -> Result<ParquetReport> {
        let staged = self.settings.create_folder(target.as_ref(), SHAPE)?;
        let written = self.write(&staged);
        // Damage is reported before other errors, since it may be their cause.
        self.graph.check()?;
        let (tables, unlabelled) = written?;
        self.settings.task.check()?;
        let index = index_of(self.graph, &tables, unlabelled);
        staged.commit(index.as_bytes())?;
        let edges = tables.iter().filter(|(plan, _)| matches!(plan.rows, RowKind::Edges(_)));
        Ok(ParquetReport {
            nodes: self.graph.live_node_count(),
            edges: edges.map(|(_, written)| written.rows).sum(),
            files: tables.len(),
            bytes: tables.iter().map(|(_, written)| written.bytes).sum::<u64>() + index.len() as u64,
            unlabelled,
        })
    }

    fn write(&self, staged: &StagedFolder) -> Result<(Vec<(TablePlan, Written)>, u64)> {
        let (graph, task) = (self.graph, &self.settings.task);
        let properties = self.settings.properties(graph);
        let plans = plans_of(graph, task)?;
        let budget = Budget::new(task.memory_bytes() / NAMES_SHARE);
        let uses = Uses::of(graph, &properties, &budget, task)?;
        let unlabelled = uses.unlabelled(graph, task)?;
        let (total, mut room) = (plans.len(), TextRoom::of(graph));
        let mut tables = Vec::with_capacity(total);
        for (done, plan) in plans.into_iter().enumerate() {
            task.step(&plan.label, done, total);
            let columns = TableColumns::of(&plan, &properties, &uses, &budget, task)?;
            let file = staged.create_file(plan.rows.folder(), &plan.file)?;
            let named = |error: ParquetExportError| error.in_file(&plan.file);
            let written = write_table((graph, &columns), file, &mut room, task).map_err(named)?;
            budget.take(written.name_bytes()).map_err(GraphError::from)?;
            tables.push((plan, written));
        }
        Ok((tables, unlabelled))
    }
}
