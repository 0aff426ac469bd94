//! [`TextUses`]: the uses (occurrences as values) of texts that the base does not have. [`SortedTexts`]:
//! these texts, with codes.
//!
//! Equal texts get the same code. Codes ascend in the order in which the texts are first used, owner by
//! owner. If the texts do not fit in memory, codes and first uses are found by four sorts. Sorting the texts
//! by hash gives each distinct text a number. Sorting the uses by that number finds the first use of each
//! text. Sorting the texts by first use gives their codes. Sorting the codes by use restores the order of
//! values.

use std::sync::Arc;

use varvite_format::Quantity;
use varvite_store::{Scratch, Tape, TapeReader, Task};

use super::known_texts::KnownTexts;
use super::property_changes::NewTexts;
use super::sorter::{SortedRecords, Sorter};
use crate::change_error::ChangeError;
use crate::error::Result;

/// How many bytes of each list stay in memory when the rest is on disk.
const ROOM: usize = 32 << 10;
/// A flag in the records of texts. If it is set, the number in the record is that of a use; otherwise it is
/// the number of a known text.
const OF_USE: u8 = 1;

/// Uses of texts that the base does not have.
#[derive(Debug)]
pub(super) struct TextUses {
    /// The code of the first text that the base does not have.
    base: u32,
    /// The number of uses so far.
    count: u32,
    /// The uses of texts without a known code, sorted by the hash of the text: the number of the use, and the
    /// bytes of the text.
    texts: Sorter,
    /// The uses of known texts. The key of a use is twice the text's number plus one; the even key before it
    /// is for the record of the text itself.
    known: Sorter,
}

/// The texts that the base does not have, in the order of their codes, and the codes of all uses.
#[derive(Clone, Debug)]
pub(super) struct SortedTexts {
    base: u32,
    count: u32,
    pool: Tape,
    /// The length of each text.
    lens: Tape,
    /// For each use, the number of its text; `None` if the values already have codes.
    numbers: Option<Tape>,
}

impl TextUses {
    /// An empty list of uses; the base has `base` texts.
    pub(super) fn new(base: u32, scratch: Option<&Arc<Scratch>>) -> Self {
        Self { base, count: 0, texts: Sorter::new(scratch), known: Sorter::new(scratch) }
    }

    /// Appends the next use, for a text with a known code.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push_known(&mut self, code: i64) -> Result<()> {
        let known = (code - i64::from(self.base)) as u64;
        let use_ = self.next();
        self.known.push(known << 1 | 1, &use_.to_le_bytes())
    }

    /// Appends the next use, for a text without a known code.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn push_text(&mut self, text: &[u8]) -> Result<()> {
        let use_ = self.next();
        push_text(&mut self.texts, OF_USE, use_, text)
    }

    fn next(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    /// Assigns codes to the texts.
    ///
    /// # Errors
    /// An error of the file system; [`GraphError::Cancelled`](crate::GraphError::Cancelled).
    pub(super) fn number(
        mut self,
        known: &KnownTexts,
        scratch: Option<&Arc<Scratch>>,
        task: &Task<'_>,
    ) -> Result<SortedTexts, ChangeError> {
        let base = self.base;
        known.for_each(|number, text| push_text(&mut self.texts, 0, number, text))?;
        let different = Different::of(self, scratch, task)?;
        let firsts = different.firsts(scratch, task)?;
        let (mut pool, mut lens) = (Tape::new(scratch, ROOM), Tape::new(scratch, ROOM));
        let (mut codes, mut count) = (Sorter::new(scratch), 0u32);
        firsts.for_each(task, |_, record| -> Result<()> {
            let Some((number, text)) = record.split_first_chunk() else { return Ok(()) };
            pool.write(text)?;
            lens.write(&(text.len() as u32).to_le_bytes())?;
            codes.push(u32::from_le_bytes(*number).into(), &count.to_le_bytes())?;
            count += 1;
            Ok(())
        })?;
        drop(firsts);
        let limit = u64::from(u32::MAX);
        if pool.len() > limit || u64::from(base) + u64::from(count) >= limit {
            let found = pool.len().max(u64::from(base) + u64::from(count));
            return Err(ChangeError::TooLarge { what: Quantity::Texts, found, limit });
        }
        let numbers = different.numbers(&codes.sorted(task)?, scratch, task)?;
        [&mut pool, &mut lens].into_iter().try_for_each(Tape::settle)?;
        Ok(SortedTexts { base, count, pool, lens, numbers: Some(numbers) })
    }
}

/// Adds a record of a text, keyed by the hash of the text. The hash is cryptographic, because texts that
/// collide would cost quadratic time.
fn push_text(texts: &mut Sorter, of: u8, number: u32, text: &[u8]) -> Result<()> {
    let [a, b, c, d, e, f, g, h, ..] = *blake3::hash(text).as_bytes();
    let mut record = Vec::with_capacity(5 + text.len());
    record.push(of);
    record.extend_from_slice(&number.to_le_bytes());
    record.extend_from_slice(text);
    texts.push(u64::from_le_bytes([a, b, c, d, e, f, g, h]), &record)
}

/// Distinct texts, each with a number.
struct Different {
    /// The distinct texts; each text follows its length.
    texts: Tape,
    /// The uses of all texts. The upper half of a key is the number of the text, the lower half is the number
    /// of the use.
    uses: SortedRecords,
}

