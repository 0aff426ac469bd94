//! Predicates on texts, asked once for each distinct text.
//!
//! A [`CodeTest`] remembers its answers, two bits for each code. It is either asked as values come, so that only texts that
//! occur among them are read, or prepared at once and on all threads when most of the table will be needed. This is
//! the only module of pipelines that reads string tables.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use memchr::memmem;
use varvite_format::{Strings, TextReader};
use varvite_store::Pinned;

use super::occurrences::Occurrences;
use super::operators::{Cancel, Context, Stop};
use crate::parallel::in_order_with;

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

/// A test of codes of texts. Clones share their answers.
#[derive(Clone, Debug)]
pub(crate) struct CodeTest {
    strings: Strings<Pinned>,
    matcher: Arc<Matcher>,
    /// A bit for each code that was asked; empty before a run, and when all were.
    known: Arc<[AtomicU64]>,
    /// A bit for each code that matches.
    matching: Arc<[AtomicU64]>,
    is_complete: bool,
}

/// Texts that a thread asks between two looks at the flag that cancels.
const TEXTS_AT_ONCE: u32 = 1 << 12;
/// Bytes of texts between two looks.
const BYTES_AT_ONCE: usize = 1 << 20;
/// Texts of a thread's part: threads that wait for each other too often sleep.
const TEXTS_OF_PART: u32 = 1 << 15;
/// Texts from which on it pays to use all threads.
const TEXTS_FOR_THREADS: u32 = 1 << 16;

impl CodeTest {
    pub(crate) fn new(strings: Strings<Pinned>, matcher: Matcher) -> Self {
        let matcher = Arc::new(matcher);
        Self { strings, matcher, known: [].into(), matching: [].into(), is_complete: false }
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

    /// Asks all texts now if as many values will be tested, or half as many where all texts are searched at once.
    pub(crate) fn prepare(&mut self, values: usize, cx: &mut Context) -> Result<(), Stop> {
        if self.is_complete {
            return Ok(());
        }
        let words = self.strings.len().div_ceil(64) as usize;
        cx.budget.take(2 * 8 * words)?;
        if values >= self.strings.len() as usize >> u32::from(self.is_found_in_pool()) {
            return self.complete(cx);
        }
        self.known = no_answers(words);
        self.matching = no_answers(words);
        Ok(())
    }

    /// Whether all texts are found in one pass over the bytes that they are slices of.
    pub(crate) fn is_found_in_pool(&self) -> bool {
        matches!(&*self.matcher, Matcher::Contains(finder) if Occurrences::can_find(finder))
    }

    /// Asks all texts now.
    fn complete(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let texts = self.strings.len();
        let threads = if texts < TEXTS_FOR_THREADS { 1 } else { cx.threads };
        let mut matching = Vec::with_capacity(texts.div_ceil(64) as usize);
        let take = |words: Vec<u64>| {
            matching.extend(words.into_iter().map(AtomicU64::new));
            Ok(())
        };
        match &*self.matcher {
            Matcher::Contains(finder) if self.is_found_in_pool() => {
                let occurrences = Occurrences::find(&self.strings, finder, threads, cx)?;
                // Of a damaged table no text is found.
                let ask = |_: &mut (), codes: Range<u32>| {
                    let nothing = vec![0; codes.len().div_ceil(64)];
                    occurrences.texts(&self.strings, codes).unwrap_or(nothing)
                };
                for_texts(texts, threads, cx, || (), ask, take)?;
            }
            _ => {
                let ask = |asker: &mut Asker<'_>, codes| words_of(codes, |code| asker.ask(code));
                for_texts(texts, threads, cx, || self.asker(&cx.cancel), ask, take)?;
            }
        }
        self.matching = matching.into();
        self.known = [].into();
        self.is_complete = true;
        Ok(())
    }

    /// Asks texts on one thread.
    pub(crate) fn asker<'a>(&'a self, cancel: &'a Cancel) -> Asker<'a> {
        let (matcher, reader) = ((*self.matcher).clone(), self.strings.reader());
        Asker { test: self, matcher, reader, cancel, bytes: 0, is_cancelled: false }
    }

    /// Whether the text of a code matches; the text is asked if it was not yet.
    #[inline]
    pub(crate) fn passes(&self, code: i64) -> bool {
        let ask = |code| self.strings.get(code).is_some_and(|text| self.matcher.matches(&text));
        self.answer(code, ask)
    }

    /// Whether the text of a code matches, as `ask` says if nobody knows.
    #[inline]
    fn answer(&self, code: i64, ask: impl FnOnce(u32) -> bool) -> bool {
        if self.is_complete {
            return self.passes_prepared(code);
        }
        let Some(code) = u32::try_from(code).ok().filter(|code| *code < self.strings.len()) else {
            return false;
        };
        let (word, bit) = (code as usize / 64, 1u64 << (code % 64));
        let (Some(known), Some(matching)) = (self.known.get(word), self.matching.get(word)) else {
            return ask(code);
        };
        // An answer is there before it is known to be.
        if known.load(Ordering::Acquire) & bit == 0 {
            if ask(code) {
                matching.fetch_or(bit, Ordering::Relaxed);
            }
            known.fetch_or(bit, Ordering::Release);
        }
        matching.load(Ordering::Relaxed) & bit != 0
    }

    /// Whether the text of a code matches, once all were asked.
    #[inline]
    pub(crate) fn passes_prepared(&self, code: i64) -> bool {
        let word = self.matching.get(code as usize / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (code as u64 % 64) & 1 != 0)
    }
}

/// Asks texts on one thread: matchers have memory that threads would wait for, and readers keep what they decoded.
///
/// Once it saw the flag that cancels, which it looks at by itself, its answers mean nothing.
#[derive(Debug)]
pub(crate) struct Asker<'a> {
    test: &'a CodeTest,
    matcher: Matcher,
    reader: TextReader<'a, Pinned>,
    cancel: &'a Cancel,
    /// Bytes of texts since the last look.
    bytes: usize,
    is_cancelled: bool,
}

