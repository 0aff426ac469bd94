//! [`Chunk`]: consecutive operations of a diff, with the values that they set.
//!
//! Names, label sets and declarations belong to the diff. Texts and values belong to the chunk, so that each
//! chunk can be saved to disk and loaded by itself.

use std::sync::Arc;

use varvite_store::{Scratch, StoreError, Tape, TapeReader};

use super::element::{NewNode, NodeRef};
use super::new_value::NewValue;
use super::operation::{StoredValue, Word};

/// How many bytes of a chunk are written to disk at a time.
const PIECE: usize = 64 << 10;
/// The size of a value on disk in bytes: its kind, then its number.
const VALUE: usize = 9;

/// Operations with their operands, values and texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunk {
    /// The kind and the name of each operation.
    pub(super) operations: Vec<Word>,
    /// The operands: for each operation, as many numbers as its kind requires.
    pub(super) operands: Vec<u32>,
    pub(super) values: Vec<StoredValue>,
    pub(super) texts: Texts,
}

/// Texts, concatenated.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pool: Vec<u8>,
    ends: Vec<usize>,
}

impl Chunk {
    /// Bytes of memory that the chunk takes.
    pub(super) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.operations)
            + size_of_val(&*self.operands)
            + size_of_val(&*self.values)
            + self.texts.pool.len()
            + size_of_val(&*self.texts.ends)
    }

    /// Removes all operations, and keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        let Self { operations, operands, values, texts } = self;
        operations.clear();
        operands.clear();
        values.clear();
        texts.pool.clear();
        texts.ends.clear();
    }

    /// Converts a value to its stored form; the bytes of a text are added to the texts of the chunk.
    pub(super) fn store(&mut self, value: NewValue<'_>) -> StoredValue {
        match value {
            NewValue::Null => StoredValue::Null,
            NewValue::Bool(value) => StoredValue::Bool(value),
            NewValue::Int(value) => StoredValue::Int(value),
            NewValue::Uint(value) => StoredValue::Uint(value),
            NewValue::F32(value) => StoredValue::F32(value),
            NewValue::F64(value) => StoredValue::F64(value),
            NewValue::Str(text) => StoredValue::Str(self.texts.push(text.as_bytes())),
            NewValue::Bytes(bytes) => StoredValue::Bytes(self.texts.push(&bytes)),
            NewValue::Ref(node) => StoredValue::Ref(node),
        }
    }

    /// The bytes of a text or byte value; `None` for other values.
    pub(super) fn text_of(&self, stored: StoredValue) -> Option<&[u8]> {
        match stored {
            StoredValue::Str(text) | StoredValue::Bytes(text) => Some(self.texts.get(text)),
            _ => None,
        }
    }

    /// The value that a stored form represents.
    pub(super) fn value(&self, stored: StoredValue) -> NewValue<'_> {
        match stored {
            StoredValue::Null => NewValue::Null,
            StoredValue::Bool(value) => NewValue::Bool(value),
            StoredValue::Int(value) => NewValue::Int(value),
            StoredValue::Uint(value) => NewValue::Uint(value),
            StoredValue::F32(value) => NewValue::F32(value),
            StoredValue::F64(value) => NewValue::F64(value),
            StoredValue::Str(text) => {
                let text = std::str::from_utf8(self.texts.get(text));
                NewValue::Str(text.expect("it came as text"))
            }
            StoredValue::Bytes(bytes) => NewValue::from(self.texts.get(bytes)),
            StoredValue::Ref(node) => NewValue::Ref(node),
        }
    }

    /// Writes the chunk to disk.
    pub(super) fn save(&self, scratch: &Arc<Scratch>) -> Result<SavedChunk, StoreError> {
        let mut tape = Tape::new(Some(scratch), PIECE);
        self.operations.iter().try_for_each(|word| tape.write(&word.to_bits().to_le_bytes()))?;
        self.operands.iter().try_for_each(|operand| tape.write(&operand.to_le_bytes()))?;
        self.values.iter().try_for_each(|value| tape.write(&bytes_of(*value)))?;
        self.texts.ends.iter().try_for_each(|end| tape.write(&(*end as u64).to_le_bytes()))?;
        tape.write(&self.texts.pool)?;
        tape.settle()?;
        let counts = [self.operations.len(), self.operands.len(), self.values.len(), self.texts.ends.len()];
        Ok(SavedChunk { counts, pool: self.texts.pool.len(), tape })
    }
}

/// A chunk on disk.
#[derive(Clone, Debug)]
pub(super) struct SavedChunk {
    /// The counts of operations, operands, values and texts.
    counts: [usize; 4],
    /// The total bytes of the texts.
    pool: usize,
    tape: Tape,
}

