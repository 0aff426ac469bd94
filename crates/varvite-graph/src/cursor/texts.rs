//! [`Texts`]: the texts of a property, read so that none is missing in silence.
//!
//! The one way to a string table in this crate. A text that can't be read counts as null, as in all cursors,
//! and the reader itself notes the damage: so no filter, sort, group or join by texts can omit that.
//!
//! In a graph with changed values there is a second table: its codes follow those of the base, and its texts
//! all differ from those of the base. Only a read that fails in the base goes on there, so that a graph
//! without a second table pays nothing.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::atomic::{AtomicI64, Ordering as MemoryOrdering};

use varvite_format::{Claim, Excess, FormatError, PropertyId, Strings, Text, TextReader};
use varvite_store::Pinned;

use crate::cursor::damage::{Damage, SoundPart};

/// The texts that codes stand for. Cheap to clone, shared between threads.
///
/// Codes are below [`Texts::len`], which itself is the code of null.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The texts of the base.
    strings: Strings<Pinned>,
    /// The texts that came later.
    more: Option<Strings<Pinned>>,
    /// The number in both.
    count: u32,
    /// The number of their property.
    property: PropertyId,
    file_len: u64,
    damage: Damage,
}

/// Bytes of texts that one search or sort reads for each byte of the file: texts may overlap, and no honest
/// file reaches that.
const BYTES_OF_BYTE: u64 = 1024;
/// Bytes that are counted together: threads share the count.
pub const BYTES_AT_ONCE: usize = 1 << 20;
/// Texts of a pass between two checks whether to go on.
const TEXTS_AT_ONCE: u32 = 1024;
/// Bytes of two texts that are compared before their cost is counted.
const COMPARED_FREE: usize = 64;

impl Texts {
    pub(crate) fn new(strings: Strings<Pinned>, property: PropertyId, file_len: u64, damage: Damage) -> Self {
        Self { count: strings.len(), strings, more: None, property, file_len, damage }
    }

    /// The same with a second table. None if codes are too small for both.
    pub(crate) fn with_more(self, more: Strings<Pinned>) -> Option<Self> {
        // The code behind all is null's.
        let count = self.strings.len().checked_add(more.len()).filter(|count| *count < u32::MAX)?;
        Some(Self { count, more: Some(more).filter(|more| !more.is_empty()), ..self })
    }

    /// The bytes of texts that one search, sort or scan of a whole graph may read.
    pub(crate) fn allowance_of(file_len: u64) -> TextAllowance {
        TextAllowance { file_len, left: AtomicI64::new(limit_of(file_len)) }
    }

    /// The same for a file of this length.
    #[doc(hidden)]
    #[inline]
    pub fn allowance(&self) -> TextAllowance {
        Self::allowance_of(self.file_len)
    }

    /// Whether the allowance has so many bytes left; if not, damage is noted, since no honest file exceeds
    /// it.
    #[inline]
    #[doc(hidden)]
    pub fn may_read(&self, bytes: usize, allowance: &TextAllowance) -> bool {
        let may = allowance.take(bytes);
        if !may {
            self.damage.note_error(|| allowance.error());
        }
        may
    }

    /// The number of texts; also the code of null.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// The number of texts in the base: their codes come first, and [`Texts::slices`] gives their places in
    /// the pool.
    #[doc(hidden)]
    #[inline]
    pub fn base_len(&self) -> u32 {
        self.strings.len()
    }

    /// True if there is no text.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// True if codes rise in the order of their texts' bytes.
    pub fn is_sorted(&self) -> bool {
        self.more.is_none() && self.strings.is_sorted()
    }

