//! [`Page`]: a part of an answer that fits the length that a client asked for, and the cursor of the next.
//!
//! An answer is a list of lines. A page has lines from an offset, as many as fit. The cursor is the offset of
//! the next line, with a check of the call: a cursor of another call is refused, and does not skip lines of
//! an unrelated answer. Since the server reads one snapshot of each file, an answer does not change between
//! two pages.

use crate::fault::{Fault, Result};

/// The bytes of a page for each token that a client allows.
const BYTES_OF_TOKEN: usize = 4;
/// The tokens of a page if a client gives no number. With JSON's escapes the answer stays below 8 KB.
pub(crate) const TOKENS: u64 = 1_850;
/// The least and the greatest number of tokens that a client can ask for.
pub(crate) const TOKENS_MIN: u64 = 100;
pub(crate) const TOKENS_MAX: u64 = 25_000;
/// The bytes that are kept for the line that tells the cursor.
const NOTE_BYTES: usize = 200;

/// The lines of an answer, from the offset of the page on. There may be more of them than fit.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// Lines that every page repeats, such as titles of columns.
    pub(crate) head: Vec<String>,
    pub(crate) lines: Vec<String>,
    /// Whether `lines` has the last line of the answer.
    pub(crate) is_whole: bool,
}

impl Reply {
    /// A reply with `lines`, all lines of an answer, from the beginning of `page` on.
    pub(crate) fn of(head: Vec<String>, lines: Vec<String>, page: &Page) -> Self {
        let begin = usize::try_from(page.offset).unwrap_or(usize::MAX);
        Self { head, lines: lines.into_iter().skip(begin).collect(), is_whole: true }
    }
}

/// The part of an answer that a client asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// The number of lines before the page.
    pub(crate) offset: u64,
    /// The greatest length of the page, as a string in JSON.
    pub(crate) bytes: usize,
    check: u32,
}

impl Page {
    /// The page at a cursor, or the first one. `call` describes the call without its cursor.
    pub(crate) fn of(call: &str, cursor: Option<&str>, tokens: Option<u64>) -> Result<Self> {
        let tokens = tokens.unwrap_or(TOKENS).clamp(TOKENS_MIN, TOKENS_MAX);
        let bytes = usize::try_from(tokens).unwrap_or(usize::MAX) * BYTES_OF_TOKEN;
        let check = check_of(call);
        let Some(cursor) = cursor else { return Ok(Self { offset: 0, bytes, check }) };
        let parts = cursor.split_once('-');
        let offset = parts.filter(|(_, known)| *known == format!("{check:08x}"));
        let offset = offset.and_then(|(offset, _)| offset.parse().ok());
        let offset = offset.ok_or_else(|| {
            Fault::new("the cursor belongs to another call: repeat the call that gave it, with its arguments")
        })?;
        Ok(Self { offset, bytes, check })
    }

    /// The text of the page: the lines that fit, and how to get the rest.
    pub(crate) fn text(&self, reply: &Reply) -> String {
        let mut left = self.bytes.saturating_sub(NOTE_BYTES);
        let mut text = String::new();
        for line in &reply.head {
            push(&mut text, line, &mut left);
        }
        let mut shown = 0;
        for line in &reply.lines {
            if shown > 0 && cost(line) > left {
                break;
            }
            push(&mut text, line, &mut left);
            shown += 1;
        }
        if shown < reply.lines.len() || !reply.is_whole {
            text.push_str(&self.note(shown as u64));
        }
        text
    }

    fn note(&self, shown: u64) -> String {
        let (first, next) = (self.offset + 1, self.offset + shown);
        format!(
            "[cut: lines {first} to {next}; for the next lines repeat the call with cursor \"{next}-{:08x}\"]\n",
            self.check
        )
    }
}

/// A hash (FNV-1a) of a call, which guards against mistakes and not against a client's own malice.
fn check_of(call: &str) -> u32 {
    call.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Adds a line. A line that is longer than the rest of the page is cut, and says so.
fn push(text: &mut String, line: &str, left: &mut usize) {
    let cost = cost(line);
    if cost <= *left {
        text.push_str(line);
    } else {
        text.push_str(beginning(line, *left));
        text.push_str(&format!("… [line cut: it has {} bytes]", line.len()));
    }
    text.push('\n');
    *left = left.saturating_sub(cost);
}

/// The bytes of a line with its end in a string of JSON.
fn cost(line: &str) -> usize {
    line.chars().map(cost_of).sum::<usize>() + 2
}

fn cost_of(character: char) -> usize {
    match character {
        '"' | '\\' | '\t' => 2,
        other => other.len_utf8(),
    }
}

/// As much of the beginning of a line as costs at most `most`.
fn beginning(line: &str, most: usize) -> &str {
    let costs = line.char_indices().scan(0, |sum, (at, character)| {
        *sum += cost_of(character);
        Some((at, *sum))
    });
    let mut beyond = costs.skip_while(|(_, sum)| *sum <= most);
    beyond.next().map_or(line, |(at, _)| &line[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize) -> Vec<String> {
        (0..count).map(|number| format!("line {number} \"of\" the answer")).collect()
    }

    fn cursor_of(text: &str) -> Option<&str> {
        text.split_once("cursor \"")?.1.split_once('"').map(|(cursor, _)| cursor)
    }

    #[test]
    fn pages_joined_are_the_whole_answer() {
        let (all, mut joined, mut cursor) = (lines(300), Vec::new(), None::<String>);
        loop {
            let page = Page::of("call", cursor.as_deref(), Some(TOKENS_MIN)).unwrap();
            let text = page.text(&Reply::of(vec!["title".into()], all.clone(), &page));
            assert!(serde_json::to_string(&text).unwrap().len() <= page.bytes, "{text}");
            let mut shown: Vec<&str> = text.lines().collect();
            assert_eq!(shown.remove(0), "title");
            joined.extend(shown.iter().filter(|line| !line.starts_with("[cut")).map(|it| (*it).to_owned()));
            cursor = cursor_of(&text).map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(joined, all);
    }

    #[test]
    fn a_cursor_of_another_call_is_refused() {
        let page = Page::of("one", None, Some(TOKENS_MIN)).unwrap();
        let text = page.text(&Reply::of(Vec::new(), lines(100), &page));
        let cursor = cursor_of(&text).unwrap();
        assert!(Page::of("one", Some(cursor), None).is_ok());
        assert!(Page::of("other", Some(cursor), None).is_err());
        assert!(Page::of("one", Some("99999999999999999999-0"), None).is_err());
    }

    #[test]
    fn a_line_longer_than_a_page_is_cut_and_says_so() {
        let page = Page::of("call", None, Some(TOKENS_MIN)).unwrap();
        let text = page.text(&Reply::of(Vec::new(), vec!["ä\"".repeat(10_000), "next".into()], &page));
        assert!(text.contains("[line cut: it has 30000 bytes]") && cursor_of(&text).is_some(), "{text}");
        assert!(serde_json::to_string(&text).unwrap().len() <= page.bytes + 2, "{}", text.len());
    }
}