impl Asker<'_> {
    /// What [`CodeTest::passes`] is.
    #[inline]
    pub(crate) fn passes(&mut self, code: i64) -> bool {
        let test = self.test;
        test.answer(code, |code| self.ask(code))
    }

    fn ask(&mut self, code: u32) -> bool {
        let Some(text) = self.reader.bytes(code).filter(|_| !self.is_cancelled) else { return false };
        self.bytes += text.len();
        if self.bytes >= BYTES_AT_ONCE {
            (self.bytes, self.is_cancelled) = (0, self.cancel.check().is_err());
        }
        self.matcher.matches(text)
    }
}

fn no_answers(words: usize) -> Arc<[AtomicU64]> {
    (0..words).map(|_| AtomicU64::new(0)).collect()
}

/// Asks all texts, some at a time: `ask` gives a bit for each of a range, with what its thread began with.
fn for_texts<S>(
    texts: u32,
    threads: usize,
    cx: &Context,
    begin: impl Fn() -> S + Sync,
    ask: impl Fn(&mut S, Range<u32>) -> Vec<u64> + Sync,
    take: impl FnMut(Vec<u64>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let starts: Vec<u32> = (0..texts).step_by(TEXTS_OF_PART as usize).collect();
    let work = |state: &mut S, start: &u32| {
        let end = texts.min(start + TEXTS_OF_PART);
        let mut words = Vec::with_capacity(TEXTS_OF_PART as usize / 64);
        for first in (*start..end).step_by(TEXTS_AT_ONCE as usize) {
            cx.cancel.check()?;
            words.extend(ask(state, first..end.min(first + TEXTS_AT_ONCE)));
        }
        cx.cancel.check()?;
        Ok(words)
    };
    in_order_with(&starts, threads, begin, work, take)
}

/// A bit for each code of a range: whether `matches` says so.
fn words_of(codes: Range<u32>, mut matches: impl FnMut(u32) -> bool) -> Vec<u64> {
    let mut words = vec![0u64; codes.len().div_ceil(64)];
    for (index, code) in codes.enumerate() {
        words[index / 64] |= u64::from(matches(code)) << (index % 64);
    }
    words
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
