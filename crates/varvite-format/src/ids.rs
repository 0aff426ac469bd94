//! Numbers of things in the directory: typed, so that a column is never mistaken for a segment.

/// The number that means "there is none" wherever a file holds an id.
pub const NONE: u32 = u32::MAX;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The id as an index.
            pub fn index(self) -> usize {
                self.0 as usize
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
