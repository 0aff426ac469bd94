//! [`Needle`]: how well a name fits the text that a user types.

use memchr::memmem::Finder;
use serde::Serialize;

/// How a name fits, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Match {
    /// The whole name, or the last part of a path.
    Exact,
    /// The beginning of the name, or of the last part of a path.
    Prefix,
    /// The beginning of a word in the name.
    Word,
    /// Any other place.
    Inside,
}

/// A text to search for, without regard to the case of ASCII letters.
pub(crate) struct Needle {
    finder: Finder<'static>,
    /// The name that is searched, in lower case.
    lower: Vec<u8>,
}

impl Needle {
    pub(crate) fn of(text: &str) -> Self {
        Self { finder: Finder::new(&text.to_ascii_lowercase()).into_owned(), lower: Vec::new() }
    }

    /// How a name fits; `None` if it does not contain the text.
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<Match> {
        self.lower.clear();
        self.lower.extend_from_slice(name);
        self.lower.make_ascii_lowercase();
        let places = self.finder.find_iter(&self.lower);
        let len = self.finder.needle().len();
        let fit = |at| match_at(name, at, len, at == 0 || begins_word(name, at));
        places.map(fit).min()
    }
}

/// How a name fits that has the text at a place. `is_word` says whether a word begins there.
pub(crate) fn match_at(name: &[u8], at: usize, len: usize, is_word: bool) -> Match {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    let is_first = at == 0 || is_slash(&name[at - 1]);
    match at + len == name.len() {
        true if is_first => Match::Exact,
        _ if at == 0 || is_first && !name[at..].iter().any(is_slash) => Match::Prefix,
        _ if is_word => Match::Word,
        _ => Match::Inside,
    }
}

/// Whether a word begins at a place behind the first: after a sign, after a digit, or with a capital letter
/// after a small one.
pub(crate) fn begins_word(name: &[u8], at: usize) -> bool {
    let (before, first) = (name[at - 1], name[at]);
    let is_sign = before.is_ascii() && !before.is_ascii_alphabetic();
    is_sign || before.is_ascii_lowercase() && first.is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ranked_by_the_place_of_the_text() {
        let mut needle = Needle::of("Init");
        for (name, expected) in [
            ("init", Some(Match::Exact)),
            ("src/INIT", Some(Match::Exact)),
            ("initialize", Some(Match::Prefix)),
            ("a/init.c", Some(Match::Prefix)),
            ("init/a.c", Some(Match::Prefix)),
            ("deflateInit2_", Some(Match::Word)),
            ("zlib_init", Some(Match::Word)),
            ("reinit", Some(Match::Inside)),
            ("reinit_init", Some(Match::Word)),
            ("ini", None),
            ("", None),
        ] {
            assert_eq!(needle.find(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn letters_beyond_ascii_are_compared_as_they_are() {
        let mut needle = Needle::of("ö");
        assert_eq!(needle.find("größe".as_bytes()), Some(Match::Inside));
        assert_eq!(needle.find("GRÖSSE".as_bytes()), None);
    }
}
