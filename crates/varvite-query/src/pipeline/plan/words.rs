//! [`Words`]: a set of words at least one of which is in every text that a condition accepts, and the search
//! for these words. [`texts_of_pattern`] lists the texts that a regular expression matches, if there are few.
//!
//! A pool, which holds the bytes of all texts, can be searched for words in one pass, but not for a regular
//! expression, which must not match across the end of a text. But most expressions match only texts that
//! contain one of certain words, so only texts with such a word need a test. The words are derived from the
//! syntax of the expression. A text without any of them cannot match; a text with one of them may match.

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::hir::literal::{Extractor, Literal, Seq};
use regex_syntax::hir::{Hir, HirKind, Look};

/// The minimum length in bytes of a word taken from an expression, since shorter words are in most texts.
const BYTES_MIN: usize = 3;
/// If an expression has too many words, they are shortened to this length in bytes.
const BYTES_ENOUGH: usize = 4;
/// The maximum number of words taken from an expression: as many as vector instructions can search for at
/// once.
const WORDS_MAX: usize = 64;
/// The maximum number of items that are analysed in each sequence of an expression.
const PARTS_MAX: usize = 32;
/// The maximum nesting depth of an expression that is analysed for words.
const DEPTH_MAX: u32 = 64;
/// The maximum length, in bytes, of an expression that is analysed for words.
const PATTERN_MAX: usize = 4096;

/// The maximum length, in bytes, of a word for which a pool is searched. It is limited because a word may lie
/// across the border of two parts of the pool, and the ends of the parts are searched again for such words.
const SEARCHED_MAX: usize = 4096;

/// A set of words, with a prepared search for the next occurrence of any of them.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    search: Search,
    shortest: usize,
    longest: usize,
}

#[derive(Clone, Debug)]
enum Search {
    One(Box<memmem::Finder<'static>>),
    /// A regular expression of the words as alternatives.
    Any(Regex),
}

impl Words {
    /// Makes the set of one word.
    pub(crate) fn one(word: &[u8]) -> Self {
        let search = Search::One(Box::new(memmem::Finder::new(word).into_owned()));
        Self { search, shortest: word.len(), longest: word.len() }
    }

    /// The set of words at least one of which is in every text that matches `pattern`. `None` if there are no
    /// such words, or too many.
    pub(crate) fn of_pattern(pattern: &str) -> Option<Self> {
        Self::any(&required(&parsed(pattern)?)?)
    }

    fn any(words: &Seq) -> Option<Self> {
        let escaped = |word: &[u8]| word.iter().map(|byte| format!(r"\x{byte:02x}")).collect::<String>();
        let pattern: Vec<String> = words.literals()?.iter().map(|word| escaped(word.as_bytes())).collect();
        let search = RegexBuilder::new(&pattern.join("|")).unicode(false).build().ok()?;
        let (shortest, longest) = (words.min_literal_len()?, words.max_literal_len()?);
        Some(Self { search: Search::Any(search), shortest, longest })
    }

    /// The lengths of the shortest and of the longest word, in bytes.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.shortest, self.longest)
    }

    /// Whether a pool can be searched for these words.
    pub(crate) fn can_be_searched(&self) -> bool {
        self.shortest >= 1 && self.longest <= SEARCHED_MAX
    }

    /// The position of the next occurrence of any word at or after `at`.
    #[inline]
    pub(crate) fn find_from(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let rest = bytes.get(at..)?;
        match &self.search {
            Search::One(finder) => finder.find(rest).map(|place| at + place),
            Search::Any(words) => words.find(rest).map(|found| at + found.start()),
        }
    }
}

/// All texts that match `pattern` as a whole, such as the four texts that `str(cpy|cat|len|dup)` matches.
/// `None` if there are too many, or if a match depends on the text's surroundings.
pub(crate) fn texts_of_pattern(pattern: &str) -> Option<Vec<String>> {
    let hir = without_anchors(parsed(pattern)?);
    if !hir.properties().look_set().is_empty() {
        return None;
    }
    let texts = Extractor::new().extract(&hir);
    let text = |text: &Literal| String::from_utf8(text.as_bytes().to_vec()).ok();
    texts.literals().filter(|_| texts.is_exact())?.iter().map(text).collect()
}

/// The syntax of an expression. `None` if it is invalid or too long.
fn parsed(pattern: &str) -> Option<Hir> {
    let mut parser = regex_syntax::ParserBuilder::new();
    let parser = parser.utf8(false).dot_matches_new_line(true).nest_limit(DEPTH_MAX);
    let is_short = pattern.len() <= PATTERN_MAX;
    parser.build().parse(pattern).ok().filter(|_| is_short)
}

/// The expression without a leading `^` and a trailing `$`, which have no effect when an expression must
/// match the whole text.
fn without_anchors(hir: Hir) -> Hir {
    let HirKind::Concat(parts) = hir.kind() else { return hir };
    let is = |part: Option<&Hir>, look| part.is_some_and(|part| *part.kind() == HirKind::Look(look));
    let start = usize::from(is(parts.first(), Look::Start));
    let end = parts.len() - usize::from(is(parts.last(), Look::End));
    Hir::concat(parts[start..end].to_vec())
}

