//! Exports the rows of a run as a stream of record batches through the Arrow C Stream Interface.
//!
//! The struct and its rules follow the standard
//! (<https://arrow.apache.org/docs/format/CStreamInterface.html>): no two threads call its callbacks at once,
//! and a consumer calls `release` once. The stream makes each batch when the consumer requests it. It owns
//! the objects from which its batches are read, such as an open graph.

use std::any::Any;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null;
use std::sync::Arc;

use varvite_query::arrow::{Field, RecordBatch, RecordBatches};
use varvite_query::pipeline::PipelineError;

use crate::array::{ArrowArray, ArrowSchema, array_of_batch, schema_of_batch};

/// A stream, in the layout of the standard. A bitwise copy is the same stream, so only one of the copies may
/// be released.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// The batches of a stream, each made on demand.
type Batches = dyn Iterator<Item = Result<RecordBatch, StreamError>> + Send;

/// The reason why a stream ends early, by the numbers that the standard has for it, with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StreamError {
    /// The caller cancelled the work, or its time is over.
    Cancelled(String),
    /// The memory limit does not suffice.
    OutOfMemory(String),
    /// A file cannot be read, or is damaged.
    Io(String),
    /// The question does not fit the data.
    Argument(String),
}

impl StreamError {
    fn parts(self) -> (c_int, String) {
        match self {
            Self::Cancelled(message) => (errno::ECANCELED, message),
            Self::OutOfMemory(message) => (errno::ENOMEM, message),
            Self::Io(message) => (errno::EIO, message),
            Self::Argument(message) => (errno::EINVAL, message),
        }
    }
}

impl From<PipelineError> for StreamError {
    fn from(error: PipelineError) -> Self {
        let message = error.to_string();
        match error {
            PipelineError::Cancelled { .. } => Self::Cancelled(message),
            PipelineError::OverBudget { .. } => Self::OutOfMemory(message),
            PipelineError::Graph { .. } => Self::Io(message),
            _ => Self::Argument(message),
        }
    }
}

/// The objects that a stream owns.
struct Parts {
    fields: Arc<[Field]>,
    batches: Box<Batches>,
    /// The message of the last call, if it failed.
    failure: Option<CString>,
    _owner: Box<dyn Any + Send>,
}

/// The return values of failed callbacks: error numbers of the C standard library.
mod errno {
    use std::ffi::c_int;

    pub(super) const EIO: c_int = 5;
    pub(super) const ENOMEM: c_int = 12;
    pub(super) const EINVAL: c_int = 22;
    #[cfg(target_os = "linux")]
    pub(super) const ECANCELED: c_int = 125;
    #[cfg(not(target_os = "linux"))]
    pub(super) const ECANCELED: c_int = 4;
}

/// Exports a run as a stream. The caller releases the stream, and `owner` is kept until then.
pub fn stream(batches: RecordBatches, owner: Box<dyn Any + Send>) -> ArrowArrayStream {
    stream_of(Arc::clone(batches.fields()), Box::new(of_run(batches)), owner)
}

fn of_run<B>(batches: B) -> impl Iterator<Item = Result<RecordBatch, StreamError>> + Send
where
    B: Iterator<Item = Result<RecordBatch, PipelineError>> + Send,
{
    batches.map(|batch| batch.map_err(StreamError::from))
}

/// Exports batches that all have the given fields as a stream. The caller releases the stream, and `owner` is
/// kept until then.
fn stream_of(fields: Arc<[Field]>, batches: Box<Batches>, owner: Box<dyn Any + Send>) -> ArrowArrayStream {
    let parts = Box::new(Parts { fields, batches, failure: None, _owner: owner });
    ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(parts).cast(),
    }
}

/// A stream that is released when it is dropped, unless a consumer has moved it out and cleared its
/// `release`, as the standard requires of consumers.
#[derive(Debug)]
#[repr(transparent)]
pub struct OwnedStream(ArrowArrayStream);

