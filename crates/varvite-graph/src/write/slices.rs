//! [`Sliced`]: stores texts that are parts of other texts as slices of those texts.
//!
//! Texts of a program graph repeat each other: the code of an expression is part of the code of the enclosing
//! statement, and all code is part of its file. A text is looked for at its owner's recorded offset in a
//! source, then in the texts of the owner's ancestors. A text that is found in neither is stored separately.
//! Matches are compared byte by byte, so wrong offsets only cost space.

use memchr::memmem;

use super::encoder::Encoder;
use super::input::TextsInput;
use crate::change_error::ChangeError;
use crate::error::Result;

/// The number of owners whose offsets are tried for one text. There is a limit because code that a macro
/// produced may have many owners and is in the source at none of their offsets.
const TRIES: u8 = 4;
/// The number of ancestors whose texts are searched.
const ANCESTORS: usize = 3;
/// Texts longer than this are not searched, because a few of them would take most of the time.
const HAYSTACK_MAX: usize = 64 << 10;

/// The largest number of bytes that are searched: this many for each byte of all texts, but at least
/// `SEARCHED_MIN`. In real code, a tenth of this is searched. After the limit is reached, texts are stored
/// separately.
const SEARCHED_PER_BYTE: u64 = 256;
const SEARCHED_MIN: u64 = 1 << 30;

/// A search looks only for this many bytes at the start of a text; where they are found, the rest of the text
/// is compared. Preparing the search of a long text would take longer than the search itself. An occurrence
/// of the beginning that overlaps an earlier occurrence is skipped, so that texts with repetitions take no
/// more time; at worst, such a text is stored again.
const BEGINNING: usize = 32;

/// A pool of bytes in which texts may overlap.
pub(super) struct Sliced {
    pub(super) pool: Vec<u8>,
    /// The start of each text.
    pub(super) starts: Vec<u32>,
    /// The number of bytes that may still be searched.
    room: u64,
}

const UNPLACED: u32 = u32::MAX;

/// The number of owners between two checks for cancellation. One owner takes some microseconds, and at most
/// the time to search [`HAYSTACK_MAX`] bytes.
const CANCEL_OWNERS: usize = 1 << 10;

impl Sliced {
    /// Stores the texts of `input`. `source` has the first bytes of the pool, and for each owner the offset
    /// at which its text may start in them.
    ///
    /// # Errors
    /// Cancellation of the encoder.
    pub(super) fn of(
        offsets: &[u32],
        input: TextsInput<'_>,
        source: Option<(Vec<u8>, &[u32])>,
        encoder: &Encoder,
    ) -> Result<Self, ChangeError> {
        let (pool, places) = source.unwrap_or_default();
        let room = SEARCHED_MIN + SEARCHED_PER_BYTE * input.total() as u64;
        let mut sliced = Self { pool, starts: vec![UNPLACED; input.texts.len()], room };
        sliced.place_in_source(offsets, input, places);
        sliced.place_the_others(offsets, input, encoder)?;
        Ok(sliced)
    }

    /// Stores the texts that are in the source exactly at the offset of one of their owners.
    fn place_in_source(&mut self, offsets: &[u32], input: TextsInput<'_>, places: &[u32]) {
        let mut tries = vec![0; if places.is_empty() { 0 } else { input.texts.len() }];
        for (place, ends) in places.iter().zip(offsets.windows(2)) {
            let Some(from) = self.pool.get(*place as usize..) else { continue };
            for code in &input.codes[ends[0] as usize..ends[1] as usize] {
                if !self.is_unplaced(*code) || tries[*code as usize] == TRIES {
                    continue;
                }
                tries[*code as usize] += 1;
                if from.starts_with(input.bytes_of(*code as usize)) {
                    self.starts[*code as usize] = *place;
                }
            }
        }
    }

    fn place_the_others(
        &mut self,
        offsets: &[u32],
        input: TextsInput<'_>,
        encoder: &Encoder,
    ) -> Result<(), ChangeError> {
        for (owner, ends) in offsets.windows(2).enumerate() {
            if owner.is_multiple_of(CANCEL_OWNERS) {
                encoder.check()?;
            }
            for code in &input.codes[ends[0] as usize..ends[1] as usize] {
                if !self.is_unplaced(*code) {
                    continue;
                }
                let text = input.bytes_of(*code as usize);
                let found = self.find_above(offsets, input, owner as u32, text);
                self.starts[*code as usize] = found.unwrap_or_else(|| {
                    self.pool.extend_from_slice(text);
                    (self.pool.len() - text.len()) as u32
                });
            }
        }
        Ok(())
    }

    /// Whether the text with this code has no place in the pool yet; false for null.
    fn is_unplaced(&self, code: u32) -> bool {
        self.starts.get(code as usize) == Some(&UNPLACED)
    }

    /// The offset in the pool at which `text` occurs in the text of one of the nearest ancestors of `owner`.
    fn find_above(&mut self, offsets: &[u32], input: TextsInput<'_>, owner: u32, text: &[u8]) -> Option<u32> {
        let mut node = owner;
        let beginning = memmem::Finder::new(&text[..text.len().min(BEGINNING)]);
        for _ in 0..ANCESTORS {
            node = input.parents.get(node as usize).copied().filter(|parent| *parent != u32::MAX)?;
            // A parent that is not an owner counts as none.
            let first = offsets.get(node as usize..).and_then(|ends| ends.first_chunk())?;
            let [start, end] = first.map(|at: u32| at as usize);
            let Some(code) = input.codes[start..end].first().map(|code| *code as usize) else { continue };
            let Some(start) = self.starts.get(code).copied().filter(|start| *start != UNPLACED) else {
                continue;
            };
            let haystack = &self.pool[start as usize..start as usize + input.texts[code].1 as usize];
            if haystack.len() > HAYSTACK_MAX || self.room == 0 {
                continue;
            }
            let mut searched = haystack.len() as u64;
            let found = beginning.find_iter(haystack).find(|at| {
                searched += text.len() as u64;
                haystack[*at..].starts_with(text)
            });
            self.room = self.room.saturating_sub(searched);
            if let Some(at) = found {
                return Some(start + at as u32);
            }
        }
        None
    }
}
