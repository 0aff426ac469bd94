//! A reference to a node within one flatgraph file: the index of its kind, and its number within the kind.
//!
//! Neither number is valid in another file: kinds are numbered alphabetically, so their indexes change when
//! the schema gains a kind. To remember a node across files, store the label of its kind instead of the
//! index.

use std::fmt;

/// A reference to a node of the same file, or null.
///
/// A reference has eight bytes, as in the file: the kind in the high half, the number in the low half. A
/// `NodeRef` read from a [`FlatgraphFile`](super::FlatgraphFile) is either null or refers to a node of the
/// file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct NodeRef(u64);

impl NodeRef {
    /// The null reference: kind 65535, which no file reaches, and number -1.
    pub const NULL: Self = Self(0x0000_ffff_ffff_ffff);

    /// The reference to node `seq` of the kind with index `kind`.
    #[must_use]
    pub const fn new(kind: u32, seq: u32) -> Self {
        Self((kind as u64) << 32 | seq as u64)
    }

    /// The reference that the file stores as the number `bits`.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The number that the file stores for the reference.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the reference is null.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.0 == Self::NULL.0
    }

    /// The index of the kind in [`FlatgraphFile::kinds`](super::FlatgraphFile::kinds).
    #[must_use]
    pub const fn kind(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The number of the node within its kind.
    #[must_use]
    pub const fn seq(self) -> u32 {
        (self.0 & 0xffff_ffff) as u32
    }
}

impl fmt::Debug for NodeRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() { f.write_str("null") } else { write!(f, "{}:{}", self.kind(), self.seq()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_keeps_both_numbers() {
        let node = NodeRef::new(65_534, u32::MAX - 1);
        assert_eq!((node.kind(), node.seq()), (65_534, u32::MAX - 1));
        assert_eq!(NodeRef::from_bits(node.bits()), node);
    }

    #[test]
    fn only_the_stored_null_is_null() {
        assert!(NodeRef::NULL.is_null());
        assert!(!NodeRef::new(0, u32::MAX).is_null());
        assert!(!NodeRef::new(65_535, 0).is_null());
    }
}
