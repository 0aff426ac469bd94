//! Queries as text: reading any text gives a query or an error, and each place is a part of the text.

use varvite_text::Span;

/// Words and signs of queries. A byte stands for one of them, so that few bytes make a long query.
const WORDS: [&str; 64] = [
    "a",
    "b",
    "cpg",
    "_",
    "_",
    "1",
    "2L",
    "0x1f",
    "1.5",
    "\"t\"",
    "'c'",
    "\"\"\"r\"\"\"",
    "true",
    "None",
    "`q`",
    "_1",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "{",
    "}",
    ".",
    ".",
    ".a",
    ".f(",
    ",",
    ";",
    "\n",
    "\n  ",
    "\n    ",
    "\n\n",
    " ",
    " + ",
    "-",
    "!",
    " && ",
    " || ",
    " == ",
    "->",
    " ++ ",
    "|",
    "*",
    " f ",
    "=>",
    "x => ",
    "{ case (a, b) => ",
    ": T",
    "=",
    "val x = ",
    "def f(x: T) = ",
    "val (a, b) = ",
    "if ",
    "then ",
    "else ",
    "match",
    "import ",
    "//\n",
    "/*",
    "*/",
];

/// Reads `bytes` as a query, and a query of one word for each byte.
pub fn read_query(bytes: &[u8]) {
    check(&String::from_utf8_lossy(bytes));
    let words: String = bytes.iter().map(|byte| WORDS[usize::from(*byte) % WORDS.len()]).collect();
    check(&words);
}

fn check(query: &str) {
    match varvite_text::places(query) {
        Ok(places) => places.iter().for_each(|place| check_place(*place, query)),
        Err(fault) => {
            check_place(fault.span, query);
            assert!(!fault.message.is_empty() && !fault.message.contains(char::is_control), "{query:?}");
            assert_eq!(fault.pointed(query).lines().count(), 3, "{query:?}");
        }
    }
}

fn check_place(place: Span, query: &str) {
    assert!(query.get(place.start..place.end).is_some(), "{place:?} of {query:?}");
}
