//! Writes a layer's property with many numbers. The numbers are packed while they are read, so that memory
//! holds the packed column and never all plain numbers.
//!
//! A layer's numbers are packed when the layer is added, in a file of any profile, so a fold keeps that form.

use varvite_codec::{Codec, Filter};
use varvite_format::{ColumnRow, EncodedColumn, EncodedSegment, Encoding, Owner, PackedStream, PropertyId};

use super::Fold;
use super::values::check_count;
use crate::change_error::ChangeError;
use crate::cursor::property::Property;
use crate::error::Result;
use crate::write::seen::{KindSeen, NumbersSeen, ValuesSeen};
use crate::write::{PreparedProperty, check_claim};

/// A node property of a layer is packed while its values are read, if it has at least this many values.
pub(crate) const MANY_OF_LAYER: usize = 1 << 21;

impl Fold<'_> {
    /// Whether a property has many numbers and belongs to a layer that holds nodes.
    pub(super) fn has_many_numbers(&self, id: PropertyId, property: &Property) -> bool {
        let directory = self.graph.store().directory();
        let row = &directory.properties[id.index()];
        let is_apart = directory.layers.get(row.layer as usize).is_some_and(|layer| layer.nodes.is_some());
        let are_numbers = row.owner == Owner::Node && !property.value_type().is_text();
        is_apart && are_numbers && property.value_count() >= MANY_OF_LAYER
    }

    /// The columns of a property with many numbers, in the order of new ids. `old_owners` has the old number
    /// of each owner.
    pub(super) fn many_numbers(
        &self,
        property: &Property,
        old_owners: &[u32],
    ) -> Result<PreparedProperty, ChangeError> {
        check_claim(self.graph, property.value_count() as u64)?;
        let (mut present, mut starts) = (vec![0u64; old_owners.len().div_ceil(64)], PackedStream::new(true));
        let (mut owners, mut count, mut least, mut most) = (0u64, 0u64, i64::MAX, i64::MIN);
        let (mut seen, mut longest) = (NumbersSeen::NONE, (0, 0));
        for (new, old) in old_owners.iter().enumerate() {
            let before = count;
            for number in self.numbers(property, *old) {
                (count, least, most) = (count + 1, least.min(number), most.max(number));
                seen.add(number);
            }
            check_count(count)?;
            if count - before > u64::from(longest.0) {
                longest = ((count - before) as u32, new as u64);
            }
            if count > before {
                present[new / 64] |= 1 << (new % 64);
                starts.push(before as u32)?;
                owners += 1;
            }
            self.encoder.check()?;
        }
        starts.push(count as u32)?;
        let offsets = (owners != count).then(|| whole(starts, 0)).transpose()?;
        let numbers = old_owners.iter().flat_map(|old| self.numbers(property, *old));
        let is_narrow = most.checked_sub(least).is_some_and(|span| u32::try_from(span).is_ok());
        let values = if is_narrow { packed(numbers, least)? } else { plain(numbers, count) };
        let mut encoder = self.encoder.clone();
        encoder.codec = Codec::None;
        let kind = KindSeen::Numbers(seen);
        Ok(PreparedProperty {
            seen: ValuesSeen { owners: old_owners.len() as u64, longest, kind, label_sets: None },
            present: self.encoder.bitmap(&present, old_owners.len() as u32)?,
            offsets: offsets.map(|offsets| encoder.prepare(offsets)).transpose()?,
            values: encoder.prepare(values)?,
            strings: None,
            index: None,
        })
    }
}

/// Packs a column of numbers that are at least `base`.
fn packed(numbers: impl Iterator<Item = i64>, base: i64) -> Result<EncodedColumn, ChangeError> {
    let mut stream = PackedStream::new(false);
    for number in numbers {
        stream.push(number.wrapping_sub(base) as u32)?;
    }
    whole(stream, base)
}

/// The complete column, made from a stream to which all values were added.
fn whole(stream: PackedStream, base: i64) -> Result<EncodedColumn, ChangeError> {
    let end = stream.finish(base, false)?;
    let mut bytes = end.data;
    bytes.splice(..0, end.headers);
    Ok(column(end.row, bytes))
}

/// A plain column of numbers that span more than 32 bits.
fn plain(numbers: impl Iterator<Item = i64>, count: u64) -> EncodedColumn {
    let row = ColumnRow { width: 8, signed: true, ..ColumnRow::empty(Encoding::Plain, count) };
    column(row, numbers.flat_map(i64::to_le_bytes).collect())
}

fn column(row: ColumnRow, bytes: Vec<u8>) -> EncodedColumn {
    EncodedColumn { row, children: Vec::new(), segments: vec![EncodedSegment::new(bytes, Filter::NONE)] }
}
