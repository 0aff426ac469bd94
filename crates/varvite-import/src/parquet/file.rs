//! A table as a Parquet file: each batch of the table is a row group.

use std::sync::Arc;

use ::parquet::basic::{Compression, Encoding, ZstdLevel};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesPtr};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::schema::types::ColumnPath;
use varvite::arrow::{DataType, Field, Table};
use varvite::pipeline::Options;
use varvite::{Graph, Task};
use varvite_store::FolderFile;

use super::columns::TableColumns;
use super::error::Result;
use super::schema::schema_of;
use super::values::{text_bytes, write_column};
use crate::text_room::TextRoom;

/// The most rows of a row group. A batch ends earlier if its texts have 16 MiB.
const ROWS_OF_GROUP: usize = 1 << 17;
/// The largest dictionary of a column in a row group: above the longest texts of a batch, so that the
/// dictionaries of the graph are kept.
const DICTIONARY_BYTES_MAX: usize = 1 << 30;
/// The part of the memory limit that a batch may take. The writer holds a column of it three times: as shared
/// texts, as an encoded page, and compressed.
const BATCH_SHARE: usize = 4;

/// The content of a file.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) rows: u64,
    pub(super) bytes: u64,
    /// The names of the columns.
    pub(super) columns: Vec<String>,
}

impl Written {
    /// The bytes of the columns' names until the index is written: as a name, in JSON and in its text.
    pub(super) fn name_bytes(&self) -> usize {
        3 * self.columns.iter().map(|name| 2 * size_of::<String>() + name.len()).sum::<usize>()
    }
}

/// Writes the rows of a table.
pub(super) fn write_table(
    (graph, columns): (&Graph, &TableColumns),
    file: FolderFile,
    room: &mut TextRoom,
    task: &Task<'_>,
) -> Result<Written> {
    let table: Table = columns.open(graph)?;
    let columns = columns.fields(table.fields());
    let schema = schema_of(columns.iter().map(|(_, field)| field))?;
    let mut writer = SerializedFileWriter::new(file, schema, properties(&columns))?;
    let memory = task.memory_bytes() / BATCH_SHARE;
    let own = Task::new().threads(1).memory(memory).cancel(task.flag());
    let mut rows = 0;
    for batch in table.batches(Options { batch_rows: ROWS_OF_GROUP, ..Options::from(own) }) {
        let batch = batch?;
        room.take(batch.columns().iter().map(text_bytes).sum())?;
        let mut group = writer.next_row_group()?;
        for (index, field) in &columns {
            let Some((array, column)) = batch.columns().get(*index).zip(group.next_column()?) else {
                return Err(ParquetError::General("a batch lacks a column".to_owned()).into());
            };
            write_column(field, array, column, task)?;
        }
        group.close()?;
        rows += batch.len() as u64;
    }
    let bytes = writer.into_inner()?.finish()?;
    Ok(Written { rows, bytes, columns: columns.into_iter().map(|(_, field)| field.name).collect() })
}

/// Texts have dictionaries; ids and other numbers that ascend are differences.
fn properties(columns: &[(usize, Field)]) -> WriterPropertiesPtr {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_page_size_limit(DICTIONARY_BYTES_MAX);
    let ids = columns.iter().filter(|(_, field)| !field.is_nullable && field.data_type == DataType::UInt32);
    for (_, field) in ids {
        let path = ColumnPath::new(vec![field.name.clone()]);
        properties = properties
            .set_column_dictionary_enabled(path.clone(), false)
            .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
    }
    Arc::new(properties.build())
}
