//! [`Utf16Offsets`]: converts offsets in UTF-16 units, as in Java, to byte offsets in UTF-8.

/// Number of units between two entries of the table of [`Utf16Offsets`]. A search counts the characters after
/// the nearest entry.
const STRIDE: usize = 64;

/// Finds byte offsets in a text by UTF-16 units, each in constant time.
pub(super) struct Utf16Offsets<'a> {
    text: &'a str,
    /// Entry `n` describes the character that contains unit `n * STRIDE`, by its first unit and its first
    /// byte. The table is empty for ASCII text, in which units and bytes are equal.
    table: Vec<(u32, u32)>,
}

impl<'a> Utf16Offsets<'a> {
    /// Makes the table of a text of less than 4 GiB, in one pass.
    pub(super) fn new(text: &'a str) -> Self {
        let mut table = Vec::new();
        if !text.is_ascii() {
            let mut unit = 0;
            for (byte, character) in text.char_indices() {
                let next = unit + character.len_utf16();
                if table.len() * STRIDE < next {
                    table.push((unit as u32, byte as u32));
                }
                unit = next;
            }
        }
        Self { text, table }
    }

    /// The offset of the character at `unit`; `None` if the unit is within a character or beyond the text.
    pub(super) fn byte(&self, unit: usize) -> Option<usize> {
        if self.table.is_empty() {
            return (unit < self.text.len()).then_some(unit);
        }
        let (mut at, start) =
            self.table.get(unit / STRIDE).map(|(at, start)| (*at as usize, *start as usize))?;
        for (byte, character) in self.text[start..].char_indices() {
            if at >= unit {
                return (at == unit).then_some(start + byte);
            }
            at += character.len_utf16();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the result for every unit of a text with that of counting characters.
    fn check(text: &str) {
        let offsets = Utf16Offsets::new(text);
        let mut unit = 0;
        for (byte, character) in text.char_indices() {
            assert_eq!(offsets.byte(unit), Some(byte), "{character:?} at unit {unit}");
            if character.len_utf16() == 2 {
                assert_eq!(offsets.byte(unit + 1), None, "within {character:?} at unit {unit}");
            }
            unit += character.len_utf16();
        }
        assert_eq!([unit, unit + 1, unit + 1000].map(|past| offsets.byte(past)), [None; 3]);
    }

    #[test]
    fn every_unit_is_found_as_by_counting() {
        check("");
        check("int main(void)");
        check("größe");
        for before in 0..3 {
            check(&("x".repeat(before) + &"🌍".repeat(200)));
            check(&("x".repeat(before) + &"🌍ä".repeat(200) + &"plain ".repeat(50)));
        }
    }
}
