//! Property columns of a new file.

use varvite_format::{ColumnId, Fault, InputError, Keys, Purpose, check_list_ends};
use varvite_store::PreparedColumn;

use super::encoder::Encoder;
use super::index::PreparedIndex;
use super::input::{CutInput, PropertyInput, TextsInput, ValuesInput};
use super::owners::take_out_empty;
use super::seen::{KindSeen, NumbersSeen, ValuesSeen, hash_of_codes};
use super::text::{PreparedTexts, TextEncoder};
use crate::change_error::ChangeError;
use crate::error::Result;

/// The columns of a property, ready to be written.
#[derive(Debug)]
pub struct PreparedProperty {
    pub(super) seen: ValuesSeen,
    pub(super) present: PreparedColumn,
    pub(super) offsets: Option<PreparedColumn>,
    pub(super) values: PreparedColumn,
    pub(super) strings: Option<PreparedColumn>,
    pub(super) index: Option<PreparedIndex>,
}

/// The columns of a property that are already in the file, with counts and sums of their values.
#[derive(Debug)]
pub(crate) struct WrittenProperty {
    pub(crate) present: ColumnId,
    pub(crate) offsets: Option<ColumnId>,
    pub(crate) values: ColumnId,
    pub(crate) strings: Option<ColumnId>,
    /// The number of possible owners: all nodes, or all edges of the label.
    pub(crate) owners: u32,
    /// The length of the longest list, and the owner of that list.
    pub(crate) longest: (u32, u32),
    /// The least and the greatest number; `None` if values are texts, which were checked before.
    pub(crate) numbers: Option<NumbersSeen>,
}

impl WrittenProperty {
    pub(super) fn seen(&self) -> ValuesSeen {
        let (longest, owner) = self.longest;
        let kind = self.numbers.map_or(KindSeen::Texts { not_text: None }, KindSeen::Numbers);
        ValuesSeen { owners: self.owners.into(), longest: (longest, owner.into()), kind, label_sets: None }
    }
}

impl Encoder {
    /// Encodes the columns of a property.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for offsets that do not ascend from 0 to the number of values, and for texts
    /// that lie outside the given bytes, occur twice, or do not ascend where they must; the errors of
    /// [`Encoder::labels`]. Whether values have the property's type is checked when the property is
    /// [added](super::GraphWriter::add_property).
    pub fn property(&self, input: PropertyInput<'_>) -> Result<PreparedProperty, ChangeError> {
        self.property_with(input, None)
    }

    /// Encodes the columns of a node property and, if its values are texts, of their index. `label_sets` has
    /// the code of the label set of each node.
    ///
    /// # Errors
    /// The errors of [`Encoder::property`]; [`ChangeError::Input`] if the number of codes differs from that
    /// of owners.
    pub fn indexed_property(
        &self,
        input: PropertyInput<'_>,
        label_sets: &[u32],
    ) -> Result<PreparedProperty, ChangeError> {
        self.property_with(input, Some(label_sets))
    }

    fn property_with(
        &self,
        input: PropertyInput<'_>,
        label_sets: Option<&[u32]>,
    ) -> Result<PreparedProperty, ChangeError> {
        let offsets = input.offsets;
        let (values, column) = match input.values {
            ValuesInput::Texts(texts) => {
                let kind = check_texts(offsets, texts, label_sets)?;
                let prepared = TextEncoder { encoder: self, label_sets }.encode(offsets, texts)?;
                return self.with_owners(offsets, kind, prepared, label_sets);
            }
            ValuesInput::Numbers(values) => (values, Purpose::Numbers),
            ValuesInput::Truth(values) => (values, Purpose::Truth),
        };
        check_list_ends("offsets", offsets, None, values.len())?;
        let kind = KindSeen::Numbers(NumbersSeen::of(values));
        let values = self.ints(values, Keys::None, column)?;
        self.owned(offsets, kind, None, Columns::of_numbers(values))
    }