    /// The bytes of a text. None for null, for codes beyond it, and for a text that can't be read, which
    /// [`Graph::check`](crate::Graph::check) then reports.
    #[inline]
    pub fn get(&self, code: u32) -> Option<Text<'_, Pinned>> {
        let text = self.strings.get(code);
        if text.is_none() && code < self.len() { self.get_more(code) } else { text }
    }

    #[cold]
    fn get_more(&self, code: u32) -> Option<Text<'_, Pinned>> {
        let place = code.checked_sub(self.strings.len());
        let text = place.and_then(|place| self.more.as_ref()?.get(place));
        if text.is_none() {
            self.note(code);
        }
        text
    }

    /// The code of a text, if the table has it: logarithmic in a sorted table, else one pass.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.find_each(&[text])[0]
    }

    /// The code of each of some texts that the table has: logarithmic for each in a sorted table, else one
    /// pass for all.
    pub fn find_each(&self, texts: &[&str]) -> Vec<Option<u32>> {
        let Ok(codes) = self.find_each_until(texts, || Ok::<_, Infallible>(()));
        codes
    }

    /// The same, until `look` returns that it is enough: it is called after every thousand texts and every
    /// megabyte of a pass.
    #[doc(hidden)]
    pub fn find_each_until<E>(
        &self,
        texts: &[&str],
        look: impl FnMut() -> Result<(), E>,
    ) -> Result<Vec<Option<u32>>, E> {
        let mut codes = vec![None; texts.len()];
        let mut first = 0;
        if self.strings.is_sorted() {
            codes = texts.iter().map(|text| self.find_sorted(text)).collect();
            first = self.base_len();
        }
        if first == self.len() || codes.iter().all(Option::is_some) {
            return Ok(codes);
        }
        match texts {
            [text] => {
                self.pass(first, |bytes| (bytes == text.as_bytes()).then_some(0), 1, &mut codes, look)?
            }
            texts => {
                let is_missing = |(_, place): &(&[u8], usize)| codes[*place].is_none();
                let texts_of = texts.iter().map(|text| text.as_bytes()).zip(0..);
                let wanted = texts_of.clone().filter(is_missing).collect::<HashMap<_, _>>();
                self.pass(first, |bytes| wanted.get(bytes).copied(), wanted.len(), &mut codes, look)?;
                // A text that is wanted twice is found once.
                for (text, index) in texts_of {
                    codes[index] = wanted.get(text).map_or(codes[index], |place| codes[*place]);
                }
            }
        }
        Ok(codes)
    }

    fn find_sorted(&self, text: &str) -> Option<u32> {
        self.strings.find_sorted(text).unwrap_or_else(|| {
            self.note(0);
            None
        })
    }

    /// Keeps the first code, from `first` on, of each text that is wanted, at the index that `wanted` gives
    /// it, until all `missing` are found.
    fn pass<E>(
        &self,
        first: u32,
        wanted: impl Fn(&[u8]) -> Option<usize>,
        mut missing: usize,
        codes: &mut [Option<u32>],
        mut look: impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let (mut reader, allowance, mut bytes) = (self.reader(), self.allowance(), 0);
        for code in first..self.len() {
            let Some(text) = reader.bytes(code) else { return Ok(()) };
            bytes += text.len();
            if let Some(index) = wanted(text)
                && codes[index].is_none()
            {
                codes[index] = Some(code);
                missing -= 1;
                if missing == 0 {
                    return Ok(());
                }
            }
            if bytes >= BYTES_AT_ONCE || code % TEXTS_AT_ONCE == 0 {
                look()?;
                if !self.may_read(std::mem::take(&mut bytes), &allowance) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A reader for many texts.
    pub fn reader(&self) -> TextsReader<'_> {
        let more = self.more.as_ref().map(|more| Box::new(more.reader()));
        TextsReader { texts: self, reader: self.strings.reader(), more }
    }

    /// Whether one text comes before another, by their bytes; by code where codes are in that order, and
    /// where more was read than is allowed. Null comes last.
    #[doc(hidden)]
    pub fn compare(&self, a: i64, b: i64, allowance: &TextAllowance) -> Ordering {
        let null = i64::from(self.len());
        if self.is_sorted() || a == b || a == null || b == null {
            return a.cmp(&b);
        }
        let text = |code: i64| u32::try_from(code).ok().and_then(|code| self.get(code));
        let (Some(text_a), Some(text_b)) = (text(a), text(b)) else {
            return text(a).is_some().cmp(&text(b).is_some());
        };
        let length = text_a.len().min(text_b.len());
        let by_start = text_a[..length.min(COMPARED_FREE)].cmp(&text_b[..length.min(COMPARED_FREE)]);
        match by_start {
            Ordering::Equal if length > COMPARED_FREE => match self.may_read(length, allowance) {
                true => text_a.cmp(&text_b),
                false => a.cmp(&b),
            },
            Ordering::Equal => text_a.len().cmp(&text_b.len()),
            differs => differs,
        }
    }

    /// The length of the pool that all texts of the base are slices of, in bytes.
    #[doc(hidden)]
    #[inline]
    pub fn pool_len(&self) -> usize {
        self.strings.pool_len()
    }

    /// Bytes of each part of the pool but the last.
    #[doc(hidden)]
    #[inline]
    pub fn part_len(&self) -> usize {
        self.strings.part_len()
    }

    /// Part `number` of the pool; it may be in `buffer`. None past the end, and where it is damaged.
    #[doc(hidden)]
    #[inline]
    pub fn part<'t>(&'t self, number: usize, buffer: &'t mut Vec<u8>) -> Option<Text<'t, Pinned>> {
        let part = self.strings.part(number, buffer);
        if part.is_none() && number.saturating_mul(self.part_len()) < self.pool_len() {
            self.note(0);
        }
        part
    }

    /// The starts and ends of the base's texts in the pool, from `first` on; false if the table lacks bytes.
    /// A slice outside the pool is left in the answer: the caller treats it as empty.
    #[doc(hidden)]
    pub fn slices(&self, first: u32, starts: &mut [i64], ends: &mut [i64]) -> bool {
        let are_there = self.strings.slices(first, starts, ends).is_some();
        let (part, first_code) = (SoundPart::Texts(self.property), first as usize);
        let end = first_code + starts.len();
        if are_there && end <= self.damage.sound(part) {
            return true;
        }
        let pool_len = self.pool_len() as i64;
        // All slices are tested together: the sign bit of any slice outside the pool stays set in the OR of
        // all.
        let outside =
            |start: i64, end: i64| start | end | end.wrapping_sub(start) | pool_len.wrapping_sub(end);
        let slices = starts.iter().zip(ends);
        match are_there && slices.fold(0, |all, (start, end)| all | outside(*start, *end)) >= 0 {
            true => self.damage.note_sound(part, first_code, end),
            false => self.note(first),
        }
        are_there
    }

    #[cold]
    fn note(&self, code: u32) {
        self.damage.note("string table", code);
    }
}

/// The bytes of texts that may still be read. The threads of a search share it.
#[derive(Debug)]
pub struct TextAllowance {
    file_len: u64,
    /// Below zero once it was overdrawn.
    left: AtomicI64,
}

impl TextAllowance {
    /// Whether so many bytes may be read beside all that was. Once they may not, none may.
    #[inline]
    pub(crate) fn take(&self, bytes: usize) -> bool {
        self.left.fetch_sub(bytes as i64, MemoryOrdering::Relaxed) >= bytes as i64
    }

    /// The fault of a file that exceeds it.
    #[cold]
    pub(crate) fn error(&self) -> FormatError {
        let (file_len, limit) = (self.file_len, limit_of(self.file_len) as u64);
        Excess { claim: Claim::OverlappingTexts, found: limit + 1, limit, file_len }.refusal()
    }
}

fn limit_of(file_len: u64) -> i64 {
    i64::try_from(file_len.saturating_mul(BYTES_OF_BYTE)).unwrap_or(i64::MAX)
}

/// Reads many texts of a table one after another, fastest where they lie together.
#[derive(Debug)]
pub struct TextsReader<'a> {
    texts: &'a Texts,
    reader: TextReader<'a, Pinned>,
    more: Option<Box<TextReader<'a, Pinned>>>,
}

impl TextsReader<'_> {
    /// The bytes of a text, as [`Texts::get`] returns them; valid until the next call.
    #[inline]
    pub fn bytes(&mut self, code: u32) -> Option<&[u8]> {
        let bytes = self.reader.bytes(code);
        if bytes.is_none() && code < self.texts.len() {
            return bytes_of_more(self.texts, &mut self.more, code);
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

/// The bytes of a text that is not in the base.
#[cold]
fn bytes_of_more<'r>(
    texts: &Texts,
    more: &'r mut Option<Box<TextReader<'_, Pinned>>>,
    code: u32,
) -> Option<&'r [u8]> {
    let place = code.checked_sub(texts.base_len());
    let bytes = more.as_mut().zip(place).and_then(|(reader, place)| reader.bytes(place));
    if bytes.is_none() {
        texts.note(code);
    }
    bytes
}
