//! [`ValueTest`]: a test of stored numbers, in the form that a run evaluates.

use super::code_test::CodeTest;
use super::context::Context;
use super::stop::Stop;
use crate::pipeline::plan::Test;

/// A [`Test`] with the results of the text tests so far. Clones share these results.
#[derive(Clone, Debug)]
pub(crate) enum ValueTest {
    /// A test that reads no texts.
    Plain(Test),
    Texts(Box<CodeTest>),
    Not(Box<ValueTest>),
    Any(Vec<ValueTest>),
}

impl ValueTest {
    pub(crate) fn new(test: &Test) -> Self {
        match test {
            test if !test.asks_texts() => Self::Plain(test.clone()),
            Test::Texts(texts) => Self::Texts(Box::new(CodeTest::new(texts))),
            Test::Not(test) => Self::Not(Box::new(Self::new(test))),
            Test::Any(tests) => Self::Any(tests.iter().map(Self::new).collect()),
            other => Self::Plain(other.clone()),
        }
    }

    /// A copy for another thread. It shares the results of text tests, but not the buffers.
    pub(crate) fn of_thread(&self) -> Self {
        match self {
            Self::Plain(test) => Self::Plain(test.clone()),
            Self::Texts(codes) => Self::Texts(Box::new(codes.of_thread())),
            Self::Not(test) => Self::Not(Box::new(test.of_thread())),
            Self::Any(tests) => Self::Any(tests.iter().map(Self::of_thread).collect()),
        }
    }

    /// Prepares the test of about `values` values.
    pub(crate) fn prepare(&mut self, values: usize, cx: &mut Context) -> Result<(), Stop> {
        match self {
            Self::Plain(_) => Ok(()),
            Self::Texts(codes) => codes.prepare(values, cx),
            Self::Not(test) => test.prepare(values, cx),
            Self::Any(tests) => tests.iter_mut().try_for_each(|test| test.prepare(values, cx)),
        }
    }

    /// Whether texts are read while numbers are tested.
    #[inline]
    pub(crate) fn reads_texts(&self) -> bool {
        match self {
            Self::Plain(_) => false,
            Self::Texts(codes) => !codes.is_complete(),
            Self::Not(test) => test.reads_texts(),
            Self::Any(tests) => tests.iter().any(Self::reads_texts),
        }
    }

    /// Whether a number passes.
    #[inline]
    pub(crate) fn passes(&self, number: i64) -> bool {
        match self {
            Self::Plain(test) => test.passes(number),
            _ => self.text_passes(number),
        }
    }

    fn text_passes(&self, number: i64) -> bool {
        match self {
            Self::Plain(test) => test.passes(number),
            Self::Texts(codes) => codes.passes(number),
            Self::Not(test) => !test.passes(number),
            Self::Any(tests) => tests.iter().any(|test| test.passes(number)),
        }
    }

    /// Whether a number passes a prepared test.
    #[inline]
    pub(crate) fn passes_prepared(&self, number: i64) -> bool {
        match self {
            Self::Plain(test) => test.passes(number),
            _ => self.text_passes_prepared(number),
        }
    }

    fn text_passes_prepared(&self, number: i64) -> bool {
        match self {
            Self::Plain(test) => test.passes(number),
            Self::Texts(codes) => codes.passes_prepared(number),
            Self::Not(test) => !test.passes_prepared(number),
            Self::Any(tests) => tests.iter().any(|test| test.passes_prepared(number)),
        }
    }
}
