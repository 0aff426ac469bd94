//! The names in a directory: those of labels, properties, layers and tools. The pool contains each text once,
//! without gaps.

use std::collections::HashMap;

use crate::bytes::u32_at;
use crate::{Fault, FormatError, NameId, Part, Quantity, Result};

/// The names that were read from a directory.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// All texts, concatenated.
    pool: String,
    /// The end of each name.
    ends: Vec<u32>,
}

/// The length of the longest valid name, in bytes.
const NAME_MAX: u32 = 64 * 1024;

impl Names {
    /// Reads `count` rows, each an offset and a length, and the texts in `pool`. No byte of the pool may
    /// belong to two names, so that names take no more memory than the file.
    pub(crate) fn read(rows: &[u8], count: u32, pool: &[u8]) -> Result<Self> {
        let mut texts = Vec::with_capacity(count as usize);
        let mut ends = Vec::with_capacity(count as usize);
        let mut end = 0;
        // The leading part of the pool that is valid UTF-8. A name beyond this part, or one that ends within
        // a character, is damage.
        let valid =
            std::str::from_utf8(pool).or_else(|error| std::str::from_utf8(&pool[..error.valid_up_to()]));
        for number in 0..count as usize {
            let damaged = |fault| FormatError::damaged(Part::Row("name", number as u32), fault);
            let range = (|| {
                let start = u32_at(rows, number * 8).filter(|start| *start == end)?;
                let len = u32_at(rows, number * 8 + 4).filter(|len| *len <= NAME_MAX)?;
                end = start.checked_add(len).filter(|end| *end as usize <= pool.len())?;
                Some(start as usize..end as usize)
            })();
            let misplaced = Fault::Order { what: "ranges of the name pool end to end", at: number as u64 };
            let range = range.ok_or_else(|| damaged(misplaced))?;
            let text = valid.ok().and_then(|valid| valid.get(range));
            texts.push(text.ok_or_else(|| damaged(Fault::NotText { number: None }))?);
            ends.push(end);
        }
        if end as usize != pool.len() {
            let (expected, found) = (end.into(), pool.len() as u64);
            let fault = Fault::Count { what: "bytes", expected, found };
            return Err(FormatError::damaged(Part::Table("name pool"), fault));
        }
        if let Some(twice) = equal_texts(&texts) {
            let fault = Fault::Twice { what: "name", which: format!("{twice:?}") };
            return Err(FormatError::damaged(Part::Table("names"), fault));
        }
        Ok(Self { pool: valid.unwrap_or_default().to_owned(), ends })
    }

    /// The text of a name; empty if there is no such name. The directory has checked that names exist.
    pub fn get(&self, name: NameId) -> &str {
        let end = |index: usize| self.ends.get(index).map(|end| *end as usize);
        let start = name.index().checked_sub(1).map_or(Some(0), end);
        let range = start.zip(end(name.index()));
        range.and_then(|(start, end)| self.pool.get(start..end)).unwrap_or("")
    }

    /// Checks that each name is short enough for readers.
    ///
    /// # Errors
    /// [`FormatError::TooLarge`] if a name is too long.
    pub fn check_lengths(&self) -> Result<()> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let found = starts.zip(&self.ends).map(|(start, end)| end - start).max().unwrap_or(0);
        if found > NAME_MAX {
            let (found, limit) = (found.into(), NAME_MAX.into());
            return Err(FormatError::TooLarge { what: Quantity::Name, found, limit });
        }
        Ok(())
    }

    /// The number of bytes that the names take in memory.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.pool.len() + std::mem::size_of_val(&*self.ends)
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there is no name.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// Finds a text that occurs twice. The texts are sorted by their first bytes, which nearly always differ.
fn equal_texts<'t>(texts: &[&'t str]) -> Option<&'t str> {
    let first_bytes = |text: &str| {
        let mut first = [0; 8];
        let length = text.len().min(first.len());
        first[..length].copy_from_slice(&text.as_bytes()[..length]);
        u64::from_be_bytes(first)
    };
    let mut sorted: Vec<(u64, &str)> = texts.iter().map(|text| (first_bytes(text), *text)).collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0].1)
}

/// Collects the names of a new directory.
#[derive(Clone, Debug, Default)]
pub struct NamesBuilder {
    texts: Vec<String>,
    numbers: HashMap<String, NameId>,
}

impl From<&Names> for NamesBuilder {
    /// A builder that begins with these names; their numbers do not change.
    fn from(names: &Names) -> Self {
        let texts: Vec<String> =
            (0..names.len() as u32).map(|number| names.get(NameId(number)).to_owned()).collect();
        let numbers = texts.iter().cloned().zip((0..).map(NameId)).collect();
        Self { texts, numbers }
    }
}

impl NamesBuilder {
    /// The number of the name `text`, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> NameId {
        if let Some(known) = self.numbers.get(text) {
            return *known;
        }
        let name = NameId(self.texts.len() as u32);
        self.texts.push(text.to_owned());
        self.numbers.insert(text.to_owned(), name);
        name
    }

    /// The finished names.
    pub fn build(self) -> Names {
        let mut end = 0;
        let ends = self.texts.iter().map(|text| {
            end += text.len() as u32;
            end
        });
        Names { ends: ends.collect(), pool: self.texts.concat() }
    }
}

impl Names {
    /// The bytes of the rows and of the pool, as [`Names::read`] expects them.
    pub(crate) fn write(&self) -> (Vec<u8>, Vec<u8>) {
        let mut rows = Vec::new();
        let mut start = 0u32;
        for end in &self.ends {
            rows.extend(start.to_le_bytes());
            rows.extend((end - start).to_le_bytes());
            start = *end;
        }
        (rows, self.pool.as_bytes().to_vec())
    }
}
