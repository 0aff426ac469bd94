//! Numbers of things in the directory: typed, so that a column is never mistaken for a segment, nor an edge
//! label for a property.

/// The number that means "there is none" wherever a file holds an id.
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

            /// The id of an index.
            #[inline]
            pub fn from_index(index: usize) -> Self {
                Self(index as u32)
            }

            /// The id in a file's number, where [`NONE`] stands for no id.
            pub fn from_number(number: u32) -> Option<Self> {
                (number != NONE).then_some(Self(number))
            }

            /// The number that a file holds for an id or for none.
            pub fn to_number(id: Option<Self>) -> u32 {
                id.map_or(NONE, |id| id.0)
            }
        }
    };
}

id!(
    /// A row of the directory's column table.
    ColumnId
);
id!(
    /// A row of the directory's segment table.
    SegmentId
);
id!(
    /// A row of the directory's name table.
    NameId
);
id!(
    /// Number of a node label: a row of the directory's table of labels, and an index of the schema's labels.
    LabelId
);
id!(
    /// Number of an edge label: a row of the directory's table of edge labels, and an index of the schema's.
    EdgeLabelId
);
id!(
    /// Number of a property: a row of the directory's table of properties, and an index of the schema's.
    /// Properties of nodes and of edges are rows of one table, so their numbers never collide; the row has
    /// the kind of its owners.
    PropertyId
);
