//! Predicates on texts, asked once for each distinct text.
//!
//! A [`CodeTest`] remembers its answers, two bits for each code. It is either asked as values come, so that only texts that
//! occur among them are read, or prepared at once and on all threads when most of the table will be needed. This is
//! the only module of pipelines that reads string tables.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;
use varvite_format::Strings;
use varvite_store::Pinned;

use super::operators::{Context, Stop};
use crate::parallel::in_order;

/// A condition on the bytes of a text.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    Prefix(Box<[u8]>),
    Suffix(Box<[u8]>),
    Contains(Box<memmem::Finder<'static>>),
    Regex(regex::bytes::Regex),
}

impl Matcher {
    fn matches(&self, text: &[u8]) -> bool {
        match self {
            Self::Prefix(wanted) => text.starts_with(wanted),
            Self::Suffix(wanted) => text.ends_with(wanted),
            Self::Contains(finder) => finder.find(text).is_some(),
            Self::Regex(regex) => regex.is_match(text),
        }
    }
}

/// A test of codes of texts.
#[derive(Clone, Debug)]
pub(crate) struct CodeTest {
    strings: Strings<Pinned>,
    matcher: Arc<Matcher>,
    /// A bit for each code that was asked; empty when all were.
    known: Vec<u64>,
    /// A bit for each code that matches.
    matching: Vec<u64>,
    is_complete: bool,
}

/// Texts that a thread asks between two looks at the flag that cancels.
const TEXTS_AT_ONCE: u32 = 4096;
/// Bytes of texts between two looks.
const BYTES_AT_ONCE: usize = 1 << 20;
/// Texts from which on it pays to use all threads.
const TEXTS_FOR_THREADS: u32 = 16 * TEXTS_AT_ONCE;

impl CodeTest {
    pub(crate) fn new(strings: Strings<Pinned>, matcher: Matcher) -> Self {
        let matcher = Arc::new(matcher);
        Self { strings, matcher, known: Vec::new(), matching: Vec::new(), is_complete: false }
    }

    /// How many texts there are.
    pub(crate) fn len(&self) -> u32 {
        self.strings.len()
    }

    /// Whether all texts were asked.
    #[inline]
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Asks all texts now if at least half as many values will be tested.
    pub(crate) fn prepare(&mut self, values: usize, cx: &mut Context) -> Result<(), Stop> {
        if self.is_complete {
            return Ok(());
        }
        let words = self.strings.len().div_ceil(64) as usize;
        cx.budget.take(2 * 8 * words)?;
        if values >= self.strings.len() as usize / 2 {
            return self.complete(cx);
        }
        self.known = vec![0; words];
        self.matching = vec![0; words];
        Ok(())
    }

    /// Whether all texts are found in one pass over the bytes that they are slices of.
    pub(crate) fn is_found_in_pool(&self) -> bool {
        matches!(&*self.matcher, Matcher::Contains(finder) if !finder.needle().is_empty())
            && self.strings.pool().is_some()
    }

    /// Asks all texts now.
    pub(crate) fn complete(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let texts = self.strings.len();
        let parts: Vec<u32> = (0..texts.div_ceil(TEXTS_AT_ONCE)).collect();
        let threads = if texts < TEXTS_FOR_THREADS { 1 } else { cx.threads };
        let occurrences = match &*self.matcher {
            Matcher::Contains(finder) if self.is_found_in_pool() => {
                let pool = self.strings.pool().unwrap_or(&[]);
                Some(Occurrences::find(pool, finder, texts, threads, cx)?)
            }
            _ => None,
        };
        let cancel = &cx.cancel;
        let (strings, matcher, occurrences) = (&self.strings, &self.matcher, &occurrences);
        let mut matching = Vec::with_capacity(texts.div_ceil(64) as usize);
        in_order(
            &parts,
            threads,
            |part| {
                cancel.check()?;
                let first = part * TEXTS_AT_ONCE;
                let codes = first..texts.min(first + TEXTS_AT_ONCE);
                Ok(match occurrences {
                    Some(occurrences) => words_of(codes, |code| {
                        Ok(strings.place(code).is_some_and(|at| occurrences.are_in(&at)))
                    })?,
                    None => {
                        let (mut reader, mut bytes) = (strings.reader(), 0);
                        words_of(codes, |code| {
                            let Some(text) = reader.bytes(code) else { return Ok(false) };
                            bytes += text.len();
                            if bytes >= BYTES_AT_ONCE {
                                bytes = 0;
                                cancel.check()?;
                            }
                            Ok(matcher.matches(text))
                        })?
                    }
                })
            },
            |words| {
                matching.extend(words);
                Ok(())
            },
        )?;
        self.matching = matching;
        self.known = Vec::new();
        self.is_complete = true;
        Ok(())
    }

    /// Whether the text of a code matches; the text is asked if it was not yet.
    #[inline]
    pub(crate) fn passes(&mut self, code: i64) -> bool {
        if self.is_complete {
            return self.passes_prepared(code);
        }
        let Some(index) = usize::try_from(code).ok().filter(|index| *index < self.strings.len() as usize)
        else {
            return false;
        };
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        match self.known.get(word) {
            Some(known) if known & bit != 0 => self.matching[word] & bit != 0,
            Some(_) => self.ask(index),
            None => matches(&self.strings, &self.matcher, index as u32),
        }
    }

