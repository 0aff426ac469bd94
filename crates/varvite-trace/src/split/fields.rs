//! The split by fields: each byte of each field is stored in a plane of its own. If the field has the flag
//! `delta`, its values are replaced by differences.
//!
//! A plane has one byte of the field from each record. A field's plane of lowest bytes comes first, and
//! fields are stored in their order. The split works even if records vary in length, because a field is at
//! the same offset in each record.

use crate::schema::Field;

/// An iterator over the offsets at which records start.
pub(crate) trait Starts: Iterator<Item = usize> + Clone {}

impl<I: Iterator<Item = usize> + Clone> Starts for I {}

/// Writes one field of all records to its planes. `planes` has exactly the total size of these planes.
pub(crate) fn encode(plain: &[u8], starts: impl Starts, offset: usize, field: Field, planes: &mut [u8]) {
    match field.width {
        1 => spread::<1>(plain, starts, offset, field.delta, planes),
        2 => spread::<2>(plain, starts, offset, field.delta, planes),
        4 => spread::<4>(plain, starts, offset, field.delta, planes),
        _ => spread::<8>(plain, starts, offset, field.delta, planes),
    }
}

/// Undoes [`encode`].
pub(crate) fn decode(planes: &[u8], starts: impl Starts, offset: usize, field: Field, plain: &mut [u8]) {
    match field.width {
        1 => gather::<1>(planes, starts, offset, field.delta, plain),
        2 => gather::<2>(planes, starts, offset, field.delta, plain),
        4 => gather::<4>(planes, starts, offset, field.delta, plain),
        _ => gather::<8>(planes, starts, offset, field.delta, plain),
    }
}

fn spread<const W: usize>(plain: &[u8], starts: impl Starts, offset: usize, delta: bool, planes: &mut [u8]) {
    let records = planes.len() / W;
    let mut before = 0u64;
    for (index, start) in starts.enumerate() {
        let value = load::<W>(&plain[start + offset..]);
        let stored = value.wrapping_sub(before).to_le_bytes();
        (0..W).for_each(|byte| planes[byte * records + index] = stored[byte]);
        before = if delta { value } else { 0 };
    }
}

fn gather<const W: usize>(planes: &[u8], starts: impl Starts, offset: usize, delta: bool, plain: &mut [u8]) {
    let records = planes.len() / W;
    let rows: [&[u8]; W] = std::array::from_fn(|byte| &planes[byte * records..(byte + 1) * records]);
    let mut before = 0u64;
    for (index, start) in starts.take(records).enumerate() {
        let mut stored = [0; 8];
        (0..W).for_each(|byte| stored[byte] = rows[byte][index]);
        let value = u64::from_le_bytes(stored).wrapping_add(before);
        plain[start + offset..start + offset + W].copy_from_slice(&value.to_le_bytes()[..W]);
        before = if delta { value } else { 0 };
    }
}

fn load<const W: usize>(bytes: &[u8]) -> u64 {
    let mut value = [0; 8];
    value[..W].copy_from_slice(&bytes[..W]);
    u64::from_le_bytes(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_like_weight_stand_together_and_differences_are_small() {
        let plain = [7, 0x01, 0x10, 8, 0x03, 0x10, 9, 0x02, 0x11];
        let mut planes = [0; 6];
        encode(&plain, [0, 3, 6].into_iter(), 1, Field::new("pc", 2), &mut planes);
        assert_eq!(planes, [1, 3, 2, 0x10, 0x10, 0x11]);
        encode(&plain, [0, 3, 6].into_iter(), 1, Field::new("pc", 2).with_delta(), &mut planes);
        assert_eq!(planes, [1, 2, 0xff, 0x10, 0, 0]);
        let mut back = [7, 0, 0, 8, 0, 0, 9, 0, 0];
        decode(&planes, [0, 3, 6].into_iter(), 1, Field::new("pc", 2).with_delta(), &mut back);
        assert_eq!(back, plain);
    }
}
