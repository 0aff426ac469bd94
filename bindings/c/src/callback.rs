//! Callbacks that a C caller passes: the sink that takes the bytes of a trace, and the allocator for the
//! memory of streams.
//!
//! A callback gets the context that the caller passed with it, and no other data of the caller. The
//! callback's result is checked. The header requires that a callback returns, whichever thread calls it.

use std::ffi::c_void;
use std::io;

use varvite_codec::{AllocFn, Allocator, FreeFn};
use varvite_trace::Sink;

use crate::c_type::{CType, join};
use crate::failure::Failure;
use crate::pointer::{Plain, c_struct};

/// `varvite_put`.
type PutFn = unsafe extern "C" fn(context: *mut c_void, bytes: *const c_void, length: u64) -> i32;

/// A callback, or null.
macro_rules! functions {
    ($($name:ident: $type:ty = $c:literal;)+) => {
        $(
            /// A callback, or null.
            #[derive(Clone, Copy, Debug)]
            #[repr(transparent)]
            pub(crate) struct $name(Option<$type>);

            // SAFETY: null is `None`; any other address is a function of this type, as the header requires of
            // the caller.
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

/// A pointer of the caller, which is passed back to callbacks and never dereferenced.
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
    /// A callback that takes the bytes of a trace, with its context.
    CSink = "varvite_sink" {
        put: Put,
        context: Context,
    }
}

c_struct! {
    /// Callbacks that allocate and free memory, with their context.
    CAllocator = "varvite_allocator" {
        alloc: Alloc,
        free: Free,
        context: Context,
    }
}

/// The declarations of the callback types that the header must contain.
#[cfg(test)]
pub(crate) fn typedefs() -> [&'static str; 3] {
    [
        "typedef int32_t (*varvite_put)(void *context, const void *bytes, uint64_t length);",
        "typedef void *(*varvite_alloc)(void *context, size_t size);",
        "typedef void (*varvite_free)(void *context, void *memory, size_t size);",
    ]
}

/// A sink that calls the caller's callback `put`.
pub(crate) struct CallerSink {
    put: PutFn,
    context: *mut c_void,
}

// SAFETY: the caller promises that any thread may call the function with its context, one at a time; the
// recorder's lock lets only one thread call it at a time.
unsafe impl Send for CallerSink {}

impl CSink {
    pub(crate) fn sink(self) -> Result<CallerSink, Failure> {
        let put = self.put.0.ok_or(Failure::Null { argument: "sink.put" })?;
        Ok(CallerSink { put, context: self.context.0 })
    }
}

impl Sink for CallerSink {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: the caller passed the function together with this context. The function reads the bytes
        // only while it runs, and they are borrowed for that time.
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
