//! [`Beginning`]: the beginning of a text of a graph. A text may be as long as its file, and a page shows
//! only some of it.

use varvite::{Property, ValueType};

/// The beginning of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Beginning {
    /// The first characters.
    pub text: String,
    /// Whether the text goes on.
    pub is_cut: bool,
}

impl Beginning {
    /// The first bytes of an owner's text, at most `bytes_max`, without a character of which a part would be
    /// missing. `None` if the owner has no text.
    ///
    /// **Cost**: copies these bytes; in a compressed column, decodes their blocks alone.
    pub fn of(property: &Property, owner: u32, bytes_max: usize) -> Option<Self> {
        let (code, len) = code_and_len(property, owner)?;
        let part = property.strings()?.part_of(code, 0..len.min(bytes_max))?;
        Some(Self { text: whole_characters(&part), is_cut: len > bytes_max })
    }

    /// The text of an owner; `None` if it is longer than `bytes_max` bytes, or if there is none.
    ///
    /// **Cost**: nothing is read of a longer text.
    pub fn whole(property: &Property, owner: u32, bytes_max: usize) -> Option<String> {
        let (_, len) = code_and_len(property, owner)?;
        if len <= bytes_max { Some(Self::of(property, owner, len)?.text) } else { None }
    }
}

/// The code of an owner's text, and the length of the text in bytes.
fn code_and_len(property: &Property, owner: u32) -> Option<(u32, usize)> {
    let texts = property.strings().filter(|_| property.value_type() == ValueType::String)?;
    let code = u32::try_from(property.number(owner)?).ok()?;
    Some((code, texts.text_len(code)?))
}

/// The text of bytes that may end within a character.
fn whole_characters(bytes: &[u8]) -> String {
    let whole = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    };
    String::from_utf8_lossy(whole).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_ends_with_a_whole_character() {
        assert_eq!(whole_characters("aä".as_bytes()), "aä");
        assert_eq!(whole_characters(&"aä".as_bytes()[..2]), "a");
        assert_eq!(whole_characters(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(whole_characters(b""), "");
    }
}
