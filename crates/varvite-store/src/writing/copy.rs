//! Copies columns of an open file into a new one. Blocks are copied as they are stored, without decoding.
//!
//! Every block is checked when it is read, and gets a new checksum, which includes its new segment and
//! offset. Columns keep their order, so that the columns of a complete copy have the same numbers, and equal
//! copies have equal bytes.

use varvite_format::{BlockTableBuilder, ColumnId, Directory, SegmentId, SegmentRow, Source};

use crate::error::Result;
use crate::open::store::Store;
use crate::work::task::Task;
use crate::writing::writer::StoreWriter;

/// The new numbers of columns that were copied.
#[derive(Clone, Debug)]
pub struct CopiedColumns {
    numbers: Vec<Option<ColumnId>>,
}

impl CopiedColumns {
    /// The number in the new file of a column of the old file; `None` if the column was not copied.
    pub fn number(&self, old: ColumnId) -> Option<ColumnId> {
        *self.numbers.get(old.index())?
    }
}

/// The columns and segments of another file that are copied, with their new numbers.
struct Copying<'c> {
    source: &'c Store,
    columns: Vec<Option<ColumnId>>,
    segments: Vec<Option<SegmentId>>,
}

impl<'c> Copying<'c> {
    fn of(source: &'c Store) -> Self {
        let Directory { columns, segments, .. } = source.directory();
        Self { source, columns: vec![None; columns.len()], segments: vec![None; segments.len()] }
    }
}

impl StoreWriter {
    /// Copies the columns `roots` of another file and their descendants, in the order of that file. Progress
    /// is counted in columns of that file.
    ///
    /// # Errors
    /// A root that does not exist; damage of a copied block;
    /// [`StoreError::Cancelled`](crate::StoreError::Cancelled); an error of one of the file systems. After an
    /// error, the writer can't be used any more.
    pub fn copy(
        &mut self,
        source: &Store,
        roots: impl IntoIterator<Item = ColumnId>,
        task: &Task<'_>,
    ) -> Result<CopiedColumns> {
        let is_wanted = with_parts(source, roots)?;
        let mut copying = Copying::of(source);
        for number in (0..is_wanted.len()).filter(|number| is_wanted[*number]) {
            self.copy_column(&mut copying, ColumnId(number as u32), task)?;
            task.step("copying", number + 1, is_wanted.len());
        }
        Ok(CopiedColumns { numbers: copying.columns })
    }

    /// Copies columns as [`StoreWriter::copy`] does, but in the order of `roots`, each after its child
    /// columns, as if they were added one by one. Progress is counted in roots.
    ///
    /// # Errors
    /// As [`StoreWriter::copy`].
    pub fn copy_in_order(
        &mut self,
        source: &Store,
        roots: impl IntoIterator<Item = ColumnId>,
        task: &Task<'_>,
    ) -> Result<CopiedColumns> {
        let roots: Vec<ColumnId> = roots.into_iter().collect();
        let mut copying = Copying::of(source);
        for (done, root) in (1..).zip(&roots) {
            self.copy_column(&mut copying, *root, task)?;
            task.step("copying", done, roots.len());
        }
        Ok(CopiedColumns { numbers: copying.columns })
    }

    /// Copies a column after its child columns. The recursion is shallow: opening a file checks that a column
    /// and its descendants are at most 16 columns.
    fn copy_column(
        &mut self,
        copying: &mut Copying<'_>,
        column: ColumnId,
        task: &Task<'_>,
    ) -> Result<ColumnId> {
        let mut row = copying.source.row(column)?;
        if let Some(copied) = copying.columns[column.index()] {
            return Ok(copied);
        }
        for child in row.children.iter_mut().flatten() {
            *child = self.copy_column(copying, *child, task)?;
        }
        for segment in row.segments.iter_mut().flatten() {
            let number = segment.index();
            *segment = match copying.segments[number] {
                Some(copied) => copied,
                None => self.copy_segment(copying.source, *segment, task)?,
            };
            copying.segments[number] = Some(*segment);
        }
        let copied = self.push_column(row);
        copying.columns[column.index()] = Some(copied);
        Ok(copied)
    }

    fn copy_segment(&mut self, source: &Store, segment: SegmentId, task: &Task<'_>) -> Result<SegmentId> {
        let reader = source.reader(segment)?;
        let old = *reader.row();
        let (id, offset) = self.next_segment(old.stored_len);
        let mut table = BlockTableBuilder::new(self.file_id(), id.0);
        let (mut stored, mut at) = (Vec::new(), offset);
        for number in 0..reader.blocks() {
            task.check()?;
            reader.read_stored(number, &mut stored)?;
            self.write_at(at, &stored)?;
            table.push(&stored);
            at += stored.len() as u64;
        }
        let (table, table_hash) = table.finish();
        let row = SegmentRow { offset, table_hash, ..old };
        self.write_at(row.table_offset(), &table)?;
        Ok(self.push_segment(row))
    }
}

/// For each column, whether it is one of `roots` or a descendant of one of them.
fn with_parts(source: &Store, roots: impl IntoIterator<Item = ColumnId>) -> Result<Vec<bool>> {
    let rows = &source.directory().columns;
    let mut is_wanted = vec![false; rows.len()];
    for root in roots {
        source.row(root)?;
        is_wanted[root.index()] = true;
    }
    // Child columns have lower numbers than their parents.
    for (number, row) in rows.iter().enumerate().rev() {
        if is_wanted[number] {
            row.children.iter().flatten().for_each(|child| is_wanted[child.index()] = true);
        }
    }
    Ok(is_wanted)
}
