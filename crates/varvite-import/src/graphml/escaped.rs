//! Writes texts into an XML document.

use std::fmt;
use std::io::{self, Write};

/// The class of a byte, which determines how the byte is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    /// A byte that is written as an entity.
    Entity,
    /// A control character, which XML can't represent.
    Control,
    /// The first byte of U+FFFE and U+FFFF, which XML can't represent. Valid characters may begin with this
    /// byte too.
    Last,
}

/// The class of each byte.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Plain; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'&' | b'<' | b'>' | b'"' | b'\r' | b'\n' | b'\t' => Class::Entity,
            0..=0x1f => Class::Control,
            0xef => Class::Last,
            _ => Class::Plain,
        };
        byte += 1;
    }
    classes
};

fn entity(byte: u8) -> &'static str {
    match byte {
        b'&' => "&amp;",
        b'<' => "&lt;",
        b'>' => "&gt;",
        b'"' => "&quot;",
        b'\r' => "&#13;",
        b'\n' => "&#10;",
        _ => "&#9;",
    }
}

/// Writes a text, with entities for characters of markup and for white space that readers would change. The
/// inner error is a character that XML can't represent.
///
/// **Cost**: one pass.
///
/// # Errors
/// Errors of `out`.
pub(super) fn write(text: &str, out: &mut impl Write) -> io::Result<Result<(), char>> {
    let bytes = text.as_bytes();
    let (mut written, mut at) = (0, 0);
    while let Some(step) = bytes[at..].iter().position(|byte| CLASSES[*byte as usize] != Class::Plain) {
        at += step;
        match CLASSES[bytes[at] as usize] {
            Class::Control => return Ok(Err(bytes[at].into())),
            Class::Last => {
                if let Some(character) = text[at..].chars().next().filter(|it| ('\u{fffe}'..).contains(it)) {
                    return Ok(Err(character));
                }
            }
            Class::Entity => {
                out.write_all(&bytes[written..at])?;
                out.write_all(entity(bytes[at]).as_bytes())?;
                written = at + 1;
            }
            Class::Plain => {}
        }
        at += 1;
    }
    out.write_all(&bytes[written..])?;
    Ok(Ok(()))
}

/// Displays a name in the graph's schema, escaped. Such names have no control characters.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.bytes().position(|byte| CLASSES[byte as usize] == Class::Entity) {
            formatter.write_str(&rest[..at])?;
            formatter.write_str(entity(rest.as_bytes()[at]))?;
            rest = &rest[at + 1..];
        }
        formatter.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> Result<String, char> {
        let mut out = Vec::new();
        write(text, &mut out).expect("memory takes it").map(|()| String::from_utf8(out).expect("it is text"))
    }

    #[test]
    fn markup_and_white_space_become_entities() {
        assert_eq!(
            written("a<b>&\"\r\n\t\u{fffd}\u{ef}!").unwrap(),
            "a&lt;b&gt;&amp;&quot;&#13;&#10;&#9;\u{fffd}\u{ef}!"
        );
        assert_eq!(written(""), Ok(String::new()));
        for text in ["a<b>&\"\r\n\t", "plain", "<", ""] {
            assert_eq!(Escaped(text).to_string(), written(text).unwrap());
        }
    }

    #[test]
    fn characters_that_xml_cannot_hold_are_named() {
        for character in ['\0', '\x08', '\x0b', '\x0c', '\x1f', '\u{fffe}', '\u{ffff}'] {
            assert_eq!(written(&format!("ok \u{ff}\u{ef3c}{character}")), Err(character));
        }
    }
}
