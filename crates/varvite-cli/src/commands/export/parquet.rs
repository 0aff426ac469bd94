//! `varvite export --format parquet`: a folder of tables.

use varvite::error::StoreError;
use varvite::{Graph, GraphError, Task};
use varvite_import::ExportSettings;
use varvite_import::parquet::{ParquetExport, ParquetExportError};

use super::{ExportArgs, Written};
use crate::disk::WriteArgs;
use crate::failure::Failure;
use crate::output::{counted, note};
use crate::progress::Progress;

impl ExportArgs {
    /// Writes the folder. A signal ends the export, which removes what it wrote.
    pub(super) fn write_parquet(&self, graph: &Graph, bar: &Progress) -> Result<Written, Failure> {
        let (disk, cancel) = self.write.cancelled_disk();
        let task: Task<'_> = self.memory.task(graph).cancel(&cancel);
        let settings: ExportSettings<'_> = self.settings(bar).vfs(disk);
        let settings = settings.task(task.progress(|progress| bar.show(progress)));
        let export = ParquetExport::new(graph).settings(settings);
        let report = match export.write_to(&self.output) {
            Err(ParquetExportError::Graph(GraphError::Cancelled)) => WriteArgs::stopped(),
            report => report.map_err(|error| self.parquet_failure(error))?,
        };
        if report.unlabelled > 0 {
            note(&format!("{} without a label not exported", counted(report.unlabelled, "node")));
        }
        Ok(Written { nodes: report.nodes, edges: report.edges, file_len: report.bytes })
    }

    fn parquet_failure(&self, error: ParquetExportError) -> Failure {
        match error {
            ParquetExportError::Graph(error @ GraphError::Store(StoreError::NotAnExport { .. })) => {
                error.into()
            }
            ParquetExportError::Graph(error) => self.in_graph(error),
            error => Failure::source(&self.graph.file, error.to_string()),
        }
    }
}
