//! Copying columns of an open file into a new one, block by block as they are stored, never decoded.
//!
//! Every block is checked when it is read and gets a checksum of its new place. Columns keep their order, so that
//! a file of which everything is copied comes out with the same numbers, and equal copies have equal bytes.

use varvite_format::{BlockTableBuilder, ColumnId, SegmentId, SegmentRow, Source};

use crate::error::Result;
use crate::store::Store;
use crate::task::Task;
use crate::writer::StoreWriter;

/// The new numbers of columns that were copied.
#[derive(Clone, Debug)]
pub struct CopiedColumns {
    numbers: Vec<Option<ColumnId>>,
}

impl CopiedColumns {
    /// The number that a column of the old file has in the new one; none if it was not copied.
    pub fn number(&self, old: ColumnId) -> Option<ColumnId> {
        *self.numbers.get(old.index())?
    }
}

impl StoreWriter {
    /// Copies the columns `roots` of another file and everything that they consist of. Progress counts its columns.
    ///
    /// # Errors
    /// A root that does not exist, damage of a block that is copied, [`StoreError::Cancelled`](crate::StoreError::Cancelled), or what the file systems say; the writer is then of no
    /// further use.
    pub fn copy(
        &mut self,
        source: &Store,
        roots: impl IntoIterator<Item = ColumnId>,
        task: &Task<'_>,
    ) -> Result<CopiedColumns> {
        let rows = &source.directory().columns;
        let is_wanted = with_parts(source, roots)?;
        let mut numbers: Vec<Option<ColumnId>> = vec![None; rows.len()];
        let mut segments = vec![None; source.directory().segments.len()];
        for (old, row) in rows.iter().enumerate().filter(|(old, _)| is_wanted[*old]) {
            let mut row = *row;
            for child in row.children.iter_mut().flatten() {
                *child = numbers[child.index()].expect("children are wanted, and come before their parents");
            }
            for segment in row.segments.iter_mut().flatten() {
                let known = &mut segments[segment.index()];
                *segment = match *known {
                    Some(copied) => copied,
                    None => *known.insert(self.copy_segment(source, *segment, task)?),
                };
            }
            numbers[old] = Some(self.push_column(row));
            task.step("copying", old + 1, rows.len());
        }
        Ok(CopiedColumns { numbers })
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

/// For each column whether it is one of `roots` or part of one.
fn with_parts(source: &Store, roots: impl IntoIterator<Item = ColumnId>) -> Result<Vec<bool>> {
    let rows = &source.directory().columns;
    let mut is_wanted = vec![false; rows.len()];
    for root in roots {
        source.row(root)?;
        is_wanted[root.index()] = true;
    }
    // Parts come before what they are part of.
    for (number, row) in rows.iter().enumerate().rev() {
        if is_wanted[number] {
            row.children.iter().flatten().for_each(|child| is_wanted[child.index()] = true);
        }
    }
    Ok(is_wanted)
}
