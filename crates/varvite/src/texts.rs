//! [`Texts`]: the texts of a property, read so that none is missing in silence.
//!
//! The one way to a string table in this crate. A text that can't be read is nothing, as in all cursors, and a
//! note is left by the reader itself: whoever filters, sorts, groups or joins by texts can't forget it.

use std::cmp::Ordering;

use varvite_format::{Strings, Text, TextReader};
use varvite_store::Pinned;

use crate::damage::Damage;

/// The texts that codes stand for. Cheap to clone, shared between threads.
///
/// Codes are below [`Texts::len`], which itself is the code of null.
#[derive(Clone, Debug)]
pub struct Texts {
    strings: Strings<Pinned>,
    damage: Damage,
}

impl Texts {
    pub(crate) fn new(strings: Strings<Pinned>, damage: Damage) -> Self {
        Self { strings, damage }
    }

    /// How many texts there are; also the code of null.
    #[inline]
    pub fn len(&self) -> u32 {
        self.strings.len()
    }

    /// True if there is no text.
    pub fn is_empty(&self) -> bool {
        self.strings.is_empty()
    }

    /// True if codes rise in the order of their texts' bytes.
    pub fn is_sorted(&self) -> bool {
        self.strings.is_sorted()
    }

    /// The bytes of a text. None for null, for codes beyond it, and where it can't be read, which [`Graph::check`](crate::Graph::check) then says.
    #[inline]
    pub fn get(&self, code: u32) -> Option<Text<'_, Pinned>> {
        let text = self.strings.get(code);
        if text.is_none() && code < self.len() {
            self.note(code);
        }
        text
    }

    /// The code of a text, if the table has it: logarithmic in a sorted table, else one pass.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.strings.find(text).unwrap_or_else(|| {
            self.note(0);
            None
        })
    }

    /// A reader for many texts.
    pub fn reader(&self) -> TextsReader<'_> {
        TextsReader { texts: self, reader: self.strings.reader() }
    }

    /// Whether one text comes before another, by their bytes; by code where codes are in that order. Null comes last.
    pub(crate) fn compare(&self, a: i64, b: i64) -> Ordering {
        let null = i64::from(self.len());
        if self.is_sorted() || a == b || a == null || b == null {
            return a.cmp(&b);
        }
        let text = |code: i64| u32::try_from(code).ok().and_then(|code| self.get(code));
        text(a).as_deref().cmp(&text(b).as_deref())
    }

    /// How many bytes all texts are slices of.
    pub(crate) fn pool_len(&self) -> usize {
        self.strings.pool_len()
    }

    /// Bytes of each part of the pool but the last.
    pub(crate) fn part_len(&self) -> usize {
        self.strings.part_len()
    }

    /// Part `number` of the pool; it may be in `buffer`. None past the end, and where it is damaged.
    pub(crate) fn part<'t>(&'t self, number: usize, buffer: &'t mut Vec<u8>) -> Option<Text<'t, Pinned>> {
        let part = self.strings.part(number, buffer);
        if part.is_none() && number.saturating_mul(self.part_len()) < self.pool_len() {
            self.note(0);
        }
        part
    }

    /// Where texts are in the pool, from `first` on; false if the table lacks bytes. Those that lead outside hold nothing for whoever
    /// looks there.
    pub(crate) fn places(&self, first: u32, starts: &mut [i64], ends: &mut [i64]) -> bool {
        let are_there = self.strings.places(first, starts, ends).is_some();
        let pool_len = self.pool_len() as i64;
        // All are asked, without a branch for each.
        let is_outside = |start: i64, end: i64| start < 0 || end < start || pool_len < end;
        let places = starts.iter().zip(ends);
        if !are_there || places.fold(false, |any, (start, end)| any | is_outside(*start, *end)) {
            self.note(first);
        }
        are_there
    }

    #[cold]
    fn note(&self, code: u32) {
        self.damage.note("string table", code);
    }
}

/// Reads many texts of a table one after another, fastest where they lie together.
#[derive(Debug)]
pub struct TextsReader<'a> {
    texts: &'a Texts,
    reader: TextReader<'a, Pinned>,
}

impl TextsReader<'_> {
    /// The bytes of a text, as [`Texts::get`] has them; good until the next is asked for.
    #[inline]
    pub fn bytes(&mut self, code: u32) -> Option<&[u8]> {
        let bytes = self.reader.bytes(code);
        if bytes.is_none() && code < self.texts.len() {
            self.texts.note(code);
        }
        bytes
    }

    /// A text. None also where the bytes are not UTF-8.
    #[inline]
    pub fn str(&mut self, code: u32) -> Option<&str> {
        let texts = self.texts;
        let bytes = self.bytes(code)?;
        std::str::from_utf8(bytes).inspect_err(|_| texts.note(code)).ok()
    }
}
