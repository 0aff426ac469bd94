//! [`Nodes`] and [`Owners`]: double-ended iterators over ascending ids, with exact length.

use std::iter::FusedIterator;

use varvite_format::{NodeSet, NodeSetIter};
use varvite_store::Pinned;

use crate::cursor::member_change::{MemberChange, MembersIter};

/// Declares an iterator type with the given name over the members of a set.
macro_rules! members {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'a> {
            /// The members of the base that were not returned yet. Always empty if the set has a change.
            base: NodeSetIter<'a, Pinned>,
            changed: Option<Box<MembersIter<'a>>>,
        }

        impl<'a> $name<'a> {
            /// The members of a set from `start` on. If the set has a change, the change is applied.
            #[inline]
            pub(crate) fn new(
                set: &'a NodeSet<Pinned>,
                change: Option<&'a MemberChange>,
                start: u32,
            ) -> Self {
                match change {
                    None => Self { base: set.iter_from(start), changed: None },
                    Some(change) => Self::of_changed(set, change, start),
                }
            }

            #[cold]
            fn of_changed(set: &'a NodeSet<Pinned>, change: &'a MemberChange, start: u32) -> Self {
                let members = change.of(set).iter_from(start);
                Self { base: set.iter_from(set.universe()), changed: Some(Box::new(members)) }
            }

            /// Folds the members of a changed set. Not inlined, because it would make loops over graphs
            /// without changes longer.
            #[cold]
            #[inline(never)]
            fn fold_changed<A>(
                members: Box<MembersIter<'a>>,
                first: A,
                visit: impl FnMut(A, u32) -> A,
            ) -> A {
                members.fold(first, visit)
            }

            #[cold]
            fn next_changed(&mut self) -> Option<u32> {
                self.changed.as_mut()?.next()
            }

            #[cold]
            fn last_changed(&mut self) -> Option<u32> {
                self.changed.as_mut()?.next_back()
            }
        }

        impl Iterator for $name<'_> {
            type Item = u32;

            #[inline]
            fn next(&mut self) -> Option<u32> {
                match self.base.next() {
                    None if self.changed.is_some() => self.next_changed(),
                    member => member,
                }
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                match &self.changed {
                    None => self.base.size_hint(),
                    Some(members) => members.size_hint(),
                }
            }

            #[inline]
            fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, visit: F) -> A {
                match self.changed {
                    None => self.base.fold(first, visit),
                    Some(members) => Self::fold_changed(members, first, visit),
                }
            }
        }

        impl DoubleEndedIterator for $name<'_> {
            #[inline]
            fn next_back(&mut self) -> Option<u32> {
                match self.base.next_back() {
                    None if self.changed.is_some() => self.last_changed(),
                    member => member,
                }
            }
        }

        impl ExactSizeIterator for $name<'_> {}

        impl FusedIterator for $name<'_> {}
    };
}

members! {
    /// The ids of nodes, ascending. In a damaged file the iterator may return fewer ids than its `len`.
    Nodes
}

members! {
    /// The owners of a property, ascending: ids of nodes, or ranks of edges. In a damaged file the iterator
    /// may return fewer owners than its `len`.
    Owners
}
