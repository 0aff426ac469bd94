//! [`Texts`]: reads the texts of a property, and records damage for each text that cannot be read.
//!
//! All reads of string tables in this crate use [`Texts`]. A text that cannot be read counts as null, as in
//! all cursors. The reader itself records the damage, so that filters, sorts, groups and joins by texts
//! cannot forget to do so.
//!
//! A graph with changed values has a second table. Its codes follow the codes of the base, and none of its
//! texts is in the base. Only a read that fails in the base looks in the second table, so reads are not
//! slower in a graph without changed values. If a query gives a text to owners without a value, the code of
//! this text comes after those of both tables.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering as MemoryOrdering};

use varvite_format::{Claim, Excess, FormatError, PropertyId, Strings, Text, TextReader};
use varvite_store::Pinned;

use crate::cursor::damage::{Damage, SoundPart};

/// The texts that codes stand for. Cheap to clone, shared between threads.
///
/// Every code of a text is below [`Texts::len`]; that number is the code of null.
#[derive(Clone, Debug)]
pub struct Texts {
    /// The texts of the base.
    strings: Strings<Pinned>,
    /// The second table: texts added after the base was written.
    more: Option<Strings<Pinned>>,
    /// A text of a query, which has the last code.
    extra: Option<Arc<str>>,
    /// The number of all texts.
    count: u32,
    /// The id of the property that the texts belong to.
    property: PropertyId,
    file_len: u64,
    damage: Damage,
}

/// The largest number of text bytes that one search or sort may read for each byte of the file. Texts may
/// overlap in the pool (the bytes of all texts of a table), so a damaged file can claim more; no valid file
/// reaches this limit.
const BYTES_OF_BYTE: u64 = 1024;
/// A scan takes this many bytes from the allowance at a time. Smaller steps would be slow, because the
/// threads of a search share the allowance.
pub const BYTES_AT_ONCE: usize = 1 << 20;
/// The number of texts between two calls of the function that may stop a search.
const TEXTS_AT_ONCE: u32 = 1024;
/// The number of bytes at the start of two texts that are compared without taking bytes from the allowance.
const COMPARED_FREE: usize = 64;
/// The number of bytes in a [`TextStart`].
const START_BYTES: usize = 32;

/// The first bytes of a text, for a sort of many texts.
#[doc(hidden)]
pub type TextStart = [u8; START_BYTES];

impl Texts {
    pub(crate) fn new(strings: Strings<Pinned>, property: PropertyId, file_len: u64, damage: Damage) -> Self {
        Self { count: strings.len(), strings, more: None, extra: None, property, file_len, damage }
    }

    /// These texts with a second table. `None` if both tables together have more texts than there are codes.
    pub(crate) fn with_more(self, more: Strings<Pinned>) -> Option<Self> {
        // The code after all texts is the code of null.
        let count = self.strings.len().checked_add(more.len()).filter(|count| *count < u32::MAX)?;
        Some(Self { count, more: Some(more).filter(|more| !more.is_empty()), ..self })
    }

    /// These texts and one more, which has the last code even if another code stands for the same text.
    /// `None` if there is no code left.
    pub(crate) fn with_extra(self, extra: Arc<str>) -> Option<Self> {
        let count = self.count.checked_add(1).filter(|count| *count < u32::MAX && self.extra.is_none())?;
        Some(Self { count, extra: Some(extra), ..self })
    }

    /// Whether there is a text that is not the property's own.
    #[doc(hidden)]
    pub fn has_extra(&self) -> bool {
        self.extra.is_some()
    }

    /// The number of text bytes that one search, sort or scan of a whole graph may read, in a file of
    /// `file_len` bytes.
    pub(crate) fn allowance_of(file_len: u64) -> TextAllowance {
        TextAllowance { file_len, left: AtomicI64::new(limit_of(file_len)) }
    }

    /// The number of text bytes that one search, sort or scan of a whole graph may read, in the file of these
    /// texts.
    #[doc(hidden)]
    #[inline]
    pub fn allowance(&self) -> TextAllowance {
        Self::allowance_of(self.file_len)
    }

    /// Takes `bytes` bytes from the allowance, and returns whether that many were left. If not, records
    /// damage, since no valid file exceeds the allowance.
    #[inline]
    #[doc(hidden)]
    pub fn may_read(&self, bytes: usize, allowance: &TextAllowance) -> bool {
        let may = allowance.take(bytes);
        if !may {
            self.damage.note_error(|| allowance.error());
        }
        may
    }

    /// The number of texts, which is also the code of null.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// The number of texts in the base. Their codes are the lowest, and [`Texts::slices`] returns their
    /// positions in the pool.
    #[doc(hidden)]
    #[inline]
    pub fn base_len(&self) -> u32 {
        self.strings.len()
    }

