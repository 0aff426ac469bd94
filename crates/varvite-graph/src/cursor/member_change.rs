//! [`Members`]: a set of the base, without its removed members and with the added members.
//!
//! Other code reads the sets of a graph without changes, so that those reads do not become slower.

use std::ops::Range;
use std::slice;

use varvite_format::{NodeSet, NodeSetIter};
use varvite_store::{Charge, Pinned};

/// The change of a set since the base was written: members added and members removed.
#[derive(Debug)]
pub struct MemberChange {
    /// Members of the base that were removed or are also in `added`; ascending.
    pub(crate) hidden: Vec<u32>,
    /// The added members. Each is either not in the base, or also in `hidden`.
    pub(crate) added: Added,
    /// The charge for the bytes of the lists.
    pub(crate) _charge: Charge,
}

/// Members added after the base was written.
#[derive(Debug)]
pub(crate) enum Added {
    /// Ascending members, each once.
    List(Vec<u32>),
    Set(NodeSet<Pinned>),
}

/// The members of a set that has changed. Cheap to copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Members<'a> {
    base: &'a NodeSet<Pinned>,
    change: &'a MemberChange,
}

impl MemberChange {
    /// The members of the set `base` after this change.
    #[inline]
    pub(crate) fn of<'a>(&'a self, base: &'a NodeSet<Pinned>) -> Members<'a> {
        Members { base, change: self }
    }

    /// True if the change adds and removes nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.hidden.is_empty() && self.added.len() == 0
    }

    /// Whether a member of the base is in `hidden`: it was removed or is in `added`.
    #[inline]
    #[doc(hidden)]
    pub fn hides(&self, member: u32) -> bool {
        !self.hidden.is_empty() && self.hidden.binary_search(&member).is_ok()
    }

    /// The hidden members of the base in a range.
    pub(crate) fn hidden_in(&self, range: &Range<u32>) -> &[u32] {
        members_in(&self.hidden, range)
    }

    /// Applies the change to `bits`, where bit `i` says whether `range.start + i` is a member of the base.
    pub(crate) fn patch_bits(&self, range: &Range<u32>, bits: &mut [u64]) {
        let place = |member: u32| ((member - range.start) as usize / 64, (member - range.start) % 64);
        for (word, bit) in self.hidden_in(range).iter().map(|member| place(*member)) {
            bits.get_mut(word).into_iter().for_each(|word| *word &= !(1 << bit));
        }
        for (word, bit) in self.added.iter_in(range).map(place) {
            bits.get_mut(word).into_iter().for_each(|word| *word |= 1 << bit);
        }
    }
}

impl Added {
    pub(crate) fn len(&self) -> u32 {
        match self {
            Self::List(list) => list.len() as u32,
            Self::Set(set) => set.len(),
        }
    }

    #[inline(never)]
    fn contains(&self, member: u32) -> bool {
        match self {
            // Most lists hold only appended nodes, whose ids are above the base: first test for an id below
            // the first member.
            Self::List(list) if list.first().is_none_or(|first| member < *first) => false,
            Self::List(list) => list.binary_search(&member).is_ok(),
            Self::Set(set) => set.contains(member),
        }
    }

    /// The number of members below `id`.
    fn rank(&self, id: u32) -> usize {
        match self {
            Self::List(list) if list.first().is_none_or(|first| id <= *first) => 0,
            Self::List(list) => list.partition_point(|member| *member < id),
            Self::Set(set) => set.rank(id).unwrap_or(0),
        }
    }

    /// The last member below `id`.
    fn last_below(&self, id: u32) -> Option<u32> {
        let rank = self.rank(id).checked_sub(1)?;
        match self {
            Self::List(list) => list.get(rank).copied(),
            Self::Set(set) => set.select(rank),
        }
    }

    fn iter_from(&self, start: u32) -> AddedIter<'_> {
        match self {
            Self::List(list) => AddedIter::List(list[self.rank(start)..].iter()),
            Self::Set(set) => AddedIter::Set(set.iter_from(start)),
        }
    }

    /// The members in a range, ascending.
    pub(crate) fn iter_in(&self, range: &Range<u32>) -> impl Iterator<Item = u32> + '_ {
        let range = range.clone();
        self.iter_from(range.start).take_while(move |member| range.contains(member))
    }
}

impl<'a> Members<'a> {
    /// The number of members.
    pub(crate) fn len(self) -> u32 {
        let kept = self.base.len().saturating_sub(self.change.hidden.len() as u32);
        kept.saturating_add(self.change.added.len())
    }

    #[inline]
    pub(crate) fn contains(self, id: u32) -> bool {
        match self.base.contains(id) {
            true if self.change.hidden.is_empty() => true,
            true => !self.change.hides(id) || self.change.added.contains(id),
            false => self.change.added.contains(id),
        }
    }

    /// The number of members below `id`.
    pub(crate) fn rank(self, id: u32) -> usize {
        let hidden = self.change.hidden.partition_point(|member| *member < id);
        let kept = self.base.rank(id).unwrap_or(0).saturating_sub(hidden);
        kept + self.change.added.rank(id)
    }

