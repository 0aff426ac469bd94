//! Element types of the arrays in a flatgraph file.
//!
//! | type           | bytes | element, little-endian |
//! |----------------|-------|------------------------|
//! | `bool`         | 1     | 0 or 1 |
//! | `byte`         | 1     | signed |
//! | `short`        | 2     | signed |
//! | `int`          | 4     | signed |
//! | `long`         | 8     | signed |
//! | `float`        | 4     | IEEE 754 |
//! | `double`       | 8     | IEEE 754 |
//! | `string`       | 4     | signed index into the string pool, -1 for null |
//! | `ref`          | 8     | index of the node kind << 32, number within the kind; null is `0x0000_ffff_ffff_ffff` |

use std::fmt;

/// The element type of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementType {
    /// Truth values.
    Bool,
    /// 8-bit integers.
    Byte,
    /// 16-bit integers.
    Short,
    /// 32-bit integers.
    Int,
    /// 64-bit integers.
    Long,
    /// 32-bit floating point.
    Float,
    /// 64-bit floating point.
    Double,
    /// Strings, as indexes into the string pool.
    String,
    /// References to nodes.
    Ref,
}

impl ElementType {
    /// All types.
    pub const ALL: [Self; 9] = [
        Self::Bool,
        Self::Byte,
        Self::Short,
        Self::Int,
        Self::Long,
        Self::Float,
        Self::Double,
        Self::String,
        Self::Ref,
    ];

    /// The name of the type in the manifest.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Byte => "byte",
            Self::Short => "short",
            Self::Int => "int",
            Self::Long => "long",
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
            Self::Ref => "ref",
        }
    }

    /// The size of an element in bytes.
    #[must_use]
    pub const fn width(self) -> u32 {
        match self {
            Self::Bool | Self::Byte => 1,
            Self::Short => 2,
            Self::Int | Self::Float | Self::String => 4,
            Self::Long | Self::Double | Self::Ref => 8,
        }
    }

    pub(super) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|element| element.name() == name)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