impl SavedChunk {
    /// Bytes of the chunk on disk.
    pub(super) fn bytes(&self) -> u64 {
        self.tape.len()
    }

    /// Reads the chunk back.
    pub(super) fn load(&self) -> Result<Chunk, StoreError> {
        let mut reader = self.tape.reader();
        let [operations, operands, values, texts] = self.counts;
        let mut chunk = Chunk {
            operations: read_all(&mut reader, operations, |bytes| {
                Word::from_bits(u32::from_le_bytes(bytes))
            })?,
            operands: read_all(&mut reader, operands, u32::from_le_bytes)?,
            values: read_all(&mut reader, values, value_of)?,
            texts: Texts {
                ends: read_all(&mut reader, texts, |bytes| u64::from_le_bytes(bytes) as usize)?,
                pool: vec![0; self.pool],
            },
        };
        let read = reader.read(&mut chunk.texts.pool)?;
        debug_assert_eq!(read, self.pool, "the texts are the last that was written");
        Ok(chunk)
    }
}

fn read_all<T, const N: usize>(
    reader: &mut TapeReader<'_>,
    count: usize,
    item: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, StoreError> {
    let mut items = Vec::with_capacity(count);
    for _ in 0..count {
        let bytes = reader.read_item()?;
        items.push(item(bytes.expect("so many were written")));
    }
    Ok(items)
}

/// The encoding of a value on disk: its kind, then its number.
pub(super) fn bytes_of(value: StoredValue) -> [u8; VALUE] {
    let (kind, number) = match value {
        StoredValue::Null => (0, 0),
        StoredValue::Bool(value) => (1, value.into()),
        StoredValue::Int(value) => (2, value as u64),
        StoredValue::Uint(value) => (3, value),
        StoredValue::F32(value) => (4, value.to_bits().into()),
        StoredValue::F64(value) => (5, value.to_bits()),
        StoredValue::Str(text) => (6, text.into()),
        StoredValue::Bytes(text) => (7, text.into()),
        StoredValue::Ref(NodeRef::Node(node)) => (8, node.into()),
        StoredValue::Ref(NodeRef::New(NewNode(number))) => (9, number.into()),
    };
    let mut bytes = [kind; VALUE];
    bytes[1..].copy_from_slice(&u64::to_le_bytes(number));
    bytes
}

/// Decodes a value that [`bytes_of`] encoded.
fn value_of([kind, number @ ..]: [u8; VALUE]) -> StoredValue {
    let number = u64::from_le_bytes(number);
    match kind {
        0 => StoredValue::Null,
        1 => StoredValue::Bool(number != 0),
        2 => StoredValue::Int(number as i64),
        3 => StoredValue::Uint(number),
        4 => StoredValue::F32(f32::from_bits(number as u32)),
        5 => StoredValue::F64(f64::from_bits(number)),
        6 => StoredValue::Str(number as u32),
        7 => StoredValue::Bytes(number as u32),
        8 => StoredValue::Ref(NodeRef::Node(number as u32)),
        _ => StoredValue::Ref(NodeRef::New(NewNode(number as u32))),
    }
}

impl Texts {
    pub(super) fn push(&mut self, text: &[u8]) -> u32 {
        self.pool.extend_from_slice(text);
        self.ends.push(self.pool.len());
        self.ends.len() as u32 - 1
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.pool[start..self.ends[number as usize]]
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use varvite_testing::vfs::MemoryVfs;

    use super::*;

    #[test]
    fn a_chunk_comes_back_from_the_disk_as_it_was() {
        let mut chunk = Chunk::default();
        let values = [
            NewValue::Null,
            NewValue::Bool(true),
            NewValue::Int(-1),
            NewValue::Uint(u64::MAX),
            NewValue::F32(1.5),
            NewValue::F64(-0.0),
            NewValue::Str("text"),
            NewValue::from(&b"\xff\0"[..]),
            NewValue::Str(""),
            NewValue::Ref(NodeRef::Node(7)),
            NewValue::Ref(NodeRef::New(NewNode(3))),
        ];
        for value in values {
            let stored = chunk.store(value);
            chunk.values.push(stored);
        }
        chunk.operations.push(Word::from_bits(77));
        chunk.operands.extend(0..40_000);
        let scratch = Scratch::beside(Arc::new(MemoryVfs::new()), Path::new("file"), 0).unwrap();
        let loaded = chunk.save(&Arc::new(scratch)).unwrap().load().unwrap();
        assert_eq!(format!("{loaded:?}"), format!("{chunk:?}"));
    }
}
