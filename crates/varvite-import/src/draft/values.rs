//! [`Values`]: the values of one property, while they come.

use std::sync::Arc;

use varvite::ValueType;
use varvite_store::{Scratch, Tape, TapeReader};

use super::fault::DraftFault;

/// Bytes of a tape that stay in memory where the rest is on a disk.
pub(super) const TAPE_ROOM: usize = 16 << 10;

/// Memory that a value takes as a number and while it is encoded; a text also its code, and its place among those that differ.
const VALUE: u64 = 32;
const TEXT: u64 = 64;
/// A byte of a text: among those that differ, put in order, and compressed.
const TEXT_BYTE: u64 = 3;

/// The type of the values of a property, and whether an owner has a list of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) value_type: ValueType,
    pub(crate) is_list: bool,
}

impl Kind {
    /// The type that holds values of both: integers meet in the wider one, and so do floats; nothing else mixes.
    pub(crate) fn with(self, name: &str, other: Self) -> Result<Self, DraftFault> {
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

/// What owners have that nothing was said of.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DefaultValue {
    Number(i64),
    Text(String),
}

/// The values of one property, each with the number of its owner.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// A number: owner (4), then the integer, the truth value or the bits of an `f64` (8). A text: owner (4), length (4), bytes.
    tape: Tape,
    count: u64,
    text_bytes: u64,
    pub(super) default: Option<DefaultValue>,
}

impl Values {
    pub(super) fn new(name: &str, kind: Kind, scratch: Option<&Arc<Scratch>>) -> Self {
        let tape = Tape::new(scratch, TAPE_ROOM);
        Self { name: name.to_owned(), kind, tape, count: 0, text_bytes: 0, default: None }
    }

    /// From now on there may be values of this kind too.
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

    pub(super) fn put_text(&mut self, owner: u32, text: &str) -> Result<(), DraftFault> {
        debug_assert!(self.is_text());
        let mut item = [0; 8];
        item[..4].copy_from_slice(&owner.to_le_bytes());
        item[4..].copy_from_slice(&(text.len() as u32).to_le_bytes());
        self.count += 1;
        self.text_bytes += text.len() as u64;
        self.tape.write(&item)?;
        Ok(self.tape.write(text.as_bytes())?)
    }

    pub(super) fn is_text(&self) -> bool {
        self.kind.value_type == ValueType::String
    }

    /// Whether no owner has a value.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0 && self.default.is_none()
    }

    /// Memory that it takes to make a column of the values, without what it takes for each owner.
    #[inline]
    pub(super) fn bytes_to_encode(&self) -> u64 {
        self.count * self.value_bytes() + self.text_bytes * TEXT_BYTE
    }

    /// Memory that one more value takes while they are encoded.
    pub(super) fn value_bytes(&self) -> u64 {
        if self.is_text() { TEXT } else { VALUE }
    }

    /// Numbers and their owners, in the order in which they came.
    pub(super) fn numbers(&self) -> Numbers<'_> {
        Numbers { tape: self.tape.reader() }
    }

    /// Texts and their owners.
    pub(super) fn texts(&self) -> Texts<'_> {
        Texts { tape: self.tape.reader(), text: Vec::new() }
    }
}

/// Reads numbers.
pub(super) struct Numbers<'v> {
    tape: TapeReader<'v>,
}

impl Numbers<'_> {
    /// The next owner and its number.
    pub(super) fn next(&mut self) -> varvite::Result<Option<(u32, i64)>> {
        let Some(item) = self.tape.read_item::<12>()? else { return Ok(None) };
        let (owner, number) = item.split_at(4);
        let (owner, number) = (owner.try_into(), number.try_into());
        Ok(owner
            .ok()
            .zip(number.ok())
            .map(|(owner, number)| (u32::from_le_bytes(owner), i64::from_le_bytes(number))))
    }
}

/// Reads texts.
pub(super) struct Texts<'v> {
    tape: TapeReader<'v>,
    text: Vec<u8>,
}

impl Texts<'_> {
    /// The next owner and its text, which stays until the next is asked for.
    pub(super) fn next(&mut self) -> varvite::Result<Option<(u32, &[u8])>> {
        let Some([a, b, c, d, e, f, g, h]) = self.tape.read_item::<8>()? else { return Ok(None) };
        self.text.resize(u32::from_le_bytes([e, f, g, h]) as usize, 0);
        self.tape.read(&mut self.text)?;
        Ok(Some((u32::from_le_bytes([a, b, c, d]), &self.text)))
    }
}
