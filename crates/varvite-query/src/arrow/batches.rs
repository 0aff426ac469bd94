//! [`RecordBatches`]: the rows of a run as record batches of bounded size.

use std::sync::Arc;

use super::array::Array;
use super::builder::Builder;
use super::field::{Field, TextForm};
use crate::pipeline::{Options, Plan, Result, Run, Shape};

/// Columns of equal length, with their names. A batch keeps all its bytes alive, and a clone shares them.
#[derive(Clone, Debug)]
pub struct RecordBatch {
    fields: Arc<[Field]>,
    columns: Vec<Array>,
    len: usize,
}

impl RecordBatch {
    pub(crate) fn new(fields: Arc<[Field]>, columns: Vec<Array>) -> Self {
        let len = columns.first().map_or(0, Array::len);
        debug_assert!(columns.iter().all(|column| column.len() == len));
        Self { fields, columns, len }
    }

    /// Names and types of the columns.
    pub fn fields(&self) -> &Arc<[Field]> {
        &self.fields
    }

    /// The columns, one for each field.
    pub fn columns(&self) -> &[Array] {
        &self.columns
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the batch has no rows.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl Plan {
    /// Begins a run that returns its rows as record batches. Reads nothing before the first call for a batch.
    ///
    /// A batch has [`Options::batch_rows`] rows; the last one may have fewer. A batch ends early when its
    /// texts and lists exceed 16 MiB. The cost is a copy of the rows' ids, numbers and texts.
    pub fn run_arrow(&self, options: Options) -> RecordBatches {
        self.run_arrow_as(options, TextForm::Full)
    }

    /// The same as [`Plan::run_arrow`], with the texts of properties in a given form.
    pub fn run_arrow_as(&self, options: Options, form: TextForm) -> RecordBatches {
        let (fields, builders) = self.builders_of(&self.shape, form);
        let rows_max = options.batch_rows.clamp(1, 1 << 20);
        RecordBatches { run: self.run(options), fields, builders, taken: 0, rows_max, bytes_max: BYTES_MAX }
    }

    fn builders_of(&self, shape: &Shape, form: TextForm) -> (Arc<[Field]>, Vec<Builder>) {
        let labels = Arc::new(Array::names(self.edge_labels.iter().map(String::as_str)));
        let columns = shape.columns();
        let (fields, builders): (Vec<_>, Vec<_>) =
            columns.iter().map(|column| Builder::of(column, &labels, form)).unzip();
        (fields.into(), builders)
    }
}

impl Run {
    /// The rows of [`Run::side`], copied to a record batch.
    pub fn side_arrow(&self, name: &str) -> Option<RecordBatch> {
        let rows = self.side(name)?;
        let (fields, mut builders) = self.plan().builders_of(&self.plan().side(name)?.shape, TextForm::Full);
        for (column, builder) in rows.columns().zip(&mut builders) {
            (0..rows.len()).for_each(|row| builder.push_row(&column, row));
        }
        Some(RecordBatch::new(fields, builders.iter_mut().map(Builder::finish).collect()))
    }
}

/// The rows of a run as record batches: an iterator that ends with the run, or after an error.
///
/// The iterator takes no more rows from the run than the current batch needs, and may be moved to another
/// thread. To cancel the run, set the flag of its task.
#[derive(Debug)]
pub struct RecordBatches {
    run: Run,
    fields: Arc<[Field]>,
    builders: Vec<Builder>,
    /// The number of rows taken from the run's last batch.
    taken: usize,
    rows_max: usize,
    bytes_max: usize,
}

/// A batch ends when its texts and lists reach this size in bytes, unless the caller sets a smaller one.
const BYTES_MAX: usize = 16 << 20;

impl RecordBatches {
    /// Names and types of the columns. They are the same for all batches, and known even if the run has no
    /// rows.
    pub fn fields(&self) -> &Arc<[Field]> {
        &self.fields
    }

    /// The run, from which the caller may read measurements.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Ends a batch when its texts and lists reach `bytes`, at most 16 MiB. A batch has one row at least.
    #[must_use]
    pub fn bytes_max(self, bytes: usize) -> Self {
        Self { bytes_max: bytes.min(BYTES_MAX), ..self }
    }

    fn fill(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if self.take_rows() {
                return Ok(Some(self.finish()));
            }
            self.taken = 0;
            if self.run.next()?.is_none() {
                let is_empty = self.builders.iter().all(|builder| builder.len() == 0);
                return Ok((!is_empty).then(|| self.finish()));
            }
        }
    }

    /// Takes rows from the run's last batch. Returns true if the record batch is full afterwards.
    fn take_rows(&mut self) -> bool {
        let Some(rows) = self.run.rows() else { return false };
        while self.taken < rows.len() {
            if self.is_full() {
                return true;
            }
            for (column, builder) in rows.columns().zip(&mut self.builders) {
                builder.push_row(&column, self.taken);
            }
            self.taken += 1;
        }
        self.is_full()
    }

    fn is_full(&self) -> bool {
        let rows = self.builders.first().map_or(0, Builder::len);
        let bytes: usize = self.builders.iter().map(Builder::bytes).sum();
        rows >= self.rows_max || rows > 0 && bytes >= self.bytes_max
    }

    fn finish(&mut self) -> RecordBatch {
        RecordBatch::new(self.fields.clone(), self.builders.iter_mut().map(Builder::finish).collect())
    }
}

impl Iterator for RecordBatches {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let filled = self.fill();
        if filled.is_err() {
            self.builders.iter_mut().for_each(Builder::clear);
        }
        filled.transpose()
    }
}
