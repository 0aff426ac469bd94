//! [`CodeTest`]: a predicate on texts, which a run evaluates only once for each distinct text.
//!
//! A [`CodeTest`] stores the results of the text tests in two bits for each code. It tests texts on demand,
//! so that only the texts of tested values are read. If most texts will be needed, it tests all of them in
//! advance, on all threads.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use varvite_format::members;

use super::context::Context;
use super::occurrences::Occurrences;
use super::stop::Stop;
use crate::pipeline::plan::{Matcher, TextTest};
use varvite_graph::internal::{BYTES_AT_ONCE, TextAllowance, all_in_order};
use varvite_graph::{Texts, TextsReader};
use varvite_store::Cancel;

/// A test of values that are codes of texts. Clones share the results of the text tests.
#[derive(Clone, Debug)]
pub(crate) struct CodeTest {
    strings: Texts,
    matcher: Arc<Matcher>,
    /// A bit for each code, set if its text was tested. Empty before a run, and once all texts have been
    /// tested.
    known: Arc<[AtomicU64]>,
    /// A bit for each code, set if its text matches.
    matching: Arc<[AtomicU64]>,
    is_complete: bool,
    /// The number of text bytes that all threads of a run together may read.
    allowance: Arc<TextAllowance>,
}

/// The number of texts that a thread tests between two checks of the cancel flag.
const TEXTS_AT_ONCE: u32 = 1 << 12;
/// The number of texts that a thread takes at a time. It is small, so that at the end no thread waits long
/// for another one to finish.
const TEXTS_OF_PART: u32 = 1 << 13;
/// The minimum number of texts for which all threads are used.
const TEXTS_FOR_THREADS: u32 = 1 << 16;
/// The cost of testing a single text at a random position, in the same unit as the other costs here.
const TEXT_ASKED: u64 = 64;
/// The cost of testing a text by its position in the pool (the bytes of all texts), after a pass over the
/// pool has found the words.
const TEXT_PLACED: u64 = 4;
/// The number of bytes that a pass over the pool reads at a cost of 1.
const BYTES_PASSED: u64 = 4;

impl CodeTest {
    pub(crate) fn new(test: &TextTest) -> Self {
        let TextTest { strings, matcher } = test.clone();
        let allowance = Arc::new(strings.allowance());
        Self { strings, matcher, known: [].into(), matching: [].into(), is_complete: false, allowance }
    }

    /// A copy for another thread. It shares the results of the text tests but has its own matcher.
    pub(crate) fn of_thread(&self) -> Self {
        let matcher = if self.is_complete { self.matcher.clone() } else { own_matcher(&self.matcher) };
        Self { matcher, ..self.clone() }
    }

    /// Whether all texts have been tested.
    #[inline]
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Tests all texts now if that costs less than testing the texts of `values` values on demand.
    pub(crate) fn prepare(&mut self, values: usize, cx: &mut Context) -> Result<(), Stop> {
        if self.is_complete || !self.known.is_empty() {
            return Ok(());
        }
        self.allowance = Arc::new(self.strings.allowance());
        let words = self.strings.len().div_ceil(64) as usize;
        cx.budget.take(2 * 8 * words)?;
        if self.pays_for(values) {
            return self.complete(cx);
        }
        self.known = no_answers(words);
        self.matching = no_answers(words);
        Ok(())
    }

    /// Whether testing all texts costs less than testing the texts of `values` values on demand.
    fn pays_for(&self, values: usize) -> bool {
        let (values, texts) = (values as u64, u64::from(self.strings.len()));
        let pass = self.strings.pool_len() as u64 / BYTES_PASSED + texts * TEXT_PLACED;
        values >= texts || (self.matcher.is_found_in_pool() && values * TEXT_ASKED >= pass)
    }