impl Different {
    fn of(uses: TextUses, scratch: Option<&Arc<Scratch>>, task: &Task<'_>) -> Result<Self> {
        let TextUses { texts, mut known, .. } = uses;
        let (mut different, mut count) = (Tape::new(scratch, ROOM), 0u32);
        let mut of_text = Sorter::new(scratch);
        // The texts that have the current hash, with their numbers. There is more than one only if hashes
        // collide.
        let (mut hash, mut equal): (u64, Vec<(Vec<u8>, u32)>) = (0, Vec::new());
        texts.sorted(task)?.for_each(task, |key, record| {
            let [of, a, b, c, d, text @ ..] = record else { return Ok(()) };
            if key != hash {
                (hash, equal) = (key, Vec::new());
            }
            let found = equal.iter().find(|(other, _)| other == text).map(|(_, number)| *number);
            let text_number = match found {
                Some(number) => number,
                None => {
                    different.write(&(text.len() as u32).to_le_bytes())?;
                    different.write(text)?;
                    equal.push((text.to_vec(), count));
                    count += 1;
                    count - 1
                }
            };
            let number = u32::from_le_bytes([*a, *b, *c, *d]);
            match *of {
                OF_USE => of_text.push(use_of(text_number, number), &[]),
                _ => known.push(u64::from(number) << 1, &text_number.to_le_bytes()),
            }
        })?;
        let mut text_number = 0;
        known.sorted(task)?.for_each(task, |key, number| {
            let number = number.first_chunk().map_or(0, |number| u32::from_le_bytes(*number));
            if key & 1 == 0 {
                text_number = number;
                return Ok(());
            }
            of_text.push(use_of(text_number, number), &[])
        })?;
        different.settle()?;
        Ok(Self { texts: different, uses: of_text.sorted(task)? })
    }

    /// The used texts in the order of their first use: the number and the bytes of each text.
    fn firsts(&self, scratch: Option<&Arc<Scratch>>, task: &Task<'_>) -> Result<SortedRecords> {
        let (mut firsts, mut texts, mut record) = (Sorter::new(scratch), self.texts.reader(), Vec::new());
        let mut next = 0;
        self.uses.for_each(task, |key, _| -> Result<()> {
            let number = (key >> 32) as u32;
            while next <= number {
                let len = texts.read_item()?.map_or(0, u32::from_le_bytes);
                record.clear();
                record.extend_from_slice(&next.to_le_bytes());
                record.resize(4 + len as usize, 0);
                texts.read(&mut record[4..])?;
                if next == number {
                    firsts.push(key & u64::from(u32::MAX), &record)?;
                }
                next += 1;
            }
            Ok(())
        })?;
        firsts.sorted(task)
    }

    /// For each use, the code of its text; `codes` has the code of each text.
    fn numbers(self, codes: &SortedRecords, scratch: Option<&Arc<Scratch>>, task: &Task<'_>) -> Result<Tape> {
        let (mut by_use, mut codes) = (Sorter::new(scratch), codes.reader()?);
        let (mut text, mut code) = (None, [0; 4]);
        self.uses.for_each(task, |key, _| -> Result<()> {
            if text != Some(key >> 32) {
                let (of, next) = codes.next()?.expect("each text that is used has a code");
                debug_assert_eq!(of, key >> 32);
                (text, code) = (Some(of), next.first_chunk().copied().unwrap_or_default());
            }
            by_use.push(key & u64::from(u32::MAX), &code)
        })?;
        drop(self);
        let mut numbers = Tape::new(scratch, ROOM);
        by_use.sorted(task)?.for_each(task, |_, code| -> Result<()> { Ok(numbers.write(code)?) })?;
        numbers.settle()?;
        Ok(numbers)
    }
}

fn use_of(text: u32, number: u32) -> u64 {
    u64::from(text) << 32 | u64::from(number)
}

impl SortedTexts {
    /// The texts of changes that are in memory. All of these texts are used, and they are in the order of
    /// their first use.
    ///
    /// # Errors
    /// None in practice, because the texts are in memory.
    pub(super) fn of(texts: &NewTexts) -> Result<Self> {
        let (mut pool, mut lens) = (Tape::default(), Tape::default());
        for number in 0..texts.len() {
            pool.write(texts.get(number))?;
            lens.write(&(texts.get(number).len() as u32).to_le_bytes())?;
        }
        Ok(Self { base: texts.base, count: texts.len(), pool, lens, numbers: None })
    }

    /// The number of texts of the base.
    pub(super) fn base(&self) -> u32 {
        self.base
    }

    /// The number of texts.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// The total bytes of the texts.
    pub(super) fn bytes(&self) -> u64 {
        self.pool.len()
    }

    pub(super) fn pool(&self) -> TapeReader<'_> {
        self.pool.reader()
    }

    /// The length of each text.
    pub(super) fn lens(&self) -> TapeReader<'_> {
        self.lens.reader()
    }

    pub(super) fn numbers(&self) -> Option<TapeReader<'_>> {
        self.numbers.as_ref().map(Tape::reader)
    }

    /// Loads all texts into memory.
    ///
    /// # Errors
    /// An error of the file system.
    pub(super) fn load(&self) -> Result<NewTexts> {
        let mut texts = NewTexts { base: self.base, has_nulls: true, ..NewTexts::default() };
        texts.pool.resize(self.pool.len() as usize, 0);
        self.pool().read(&mut texts.pool)?;
        let (mut lens, mut end) = (self.lens(), 0);
        while let Some(len) = lens.read_item()?.map(u32::from_le_bytes) {
            end += len;
            texts.ends.push(end);
        }
        Ok(texts)
    }
}