    /// The members from `start` on, ascending.
    pub(crate) fn iter_from(self, start: u32) -> MembersIter<'a> {
        let hidden = self.change.hidden.partition_point(|member| *member < start);
        let mut iter = MembersIter {
            members: self,
            next: start,
            end: u32::MAX,
            base: self.base.iter_from(start.min(self.base.universe())),
            hidden: &self.change.hidden[hidden..],
            added: self.change.added.iter_from(start),
            base_next: None,
            added_next: None,
        };
        iter.base_next = iter.next_of_base();
        iter.added_next = iter.added.next();
        iter
    }

    /// Appends the first `limit` members from `start` on.
    pub(crate) fn append_from(self, start: u32, limit: usize, output: &mut Vec<u32>) {
        let (mut next, mut left) = (start, limit);
        let mut added = self.change.added.iter_from(start);
        let mut hidden = &self.change.hidden[self.change.hidden.partition_point(|id| *id < start)..];
        let mut next_added = added.next();
        while left > 0 {
            // All members below the next hidden or added id are in the base.
            let stop = hidden.first().copied().into_iter().chain(next_added).min().unwrap_or(u32::MAX);
            let rank = |id| self.base.rank(id).unwrap_or(0);
            let count = rank(stop).saturating_sub(rank(next)).min(left);
            if count > 0 {
                self.base.append_from(next, count, output);
                left -= count;
            }
            if left == 0 || stop == u32::MAX {
                return;
            }
            if next_added == Some(stop) {
                output.push(stop);
                left -= 1;
                next_added = added.next().filter(|next| *next > stop);
            }
            hidden = if hidden.first() == Some(&stop) { &hidden[1..] } else { hidden };
            next = stop + 1;
        }
    }
}

/// The members of a sorted list that are in a range.
pub(crate) fn members_in<'a>(list: &'a [u32], range: &Range<u32>) -> &'a [u32] {
    let place = |end: u32| list.partition_point(|member| *member < end);
    list.get(place(range.start)..place(range.end)).unwrap_or(&[])
}

#[derive(Clone, Debug)]
enum AddedIter<'a> {
    List(slice::Iter<'a, u32>),
    Set(NodeSetIter<'a, Pinned>),
}

impl Iterator for AddedIter<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        match self {
            Self::List(list) => list.next().copied(),
            Self::Set(set) => set.next(),
        }
    }
}

/// An iterator over the members of a changed set, ascending, from both ends.
#[derive(Clone, Debug)]
pub(crate) struct MembersIter<'a> {
    members: Members<'a>,
    /// The iterator has not returned the members from `next` on and below `end` yet.
    next: u32,
    end: u32,
    base: NodeSetIter<'a, Pinned>,
    hidden: &'a [u32],
    added: AddedIter<'a>,
    base_next: Option<u32>,
    added_next: Option<u32>,
}

impl MembersIter<'_> {
    /// True if no member of the base is hidden, all added members come after those of the base, and nothing
    /// was taken from the end.
    fn is_base_first(&self) -> bool {
        let base = self.members.base;
        let last = base.len().checked_sub(1).and_then(|rank| base.select(rank as usize));
        let is_last = |added| last.is_none_or(|last| added > last);
        self.hidden.is_empty() && self.end == u32::MAX && self.added_next.is_none_or(is_last)
    }

    /// The next member of the base that is not hidden.
    fn next_of_base(&mut self) -> Option<u32> {
        loop {
            let member = self.base.next()?;
            while let Some((_, rest)) = self.hidden.split_first().filter(|(first, _)| **first < member) {
                self.hidden = rest;
            }
            if self.hidden.first() != Some(&member) {
                return Some(member);
            }
        }
    }

    /// The last member of the base below `end` that is not hidden.
    fn last_of_base(&self) -> Option<u32> {
        let base = self.members.base;
        let mut below = self.end;
        loop {
            let rank = base.rank(below)?.checked_sub(1)?;
            let member = base.select(rank).filter(|member| (self.next..below).contains(member))?;
            if !self.members.change.hides(member) {
                return Some(member);
            }
            below = member;
        }
    }
}

impl Iterator for MembersIter<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let member = match (self.base_next, self.added_next) {
            (Some(base), Some(added)) => base.min(added),
            (base, added) => base.or(added)?,
        };
        // In a damaged file a member may be in the base and also in `added`; then it is returned once.
        if self.base_next == Some(member) {
            self.base_next = self.next_of_base();
        }
        if self.added_next == Some(member) {
            self.added_next = self.added.next();
        }
        if member < self.next || member >= self.end {
            self.next = self.end;
            return None;
        }
        self.next = member + 1;
        Some(member)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match self.next < self.end {
            true => self.members.rank(self.end).saturating_sub(self.members.rank(self.next)),
            false => 0,
        };
        (left, Some(left))
    }

    /// If the set only gained members above those of the base, such as appended nodes, the base is folded as
    /// if it had no changes.
    #[inline]
    fn fold<A, F: FnMut(A, u32) -> A>(mut self, first: A, mut visit: F) -> A {
        let mut folded = first;
        if !self.is_base_first() {
            for member in self.by_ref() {
                folded = visit(folded, member);
            }
            return folded;
        }
        let base = self.base_next.into_iter().chain(self.base);
        folded = base.fold(folded, &mut visit);
        self.added_next.into_iter().chain(self.added).fold(folded, visit)
    }
}

impl DoubleEndedIterator for MembersIter<'_> {
    fn next_back(&mut self) -> Option<u32> {
        let added = self.members.change.added.last_below(self.end);
        let added = added.filter(|member| (self.next..self.end).contains(member));
        match self.last_of_base().max(added) {
            Some(member) => {
                self.end = member;
                Some(member)
            }
            None => {
                self.end = self.next;
                None
            }
        }
    }
}
