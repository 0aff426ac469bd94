//! [`Nodes`] and [`Owners`]: ids that rise, from both ends, with their count.

use std::iter::FusedIterator;

use varvite_format::NodeSetIter;
use varvite_store::Pinned;

/// An iterator around the members of a set, with a name of its own.
macro_rules! members {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name<'a>(NodeSetIter<'a, Pinned>);

        impl<'a> $name<'a> {
            #[inline]
            pub(crate) fn new(members: NodeSetIter<'a, Pinned>) -> Self {
                Self(members)
            }
        }

        impl Iterator for $name<'_> {
            type Item = u32;

            #[inline]
            fn next(&mut self) -> Option<u32> {
                self.0.next()
            }

            #[inline]
            fn size_hint(&self) -> (usize, Option<usize>) {
                self.0.size_hint()
            }

            #[inline]
            fn fold<A, F: FnMut(A, u32) -> A>(self, first: A, visit: F) -> A {
                self.0.fold(first, visit)
            }
        }

        impl DoubleEndedIterator for $name<'_> {
            #[inline]
            fn next_back(&mut self) -> Option<u32> {
                self.0.next_back()
            }
        }

        impl ExactSizeIterator for $name<'_> {}

        impl FusedIterator for $name<'_> {}
    };
}

members! {
    /// The ids of nodes, rising. Of a damaged file there may be fewer than `len` says.
    Nodes
}

members! {
    /// What has a value of a property, rising: ids of nodes, or ranks of edges. Of a damaged file there may be fewer than
    /// `len` says.
    Owners
}
