//! Names of files in patches: quoted names, and the prefixes `a/` and `b/` of git.

/// The name at the start of a text, up to a tab or the end; `None` if it is empty or wrongly quoted.
pub(super) fn name_of(text: &[u8]) -> Option<String> {
    let name = match text.first() {
        Some(b'"') => unquoted(text)?.0,
        _ => text.split(|byte| *byte == b'\t').next().unwrap_or_default().to_vec(),
    };
    (!name.is_empty()).then(|| String::from_utf8_lossy(&name).into_owned())
}

/// The two names after `diff --git `. Names without quotes may contain spaces, so they are split where the
/// two are equal, apart from their first parts; `None` if there is no such place.
pub(super) fn names_of_git(text: &[u8]) -> Option<(String, String)> {
    let text_of = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if text.first() == Some(&b'"') {
        let (first, rest) = unquoted(text)?;
        return Some((text_of(&first), name_of(rest.strip_prefix(b" ")?)?));
    }
    if text.last() == Some(&b'"') {
        let quote = text.iter().position(|byte| *byte == b'"')?;
        return Some((text_of(text[..quote].strip_suffix(b" ")?), name_of(&text[quote..])?));
    }
    let half = text.len() / 2;
    let (first, second) = (text.get(..half)?, text.get(half..)?.strip_prefix(b" ")?);
    let (first, second) = (text_of(first), text_of(second));
    (first == second || below(&first) == below(&second)).then_some((first, second))
}

/// The names without their first parts, if the names differ only there: `a/x.c` and `b/x.c`. Otherwise the
/// names as they are.
pub(super) fn without_prefixes(old: String, new: String) -> (String, String) {
    match (below(&old), below(&new)) {
        (Some(one), Some(other)) if one == other && old != new => (one.to_owned(), other.to_owned()),
        _ => (old, new),
    }
}

/// The name of a file that exists on one side, without the prefix of git.
pub(super) fn without_prefix(name: String, prefix: &str) -> String {
    name.strip_prefix(prefix).map(str::to_owned).unwrap_or(name)
}

fn below(path: &str) -> Option<&str> {
    path.split_once('/').map(|(_, below)| below).filter(|below| !below.is_empty())
}

/// The bytes of a name in quotes as git and C write it, and the text after the closing quote.
fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let (mut rest, mut name) = (text.strip_prefix(b"\"")?, Vec::new());
    loop {
        let (byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((name, rest)),
            b'\\' => {
                let (byte, after) = escaped(rest)?;
                name.push(byte);
                rest = after;
            }
            byte => name.push(*byte),
        }
    }
}

/// The byte of an escape sequence, and the text after it.
fn escaped(text: &[u8]) -> Option<(u8, &[u8])> {
    let (byte, rest) = text.split_first()?;
    let plain = match byte {
        b'a' => 7,
        b'b' => 8,
        b't' => b'\t',
        b'n' => b'\n',
        b'v' => 11,
        b'f' => 12,
        b'r' => b'\r',
        b'"' | b'\\' => *byte,
        b'0'..=b'3' => {
            let (digits, rest) = text.split_at_checked(3)?;
            let digits = std::str::from_utf8(digits).ok()?;
            return Some((u8::from_str_radix(digits, 8).ok()?, rest));
        }
        _ => return None,
    };
    Some((plain, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(one: &str, other: &str) -> Option<(String, String)> {
        Some((one.to_owned(), other.to_owned()))
    }

    #[test]
    fn quoted_names_are_bytes_in_octal_digits() {
        assert_eq!(name_of(br#""a/\303\251 \"x\".c""#).as_deref(), Some("a/\u{e9} \"x\".c"));
        assert_eq!(name_of(b"a/x y.c\t2026-11-29").as_deref(), Some("a/x y.c"));
        for wrong in [&b"\"a/x.c"[..], br#""\9""#, br#""\30""#, br#""\q""#, b"", b"\t1"] {
            assert_eq!(name_of(wrong), None);
        }
    }

    #[test]
    fn names_with_spaces_are_split_where_both_are_equal() {
        assert_eq!(names_of_git(b"a/x y.c b/x y.c"), pair("a/x y.c", "b/x y.c"));
        assert_eq!(names_of_git(b"x y.c x y.c"), pair("x y.c", "x y.c"));
        assert_eq!(names_of_git(br#""a/\303\251.c" "b/\303\251.c""#), pair("a/\u{e9}.c", "b/\u{e9}.c"));
        assert_eq!(names_of_git(b"a/x.c b/other.c"), None);
    }

    #[test]
    fn prefixes_are_first_parts_in_which_alone_the_names_differ() {
        let names = |old: &str, new: &str| Some(without_prefixes(old.to_owned(), new.to_owned()));
        assert_eq!(names("a/x.c", "b/x.c"), pair("x.c", "x.c"));
        assert_eq!(names("zlib-1.2/x.c", "zlib-1.3/x.c"), pair("x.c", "x.c"));
        assert_eq!(names("a/x.c", "a/x.c"), pair("a/x.c", "a/x.c"));
        assert_eq!(names("x.c.orig", "x.c"), pair("x.c.orig", "x.c"));
    }
}
