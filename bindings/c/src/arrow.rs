//! Columns given away through the Arrow C Data Interface, which pyarrow, DuckDB, Polars and others take without a copy.
//!
//! The two structs and their release rule are the standard's (https://arrow.apache.org/docs/format/CDataInterface.html). What is
//! given away owns its buffers: whoever takes it calls `release` once, from any thread, also after the graph was closed.
//! This module knows nothing of graphs.

use std::ffi::{CString, c_char, c_void};
use std::ptr::null_mut;

use crate::c_type::{CType, join};

/// A type, as the standard lays it out.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

/// Values, as the standard lays them out.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

/// The structs as the header should declare them.
#[cfg(test)]
pub(crate) const DECLARATIONS: [&str; 2] = [
    "struct ArrowSchema { const char *format; const char *name; const char *metadata; int64_t flags; int64_t n_children; \
     struct ArrowSchema **children; struct ArrowSchema *dictionary; void (*release)(struct ArrowSchema *); void *private_data; };",
    "struct ArrowArray { int64_t length; int64_t null_count; int64_t offset; int64_t n_buffers; int64_t n_children; \
     const void **buffers; struct ArrowArray **children; struct ArrowArray *dictionary; void (*release)(struct ArrowArray *); \
     void *private_data; };",
];

impl CType for ArrowSchema {
    fn declare(name: &str) -> String {
        join("struct ArrowSchema", name)
    }
}

impl CType for ArrowArray {
    fn declare(name: &str) -> String {
        join("struct ArrowArray", name)
    }
}

/// One buffer of values, and what owns it.
pub(crate) struct Buffer {
    start: *const c_void,
    _owner: Box<dyn Send>,
}

impl Buffer {
    /// No buffer: of validity, where nothing is null.
    pub(crate) fn none() -> Self {
        Self { start: std::ptr::null(), _owner: Box::new(()) }
    }

    /// Numbers, bytes or offsets. They stay where they are when the vector moves.
    pub(crate) fn of<T: Copy + Send + 'static>(items: Vec<T>) -> Self {
        Self { start: items.as_ptr().cast(), _owner: Box::new(items) }
    }

    /// One bit each.
    pub(crate) fn of_bits(bits: impl ExactSizeIterator<Item = bool>) -> Self {
        let mut bytes = vec![0u8; bits.len().div_ceil(8)];
        for (place, bit) in bits.enumerate() {
            bytes[place / 8] |= u8::from(bit) << (place % 8);
        }
        Self::of(bytes)
    }
}

/// A column of values, to be given away.
pub(crate) struct ArrowColumn {
    pub(crate) name: &'static str,
    /// The standard's letters for its type.
    pub(crate) format: &'static str,
    pub(crate) length: usize,
    pub(crate) nulls: usize,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) children: Vec<ArrowColumn>,
    pub(crate) dictionary: Option<Box<ArrowColumn>>,
}

/// The standard's flag of a column that may have nulls.
const NULLABLE: i64 = 2;

impl ArrowColumn {
    /// Its type and its values: whoever gets them releases both.
    pub(crate) fn give(self) -> (ArrowSchema, ArrowArray) {
        let schema = self.schema();
        (schema, self.array())
    }

    fn schema(&self) -> ArrowSchema {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let mut parts = Box::new(SchemaParts {
            format: text(self.format),
            name: text(self.name),
            children: self.children.iter().map(|child| Box::into_raw(Box::new(child.schema()))).collect(),
            dictionary: self
                .dictionary
                .as_ref()
                .map_or(null_mut(), |values| Box::into_raw(Box::new(values.schema()))),
        });
        ArrowSchema {
            format: parts.format.as_ptr(),
            name: parts.name.as_ptr(),
            metadata: std::ptr::null(),
            flags: if self.nulls > 0 { NULLABLE } else { 0 },
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: parts.dictionary,
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }

    fn array(self) -> ArrowArray {
        let give = |column: ArrowColumn| Box::into_raw(Box::new(column.array()));
        let mut parts = Box::new(ArrayParts {
            starts: self.buffers.iter().map(|buffer| buffer.start).collect(),
            _buffers: self.buffers,
            children: self.children.into_iter().map(give).collect(),
            dictionary: self.dictionary.map_or(null_mut(), |values| give(*values)),
        });
        ArrowArray {
            length: self.length as i64,
            null_count: self.nulls as i64,
            offset: 0,
            n_buffers: parts.starts.len() as i64,
            n_children: parts.children.len() as i64,
            buffers: parts.starts.as_mut_ptr(),
            children: parts.children.as_mut_ptr(),
            dictionary: parts.dictionary,
            release: Some(release_array),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

/// What a schema owns.
struct SchemaParts {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

/// What an array owns.
struct ArrayParts {
    starts: Vec<*const c_void>,
    _buffers: Vec<Buffer>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
}

/// Frees a schema and what is in it; children that were moved out have no `release` any more.
///
/// # Safety
/// As the standard says: called once, with a schema that [`ArrowColumn::give`] made or that was moved from one.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller gives a live schema of ours, whose parts came from `Box::into_raw` and are taken back only here,
    // since `release` is cleared; its children and dictionary did too, and nobody else frees them.
    unsafe {
        let schema = &mut *schema;
        schema.release = None;
        let parts = Box::from_raw(schema.private_data.cast::<SchemaParts>());
        let inner = parts.children.iter().copied().chain([parts.dictionary]).filter(|inner| !inner.is_null());
        for inner in inner {
            if let Some(release) = (*inner).release {
                release(inner);
            }
            drop(Box::from_raw(inner));
        }
    }
}

/// Frees an array and what is in it; children that were moved out have no `release` any more.
///
/// # Safety
/// As the standard says: called once, with an array that [`ArrowColumn::give`] made or that was moved from one.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: as in `release_schema`.
    unsafe {
        let array = &mut *array;
        array.release = None;
        let parts = Box::from_raw(array.private_data.cast::<ArrayParts>());
        let inner = parts.children.iter().copied().chain([parts.dictionary]).filter(|inner| !inner.is_null());
        for inner in inner {
            if let Some(release) = (*inner).release {
                release(inner);
            }
            drop(Box::from_raw(inner));
        }
    }
}
