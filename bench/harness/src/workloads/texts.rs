//! Counts texts by their codes (numbers in the string table), so that the length of each distinct text is
//! computed only once.

use varvite::Property;

/// The number of occurrences of each text of a column, indexed by the text's code.
#[derive(Default)]
pub(super) struct CodeCounts(Vec<u32>);

impl CodeCounts {
    /// Sets the counts of all texts of `column` to zero.
    pub(super) fn clear(&mut self, column: &Property) {
        self.0.clear();
        self.0.resize(column.strings().map_or(0, |strings| strings.len() as usize), 0);
    }

    /// Counts one text. Null has no code in the table, and is ignored.
    #[inline]
    pub(super) fn add(&mut self, code: i64) {
        if let Some(count) = self.0.get_mut(code as usize) {
            *count += 1;
        }
    }

    /// The number of counted texts, and their total length in UTF-16 units.
    pub(super) fn totals(&self, column: &Property) -> (u64, u64) {
        let Some(strings) = column.strings() else { return (0, 0) };
        let (mut texts, mut units, mut reader) = (0, 0, strings.reader());
        for (code, count) in (0..).zip(&self.0).filter(|(_, count)| **count > 0) {
            texts += u64::from(*count);
            units += u64::from(*count) * reader.bytes(code).map_or(0, utf16_units);
        }
        (texts, units)
    }
}

/// The length of a UTF-8 text in UTF-16 units: one for each character, and one more for each character of
/// four bytes.
fn utf16_units(text: &[u8]) -> u64 {
    let units = |byte: u8| u64::from(byte as i8 >= -0x40) + u64::from(byte >= 0xf0);
    text.iter().map(|byte| units(*byte)).sum()
}
