//! [`Values`]: the values of one property, stored in the order in which they are added.

use std::sync::Arc;

use varvite_format::{Owner, Quantity};
use varvite_store::{Scratch, Tape, TapeReader};

use super::fault::DraftFault;
use crate::change_error::ChangeError;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;
use crate::write::PropertySpec;

/// How many bytes of a tape (an append-only buffer) stay in memory when the rest is on disk.
pub(super) const TAPE_ROOM: usize = 16 << 10;

/// Bytes of memory for encoding a number, and (`TEXT`) for encoding a text, including its code and its entry
/// in the table of distinct texts.
const VALUE: u64 = 32;
const TEXT: u64 = 64;
/// Bytes of memory for encoding a byte of a text, which is copied among the distinct texts, in sorted order,
/// and compressed.
const TEXT_BYTE: u64 = 3;

/// The length that represents null on a tape of texts.
const NULL: u32 = u32::MAX;

/// The type of the values of a property, and whether an owner has a list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The type of each value.
    pub value_type: ValueType,
    /// Whether an owner has a list of values.
    pub is_list: bool,
}

impl Kind {
    /// The kind that can hold values of both kinds: of two integer types, or of two float types, the wider
    /// one; other types cannot be combined.
    ///
    /// # Errors
    /// Types that cannot be combined.
    pub fn with(self, name: &str, other: Self) -> Result<Self, DraftFault> {
        let (known, found) = (self.value_type, other.value_type);
        let both = |from: ValueType, to: ValueType| {
            [known, found].iter().all(|of| (from as u8..=to as u8).contains(&(*of as u8)))
        };
        let mix =
            known == found || both(ValueType::I8, ValueType::I64) || both(ValueType::F32, ValueType::F64);
        if !mix {
            return Err(DraftFault::Type { name: name.to_owned(), found: found.name(), known: known.name() });
        }
        let value_type = if found as u8 > known as u8 { found } else { known };
        Ok(Self { value_type, is_list: self.is_list || other.is_list })
    }
}

/// The value of owners to which no value is added.
#[derive(Clone, Debug, PartialEq)]
pub enum DefaultValue {
    /// A number in the form that the property stores.
    Number(i64),
    /// A text, which is stored unchanged.
    Text(String),
}

/// The values of one property, each with the number of its owner.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The declared cardinality; `None` if the cardinality follows from the values.
    pub(super) declared: Option<Cardinality>,
    /// Whether an owner keeps only one value. If several are added, the last one is kept.
    pub(super) is_single: bool,
    /// The values. A number: owner (4 bytes), then the integer, the Boolean or the bits of an `f64` (8
    /// bytes). A text: owner (4 bytes), length (4 bytes), bytes; null has the length [`NULL`].
    tape: Tape,
    count: u64,
    text_bytes: u64,
    pub(super) default: Option<DefaultValue>,
}

impl Values {
    pub(super) fn new(name: &str, kind: Kind, scratch: Option<&Arc<Scratch>>) -> Self {
        let tape = Tape::new(scratch, TAPE_ROOM);
        Self {
            name: name.to_owned(),
            kind,
            declared: None,
            is_single: false,
            tape,
            count: 0,
            text_bytes: 0,
            default: None,
        }
    }

    /// The schema row of the property. If the caller did not declare a cardinality, it follows from the
    /// values: a list if an owner has several values, one if every possible owner has a value, and otherwise
    /// optional.
    pub(super) fn spec(&self, owner: Owner, is_list: bool, is_everywhere: bool) -> PropertySpec {
        let inferred = match (is_list, is_everywhere) {
            (true, _) => Cardinality::List,
            (_, true) => Cardinality::One,
            (_, false) => Cardinality::Optional,
        };
        PropertySpec {
            name: self.name.clone(),
            owner,
            layer: 0,
            value_type: self.kind.value_type,
            cardinality: self.declared.unwrap_or(inferred),
            default: None,
        }
    }

    /// From now on, the property may also have values of this kind.
    pub(super) fn widen(&mut self, kind: Kind) -> Result<(), DraftFault> {
        self.kind = self.kind.with(&self.name, kind)?;
        Ok(())
    }

