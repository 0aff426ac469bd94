//! Methods of [`PropertyChange`]: reads of a property whose values changed since the base was written.
//!
//! A range of owners is first read from the base; then changed values replace values of the base. Sums,
//! counts, least and greatest values are computed over the runs of unchanged owners of the base, and over the
//! changed values.

use std::ops::{ControlFlow, Range};

use varvite_format::NodeSet;
use varvite_store::Pinned;

use crate::cursor::property::{Property, PropertyChange};

impl PropertyChange {
    /// True if the change adds, replaces and removes nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.owners.is_none() && self.members.is_empty()
    }

    /// The number of values now; the base has `of_base` values.
    pub(crate) fn value_count(&self, of_base: usize) -> usize {
        of_base.saturating_sub(self.hidden_values) + self.values.as_ref().map_or(0, |it| it.values.len())
    }

    /// Whether an owner's values are not read from the base.
    #[inline]
    pub(crate) fn is_of(&self, owner: u32) -> bool {
        let has = |set: &Option<NodeSet<Pinned>>| set.as_ref().is_some_and(|set| set.contains(owner));
        has(&self.owners) || has(&self.removed)
    }

    /// Positions of the values of an owner. Positions of changed values follow the positions of the base.
    #[inline(never)]
    pub(crate) fn range(&self, property: &Property, owner: u32) -> Range<usize> {
        if !self.is_of(owner) {
            return property.range_in_base(owner);
        }
        let range = self.values.as_ref().map_or(0..0, |values| values.range_in_base(owner));
        let first = property.values.len();
        first + range.start..first + range.end
    }

    /// Calls `visit` with each changed or removed owner in a range, and its first value, or `None` if it has
    /// no value.
    pub(crate) fn for_each_in(&self, owners: &Range<u32>, mut visit: impl FnMut(u32, Option<i64>)) {
        for removed in of_range(&self.removed, owners) {
            visit(removed, None);
        }
        let mut cursor = self.values.as_ref().map(Property::cursor);
        for owner in of_range(&self.owners, owners) {
            visit(owner, cursor.as_mut().and_then(|cursor| cursor.number(owner)));
        }
    }

    /// Replaces the first values that changed owners have in the base by the first values that they have now.
    pub(crate) fn patch(&self, owners: &Range<u32>, values: &mut [i64], present: &mut [u64]) {
        self.for_each_in(owners, |owner, number| {
            let place = (owner - owners.start) as usize;
            set_bit(present, place, number.is_some());
            values.get_mut(place).into_iter().for_each(|value| *value = number.unwrap_or(0));
        });
    }

    /// For each changed owner, replaces the result of a test on its first value in the base by the result on
    /// its first value now.
    pub(crate) fn patch_bits(&self, owners: &Range<u32>, bits: &mut [u64], passes: impl Fn(i64) -> bool) {
        self.for_each_in(owners, |owner, number| {
            set_bit(bits, (owner - owners.start) as usize, number.is_some_and(&passes));
        });
    }

    /// The owners in `owners` whose values are still those of the base, as runs of consecutive owners. No run
    /// is empty.
    pub(crate) fn runs(&self, owners: Range<u32>) -> impl Iterator<Item = Range<u32>> + '_ {
        let mut next = owners.start;
        let hidden = self.members.hidden_in(&owners).iter().copied();
        let ends = hidden.chain([owners.end]).map(move |end| {
            let run = next..end;
            next = end.saturating_add(1);
            run
        });
        ends.filter(|run| !run.is_empty())
    }

    /// The same as [`Property::for_each`], for a property with this change.
    pub(crate) fn for_each(&self, property: &Property, mut visit: impl FnMut(u32, i64)) {
        let later = self.values.iter().flat_map(|values| {
            values.owners().flat_map(|owner| values.numbers(owner).map(move |number| (owner, number)))
        });
        let mut later = later.peekable();
        property.for_each_of_base(|owner, number| {
            while let Some((owner, number)) = later.next_if(|(later, _)| *later < owner) {
                visit(owner, number);
            }
            if !self.members.hides(owner) {
                visit(owner, number);
            }
        });
        later.for_each(|(owner, number)| visit(owner, number));
    }

    /// The same as [`Property::find_number`], for a property with this change. Not inlined, because it would
    /// make searches of properties without changes longer.
    #[inline(never)]
    pub(crate) fn find_number(
        &self,
        property: &Property,
        number: i64,
        mut visit: impl FnMut(u32) -> ControlFlow<()>,
    ) {
        let mut later = Vec::new();
        if let Some(values) = &self.values {
            values.find_in_base(number, |owner| {
                later.push(owner);
                ControlFlow::Continue(())
            });
        }
        let mut later = later.into_iter().peekable();
        let mut flow = ControlFlow::Continue(());
        property.find_in_base(number, |owner| {
            while flow.is_continue()
                && let Some(owner) = later.next_if(|later| *later < owner)
            {
                flow = visit(owner);
            }
            if flow.is_continue() && !self.members.hides(owner) {
                flow = visit(owner);
            }
            flow
        });
        while flow.is_continue()
            && let Some(owner) = later.next()
        {
            flow = visit(owner);
        }
    }
}

fn set_bit(bits: &mut [u64], place: usize, is_set: bool) {
    if let Some(word) = bits.get_mut(place / 64) {
        *word = *word & !(1 << (place % 64)) | u64::from(is_set) << (place % 64);
    }
}

/// The members of a set that are in a range, ascending.
fn of_range<'a>(set: &'a Option<NodeSet<Pinned>>, range: &Range<u32>) -> impl Iterator<Item = u32> + 'a {
    let (start, end) = (range.start, range.end);
    let members = set.as_ref().map(|set| set.iter_from(start.min(set.universe())));
    members.into_iter().flatten().take_while(move |member| *member < end)
}
