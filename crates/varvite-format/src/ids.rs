//! Numbers of rows in the directory. Each table has a type of its own, so that a column is never mistaken for
//! a segment, nor an edge label for a property.

/// The number that stands for no id wherever a file holds an id.
pub const NONE: u32 = u32::MAX;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id with this index.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                Self(index as u32)
            }

            /// The id for a number in a file; `None` if the number is [`NONE`].
            pub fn from_number(number: u32) -> Option<Self> {
                (number != NONE).then_some(Self(number))
            }

            /// The number for an id in a file; [`NONE`] stands for no id.
            pub fn to_number(id: Option<Self>) -> u32 {
                id.map_or(NONE, |id| id.0)
            }
        }
    };
}

id!(
    /// The number of a row of the directory's column table.
    ColumnId
);
id!(
    /// The number of a row of the directory's segment table.
    SegmentId
);
id!(
    /// The number of a row of the directory's name table.
    NameId
);
id!(
    /// The number of a node label, both in the directory's table of labels and in the schema.
    LabelId
);
id!(
    /// The number of an edge label, both in the directory's table of edge labels and in the schema.
    EdgeLabelId
);
id!(
    /// The number of a property, both in the directory's table of properties and in the schema. Node
    /// properties and edge properties are rows of one table, so their numbers never collide; each row says
    /// whether the owners are nodes or edges.
    PropertyId
);
