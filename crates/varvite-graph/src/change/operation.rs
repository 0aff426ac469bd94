//! An operation of a diff, in two forms: [`Word`], in which it is stored, and [`Operation`], in which code
//! reads it.
//!
//! ```text
//! bits 0..26   number of the name
//! bit  26      the first operand is new
//! bit  27      the second operand is new
//! bits 28..32  kind
//! ```

use super::element::{NewEdge, NodeRef};
use crate::cursor::value::{Cardinality, ValueType};

/// The kind of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    AddNode,
    AddEdge,
    RemoveNode,
    RemoveEdge,
    SetOfNode,
    SetOfEdge,
    AppendToNode,
    AppendToEdge,
    DeclareLabel,
    DeclareEdgeLabel,
    DeclareProperty,
}

impl Kind {
    pub(super) const ALL: [Self; 11] = [
        Self::AddNode,
        Self::AddEdge,
        Self::RemoveNode,
        Self::RemoveEdge,
        Self::SetOfNode,
        Self::SetOfEdge,
        Self::AppendToNode,
        Self::AppendToEdge,
        Self::DeclareLabel,
        Self::DeclareEdgeLabel,
        Self::DeclareProperty,
    ];

    pub(super) const REMOVALS: [Self; 2] = [Self::RemoveNode, Self::RemoveEdge];
    pub(super) const DECLARATIONS: [Self; 3] =
        [Self::DeclareLabel, Self::DeclareEdgeLabel, Self::DeclareProperty];
    pub(super) const VALUES: [Self; 4] =
        [Self::SetOfNode, Self::SetOfEdge, Self::AppendToNode, Self::AppendToEdge];

    /// The number of operands of an operation of this kind.
    pub(super) fn operands(self) -> usize {
        match self {
            Self::AddNode | Self::DeclareLabel | Self::DeclareEdgeLabel => 0,
            Self::RemoveNode | Self::RemoveEdge => 1,
            Self::AddEdge | Self::DeclareProperty => 2,
            Self::SetOfNode | Self::SetOfEdge | Self::AppendToNode | Self::AppendToEdge => 3,
        }
    }
}

/// The kinds that occur among the operations of a diff.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kinds {
    kinds: u16,
}

impl Kinds {
    pub(super) fn insert(&mut self, kind: Kind) {
        self.kinds |= 1 << kind as u32;
    }

    /// Adds the kinds of another diff.
    pub(super) fn absorb(&mut self, other: Self) {
        self.kinds |= other.kinds;
    }

    /// Whether the diff has operations of one of these kinds.
    pub(super) fn has_any(self, kinds: &[Kind]) -> bool {
        kinds.iter().any(|kind| self.kinds >> *kind as u32 & 1 != 0)
    }

    /// Whether the diff removes nodes or edges.
    pub(super) fn removes(self) -> bool {
        self.has_any(&Kind::REMOVALS)
    }
}

const NAME_BITS: u32 = 26;

/// The maximum number of names in a diff; also the maximum number of label sets.
pub(super) const NAMES_MAX: usize = 1 << NAME_BITS;

/// The kind and the name of an operation, packed into one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u32);

impl Word {
    /// # Panics
    /// If the number of the name is 2^26 or more.
    pub(super) fn new(kind: Kind, name: u32, are_new: [bool; 2]) -> Self {
        assert!(name < 1 << NAME_BITS, "a diff has at most 2^26 names");
        let flags = u32::from(are_new[0]) | u32::from(are_new[1]) << 1;
        Self((kind as u32) << (NAME_BITS + 2) | flags << NAME_BITS | name)
    }

    /// The packed number.
    pub(super) fn to_bits(self) -> u32 {
        self.0
    }

    /// The word that [`Word::to_bits`] packed into this number.
    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(super) fn kind(self) -> Kind {
        Kind::ALL[(self.0 >> (NAME_BITS + 2)) as usize]
    }

    pub(super) fn name(self) -> u32 {
        self.0 & ((1 << NAME_BITS) - 1)
    }

    pub(super) fn are_new(self) -> [bool; 2] {
        [0, 1].map(|flag| self.0 >> (NAME_BITS + flag) & 1 != 0)
    }
}

/// A name of the diff, by its number.
pub(super) type Name = u32;

/// An operation, decoded for code that reads the diff.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation<'a> {
    AddNode { labels: &'a [Name] },
    AddEdge { label: Name, from: NodeRef, to: NodeRef },
    RemoveNode { node: u32 },
    RemoveEdge { label: Name, rank: u32 },
    Values(Values<'a>),
    DeclareLabel { name: Name },
    DeclareEdgeLabel { name: Name },
    DeclareProperty { name: Name, edge_label: Option<Name>, value_type: ValueType, cardinality: Cardinality },
}

/// The values in an operation, and the owner that gets them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values<'a> {
    pub(super) owner: ValueOwner,
    pub(super) property: Name,
    /// Whether the owner's existing values are kept.
    pub(super) is_append: bool,
    pub(super) values: &'a [StoredValue],
}

/// A value in the form in which the diff stores it.
#[derive(Clone, Copy, Debug)]
pub(super) enum StoredValue {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    F32(f32),
    F64(f64),
    Str(u32),
    Bytes(u32),
    Ref(NodeRef),
}

/// The owner of the values in an operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueOwner {
    Node(NodeRef),
    Edge(Name, u32),
    NewEdge(NewEdge),
}
