//! [`TableBatches`]: the batches of a table, each made on demand.

use std::sync::Arc;

use varvite_graph::internal::Damage;
use varvite_graph::{Budget, OverBudget, Reserved};
use varvite_store::Task;

use super::Table;
use super::column::PropertyColumn;
use super::label_column::LabelColumn;
use super::rows::{RowKeys, RowReader};
use crate::arrow::array::Array;
use crate::arrow::batches::RecordBatch;
use crate::arrow::field::Field;
use crate::pipeline::{Options, PipelineError, Result, StepAt};

/// The texts or lists of a column in one batch have at most this number of bytes, unless the batch has a
/// single row.
const TEXT_BYTES_MAX: usize = 16 << 20;
/// The most rows of a batch.
const ROWS_MAX: usize = 1 << 20;

/// The batches of a table: an iterator that ends with the table, or after an error. It may be moved to
/// another thread. To end it early with an error, set the flag of its task.
#[derive(Debug)]
pub struct TableBatches {
    fields: Arc<[Field]>,
    reader: RowReader,
    /// The rows that were read. The first `taken` of them are in earlier batches.
    keys: RowKeys,
    taken: usize,
    labels: Option<LabelColumn>,
    columns: Vec<PropertyColumn>,
    rows_max: usize,
    text_bytes_max: usize,
    task: Task<'static>,
    memory: Reserved,
    damage: Damage,
    is_over: bool,
}

impl Table {
    /// Begins to read the table. Reads nothing before the first call for a batch.
    ///
    /// A batch has [`Options::batch_rows`] rows, and fewer if its texts would exceed 16 MiB or its memory the
    /// limit of the task. The cost is some nanoseconds for each value, and the time to decode each distinct
    /// text of a batch.
    pub fn batches(&self, options: Options) -> TableBatches {
        let columns: Vec<_> = self.properties.iter().map(PropertyColumn::of).collect();
        TableBatches {
            fields: Arc::clone(&self.fields),
            reader: RowReader::new(self.rows.clone(), self.nodes.clone()),
            keys: RowKeys::default(),
            taken: 0,
            labels: self.labels.clone(),
            columns,
            rows_max: options.batch_rows.clamp(1, ROWS_MAX),
            text_bytes_max: TEXT_BYTES_MAX,
            memory: Reserved::nothing_of(&Budget::of(&options.task)),
            task: options.task,
            damage: self.damage.clone(),
            is_over: false,
        }
    }
}

impl TableBatches {
    /// Names and types of the columns.
    pub fn fields(&self) -> &Arc<[Field]> {
        &self.fields
    }

    fn fill(&mut self) -> Result<Option<RecordBatch>> {
        self.task.check().map_err(|_| PipelineError::Cancelled { at: at() })?;
        self.take_memory()?;
        if self.taken == self.keys.len() {
            self.reader.read(self.rows_max, &mut self.keys);
            self.taken = 0;
        }
        let left = self.keys.len() - self.taken;
        if left == 0 {
            self.damage.check().map_err(|error| PipelineError::Graph { at: at(), error })?;
            return Ok(None);
        }
        let mut rows = left;
        loop {
            match self.batch(rows) {
                Some(batch) => {
                    self.taken += rows;
                    return Ok(Some(batch));
                }
                None if rows > 1 => rows /= 2,
                None => self.allow_long_text()?,
            }
        }
    }

    /// Reserves the memory of a batch, once. Halves the rows of batches until they fit.
    fn take_memory(&mut self) -> Result<()> {
        if self.memory.bytes() > 0 {
            return Ok(());
        }
        let texts = self.columns.iter().filter(|column| column.is_variable()).count();
        let fixed: usize = self.columns.iter().map(PropertyColumn::fixed_bytes).sum();
        let row: usize = self.columns.iter().map(PropertyColumn::row_bytes).sum::<usize>()
            + LabelColumn::row_bytes()
            + 3 * size_of::<u32>();
        loop {
            match self.memory.resize(fixed + texts * self.text_bytes_max + row * self.rows_max) {
                Ok(()) => return Ok(()),
                Err(error) if self.rows_max == 1 => return Err(over_budget(error)),
                Err(_) => {
                    self.rows_max /= 2;
                    self.text_bytes_max = (self.text_bytes_max / 2).max(1 << 12);
                }
            }
        }
    }

    /// Makes room for the text or list of a single row that is longer than those of a batch may be.
    fn allow_long_text(&mut self) -> Result<()> {
        self.memory.take(self.text_bytes_max).map_err(over_budget)?;
        self.text_bytes_max *= 2;
        Ok(())
    }

    /// The next rows as a batch. `None` if their texts are too long.
    fn batch(&mut self, rows: usize) -> Option<RecordBatch> {
        let rows = self.taken..self.taken + rows;
        let RowKeys { owners, sources, targets } = &self.keys;
        let ids: &[&Vec<u32>] = match sources.is_empty() {
            true => &[owners],
            false => &[sources, targets, owners],
        };
        let count = self.fields.len() - self.columns.len() - usize::from(self.labels.is_some());
        let ids = ids
            .iter()
            .take(count)
            .map(|ids| Array::numbers(ids.get(rows.clone()).unwrap_or_default().to_vec()));
        let mut arrays: Vec<Array> = ids.collect();
        arrays.extend(
            self.labels.iter().map(|labels| labels.array(owners.get(rows.clone()).unwrap_or_default())),
        );
        for column in &mut self.columns {
            arrays.push(column.array(owners.get(rows.clone()).unwrap_or_default(), self.text_bytes_max)?);
        }
        Some(RecordBatch::new(Arc::clone(&self.fields), arrays))
    }
}

impl Iterator for TableBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let filled = self.fill().transpose();
        self.is_over = !matches!(filled, Some(Ok(_)));
        filled
    }
}

/// The name of a table in errors.
fn at() -> StepAt {
    StepAt::new("1", "table")
}

fn over_budget(OverBudget { limit, needed }: OverBudget) -> PipelineError {
    PipelineError::OverBudget { at: at(), limit, needed }
}
