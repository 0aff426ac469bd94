//! [`KnownTexts`]: the texts that the changes of a property had before a diff, when these texts do not fit in
//! memory.

use std::sync::Arc;

use varvite_store::{Scratch, Tape};

use super::property_changes::NewTexts;
use crate::error::Result;

/// How many bytes of the known texts and their lengths are in memory.
const ROOM: usize = 32 << 10;

/// Texts that the changes of a property already have.
#[derive(Clone, Debug)]
pub(super) struct KnownTexts {
    /// The number of texts of the base: the code of the first known text.
    pub(super) base: u32,
    /// The bytes of the texts; each text follows its length.
    tape: Tape,
    /// The number of known texts.
    count: u32,
    /// Whether any value is a text that the base does not have.
    pub(super) has_new: bool,
    /// The same as [`NewTexts::has_nulls`].
    pub(super) has_nulls: bool,
}

impl KnownTexts {
    /// An empty list of texts; their codes start after those of the base.
    pub(super) fn new(base: u32, scratch: Option<&Arc<Scratch>>) -> Self {
        Self { base, tape: Tape::new(scratch, ROOM), count: 0, has_new: false, has_nulls: false }
    }

    /// Makes the list from the texts of changes that were in memory.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn of(texts: &NewTexts, scratch: Option<&Arc<Scratch>>) -> Result<Self> {
        let mut known = Self::new(texts.base, scratch);
        (0..texts.len()).try_for_each(|number| known.push(texts.get(number)))?;
        known.has_nulls = texts.has_nulls;
        Ok(known)
    }

    /// The number of texts.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Appends a text.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push(&mut self, text: &[u8]) -> Result<()> {
        self.tape.write(&(text.len() as u32).to_le_bytes())?;
        self.tape.write(text)?;
        self.count += 1;
        self.has_new = true;
        Ok(())
    }

    /// Calls `visit` with each text and its number.
    ///
    /// # Errors
    /// An error of the file system; the errors of `visit`.
    pub(super) fn for_each(&self, mut visit: impl FnMut(u32, &[u8]) -> Result<()>) -> Result<()> {
        let (mut reader, mut text) = (self.tape.reader(), Vec::new());
        for number in 0..self.count {
            let len = reader.read_item()?.map_or(0, u32::from_le_bytes);
            text.resize(len as usize, 0);
            reader.read(&mut text)?;
            visit(number, &text)?;
        }
        Ok(())
    }
}
