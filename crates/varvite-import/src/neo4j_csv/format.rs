//! [`CsvFormat`]: the characters that structure a table.

/// The characters that structure a table; each is a single ASCII byte. The defaults are Neo4j's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsvFormat {
    /// The character between fields; by default a comma.
    pub delimiter: u8,
    /// The character between the values of a list, and between labels; by default a semicolon.
    pub array_delimiter: u8,
    /// The character around fields that contain delimiters, quotes or line ends; by default a double quote.
    pub quote: u8,
}

impl Default for CsvFormat {
    fn default() -> Self {
        Self { delimiter: b',', array_delimiter: b';', quote: b'"' }
    }
}

impl CsvFormat {
    /// The character that the value of one of Neo4j's options stands for: the value is the character itself,
    /// `TAB`, or `U+` and the code point in hexadecimal. `None` if the value has no such form, or if its
    /// character is not an ASCII character that can structure a table.
    pub fn character(word: &str) -> Option<u8> {
        let byte = match word {
            "TAB" | "\\t" => b'\t',
            word if word.len() == 1 => word.as_bytes()[0],
            word => u8::from_str_radix(word.strip_prefix("U+")?, 16).ok()?,
        };
        (byte.is_ascii() && !matches!(byte, 0 | b'\n' | b'\r')).then_some(byte)
    }

    /// Whether delimiter, array delimiter and quote are three different characters.
    pub fn is_sound(&self) -> bool {
        let Self { delimiter, array_delimiter, quote } = *self;
        delimiter != array_delimiter && delimiter != quote && array_delimiter != quote
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_named_as_neo4j_names_them() {
        let words = ["|", "TAB", "\\t", "U+007C", "U+20AC", "", "ab", "\n", "é"];
        let found = [Some(b'|'), Some(b'\t'), Some(b'\t'), Some(b'|'), None, None, None, None, None];
        assert_eq!(words.map(CsvFormat::character), found);
    }
}
