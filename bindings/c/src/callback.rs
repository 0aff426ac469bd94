//! Functions that a C caller gives: where the bytes of a trace go, and where its memory comes from.
//!
//! They are called with the context that came with them and with nothing else of the caller's. Their results
//! are checked; that they return at all, on every thread, is the caller's promise in `varvite.h`.

use std::ffi::c_void;
use std::io;

use varvite_codec::{AllocFn, Allocator, FreeFn};
use varvite_trace::Sink;

use crate::c_type::{CType, join};
use crate::failure::Failure;
use crate::pointer::{Plain, c_struct};

/// `varvite_put`.
type PutFn = unsafe extern "C" fn(context: *mut c_void, bytes: *const c_void, length: u64) -> i32;

/// A function of the caller's, or null.
macro_rules! functions {
    ($($name:ident: $type:ty = $c:literal;)+) => {
        $(
            /// A function of the caller's, or null.
            #[derive(Clone, Copy, Debug)]
            #[repr(transparent)]
            pub(crate) struct $name(Option<$type>);

            // SAFETY: null is `None`; any other address counts as a function, which it is if the caller keeps
            // the promise.
            unsafe impl Plain for $name {}

            impl CType for $name {
                fn declare(name: &str) -> String {
                    join($c, name)
                }
            }
        )+
    };
}

functions! {
    Put: PutFn = "varvite_put";
    Alloc: AllocFn = "varvite_alloc";
    Free: FreeFn = "varvite_free";
}

/// A pointer of the caller's, which is handed back and never followed.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Context(*mut c_void);

// SAFETY: a raw pointer takes every pattern of bits.
unsafe impl Plain for Context {}

impl CType for Context {
    fn declare(name: &str) -> String {
        join("void *", name)
    }
}

c_struct! {
    /// Functions that take the bytes of a trace.
    CSink = "varvite_sink" {
        put: Put,
        context: Context,
    }
}

c_struct! {
    /// Functions that give memory.
    CAllocator = "varvite_allocator" {
        alloc: Alloc,
        free: Free,
        context: Context,
    }
}

/// The types of the functions, as the header should declare them.
#[cfg(test)]
pub(crate) fn typedefs() -> [&'static str; 3] {
    [
        "typedef int32_t (*varvite_put)(void *context, const void *bytes, uint64_t length);",
        "typedef void *(*varvite_alloc)(void *context, size_t size);",
        "typedef void (*varvite_free)(void *context, void *memory, size_t size);",
    ]
}

/// A sink that calls the caller's function.
pub(crate) struct CallerSink {
    put: PutFn,
    context: *mut c_void,
}

// SAFETY: the caller promises that any thread may call the function with its context, one at a time; the
// recorder's lock sees to the latter.
unsafe impl Send for CallerSink {}

impl CSink {
    pub(crate) fn sink(self) -> Result<CallerSink, Failure> {
        let put = self.put.0.ok_or(Failure::Null { argument: "sink.put" })?;
        Ok(CallerSink { put, context: self.context.0 })
    }
}

impl Sink for CallerSink {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: the function came with this context, and reads the bytes while it runs, as long as they are
        // borrowed.
        match unsafe { (self.put)(self.context, bytes.as_ptr().cast(), bytes.len() as u64) } {
            0 => Ok(()),
            number => Err(io::Error::from_raw_os_error(number)),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl CAllocator {
    pub(crate) fn allocator(self) -> Result<Allocator, Failure> {
        let alloc = self.alloc.0.ok_or(Failure::Null { argument: "allocator.alloc" })?;
        let free = self.free.0.ok_or(Failure::Null { argument: "allocator.free" })?;
        // SAFETY: the header requires of these functions the conditions of `Allocator::new`.
        Ok(unsafe { Allocator::new(alloc, free, self.context.0) })
    }
}
