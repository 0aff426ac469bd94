//! Predicates on texts, asked once for each distinct text.
//!
//! A [`CodeTest`] remembers its answers, two bits for each code. It is either asked as values come, so that only texts that
//! occur among them are read, or prepared at once and on all threads when most of the table will be needed. This is
//! the only module of pipelines that reads string tables.

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

    /// Asks all texts now.
    pub(crate) fn complete(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let texts = self.strings.len();
        let parts: Vec<u32> = (0..texts.div_ceil(TEXTS_AT_ONCE)).collect();
        let threads = if texts < TEXTS_FOR_THREADS { 1 } else { cx.threads };
        let cancel = &cx.cancel;
        let (strings, matcher) = (&self.strings, &self.matcher);
        let mut matching = Vec::with_capacity(texts.div_ceil(64) as usize);
        in_order(
            &parts,
            threads,
            |part| {
                cancel.check()?;
                let first = part * TEXTS_AT_ONCE;
                Ok(matches_from(strings, matcher, first, texts.min(first + TEXTS_AT_ONCE)))
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

/// A bit for each code from `first`, which is a multiple of 64, to `end`.
fn matches_from(strings: &Strings<Pinned>, matcher: &Matcher, first: u32, end: u32) -> Vec<u64> {
    let mut words = vec![0u64; (end - first).div_ceil(64) as usize];
    let mut reader = strings.reader();
    for code in first..end {
        if reader.bytes(code).is_some_and(|text| matcher.matches(text)) {
            words[(code - first) as usize / 64] |= 1 << (code % 64);
        }
    }
    words
}

/// The codes of texts that begin with `prefix`, in a table whose codes are in the order of their texts.
pub(crate) fn codes_with_prefix(strings: &Strings<Pinned>, prefix: &[u8]) -> Option<std::ops::Range<u32>> {
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
