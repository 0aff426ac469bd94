//! [`TextTest`]: a predicate on the texts of a property.

use std::ops::Range;
use std::sync::Arc;

use super::words::Words;
use varvite_graph::Texts;

/// A predicate on the texts of a property, whose values are codes of texts.
#[derive(Clone, Debug)]
pub(crate) struct TextTest {
    pub(crate) strings: Texts,
    pub(crate) matcher: Arc<Matcher>,
}

/// A condition on the bytes of a text.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    Prefix(Box<[u8]>),
    Suffix(Box<[u8]>),
    Contains(Words),
    /// A regular expression and, if such words are known, a set of words at least one of which is in every
    /// matching text.
    Regex(regex::bytes::Regex, Option<Words>),
}

/// A predicate on texts that the run has computed.
#[derive(Clone, Debug)]
pub(crate) enum ComputedTest {
    /// Accepts these texts.
    OneOf(Arc<[String]>),
    /// Accepts all other texts.
    NoneOf(Arc<[String]>),
    Matching(Arc<Matcher>),
}

impl ComputedTest {
    /// Whether a text passes.
    pub(crate) fn passes(&self, text: &str) -> bool {
        match self {
            Self::OneOf(texts) => texts.iter().any(|wanted| wanted == text),
            Self::NoneOf(texts) => texts.iter().all(|wanted| wanted != text),
            Self::Matching(matcher) => matcher.matches(text.as_bytes()),
        }
    }
}

impl Matcher {
    pub(crate) fn matches(&self, text: &[u8]) -> bool {
        match self {
            Self::Prefix(wanted) => text.starts_with(wanted),
            Self::Suffix(wanted) => text.ends_with(wanted),
            Self::Contains(word) => word.find_from(text, 0).is_some(),
            Self::Regex(regex, _) => regex.is_match(text),
        }
    }

    /// A set of words at least one of which is in every matching text. `None` if no such words are known, or
    /// if a pool (the bytes of all texts) can't be searched for them.
    pub(crate) fn words(&self) -> Option<&Words> {
        let words = match self {
            Self::Contains(word) => Some(word),
            Self::Regex(_, words) => words.as_ref(),
            Self::Prefix(_) | Self::Suffix(_) => None,
        };
        words.filter(|words| words.can_be_searched())
    }

    /// Whether one pass over the pool (the bytes of all texts) finds all texts that can match.
    pub(crate) fn is_found_in_pool(&self) -> bool {
        self.words().is_some()
    }
}

/// The codes of texts that begin with `prefix`. `None` unless the codes are in the order of their texts.
pub(crate) fn codes_with_prefix(strings: &Texts, prefix: &[u8]) -> Option<Range<u32>> {
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
