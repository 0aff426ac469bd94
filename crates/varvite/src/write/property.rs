//! Property columns of a new file.

use varvite_format::{Keys, Owner, Purpose};
use varvite_store::PreparedColumn;

use super::encoder::{Encoder, take_out_empty};
use super::text::{TextsInput, encode_cut, encode_texts};
use crate::error::Result;
use crate::value::{Cardinality, ValueType};

/// What the schema says of a property.
#[derive(Clone, Debug)]
pub struct PropertySpec {
    /// Its name.
    pub name: String,
    /// What has it.
    pub owner: Owner,
    /// Layer that added it.
    pub layer: u32,
    /// Type of its values.
    pub value_type: ValueType,
    /// How many values an owner has.
    pub cardinality: Cardinality,
    /// What an absent value means, as text.
    pub default: Option<String>,
}

/// The values of a property, in the order of their owners.
#[derive(Clone, Copy, Debug)]
pub struct PropertyInput<'a> {
    /// Where the values of each owner start, and the end of the last: one more than there are owners.
    pub offsets: &'a [u32],
    /// The values.
    pub values: ValuesInput<'a>,
}

/// Values of one type.
#[derive(Clone, Copy, Debug)]
pub enum ValuesInput<'a> {
    /// Truth values, integers, node ids, or the bits of floats.
    Numbers(&'a [i64]),
    /// Truth values.
    Truth(&'a [i64]),
    /// Texts.
    Texts(TextsInput<'a>),
}

/// Two properties, of which one has parts of the texts of the other: code, and the files that it is in.
#[derive(Clone, Copy, Debug)]
pub struct CutInput<'a> {
    /// Where the values of each owner of the longer texts start, and the end of the last.
    pub source_offsets: &'a [u32],
    /// The longer texts.
    pub source: TextsInput<'a>,
    /// Where the values of each owner of the parts start, and the end of the last.
    pub offsets: &'a [u32],
    /// The parts.
    pub parts: TextsInput<'a>,
    /// For each owner of parts where in the longer texts, laid end to end in the order of their codes, its text may
    /// start; `u32::MAX` for nowhere.
    pub places: &'a [u32],
}

/// The columns of a property, ready to be written.
#[derive(Debug)]
pub struct PreparedProperty {
    pub(super) present: PreparedColumn,
    pub(super) offsets: Option<PreparedColumn>,
    pub(super) values: PreparedColumn,
    pub(super) strings: Option<PreparedColumn>,
}

impl Encoder {
    /// The columns of a property.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn property(&self, input: PropertyInput<'_>) -> Result<PreparedProperty> {
        let (values, strings) = match input.values {
            ValuesInput::Numbers(values) => (self.numbers(values)?, None),
            ValuesInput::Truth(values) => (self.ints(values, Keys::None, Purpose::Truth)?, None),
            ValuesInput::Texts(texts) => {
                let (values, strings) = encode_texts(self, input.offsets, texts)?;
                (values, Some(strings))
            }
        };
        self.with_owners(input.offsets, values, strings)
    }

    /// The columns of both properties, the one with the longer texts first. Where enough texts are parts of them, both
    /// string tables have one pool of bytes.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn cut(&self, input: CutInput<'_>) -> Result<[PreparedProperty; 2]> {
        let CutInput { source_offsets, source, offsets, parts, places } = input;
        let [(source_values, source_strings), (values, strings)] =
            match encode_cut(self, source, offsets, parts, places)? {
                Some(columns) => columns,
                None => [encode_texts(self, source_offsets, source)?, encode_texts(self, offsets, parts)?],
            };
        Ok([
            self.with_owners(source_offsets, source_values, Some(source_strings))?,
            self.with_owners(offsets, values, Some(strings))?,
        ])
    }

    fn with_owners(
        &self,
        offsets: &[u32],
        values: PreparedColumn,
        strings: Option<PreparedColumn>,
    ) -> Result<PreparedProperty> {
        let owners = offsets.len() - 1;
        let (bitmap, starts) = take_out_empty(offsets);
        let lists = starts.len() != offsets[owners] as usize + 1;
        Ok(PreparedProperty {
            present: self.set(&bitmap, owners as u32)?,
            offsets: lists.then(|| self.offsets(&starts)).transpose()?,
            values,
            strings,
        })
    }
}
