//! The hash of a diff, which covers all operations, in memory and on disk.

use varvite_store::StoreError;

use super::chunk::{Chunk, bytes_of};
use super::diff::Diff;
use super::operation::Kind;

/// Operations, operands and values are hashed separately, because each chunk has some of all three.
#[derive(Default)]
struct Hashers {
    operations: blake3::Hasher,
    operands: blake3::Hasher,
    values: blake3::Hasher,
}

impl Diff {
    /// The hash of the diff. Equal diffs have equal hashes, whether their operations are in memory or on
    /// disk.
    ///
    /// # Errors
    /// An earlier failure to store an operation on disk; an error while reading from disk.
    pub(super) fn hash(&self) -> Result<[u8; 32], StoreError> {
        let mut hashers = Hashers::default();
        self.for_each_chunk(&Kind::ALL, |_, chunk| -> Result<(), StoreError> {
            hashers.take(chunk);
            Ok(())
        })?;
        let mut hasher = blake3::Hasher::new();
        let Hashers { operations, operands, values } = hashers;
        for part in [operations, operands, values] {
            hasher.update(part.finalize().as_bytes());
        }
        for labels in self.label_sets.all() {
            hasher.update(&(labels.len() as u64).to_le_bytes());
            labels.iter().for_each(|label| _ = hasher.update(&label.to_le_bytes()));
        }
        for (value_type, cardinality) in &self.declared {
            hasher.update(&[*value_type as u8, *cardinality as u8]);
        }
        for name in self.names.all() {
            hasher.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
        }
        Ok(*hasher.finalize().as_bytes())
    }
}

impl Hashers {
    fn take(&mut self, chunk: &Chunk) {
        for word in &chunk.operations {
            self.operations.update(&word.to_bits().to_le_bytes());
        }
        for operand in &chunk.operands {
            self.operands.update(&operand.to_le_bytes());
        }
        for value in &chunk.values {
            match chunk.text_of(*value) {
                None => _ = self.values.update(&bytes_of(*value)),
                // Each chunk numbers its texts from 0, so the text itself is hashed.
                Some(text) => {
                    self.values.update(&bytes_of(*value)[..1]);
                    self.values.update(&(text.len() as u64).to_le_bytes()).update(text);
                }
            }
        }
    }
}