    /// Encodes the columns of two properties, the one with the longer texts first. If enough texts of the
    /// second are parts of texts of the first, both string tables share one pool of bytes. A property gets an
    /// index if its entry in `label_sets` is present; the entry has the code of the label set of each node.
    ///
    /// # Errors
    /// The errors of [`Encoder::indexed_property`].
    pub fn cut(
        &self,
        input: CutInput<'_>,
        label_sets: [Option<&[u32]>; 2],
    ) -> Result<[PreparedProperty; 2], ChangeError> {
        let CutInput { source_offsets, source, offsets, parts, places: _ } = input;
        let source_kind = check_texts(source_offsets, source, label_sets[0])?;
        let kind = check_texts(offsets, parts, label_sets[1])?;
        let [sources, slices] = label_sets.map(|label_sets| TextEncoder { encoder: self, label_sets });
        let [source, parts] = match sources.encode_cut(&slices, input)? {
            Some(columns) => columns,
            None => [sources.encode(source_offsets, source)?, slices.encode(offsets, parts)?],
        };
        Ok([
            self.with_owners(source_offsets, source_kind, source, label_sets[0])?,
            self.with_owners(offsets, kind, parts, label_sets[1])?,
        ])
    }

    fn with_owners(
        &self,
        offsets: &[u32],
        kind: KindSeen,
        texts: PreparedTexts,
        label_sets: Option<&[u32]>,
    ) -> Result<PreparedProperty, ChangeError> {
        let PreparedTexts { values, strings, index } = texts;
        self.owned(offsets, kind, label_sets, Columns { values, strings: Some(strings), index })
    }

    fn owned(
        &self,
        offsets: &[u32],
        kind: KindSeen,
        label_sets: Option<&[u32]>,
        columns: Columns,
    ) -> Result<PreparedProperty, ChangeError> {
        let owners = offsets.len() - 1;
        let (bitmap, starts) = take_out_empty(offsets);
        let lists = starts.len() != offsets[owners] as usize + 1;
        let longest = if lists { longest_list(offsets) } else { (starts.len().min(2) as u32 - 1, 0) };
        let label_sets = label_sets.map(hash_of_codes);
        let seen = ValuesSeen { owners: owners as u64, longest, kind, label_sets };
        let Columns { values, strings, index } = columns;
        Ok(PreparedProperty {
            seen,
            present: self.bitmap(&bitmap, owners as u32)?,
            offsets: lists.then(|| self.offsets(&starts)).transpose()?,
            values,
            strings,
            index,
        })
    }
}

/// The columns of a property, except for those of its owners.
struct Columns {
    values: PreparedColumn,
    strings: Option<PreparedColumn>,
    index: Option<PreparedIndex>,
}

impl Columns {
    fn of_numbers(values: PreparedColumn) -> Self {
        Self { values, strings: None, index: None }
    }
}

/// The length of the longest list, and the owner of that list.
fn longest_list(offsets: &[u32]) -> (u32, u64) {
    let length = |ends: &[u32]| ends[1] - ends[0];
    let longest = offsets.windows(2).map(length).max().unwrap_or(0);
    let owner = offsets.windows(2).position(|ends| length(ends) == longest).unwrap_or(0);
    (longest, owner as u64)
}

/// Checks that each value is the code of a text and that texts are within their bytes; returns whether all
/// texts are UTF-8.
fn check_texts(
    offsets: &[u32],
    input: TextsInput<'_>,
    label_sets: Option<&[u32]>,
) -> std::result::Result<KindSeen, InputError> {
    check_list_ends("offsets", offsets, None, input.codes.len())?;
    if let Some(label_sets) = label_sets.filter(|codes| codes.len() + 1 != offsets.len()) {
        let (expected, found) = (offsets.len() as u64 - 1, label_sets.len() as u64);
        return Err(InputError::new("label sets", Fault::Count { what: "codes", expected, found }));
    }
    let null = input.texts.len() as u64;
    let most = input.codes.iter().copied().max().unwrap_or(0);
    if u64::from(most) > null {
        let at = input.codes.iter().position(|code| u64::from(*code) > null).unwrap_or(0);
        let (most, found, at) = (null as i64, Some(input.codes[at].into()), Some(at as u64));
        return Err(InputError::new("codes", Fault::Number { what: "code", at, least: 0, most, found }));
    }
    let bytes = input.bytes.len() as u64;
    let mut not_text = None;
    for (number, (start, length)) in (0u64..).zip(input.texts) {
        let (start, end) = (u64::from(*start), u64::from(*start) + u64::from(*length));
        if end > bytes {
            let fault = Fault::Range { within: 0..bytes, found: start..end };
            return Err(InputError::new(format!("text {number}"), fault));
        }
        if not_text.is_none() && std::str::from_utf8(input.bytes_of(number as usize)).is_err() {
            not_text = Some(number);
        }
    }
    Ok(KindSeen::Texts { not_text })
}
