//! The values of an array as a column of a row group.

use ::parquet::data_type::{
    BoolType, ByteArray, ByteArrayType, DataType as ParquetType, DoubleType, FloatType, Int32Type, Int64Type,
};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::writer::SerializedColumnWriter;
use varvite::Task;
use varvite::arrow::{Array, DataType, Field};

use super::error::Result as ExportResult;
use super::levels::Levels;

/// The number of values that are handed to the writer at once.
const VALUES_AT_ONCE: usize = 1 << 13;

/// Writes all rows of an array, and ends the column. Looks at the cancel flag after some thousand values.
pub(super) fn write_column(
    field: &Field,
    array: &Array,
    mut column: SerializedColumnWriter<'_>,
    task: &Task<'_>,
) -> ExportResult<()> {
    let leaf = Leaf::of(field, array);
    let mut levels = Levels::default();
    for row in 0..array.len() {
        match &field.data_type {
            DataType::LargeList(_) => {
                let start = i64::from_ne_bytes(item(array, row)) as usize;
                levels.push_list(leaf.array, start, i64::from_ne_bytes(item(array, row + 1)) as usize);
            }
            _ if field.is_nullable => levels.push_optional(array, row),
            _ => levels.push_required(row),
        }
        if levels.len() >= VALUES_AT_ONCE || row + 1 == array.len() {
            task.check()?;
            leaf.write(&levels, &mut column)?;
            levels.clear();
        }
    }
    Ok(column.close()?)
}

/// The number of bytes of the texts of an array.
pub(super) fn text_bytes(array: &Array) -> usize {
    let own = array.dictionary().map_or(0, |texts| bytes_of(texts, 2).len());
    own + array.children().iter().map(text_bytes).sum::<usize>()
}

/// The values of a column: those of an array, or the items of its lists.
struct Leaf<'a> {
    array: &'a Array,
    data_type: &'a DataType,
    /// The dictionary; empty for other values than texts and bytes.
    texts: Vec<ByteArray>,
}

impl<'a> Leaf<'a> {
    fn of(field: &'a Field, array: &'a Array) -> Self {
        let (array, data_type) = match (&field.data_type, array.children()) {
            (DataType::LargeList(item), [items, ..]) => (items, &item.data_type),
            (data_type, _) => (array, data_type),
        };
        Self { array, data_type, texts: array.dictionary().map(texts_of).unwrap_or_default() }
    }

    /// Writes the values at the places of some rows.
    fn write(&self, levels: &Levels, column: &mut SerializedColumnWriter<'_>) -> Result<()> {
        let array = self.array;
        match self.data_type {
            DataType::Boolean => put::<BoolType>(column, levels, |place| is_set(array, place)),
            DataType::Int8 => {
                put::<Int32Type>(column, levels, |at| i8::from_ne_bytes(item(array, at)).into())
            }
            DataType::Int16 => {
                put::<Int32Type>(column, levels, |at| i16::from_ne_bytes(item(array, at)).into())
            }
            DataType::UInt8 => {
                put::<Int32Type>(column, levels, |at| u8::from_ne_bytes(item(array, at)).into())
            }
            DataType::UInt16 => {
                put::<Int32Type>(column, levels, |at| u16::from_ne_bytes(item(array, at)).into())
            }
            // Parquet stores unsigned numbers by their bits.
            DataType::Int32 | DataType::UInt32 => {
                put::<Int32Type>(column, levels, |at| i32::from_ne_bytes(item(array, at)))
            }
            DataType::Int64 | DataType::UInt64 => {
                put::<Int64Type>(column, levels, |at| i64::from_ne_bytes(item(array, at)))
            }
            DataType::Float32 => put::<FloatType>(column, levels, |at| f32::from_ne_bytes(item(array, at))),
            DataType::Float64 => put::<DoubleType>(column, levels, |at| f64::from_ne_bytes(item(array, at))),
            _ => put::<ByteArrayType>(column, levels, |at| {
                let code = u32::from_ne_bytes(item(array, at)) as usize;
                self.texts.get(code).cloned().unwrap_or_else(|| Vec::new().into())
            }),
        }
    }
}

/// Writes the values that `get` returns.
fn put<T: ParquetType>(
    column: &mut SerializedColumnWriter<'_>,
    levels: &Levels,
    get: impl Fn(usize) -> T::T,
) -> Result<()> {
    let values: Vec<T::T> = levels.places().iter().map(|place| get(*place)).collect();
    let Some(writer) = T::get_column_writer_mut(column.untyped()) else {
        return Err(ParquetError::General("a column has another type in the schema".to_owned()));
    };
    writer.write_batch(&values[..], levels.definitions(), levels.repetitions())?;
    Ok(())
}

/// The texts of a dictionary, which share one copy of its bytes.
fn texts_of(dictionary: &Array) -> Vec<ByteArray> {
    let pool = bytes_of(dictionary, 2);
    let shared = ByteArray::from(pool.to_vec());
    let offset = |index| (i64::from_ne_bytes(item(dictionary, index)) as usize).min(pool.len());
    let text = |index| (offset(index), offset(index + 1));
    let texts = (0..dictionary.len()).map(text);
    texts.map(|(start, end)| shared.slice(start, end.saturating_sub(start))).collect()
}

/// The bytes of a buffer of an array.
fn bytes_of(array: &Array, buffer: usize) -> &[u8] {
    array.buffers().get(buffer).and_then(Option::as_ref).map_or(&[], |buffer| buffer.bytes())
}

/// The bytes of a number in the first buffer after the validity; zeros behind its end.
fn item<const N: usize>(array: &Array, index: usize) -> [u8; N] {
    let bytes = bytes_of(array, 1).get(index * N..).unwrap_or_default();
    bytes.first_chunk().copied().unwrap_or([0; N])
}

fn is_set(array: &Array, index: usize) -> bool {
    bytes_of(array, 1).get(index / 8).is_some_and(|byte| byte >> (index % 8) & 1 == 1)
}
