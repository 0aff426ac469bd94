//! [`Record`]: the fields of one row.

use std::ops::Range;

/// The fields of one row. One record is reused for all rows of a file.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The text of all fields, concatenated.
    text: String,
    fields: Vec<FieldEnd>,
    /// The line in which the row starts.
    pub(super) line: u64,
}

/// The end of a field in the record's text, and its properties.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldEnd {
    pub(super) end: usize,
    pub(super) is_quoted: bool,
    /// The line in which the field starts.
    pub(super) line: u64,
}

/// A field of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field<'r> {
    pub(super) text: &'r str,
    pub(super) is_quoted: bool,
    pub(super) line: u64,
}

impl Record {
    /// Returns the memory of the record, emptied, for the next row.
    pub(super) fn take(&mut self) -> (Vec<u8>, Vec<FieldEnd>) {
        let (mut bytes, mut fields) =
            (std::mem::take(&mut self.text).into_bytes(), std::mem::take(&mut self.fields));
        bytes.clear();
        fields.clear();
        (bytes, fields)
    }

    /// Sets the fields of the record, or returns the index and line of the first field that is not UTF-8.
    pub(super) fn fill(&mut self, bytes: Vec<u8>, fields: Vec<FieldEnd>) -> Result<(), (usize, u64)> {
        self.line = fields.first().map_or(0, |field| field.line);
        match String::from_utf8(bytes) {
            Ok(text) => {
                (self.text, self.fields) = (text, fields);
                Ok(())
            }
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let index = fields.iter().take_while(|field| field.end <= at).count();
                Err((index, fields.get(index).map_or(self.line, |field| field.line)))
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.fields.len()
    }

    /// The field at an index; an empty field if the index is beyond the last.
    pub(super) fn field(&self, index: usize) -> Field<'_> {
        match self.fields.get(index) {
            None => Field { text: "", is_quoted: false, line: self.line },
            Some(FieldEnd { is_quoted, line, .. }) => {
                Field { text: &self.text[self.range(index)], is_quoted: *is_quoted, line: *line }
            }
        }
    }

    /// All fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        (0..self.len()).map(|index| self.field(index))
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.fields[before].end);
        start..self.fields[index].end
    }

    /// Whether the row is an empty line.
    pub(super) fn is_blank(&self) -> bool {
        self.text.is_empty() && matches!(&self.fields[..], [field] if !field.is_quoted)
    }
}

impl Field<'_> {
    /// Whether the field is empty and not quoted. A quoted empty text is a value.
    pub(super) fn is_absent(&self) -> bool {
        self.text.is_empty() && !self.is_quoted
    }
}
