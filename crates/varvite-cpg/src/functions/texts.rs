//! [`BatchTexts`]: the texts of CODE in a batch. Each text of the graph gets an index when the batch first
//! uses it, and is read and split into tokens once.

use varvite::memory::{OverBudget, Reserved};
use varvite::{Property, Texts};

use super::batch::FunctionBatch;
use super::tokens::{token_id, tokens_of};

/// The bytes of a text and its tokens: a token has at least one byte, and its id has eight.
const BYTES_OF_BYTE: usize = 1 + size_of::<i64>();

/// The indexes of texts in a batch.
#[derive(Debug)]
pub(super) struct BatchTexts {
    /// For each text of the graph, its index in the batch plus one; 0 if the batch does not have it.
    indexes: Vec<u32>,
    /// The texts that the batch has.
    used: Vec<u32>,
}

impl BatchTexts {
    /// # Errors
    /// [`OverBudget`], if the indexes of all texts need more memory than the budget allows.
    pub(super) fn of(code: Option<&Property>, memory: &mut Reserved) -> Result<Self, OverBudget> {
        let count = code.and_then(Property::strings).map_or(0, Texts::len) as usize;
        memory.take(2 * count * size_of::<u32>())?;
        Ok(Self { indexes: vec![0; count], used: Vec::new() })
    }

    /// The index of a text in the batch; -1 for null.
    #[inline]
    pub(super) fn index(&mut self, code: i64) -> i64 {
        let Some(index) = usize::try_from(code).ok().and_then(|code| self.indexes.get_mut(code)) else {
            return -1;
        };
        if *index == 0 {
            self.used.push(code as u32);
            *index = self.used.len() as u32;
        }
        i64::from(*index - 1)
    }

    /// Appends the texts that the batch uses, with their tokens.
    ///
    /// # Errors
    /// [`OverBudget`], if they need more memory than the budget allows.
    pub(super) fn finish(
        &mut self,
        code: Option<&Property>,
        token_ids: u32,
        batch: &mut FunctionBatch,
        memory: &mut Reserved,
    ) -> Result<(), OverBudget> {
        let used = std::mem::take(&mut self.used);
        used.iter().for_each(|code| self.indexes[*code as usize] = 0);
        let Some(texts) = code.and_then(Property::strings) else { return Ok(()) };
        let mut reader = texts.reader();
        for code in used {
            let text = reader.str(code).unwrap_or_default();
            memory.take(text.len() * BYTES_OF_BYTE)?;
            batch.text_bytes.extend_from_slice(text.as_bytes());
            batch.text_offsets.push(batch.text_bytes.len() as i64);
            batch.tokens.extend(tokens_of(text).map(|token| token_id(token, token_ids)));
            batch.token_offsets.push(batch.tokens.len() as i64);
        }
        Ok(())
    }
}
