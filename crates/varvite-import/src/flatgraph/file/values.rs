//! Decoded columns: values by type, and the string pool.

use super::limits::LENGTH_MAX;
use super::{ElementType, FlatgraphError, NodeRef, Part};

/// The values of a column, in the order of its nodes or edges.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Truth values.
    Bool(Vec<bool>),
    /// 8-bit integers.
    Byte(Vec<i8>),
    /// 16-bit integers.
    Short(Vec<i16>),
    /// 32-bit integers.
    Int(Vec<i32>),
    /// 64-bit integers.
    Long(Vec<i64>),
    /// 32-bit floating point.
    Float(Vec<f32>),
    /// 64-bit floating point.
    Double(Vec<f64>),
    /// Strings, as indexes into the [`StringPool`]; -1 for null.
    String(Vec<i32>),
    /// References to nodes, or null.
    Ref(Vec<NodeRef>),
}

impl Values {
    /// The number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(values) => values.len(),
            Self::Byte(values) => values.len(),
            Self::Short(values) => values.len(),
            Self::Int(values) | Self::String(values) => values.len(),
            Self::Long(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::Ref(values) => values.len(),
        }
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type of the values in the file.
    #[must_use]
    pub fn element(&self) -> ElementType {
        match self {
            Self::Bool(_) => ElementType::Bool,
            Self::Byte(_) => ElementType::Byte,
            Self::Short(_) => ElementType::Short,
            Self::Int(_) => ElementType::Int,
            Self::Long(_) => ElementType::Long,
            Self::Float(_) => ElementType::Float,
            Self::Double(_) => ElementType::Double,
            Self::String(_) => ElementType::String,
            Self::Ref(_) => ElementType::Ref,
        }
    }
}

/// The distinct strings of a file, in the order of first use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringPool {
    text: String,
    /// The offset of each string, and the end of the last.
    offsets: Vec<u32>,
}

impl Default for StringPool {
    fn default() -> Self {
        Self { text: String::new(), offsets: vec![0] }
    }
}

impl StringPool {
    /// Makes a pool from a text and the offsets of its strings, followed by the end of the last string.
    ///
    /// The offsets are ascending character boundaries of the text.
    pub(super) fn from_parts(text: String, offsets: Vec<u32>) -> Self {
        debug_assert!(offsets.is_sorted() && offsets.iter().all(|&at| text.is_char_boundary(at as usize)));
        Self { text, offsets }
    }

    /// Adds a string and returns its index. The pool does not search for equal strings: the caller has to
    /// remember the index of each string.
    ///
    /// # Errors
    ///
    /// The pool would be too large for the format: 2^31 bytes, or 2^29 strings.
    pub fn push(&mut self, string: &str) -> Result<i32, FlatgraphError> {
        let (index, end) = (self.len(), self.text.len() as u64 + string.len() as u64);
        if end > LENGTH_MAX {
            return Err(FlatgraphError::LengthTooLarge { part: Part::StringBytes, found: end });
        }
        let lengths_len = (index as u64 + 1) * u64::from(ElementType::Int.width());
        if lengths_len > LENGTH_MAX {
            return Err(FlatgraphError::LengthTooLarge { part: Part::StringLengths, found: lengths_len });
        }
        self.text.push_str(string);
        // The casts do not truncate: both numbers are below 2^31.
        self.offsets.push(end as u32);
        Ok(index as i32)
    }

    /// The byte range of a string in [`Self::text`].
    #[must_use]
    pub fn range(&self, index: usize) -> Option<std::ops::Range<usize>> {
        let (start, end) = (*self.offsets.get(index)?, *self.offsets.get(index + 1)?);
        Some(start as usize..end as usize)
    }

    /// The number of strings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no strings.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The string at `index`, in constant time.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&str> {
        let (&start, &end) = (self.offsets.get(index)?, self.offsets.get(index.checked_add(1)?)?);
        self.text.get(start as usize..end as usize)
    }

    /// Every string, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        self.offsets.windows(2).map(|pair| &self.text[pair[0] as usize..pair[1] as usize])
    }

    /// All strings in one text, one after the other.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The offset of each string in [`Self::text`], and the end of the last.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }
}