impl OwnedStream {
    /// A stream of the batches of a run. `owner` is kept until the stream is released.
    pub fn new<B>(fields: Arc<[Field]>, batches: B, owner: Box<dyn Any + Send>) -> Self
    where
        B: Iterator<Item = Result<RecordBatch, PipelineError>> + Send + 'static,
    {
        Self(stream_of(fields, Box::new(of_run(batches)), owner))
    }

    /// A stream of batches that own what they are read from.
    pub fn of_batches(fields: Arc<[Field]>, batches: Box<Batches>) -> Self {
        Self(stream_of(fields, batches, Box::new(())))
    }
}

// SAFETY: the parts of a stream are `Send`, and no two threads use a stream at once.
unsafe impl Send for OwnedStream {}

impl Drop for OwnedStream {
    fn drop(&mut self) {
        if let Some(release) = self.0.release {
            // SAFETY: the stream is not released yet: a consumer that moved it out has cleared `release`, and
            // no other code can reach it, since it is dropped.
            unsafe { release(&mut self.0) }
        }
    }
}

impl Parts {
    /// The next batch, [`ArrowArray::NONE`] at the end, or the number of an error.
    fn next(&mut self) -> Result<ArrowArray, c_int> {
        self.failure = None;
        let next = catch_unwind(AssertUnwindSafe(|| self.batches.next()));
        match next {
            Ok(Some(Ok(batch))) => Ok(array_of_batch(&batch)),
            Ok(None) => Ok(ArrowArray::NONE),
            Ok(Some(Err(error))) => Err(self.failed(error)),
            Err(panic) => Err(self.panicked(&*panic)),
        }
    }

    fn failed(&mut self, error: StreamError) -> c_int {
        let (number, message) = error.parts();
        self.failure = CString::new(message).ok();
        number
    }

    fn panicked(&mut self, panic: &(dyn Any + Send)) -> c_int {
        self.failure = CString::new(panic_text(panic)).ok();
        errno::EIO
    }
}

/// The message of a caught panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("a panic without a message")
}

/// Writes the type that all batches share.
///
/// # Safety
/// As the standard requires, `stream` is a stream that [`stream`] made and that is not released, and `schema`
/// has room for a schema.
unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, schema: *mut ArrowSchema) -> c_int {
    // SAFETY: the caller gives a stream of ours that is not yet released, whose parts no other code uses
    // during the call. It also gives room to write to, which may be uninitialised.
    unsafe {
        let parts = &mut *(*stream).private_data.cast::<Parts>();
        schema.write(schema_of_batch(&parts.fields));
    }
    0
}

/// Writes the next batch or, at the end, an array that counts as released.
///
/// # Safety
/// The conditions of [`get_schema`] on `stream`, and `array` has room for an array.
unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, array: *mut ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    unsafe {
        let parts = &mut *(*stream).private_data.cast::<Parts>();
        match parts.next() {
            Ok(next) => {
                array.write(next);
                0
            }
            Err(number) => number,
        }
    }
}

/// The message of the last call if it failed, otherwise null. It is valid until the next call.
///
/// # Safety
/// The conditions of [`get_schema`] on `stream`.
unsafe extern "C" fn get_last_error(stream: *mut ArrowArrayStream) -> *const c_char {
    // SAFETY: as in `get_schema`.
    let parts = unsafe { &*(*stream).private_data.cast::<Parts>() };
    parts.failure.as_ref().map_or(null(), |failure| failure.as_ptr())
}

/// Ends the run and frees its memory.
///
/// # Safety
/// As the standard requires, the caller passes a stream that [`stream`] made, or one that was moved from such
/// a stream, and does so only once.
unsafe extern "C" fn release(stream: *mut ArrowArrayStream) {
    // SAFETY: the caller gives a stream of ours that is not yet released. Its parts came from `Box::into_raw`
    // and are taken back only here, since `release` is cleared.
    unsafe {
        (*stream).release = None;
        drop(Box::from_raw((*stream).private_data.cast::<Parts>()));
    }
}