/// A set of words at least one of which is in every match of an expression: the best of the sets that its
/// parts give.
fn required(hir: &Hir) -> Option<Seq> {
    let whole = usable(Extractor::new().extract(hir));
    match hir.kind() {
        HirKind::Capture(capture) => required(&capture.sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => better(whole, required(&repetition.sub)),
        HirKind::Alternation(branches) => {
            let mut branches = branches.iter().map(required);
            let first = branches.next()?;
            let all = branches.try_fold(first?, |mut all, branch| {
                all.union(&mut branch?);
                Some(all)
            });
            better(whole, all.and_then(usable))
        }
        HirKind::Concat(parts) => (0..parts.len().min(PARTS_MAX)).fold(None, |best, start| {
            // The parts after this one are included, since they make the words longer.
            let rest = Hir::concat(parts[start..parts.len().min(start + PARTS_MAX)].to_vec());
            let words = usable(Extractor::new().extract(&rest));
            better(better(best, words), required(&parts[start]))
        }),
        _ => whole,
    }
}

/// The words, shortened if there are too many. `None` if there are still too many, or if one is too short.
fn usable(mut words: Seq) -> Option<Seq> {
    for len in [usize::MAX, BYTES_ENOUGH, BYTES_MIN] {
        words.keep_first_bytes(len);
        words.sort();
        words.dedup();
        if words.len()? <= WORDS_MAX {
            break;
        }
    }
    let is_usable = (1..=WORDS_MAX).contains(&words.len()?) && words.min_literal_len()? >= BYTES_MIN;
    is_usable.then_some(words)
}

/// The set of words that are likely to occur in fewer texts: the set with the longer words or, if the words
/// are equally long, with fewer words.
fn better(a: Option<Seq>, b: Option<Seq>) -> Option<Seq> {
    let rank = |words: &Seq| {
        let shortest = words.min_literal_len().unwrap_or(0).min(2 * BYTES_ENOUGH);
        (shortest, std::cmp::Reverse(words.len()))
    };
    match (a, b) {
        (Some(a), Some(b)) => Some(if rank(&b) > rank(&a) { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a pattern, in order.
    fn words(pattern: &str) -> Option<Vec<String>> {
        let mut parser = regex_syntax::ParserBuilder::new();
        let hir = parser.utf8(false).dot_matches_new_line(true).build().parse(pattern).unwrap();
        let words = required(&hir)?;
        let literals = words.literals().unwrap_or_default().iter();
        Some(literals.map(|word| String::from_utf8_lossy(word.as_bytes()).into_owned()).collect())
    }

    #[test]
    fn words_are_found_wherever_they_are_in_an_expression() {
        let check = |pattern, expected: &[&str]| {
            let found = words(pattern).unwrap_or_default();
            assert_eq!(found, expected, "{pattern}");
        };
        check("memcpy", &["memcpy"]);
        check(".*memcpy.*", &["memcpy"]);
        check(".*(alloc|free).*", &["alloc", "free"]);
        check("(?:.*alloc|free.*x)", &["alloc", "free"]);
        check("[0-9]+_(?:read|write)b?", &["_read", "_readb", "_write", "_writeb"]);
        check("(?:kmalloc)+", &["kmalloc"]);
        check(r"\bskb\b", &["skb"]);
        check("x*y*[a-z]*", &[]);
        check("(?:alloc)?", &[]);
        check("(?:alloc|.*)", &[]);
        check("(?:alloc)*free|x", &[]);
        check("ab.*c", &[]);
        check("", &[]);
    }

    #[test]
    fn words_in_any_case_are_all_there() {
        let found = words("(?i).*(alloc|free).*").unwrap();
        assert_eq!(found.len(), 48);
        assert!(["alloc", "ALLOC", "aLlOc", "Free"].iter().all(|word| found.contains(&(*word).to_owned())));
        // The Kelvin sign counts as a `k` if case is ignored.
        assert!(words("(?i)skb").unwrap().contains(&"s\u{212a}b".to_owned()));
    }

    #[test]
    fn the_next_place_is_that_of_any_word() {
        let words = Words::of_pattern(".*(aba|bab|b.?xyz).*").unwrap();
        let mut places = Vec::new();
        while let Some(place) = words.find_from(b"ababa.xyzaxyz", places.last().map_or(0, |place| place + 1))
        {
            places.push(place);
        }
        assert_eq!(places, [0, 1, 2, 6, 10]);
        assert_eq!(words.lengths(), (3, 3));
    }

    #[test]
    fn an_expression_of_a_few_texts_lists_them() {
        let check = |pattern, expected: Option<&[&str]>| {
            let found = texts_of_pattern(pattern).map(|mut texts| {
                texts.sort_unstable();
                texts
            });
            let expected = expected.map(|texts| texts.iter().map(|text| (*text).to_owned()).collect());
            assert_eq!(found, expected, "{pattern}");
        };
        check("main", Some(&["main"]));
        check("mem(cpy|set)", Some(&["memcpy", "memset"]));
        check("^v?s(n?)printf$", Some(&["snprintf", "sprintf", "vsnprintf", "vsprintf"]));
        check("(?:ab){2}", Some(&["abab"]));
        check("(?i)if", Some(&["IF", "If", "iF", "if"]));
        check("", Some(&[""]));
        check("größe[12]", Some(&["größe1", "größe2"]));
        // A match of these expressions depends on the text around it, so a list of texts would be wrong.
        check(r"\bmain\b", None);
        check("main^x|a", None);
        check("(?m)^a$", None);
        check("(^a)b", None);
        check("a*", None);
        check("a.c", None);
        check("[a-z]+free", None);
        check(r"(?-u)\xff", None);
        check("(", None);
        check(&"(?:a|b)".repeat(20), None);
    }

    #[test]
    fn a_pattern_of_any_length_ends() {
        assert!(Words::of_pattern(&"a".repeat(PATTERN_MAX + 1)).is_none());
        assert!(Words::of_pattern(&"(?:ab|cd)".repeat(400)).is_some());
        assert!(Words::of_pattern("(").is_none());
    }
}
