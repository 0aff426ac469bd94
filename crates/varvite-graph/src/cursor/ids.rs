//! [`Nodes`] and [`Owners`]: ids that rise, from both ends, with their count.

use std::iter::FusedIterator;

use varvite_format::{NodeSet, NodeSetIter};
use varvite_store::Pinned;

use crate::cursor::member_change::{MemberChange, MembersIter};

/// An iterator around the members of a set, with a name of its own.
macro_rules! members {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'a> {
            /// None of them where the set has changed.
            base: NodeSetIter<'a, Pinned>,
            changed: Option<Box<MembersIter<'a>>>,
        }

        impl<'a> $name<'a> {
            /// The members of a set from `start` on, with its change, if it has one.
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

            /// Not inlined: loops over graphs without changes would be longer.
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
    /// The ids of nodes, rising. A damaged file may give fewer than `len`.
    Nodes
}

members! {
    /// The owners of a property, rising: ids of nodes, or ranks of edges. A damaged file may give fewer than
    /// `len`.
    Owners
}