    /// Whether these are texts of the same property of the same graph, so that codes mean the same in both.
    #[doc(hidden)]
    pub fn are_those_of(&self, other: &Self) -> bool {
        self.property == other.property && self.count == other.count && self.extra == other.extra
    }

    /// True if there is no text.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// True if codes are in the order of the bytes of their texts.
    pub fn is_sorted(&self) -> bool {
        self.more.is_none() && self.extra.is_none() && self.strings.is_sorted()
    }

    /// The bytes of the text with a code. `None` for the code of null, for greater codes, and for a text that
    /// cannot be read; [`Graph::check`](crate::Graph::check) then reports the damage.
    #[inline]
    pub fn get(&self, code: u32) -> Option<Text<'_, Pinned>> {
        let text = self.strings.get(code);
        if text.is_none() && code < self.len() { self.get_more(code) } else { text }
    }

    #[cold]
    fn get_more(&self, code: u32) -> Option<Text<'_, Pinned>> {
        if let Some(extra) = self.extra_at(code) {
            return Some(extra.as_bytes().into());
        }
        let place = code.checked_sub(self.strings.len());
        let text = place.and_then(|place| self.more.as_ref()?.get(place));
        if text.is_none() {
            self.note(code);
        }
        text
    }

    /// The text that a query added, if the code is its code.
    fn extra_at(&self, code: u32) -> Option<&Arc<str>> {
        self.extra.as_ref().filter(|_| code.checked_add(1) == Some(self.count))
    }

    /// The number of bytes of the text with a code. `None` as for [`Texts::get`].
    pub fn text_len(&self, code: u32) -> Option<usize> {
        if let Some(extra) = self.extra_at(code) {
            return Some(extra.len());
        }
        let (strings, place) = self.table_of(code)?;
        let len = strings.text_len(place);
        if len.is_none() {
            self.note(code);
        }
        len
    }

    /// Part of the bytes of the text with a code. `None` as for [`Texts::get`], and if `part` is not inside
    /// the text, which is no damage. In a compressed pool, only the blocks that contain the part are decoded.
    pub fn part_of(&self, code: u32, part: Range<usize>) -> Option<Text<'_, Pinned>> {
        if let Some(extra) = self.extra_at(code) {
            return extra.as_bytes().get(part).map(Text::from);
        }
        let (strings, place) = self.table_of(code)?;
        if part.start > part.end || part.end > self.text_len(code)? {
            return None;
        }
        let bytes = strings.part_of(place, part);
        if bytes.is_none() {
            self.note(code);
        }
        bytes
    }

    /// The table that has the text with a code, and the code of the text in that table.
    fn table_of(&self, code: u32) -> Option<(&Strings<Pinned>, u32)> {
        match code.checked_sub(self.strings.len()) {
            None => Some((&self.strings, code)),
            Some(place) if code < self.len() => Some((self.more.as_ref()?, place)),
            Some(_) => None,
        }
    }

    /// The code of a text; `None` if no text of the property equals it. Takes logarithmic time in a sorted
    /// table; otherwise scans the table.
    pub fn find(&self, text: &str) -> Option<u32> {
        self.find_each(&[text])[0]
    }

    /// The code of each of `texts`, or `None` if no text of the property equals it. Takes logarithmic time
    /// for each text in a sorted table; otherwise scans the table once for all texts.
    pub fn find_each(&self, texts: &[&str]) -> Vec<Option<u32>> {
        let Ok(codes) = self.find_each_until(texts, || Ok::<_, Infallible>(()));
        codes
    }

    /// The same as [`Texts::find_each`], but stops once `look` returns an error. `look` is called after every
    /// 1,024 texts and every megabyte of a scan.
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
                // If the caller asks for a text several times, the scan sets the code at only one index of
                // that text. The loop copies the code to the others.
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

    /// Scans the codes from `first` on. `wanted` returns an index for each text to find; the scan sets
    /// `codes` at that index to the first code of the text. Stops once `missing` texts are found.
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

    /// Compares the texts of two codes by their bytes. Compares the codes instead if the table is sorted, or
    /// if the allowance is used up. Null is greater than all texts.
    #[doc(hidden)]
    pub fn compare(&self, a: i64, b: i64, allowance: &TextAllowance) -> Ordering {
        let null = i64::from(self.len());
        if self.are_sorted(a.max(b)) || a == b || a == null || b == null {
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

    /// The first bytes of the text of a code, then zeros; all ones for null. Where they differ, they have the
    /// order of [`Texts::compare`].
    #[doc(hidden)]
    pub fn start_of(&self, code: i64) -> TextStart {
        let mut start = [0; START_BYTES];
        if code == i64::from(self.len()) {
            return [u8::MAX; START_BYTES];
        }
        let bytes = u32::try_from(code).ok().and_then(|code| {
            let length = self.text_len(code)?.min(START_BYTES);
            self.part_of(code, 0..length)
        });
        if let Some(bytes) = bytes {
            start[..bytes.len()].copy_from_slice(&bytes);
        }
        start
    }

    /// Whether all codes up to this one are in the order of their texts.
    fn are_sorted(&self, code: i64) -> bool {
        self.strings.is_sorted() && code < i64::from(self.base_len()) || self.is_sorted()
    }

    /// The length, in bytes, of the pool that contains the bytes of all texts of the base.
    #[doc(hidden)]
    #[inline]
    pub fn pool_len(&self) -> usize {
        self.strings.pool_len()
    }

    /// The length, in bytes, of each part of the pool except the last.
    #[doc(hidden)]
    #[inline]
    pub fn part_len(&self) -> usize {
        self.strings.part_len()
    }

    /// Part `number` of the pool, which may be decoded into `buffer`. `None` past the end of the pool, and if
    /// the part is damaged.
    #[doc(hidden)]
    #[inline]
    pub fn part<'t>(&'t self, number: usize, buffer: &'t mut Vec<u8>) -> Option<Text<'t, Pinned>> {
        let part = self.strings.part(number, buffer);
        if part.is_none() && number.saturating_mul(self.part_len()) < self.pool_len() {
            self.note(0);
        }
        part
    }

    /// Reads where the base's texts, from code `first` on, start and end in the pool. Returns false if bytes
    /// of the table are missing. A range outside the pool is recorded as damage but returned; the caller has
    /// to treat it as empty.
    #[doc(hidden)]
    pub fn slices(&self, first: u32, starts: &mut [i64], ends: &mut [i64]) -> bool {
        let are_there = self.strings.slices(first, starts, ends).is_some();
        let (part, first_code) = (SoundPart::Texts(self.property), first as usize);
        let end = first_code + starts.len();
        if are_there && end <= self.damage.sound(part) {
            return true;
        }
        let pool_len = self.pool_len() as i64;
        // All ranges are tested together: a range outside the pool sets the sign bit, which stays set in the
        // OR of all ranges.
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

/// The number of bytes of texts that may still be read, shared by the threads of a search.
#[derive(Debug)]
pub struct TextAllowance {
    file_len: u64,
    /// The number of bytes that are left; negative after a reader took more than was left.
    left: AtomicI64,
}

impl TextAllowance {
    /// Takes `bytes` bytes, and returns whether that many were left. After it has returned false, it always
    /// returns false.
    #[inline]
    pub(crate) fn take(&self, bytes: usize) -> bool {
        self.left.fetch_sub(bytes as i64, MemoryOrdering::Relaxed) >= bytes as i64
    }

    /// The error for a file whose texts exceed the allowance.
    #[cold]
    pub(crate) fn error(&self) -> FormatError {
        let (file_len, limit) = (self.file_len, limit_of(self.file_len) as u64);
        Excess { claim: Claim::OverlappingTexts, found: limit + 1, limit, file_len }.refusal()
    }
}

fn limit_of(file_len: u64) -> i64 {
    i64::try_from(file_len.saturating_mul(BYTES_OF_BYTE)).unwrap_or(i64::MAX)
}

/// A reader of many texts of a property, one after the other. It is fastest if texts are read in the order in
/// which the pool (the bytes of all texts) contains them.
#[derive(Debug)]
pub struct TextsReader<'a> {
    texts: &'a Texts,
    reader: TextReader<'a, Pinned>,
    more: Option<Box<TextReader<'a, Pinned>>>,
}

impl TextsReader<'_> {
    /// The bytes of the text with a code, as [`Texts::get`] returns them. They are valid until the next call.
    #[inline]
    pub fn bytes(&mut self, code: u32) -> Option<&[u8]> {
        let bytes = self.reader.bytes(code);
        if bytes.is_none() && code < self.texts.len() {
            return bytes_of_more(self.texts, &mut self.more, code);
        }
        bytes
    }

    /// The same as [`TextsReader::bytes`], as a string; also `None` if the bytes are not UTF-8.
    #[inline]
    pub fn str(&mut self, code: u32) -> Option<&str> {
        let texts = self.texts;
        let bytes = self.bytes(code)?;
        std::str::from_utf8(bytes).inspect_err(|_| texts.note(code)).ok()
    }
}

/// The bytes of a text in the second table, which has the texts added after the base was written.
#[cold]
fn bytes_of_more<'r>(
    texts: &'r Texts,
    more: &'r mut Option<Box<TextReader<'_, Pinned>>>,
    code: u32,
) -> Option<&'r [u8]> {
    if let Some(extra) = texts.extra_at(code) {
        return Some(extra.as_bytes());
    }
    let place = code.checked_sub(texts.base_len());
    let bytes = more.as_mut().zip(place).and_then(|(reader, place)| reader.bytes(place));
    if bytes.is_none() {
        texts.note(code);
    }
    bytes
}