    #[inline(never)]
    fn ask(&mut self, index: usize) -> bool {
        let matches = matches(&self.strings, &self.matcher, index as u32);
        let (word, bit) = (index / 64, 1u64 << (index % 64));
        self.known[word] |= bit;
        if matches {
            self.matching[word] |= bit;
        }
        matches
    }

    /// Whether the text of a code matches, once all were asked.
    #[inline]
    pub(crate) fn passes_prepared(&self, code: i64) -> bool {
        let word = self.matching.get(code as usize / 64);
        word.is_some_and(|word| word >> (code as u64 % 64) & 1 != 0)
    }
}

fn matches(strings: &Strings<Pinned>, matcher: &Matcher, code: u32) -> bool {
    strings.get(code).is_some_and(|text| matcher.matches(&text))
}

/// A bit for each code of a range, whose start is a multiple of 64.
fn words_of(codes: Range<u32>, mut matches: impl FnMut(u32) -> Result<bool, Stop>) -> Result<Vec<u64>, Stop> {
    let mut words = vec![0u64; codes.len().div_ceil(64)];
    let first = codes.start;
    for code in codes {
        words[(code - first) as usize / 64] |= u64::from(matches(code)?) << (code % 64);
    }
    Ok(words)
}

/// Where a text occurs in a pool: found once, whatever number of slices share the place.
struct Occurrences {
    /// Rising.
    places: Vec<usize>,
    /// For every block of the pool, the first occurrence in or behind it.
    first_of_block: Vec<u32>,
    needle_len: usize,
}

/// Bytes of a pool that share an entry.
const POOL_BLOCK: usize = 256;
/// Bytes of a pool that a thread searches at a time.
const POOL_PART: usize = 1 << 20;

impl Occurrences {
    fn find(
        pool: &[u8],
        finder: &memmem::Finder<'static>,
        texts: u32,
        threads: usize,
        cx: &mut Context,
    ) -> Result<Self, Stop> {
        let needle_len = finder.needle().len();
        let starts: Vec<usize> = (0..pool.len()).step_by(POOL_PART).collect();
        let (cancel, mut places) = (&cx.cancel, Vec::new());
        let threads = if texts < TEXTS_FOR_THREADS { 1 } else { threads };
        in_order(
            &starts,
            threads,
            |start| {
                cancel.check()?;
                // A part looks as far into the next one as an occurrence that begins in it reaches.
                let end = pool.len().min(start + POOL_PART + needle_len - 1);
                let (mut found, mut at) = (Vec::new(), *start);
                while let Some(place) = pool.get(at..end).and_then(|rest| finder.find(rest)) {
                    found.push(at + place);
                    at += place + 1;
                }
                Ok(found)
            },
            |found| {
                places.extend(found);
                Ok(())
            },
        )?;
        cx.budget.take(8 * places.capacity() + 4 * pool.len().div_ceil(POOL_BLOCK))?;
        let mut first_of_block = vec![places.len() as u32; pool.len().div_ceil(POOL_BLOCK) + 1];
        for (number, place) in places.iter().enumerate().rev() {
            first_of_block[place / POOL_BLOCK] = number as u32;
        }
        for block in (0..first_of_block.len().saturating_sub(1)).rev() {
            first_of_block[block] = first_of_block[block].min(first_of_block[block + 1]);
        }
        Ok(Self { places, first_of_block, needle_len })
    }

    /// Whether any is inside of a range of the pool.
    #[inline]
    fn are_in(&self, range: &Range<usize>) -> bool {
        let Some(first) = self.first_of_block.get(range.start / POOL_BLOCK) else { return false };
        let from = self.places.get(*first as usize..).unwrap_or(&[]);
        let next = from.iter().find(|place| **place >= range.start);
        next.is_some_and(|place| place + self.needle_len <= range.end)
    }
}

/// The codes of texts that begin with `prefix`, in a table whose codes are in the order of their texts.
pub(crate) fn codes_with_prefix(strings: &Strings<Pinned>, prefix: &[u8]) -> Option<Range<u32>> {
    if !strings.is_sorted() {
        return None;
    }
    let mut reader = strings.reader();
    let start = partition_point(strings.len(), |code| reader.bytes(code).unwrap_or(&[]) < prefix);
    let end = partition_point(strings.len(), |code| {
        let text = reader.bytes(code).unwrap_or(&[]);
        text < prefix || text.starts_with(prefix)
    });
    Some(start..end.max(start))
}

/// Whether one text comes before another, by their bytes; by code where codes are in that order.
pub(crate) fn compare_texts(strings: &Strings<Pinned>, a: i64, b: i64) -> std::cmp::Ordering {
    if strings.is_sorted() || a == b {
        return a.cmp(&b);
    }
    let text = |code: i64| u32::try_from(code).ok().and_then(|code| strings.get(code));
    text(a).as_deref().cmp(&text(b).as_deref())
}

fn partition_point(count: u32, mut is_before: impl FnMut(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
