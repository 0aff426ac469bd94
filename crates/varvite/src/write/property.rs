//! Property columns of a new file.

use varvite_format::{Keys, Owner, Purpose};
use varvite_store::PreparedColumn;

use super::encoder::{Encoder, take_out_empty};
use super::text::{TextsInput, encode_texts};
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
        let owners = input.offsets.len() - 1;
        let (bitmap, starts) = take_out_empty(input.offsets);
        let total = input.offsets[owners] as usize;
        let lists = starts.len() != total + 1;
        let (values, strings) = match input.values {
            ValuesInput::Numbers(values) => (self.numbers(values)?, None),
            ValuesInput::Truth(values) => (self.ints(values, Keys::None, Purpose::Truth)?, None),
            ValuesInput::Texts(texts) => {
                let (values, strings) = encode_texts(self, input.offsets, texts)?;
                (values, Some(strings))
            }
        };
        Ok(PreparedProperty {
            present: self.set(&bitmap, owners as u32)?,
            offsets: lists.then(|| self.offsets(&starts)).transpose()?,
            values,
            strings,
        })
    }
}
