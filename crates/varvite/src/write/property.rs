//! Property columns of a new file.

use varvite_format::{Keys, Purpose};
use varvite_store::PreparedColumn;

use super::encoder::{Encoder, take_out_empty};
use super::index::PreparedIndex;
use super::input::{CutInput, PropertyInput, ValuesInput};
use super::text::{PreparedTexts, TextEncoder};
use crate::error::Result;

/// The columns of a property, ready to be written.
#[derive(Debug)]
pub struct PreparedProperty {
    pub(super) present: PreparedColumn,
    pub(super) offsets: Option<PreparedColumn>,
    pub(super) values: PreparedColumn,
    pub(super) strings: Option<PreparedColumn>,
    pub(super) index: Option<PreparedIndex>,
}

impl Encoder {
    /// The columns of a property.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn property(&self, input: PropertyInput<'_>) -> Result<PreparedProperty> {
        self.property_with(input, None)
    }

    /// The columns of a property of nodes and, if its values are texts, of their index. `label_sets` has the code of the
    /// label set of each node.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn indexed_property(&self, input: PropertyInput<'_>, label_sets: &[u32]) -> Result<PreparedProperty> {
        self.property_with(input, Some(label_sets))
    }

    fn property_with(
        &self,
        input: PropertyInput<'_>,
        label_sets: Option<&[u32]>,
    ) -> Result<PreparedProperty> {
        let numbers = match input.values {
            ValuesInput::Numbers(values) => self.numbers(values)?,
            ValuesInput::Truth(values) => self.ints(values, Keys::None, Purpose::Truth)?,
            ValuesInput::Texts(texts) => {
                let texts = TextEncoder { encoder: self, label_sets }.encode(input.offsets, texts)?;
                return self.with_owners(input.offsets, texts);
            }
        };
        self.owned(input.offsets, numbers, None, None)
    }

    /// The columns of both properties, the one with the longer texts first. Where enough texts are parts of them, both
    /// string tables have one pool of bytes. A property gets an index if its entry in `label_sets` has the code of the label
    /// set of each node.
    ///
    /// # Errors
    /// As [`Encoder::numbers`].
    pub fn cut(&self, input: CutInput<'_>, label_sets: [Option<&[u32]>; 2]) -> Result<[PreparedProperty; 2]> {
        let CutInput { source_offsets, source, offsets, parts, places: _ } = input;
        let [sources, slices] = label_sets.map(|label_sets| TextEncoder { encoder: self, label_sets });
        let [source, parts] = match sources.encode_cut(&slices, input)? {
            Some(columns) => columns,
            None => [sources.encode(source_offsets, source)?, slices.encode(offsets, parts)?],
        };
        Ok([self.with_owners(source_offsets, source)?, self.with_owners(offsets, parts)?])
    }

    fn with_owners(&self, offsets: &[u32], texts: PreparedTexts) -> Result<PreparedProperty> {
        self.owned(offsets, texts.values, Some(texts.strings), texts.index)
    }

    fn owned(
        &self,
        offsets: &[u32],
        values: PreparedColumn,
        strings: Option<PreparedColumn>,
        index: Option<PreparedIndex>,
    ) -> Result<PreparedProperty> {
        let owners = offsets.len() - 1;
        let (bitmap, starts) = take_out_empty(offsets);
        let lists = starts.len() != offsets[owners] as usize + 1;
        Ok(PreparedProperty {
            present: self.set(&bitmap, owners as u32)?,
            offsets: lists.then(|| self.offsets(&starts)).transpose()?,
            values,
            strings,
            index,
        })
    }
}
