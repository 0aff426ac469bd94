//! [`Sliced`]: texts that are parts of other texts, stored as slices of them.
//!
//! Texts of a program graph repeat each other: the code of an expression is part of the code of the statement
//! above it, and all code is part of the file that it is in. A text is searched at its owner's recorded place
//! in a source, then in the texts of the nodes above; a text in neither is stored on its own. Matches are
//! compared byte by byte, so that wrong places cost space and nothing else.

use memchr::memmem;

use super::encoder::Encoder;
use super::input::TextsInput;
use crate::change_error::ChangeError;
use crate::error::Result;

/// At how many of its owners' places a text is tried: code behind macros stands at none of them.
const TRIES: u8 = 4;
/// The number of ancestors whose texts are searched.
const ANCESTORS: usize = 3;
/// Texts longer than this are not searched: a few would take all the time.
const HAYSTACK_MAX: usize = 64 << 10;

/// Bytes that may be searched for each byte of all texts, and beside that: real code takes a tenth of it.
/// Past that, texts are stored on their own.
const SEARCHED_PER_BYTE: u64 = 256;
const SEARCHED_MIN: u64 = 1 << 30;

/// Beginning of a text that is searched for; the rest is compared where that stands. Getting ready to search
/// for a long text takes longer than to search. Beginnings that overlap one that was found are passed over,
/// so that texts which repeat themselves take no more time; at worst one is stored again.
const BEGINNING: usize = 32;

/// A pool in which texts may overlap.
pub(super) struct Sliced {
    pub(super) pool: Vec<u8>,
    /// The start of each text.
    pub(super) starts: Vec<u32>,
    /// Bytes that may still be searched.
    room: u64,
}

const UNPLACED: u32 = u32::MAX;

/// After so many owners it looks whether it is cancelled. One takes microseconds, or as long as a search of
/// [`HAYSTACK_MAX`].
const CANCEL_OWNERS: usize = 1 << 10;

impl Sliced {
    /// `source` is the start of the pool, and for each owner the place in it where its text may start.
    ///
    /// # Errors
    /// The encoder was cancelled.
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

    /// Places the texts that are in the source exactly at the place that one of their owners gives.
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

    /// False for null too.
    fn is_unplaced(&self, code: u32) -> bool {
        self.starts.get(code as usize) == Some(&UNPLACED)
    }

    /// The place of `text` in the text of a node above `owner`.
    fn find_above(&mut self, offsets: &[u32], input: TextsInput<'_>, owner: u32, text: &[u8]) -> Option<u32> {
        let mut node = owner;
        let beginning = memmem::Finder::new(&text[..text.len().min(BEGINNING)]);
        for _ in 0..ANCESTORS {
            node = input.parents.get(node as usize).copied().filter(|parent| *parent != u32::MAX)?;
            // A caller's parent that is no owner is none, and so is the text that it would have.
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
