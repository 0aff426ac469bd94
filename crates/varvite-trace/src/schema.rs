//! The schema of a trace: the form of its records, and the split of blocks before compression.

use crate::error::{Result, TraceError};

/// One field at the beginning of every record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in ASCII, padded with zeros.
    pub name: [u8; 16],
    /// The width in bytes: 1, 2, 4 or 8. Values are little-endian.
    pub width: u8,
    /// Whether [`Split::Fields`] stores differences from the record before.
    pub delta: bool,
}

impl Field {
    /// A field with this name and width. A name longer than 16 bytes is truncated.
    pub fn new(name: &str, width: u8) -> Self {
        let mut padded = [0; 16];
        padded.iter_mut().zip(name.bytes()).for_each(|(place, byte)| *place = byte);
        Self { name: padded, width, delta: false }
    }

    /// The same field, but stored as differences from the record before.
    pub fn with_delta(self) -> Self {
        Self { delta: true, ..self }
    }

    /// The name without its padding. Bytes that are not UTF-8 are replaced.
    pub fn name(&self) -> String {
        let end = self.name.iter().position(|byte| *byte == 0).unwrap_or(self.name.len());
        String::from_utf8_lossy(&self.name[..end]).into_owned()
    }
}

/// The length of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordLen {
    /// Records consist of their fields only.
    Fixed,
    /// Records consist of their fields, followed by any number of other bytes.
    Variable,
}

/// The split of a block of records before compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Split {
    /// No split.
    None,
    /// Each byte of each field is stored in a plane of its own. If the field has the flag [`Field::delta`],
    /// its values are replaced by differences.
    Fields,
    /// A split for memory references, which are records of 12 bytes: a `u16` type, a `u16` size and a `u64`
    /// value. Each record is predicted from the last record that followed the same instruction at the same
    /// distance, and only differences from the prediction are stored.
    References {
        /// Bit `n` is set if records of type `n` are instructions. The value of such a record is a program
        /// counter, and the value plus the size is the address of the next instruction.
        anchors: u64,
    },
}

/// The unit of times. In a trace without times, all times are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// The recorder did not specify a unit.
    #[default]
    Ticks,
    /// Nanoseconds since 1970-01-01 UTC.
    UnixNanoseconds,
    /// Microseconds since 1970-01-01 UTC.
    UnixMicroseconds,
}

impl Clock {
    pub(crate) fn number(self) -> u8 {
        match self {
            Self::Ticks => 0,
            Self::UnixNanoseconds => 1,
            Self::UnixMicroseconds => 2,
        }
    }

    pub(crate) fn from_number(number: u8) -> Option<Self> {
        [Self::Ticks, Self::UnixNanoseconds, Self::UnixMicroseconds].get(usize::from(number)).copied()
    }
}

/// The schema of a trace's records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// A name for the kind of records, by which programs recognise them; at most 32 bytes.
    pub content: String,
    /// The length of records.
    pub len: RecordLen,
    /// The fields. The first one is at offset 0 of a record, and there are no gaps between them.
    pub fields: Vec<Field>,
    /// The split of blocks.
    pub split: Split,
    /// The unit of times.
    pub clock: Clock,
}

/// The maximum number of fields in a record.
pub(crate) const FIELDS_MAX: usize = 64;
/// The maximum length of [`Schema::content`], in bytes.
pub(crate) const CONTENT_MAX: usize = 32;
/// The size of a record for [`Split::References`], in bytes.
pub(crate) const REFERENCE_LEN: usize = 12;

/// Whether a reference with this type and size is an instruction; see [`Split::References`].
pub(crate) fn is_anchor(anchors: u64, head: [u8; 4]) -> bool {
    let kind = u16::from_le_bytes([head[0], head[1]]);
    kind < 64 && anchors >> kind & 1 != 0
}

impl Schema {
    /// A schema of records that consist of these fields, split by fields.
    pub fn of_fields(content: &str, fields: &[Field]) -> Self {
        Self {
            content: content.into(),
            len: RecordLen::Fixed,
            fields: fields.into(),
            split: Split::Fields,
            clock: Clock::Ticks,
        }
    }

    /// A schema of memory references; see [`Split::References`].
    pub fn of_references(content: &str, anchors: u64) -> Self {
        let fields = [Field::new("type", 2), Field::new("size", 2), Field::new("value", 8)];
        Self { split: Split::References { anchors }, ..Self::of_fields(content, &fields) }
    }

    /// A schema of records of any length, without a split.
    pub fn of_bytes(content: &str) -> Self {
        Self { len: RecordLen::Variable, split: Split::None, ..Self::of_fields(content, &[]) }
    }

    /// The same schema with another clock.
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The size of all fields in bytes: the length of a record, or the least length if lengths vary.
    pub fn fields_len(&self) -> usize {
        self.fields.iter().map(|field| usize::from(field.width)).sum()
    }

    /// The length of all records; `None` if lengths vary.
    pub fn fixed_len(&self) -> Option<usize> {
        (self.len == RecordLen::Fixed).then(|| self.fields_len())
    }

    pub(crate) fn is_variable(&self) -> bool {
        self.len == RecordLen::Variable
    }

    /// Fails for schemas that no recorder can write.
    pub(crate) fn check(&self) -> Result<()> {
        let refuse = |what, found: usize, limit: usize| {
            Err(TraceError::Options { what, found: found as u64, limit: limit as u64 })
        };
        if self.content.len() > CONTENT_MAX {
            return refuse("a content word of so many bytes", self.content.len(), CONTENT_MAX);
        }
        if self.fields.len() > FIELDS_MAX {
            return refuse("so many fields", self.fields.len(), FIELDS_MAX);
        }
        if let Some(field) = self.fields.iter().find(|field| !matches!(field.width, 1 | 2 | 4 | 8)) {
            return refuse("a field of so many bytes", usize::from(field.width), 8);
        }
        if self.fixed_len() == Some(0) {
            return refuse("records without bytes, of fixed length", 0, 1);
        }
        if self.is_references() && !self.has_reference_fields() {
            return refuse("references of so many bytes", self.fields_len(), REFERENCE_LEN);
        }
        Ok(())
    }

    /// The anchors of references; `None` if the records are others.
    pub(crate) fn anchors(&self) -> Option<u64> {
        if let Split::References { anchors } = self.split { Some(anchors) } else { None }
    }

    fn is_references(&self) -> bool {
        matches!(self.split, Split::References { .. })
    }

    fn has_reference_fields(&self) -> bool {
        self.len == RecordLen::Fixed && self.fields.iter().map(|field| field.width).eq([2, 2, 8])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_that_no_block_can_hold_are_refused() {
        assert!(Schema::of_references("r", 0).check().is_ok());
        assert!(Schema::of_bytes("b").check().is_ok());
        assert!(Schema::of_fields("none", &[]).check().is_err());
        assert!(Schema::of_fields("odd", &[Field::new("x", 3)]).check().is_err());
        assert!(Schema::of_fields(&"x".repeat(33), &[Field::new("x", 1)]).check().is_err());
        let narrow = Schema {
            split: Split::References { anchors: 0 },
            ..Schema::of_fields("n", &[Field::new("x", 8)])
        };
        assert!(narrow.check().is_err());
    }
}