    pub(super) fn put_number(&mut self, owner: u32, number: i64) -> Result<(), DraftFault> {
        debug_assert!(!self.is_text());
        let mut item = [0; 12];
        item[..4].copy_from_slice(&owner.to_le_bytes());
        item[4..].copy_from_slice(&number.to_le_bytes());
        self.count += 1;
        Ok(self.tape.write(&item)?)
    }

    /// Gives an owner a text; `None` is null.
    pub(super) fn put_text(&mut self, owner: u32, text: Option<&[u8]>) -> Result<(), DraftFault> {
        debug_assert!(self.is_text());
        let len = match text {
            None => NULL,
            Some(text) => self.check_text(text)?,
        };
        let mut item = [0; 8];
        item[..4].copy_from_slice(&owner.to_le_bytes());
        item[4..].copy_from_slice(&len.to_le_bytes());
        let text = text.unwrap_or_default();
        self.count += 1;
        self.text_bytes += text.len() as u64;
        self.tape.write(&item)?;
        Ok(self.tape.write(text)?)
    }

    /// The length of a text. Fails if no column can hold the text.
    fn check_text(&self, text: &[u8]) -> Result<u32, ChangeError> {
        let too_large = || {
            let (what, limit) = (Quantity::TextsOf(self.name.clone()), u64::from(NULL) - 1);
            ChangeError::TooLarge { what, found: text.len() as u64, limit }
        };
        u32::try_from(text.len()).ok().filter(|len| *len < NULL).ok_or_else(too_large)
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind.value_type.is_text()
    }

    /// The number of values.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Whether no owner has a value.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0 && self.default.is_none()
    }

    /// Bytes of memory for encoding the values, without the bytes for each owner.
    #[inline]
    pub(super) fn bytes_to_encode(&self) -> u64 {
        self.count * self.value_bytes() + self.text_bytes * TEXT_BYTE
    }

    /// Bytes of memory for encoding one more value.
    pub(super) fn value_bytes(&self) -> u64 {
        if self.is_text() { TEXT } else { VALUE }
    }

    /// A reader of the numbers and their owners, in the order in which they were added.
    pub(super) fn numbers(&self) -> Numbers<'_> {
        Numbers { tape: self.tape.reader() }
    }

    /// A reader of the texts and their owners, in the order in which they were added.
    pub(super) fn texts(&self) -> Texts<'_> {
        Texts { tape: self.tape.reader(), text: Vec::new() }
    }
}

/// A reader of numbers with their owners.
pub(super) struct Numbers<'v> {
    tape: TapeReader<'v>,
}

impl Numbers<'_> {
    /// The next owner and its number.
    pub(super) fn next(&mut self) -> crate::error::Result<Option<(u32, i64)>> {
        let Some(item) = self.tape.read_item::<12>()? else { return Ok(None) };
        let (owner, number) = item.split_at(4);
        let (owner, number) = (owner.try_into(), number.try_into());
        Ok(owner
            .ok()
            .zip(number.ok())
            .map(|(owner, number)| (u32::from_le_bytes(owner), i64::from_le_bytes(number))))
    }
}

/// An owner and its text; `None` is null.
type OwnedText<'t> = (u32, Option<&'t [u8]>);

/// A reader of texts with their owners.
pub(super) struct Texts<'v> {
    tape: TapeReader<'v>,
    text: Vec<u8>,
}

impl Texts<'_> {
    /// The next owner and its text; `None` in place of the text is null. The text is valid until the next
    /// call.
    pub(super) fn next(&mut self) -> crate::error::Result<Option<OwnedText<'_>>> {
        let Some([a, b, c, d, e, f, g, h]) = self.tape.read_item::<8>()? else { return Ok(None) };
        let (owner, len) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        if len == NULL {
            return Ok(Some((owner, None)));
        }
        self.text.resize(len as usize, 0);
        self.tape.read(&mut self.text)?;
        Ok(Some((owner, Some(&self.text))))
    }
}
