//! Exports record batches through the Arrow C Data Interface. pyarrow, DuckDB, Polars and other libraries
//! import them without a copy.
//!
//! The two structs and their release rule follow the standard
//! (<https://arrow.apache.org/docs/format/CDataInterface.html>). Exported structs own their buffers: the
//! consumer calls `release` once, from any thread, even after the graph was closed. This module does not
//! depend on graphs.

use std::ffi::{CString, c_char, c_void};
use std::ptr::{null, null_mut};

use varvite_query::arrow::{Array, Buffer, DataType, Field, RecordBatch};

/// The type of an array, in the layout of the standard. A bitwise copy refers to the same memory, so only one
/// of the copies may be released.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArrowSchema {
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

/// The values of an array, in the layout of the standard. A bitwise copy refers to the same memory, so only
/// one of the copies may be released.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArrowArray {
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

impl ArrowArray {
    /// The array that marks the end of a stream. It counts as released.
    pub const NONE: Self = Self {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: null_mut(),
        children: null_mut(),
        dictionary: null_mut(),
        release: None,
        private_data: null_mut(),
    };
}

/// The standard's flag for a column that may have nulls.
const NULLABLE: i64 = 2;

/// Exports a batch as an array of structs, with its type. The caller releases both.
pub fn give(batch: &RecordBatch) -> (ArrowSchema, ArrowArray) {
    (schema_of_batch(batch.fields()), array_of_batch(batch))
}

/// Exports the type of a batch.
pub fn schema_of_batch(fields: &[Field]) -> ArrowSchema {
    let parts = SchemaParts { children: schemas(fields), ..SchemaParts::new("", "+s") };
    parts.give(0)
}

/// Exports the values of a batch.
pub fn array_of_batch(batch: &RecordBatch) -> ArrowArray {
    let parts =
        ArrayParts { starts: vec![null()], children: arrays(batch.columns()), ..ArrayParts::default() };
    parts.give(batch.len(), 0)
}

fn schemas(fields: &[Field]) -> Vec<*mut ArrowSchema> {
    fields.iter().map(|field| Box::into_raw(Box::new(schema_of(field)))).collect()
}

fn schema_of(field: &Field) -> ArrowSchema {
    let dictionary = match &field.data_type {
        DataType::Dictionary(values) => {
            Box::into_raw(Box::new(SchemaParts::new("", values.format()).give(0)))
        }
        _ => null_mut(),
    };
    let children = schemas(field.data_type.children());
    let parts =
        SchemaParts { children, dictionary, ..SchemaParts::new(&field.name, field.data_type.format()) };
    parts.give(if field.is_nullable { NULLABLE } else { 0 })
}

fn arrays(arrays: &[Array]) -> Vec<*mut ArrowArray> {
    arrays.iter().map(|array| Box::into_raw(Box::new(array_of(array)))).collect()
}

fn array_of(array: &Array) -> ArrowArray {
    let start =
        |buffer: &Option<Buffer>| buffer.as_ref().map_or(null(), |buffer| buffer.bytes().as_ptr().cast());
    let parts = ArrayParts {
        starts: array.buffers().iter().map(start).collect(),
        _buffers: array.buffers().to_vec(),
        children: arrays(array.children()),
        dictionary: array.dictionary().map_or(null_mut(), |values| Box::into_raw(Box::new(array_of(values)))),
    };
    parts.give(array.len(), array.null_count())
}

/// The memory that a schema owns.
struct SchemaParts {
    format: CString,
    name: CString,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

impl SchemaParts {
    fn new(name: &str, format: &str) -> Self {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        Self { format: text(format), name: text(name), children: Vec::new(), dictionary: null_mut() }
    }

    fn give(self, flags: i64) -> ArrowSchema {
        let mut parts = Box::new(self);
        ArrowSchema {
            format: parts.format.as_ptr(),
            name: parts.name.as_ptr(),
            metadata: null(),
            flags,
            n_children: parts.children.len() as i64,
            children: parts.children.as_mut_ptr(),
            dictionary: parts.dictionary,
            release: Some(release_schema),
            private_data: Box::into_raw(parts).cast(),
        }
    }
}

/// The memory that an array owns. The addresses of the array's buffers stay valid while this memory exists.
struct ArrayParts {
    starts: Vec<*const c_void>,
    _buffers: Vec<Option<Buffer>>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
}

impl Default for ArrayParts {
    fn default() -> Self {
        Self { starts: Vec::new(), _buffers: Vec::new(), children: Vec::new(), dictionary: null_mut() }
    }
}

impl ArrayParts {
    fn give(self, len: usize, null_count: usize) -> ArrowArray {
        let mut parts = Box::new(self);
        ArrowArray {
            length: len as i64,
            null_count: null_count as i64,
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

/// Frees a schema and its parts. Children that were moved out are skipped: their `release` is null.
///
/// # Safety
/// As the standard requires, the caller passes a schema that [`SchemaParts::give`] made, or one that was
/// moved from such a schema, and does so only once.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: the caller gives a schema of ours that is not yet released. Its parts came from `Box::into_raw`
    // and are taken back only here, since `release` is cleared. Its children and its dictionary also came
    // from `Box::into_raw`, and no other code frees them.
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

/// Frees an array and its parts. Children that were moved out are skipped: their `release` is null.
///
/// # Safety
/// As the standard requires, the caller passes an array that [`ArrayParts::give`] made, or one that was moved
/// from such an array, and does so only once.
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