    /// Tests all texts now.
    fn complete(&mut self, cx: &mut Context) -> Result<(), Stop> {
        let texts = self.strings.len();
        let threads = if texts < TEXTS_FOR_THREADS { 1 } else { cx.threads };
        let matching = match self.matcher.words() {
            Some(words) => {
                let occurrences = Occurrences::find(&self.strings, words, threads, cx)?;
                let is_decided = matches!(&*self.matcher, Matcher::Contains(_));
                let ask = |asker: &mut Asker<'_>, codes: Range<u32>| {
                    // There are only few texts that changes added. They are in another pool, so they are
                    // tested one by one.
                    if codes.end > self.strings.base_len() {
                        return words_of(codes, |code| asker.ask(code));
                    }
                    // If the table is damaged, no text matches.
                    let nothing = || vec![0; codes.len().div_ceil(64)];
                    let mut found = occurrences.texts(&self.strings, codes.clone()).unwrap_or_else(nothing);
                    if !is_decided {
                        asker.keep(codes.start, &mut found);
                    }
                    found
                };
                for_texts(texts, threads, cx, || self.own_asker(cx.cancel), ask)?
            }
            None => {
                let ask = |asker: &mut Asker<'_>, codes| words_of(codes, |code| asker.ask(code));
                for_texts(texts, threads, cx, || self.own_asker(cx.cancel), ask)?
            }
        };
        self.matching = matching.into_iter().flatten().map(AtomicU64::new).collect();
        self.known = [].into();
        self.is_complete = true;
        Ok(())
    }

    /// The codes of the matching texts. `None` unless all texts were tested, or if more than `limit` match.
    pub(crate) fn matching(&self, limit: usize) -> Option<Vec<u32>> {
        let words = || self.matching.iter().map(|word| word.load(Ordering::Relaxed));
        let count: u64 = words().map(|word| u64::from(word.count_ones())).sum();
        if !self.is_complete || count > limit as u64 {
            return None;
        }
        let words: Vec<u64> = words().collect();
        Some(members(&words).collect())
    }

    /// Makes an [`Asker`] for the thread that owns the test.
    pub(crate) fn asker<'a>(&'a self, cancel: &'a Cancel) -> Asker<'a> {
        self.asker_with(self.matcher.clone(), cancel)
    }

    /// Makes an [`Asker`] for any thread.
    fn own_asker<'a>(&'a self, cancel: &'a Cancel) -> Asker<'a> {
        self.asker_with(own_matcher(&self.matcher), cancel)
    }

    fn asker_with<'a>(&'a self, matcher: Arc<Matcher>, cancel: &'a Cancel) -> Asker<'a> {
        Asker { test: self, matcher, reader: self.strings.reader(), cancel, bytes: 0, is_over: false }
    }

    /// Whether the text of a code matches. Tests the text now if no thread has tested it before.
    #[inline]
    pub(crate) fn passes(&self, code: i64) -> bool {
        let may_read = |text: &[u8]| self.strings.may_read(text.len(), &self.allowance);
        let ask =
            |code| self.strings.get(code).is_some_and(|text| may_read(&text) && self.matcher.matches(&text));
        self.answer(code, ask)
    }

    /// Whether the text of a code matches. Calls `ask` if no thread has tested the text.
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
        // The result is stored before the bit that marks the text as tested.
        if known.load(Ordering::Acquire) & bit == 0 {
            if ask(code) {
                matching.fetch_or(bit, Ordering::Relaxed);
            }
            known.fetch_or(bit, Ordering::Release);
        }
        matching.load(Ordering::Relaxed) & bit != 0
    }

    /// Whether the text of a code matches. To be called only after all texts were tested.
    #[inline]
    pub(crate) fn passes_prepared(&self, code: i64) -> bool {
        let word = self.matching.get(code as usize / 64);
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (code as u64 % 64) & 1 != 0)
    }
}

/// Tests texts on one thread, with a reader that keeps the last decoded block.
///
/// The asker checks the cancel flag itself. Its results are meaningless once the flag is set, or once more
/// bytes have been read than an undamaged file can have.
#[derive(Debug)]
pub(crate) struct Asker<'a> {
    test: &'a CodeTest,
    matcher: Arc<Matcher>,
    reader: TextsReader<'a>,
    cancel: &'a Cancel,
    /// The bytes of texts read since the last check of the cancel flag.
    bytes: usize,
    is_over: bool,
}

impl Asker<'_> {
    /// Returns the same as [`CodeTest::passes`].
    #[inline]
    pub(crate) fn passes(&mut self, code: i64) -> bool {
        let test = self.test;
        test.answer(code, |code| self.ask(code))
    }

    /// Clears the bits of texts that do not match. The first bit is that of code `first`.
    fn keep(&mut self, first: u32, words: &mut [u64]) {
        for (start, word) in (first..).step_by(64).zip(words) {
            let mut asked = *word;
            while asked != 0 {
                let bit = asked.trailing_zeros();
                asked &= asked - 1;
                *word &= !(u64::from(!self.ask(start + bit)) << bit);
            }
        }
    }

    fn ask(&mut self, code: u32) -> bool {
        let Some(text) = self.reader.bytes(code).filter(|_| !self.is_over) else { return false };
        self.bytes += text.len();
        if self.bytes >= BYTES_AT_ONCE {
            let CodeTest { strings, allowance, .. } = self.test;
            self.is_over = self.cancel.check().is_err() || !strings.may_read(self.bytes, allowance);
            self.bytes = 0;
        }
        self.matcher.matches(text)
    }
}

/// A copy of the matcher for one thread. If threads shared a matcher, they would wait for each other to use
/// its internal memory.
fn own_matcher(matcher: &Matcher) -> Arc<Matcher> {
    Arc::new(matcher.clone())
}

fn no_answers(words: usize) -> Arc<[AtomicU64]> {
    (0..words).map(|_| AtomicU64::new(0)).collect()
}

/// Tests all texts, in ranges of codes that threads take. `ask` returns a bit for each text of a range. Each
/// thread has a state, which `begin` makes.
fn for_texts<S: Send>(
    texts: u32,
    threads: usize,
    cx: &Context,
    begin: impl Fn() -> S + Sync,
    ask: impl Fn(&mut S, Range<u32>) -> Vec<u64> + Sync,
) -> Result<Vec<Vec<u64>>, Stop> {
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
    all_in_order(&starts, threads, begin, work)
}

/// A bit for each code of a range, set if `matches` returns true for the code.
fn words_of(codes: Range<u32>, mut matches: impl FnMut(u32) -> bool) -> Vec<u64> {
    let mut words = vec![0u64; codes.len().div_ceil(64)];
    for (index, code) in codes.enumerate() {
        words[index / 64] |= u64::from(matches(code)) << (index % 64);
    }
    words
}
