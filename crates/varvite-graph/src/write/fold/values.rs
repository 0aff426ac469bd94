//! The values of one property, in the order in which they are written.

use varvite_format::Quantity;

use super::Fold;
use crate::change_error::ChangeError;
use crate::cursor::property::Property;
use crate::cursor::value::ValueType;
use crate::error::Result;
use crate::write::check_claim;

/// The values of a property in the order of its owners' new ids.
pub(super) struct Values {
    /// The start of each owner's values, followed by the end of the last values.
    pub(super) offsets: Vec<u32>,
    /// Integers, codes of texts in the old graph, or new ids of nodes.
    pub(super) numbers: Vec<i64>,
}

/// The stored number of a null reference.
const NULL_REF: i64 = u32::MAX as i64;

impl Fold<'_> {
    /// The values of a property, in the order of the owners' new ids or ranks. `old_owners` has the old
    /// number of each owner.
    pub(super) fn values(&self, property: &Property, old_owners: &[u32]) -> Result<Values, ChangeError> {
        check_claim(self.graph, property.value_count() as u64)?;
        let mut offsets = Vec::with_capacity(old_owners.len() + 1);
        let mut numbers: Vec<i64> = Vec::with_capacity(property.value_count());
        for old in old_owners {
            offsets.push(numbers.len() as u32);
            numbers.extend(self.numbers(property, *old));
        }
        check_count(numbers.len() as u64)?;
        offsets.push(numbers.len() as u32);
        Ok(Values { offsets, numbers })
    }

    /// The values of an owner, given by its old number. References are converted to the new ids of nodes.
    pub(super) fn numbers(&self, property: &Property, old: u32) -> impl Iterator<Item = i64> {
        let is_ref = property.value_type() == ValueType::Ref;
        property.numbers(old).map(move |number| if is_ref { self.new_ref(number) } else { number })
    }

    /// The new number of a reference; a reference to a removed node becomes null.
    fn new_ref(&self, number: i64) -> i64 {
        let old = u32::try_from(number).ok();
        old.and_then(|old| self.renumbering.new_id(old)).map_or(NULL_REF, i64::from)
    }
}

/// Fails if there are more values than offsets can count.
pub(super) fn check_count(found: u64) -> Result<(), ChangeError> {
    let (what, limit) = (Quantity::Values, u64::from(u32::MAX));
    if found > limit { Err(ChangeError::TooLarge { what, found, limit }) } else { Ok(()) }
}
