//! Memory from the program that embeds a codec: two functions and a context, which C, Java and Python can
//! provide.
//!
//! A recorder inside the process of another program must not use that program's heap. With an [`Allocator`]
//! of its own, the recorder never does: each workspace and each buffer calls `alloc` once when it is created
//! and `free` once when it is dropped, and allocates nothing in between.

use core::ffi::c_void;
use core::mem::MaybeUninit;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::slice;

use crate::CodecError;

/// Allocates `size` bytes at an address that is a multiple of 16, or returns null. `size` is never 0.
pub type AllocFn = unsafe extern "C" fn(context: *mut c_void, size: usize) -> *mut c_void;

/// Frees memory that `alloc` returned; `size` is the size passed to `alloc`.
pub type FreeFn = unsafe extern "C" fn(context: *mut c_void, memory: *mut c_void, size: usize);

/// The functions that allocate and free memory, with their context. The C layout of this struct is three
/// pointers: `alloc`, `free`, `context`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Allocator {
    alloc: AllocFn,
    free: FreeFn,
    context: *mut c_void,
}

// SAFETY: the caller of `Allocator::new` promised that any thread may call its functions.
unsafe impl Send for Allocator {}
// SAFETY: the same promise covers several threads at once.
unsafe impl Sync for Allocator {}

impl Allocator {
    /// An allocator that calls these two functions with `context`.
    ///
    /// # Safety
    /// `alloc` must return null or `size` bytes, aligned to 16, for exclusive use until `free` is called with
    /// their address. Any thread must be able to call both functions, even several threads at once, while a
    /// value made with this allocator lives.
    pub const unsafe fn new(alloc: AllocFn, free: FreeFn, context: *mut c_void) -> Self {
        Self { alloc, free, context }
    }

    /// The global allocator of the Rust program.
    #[cfg(feature = "std")]
    pub fn global() -> Self {
        Self { alloc: global_alloc, free: global_free, context: core::ptr::null_mut() }
    }

    /// Allocates a buffer of `len` zeros.
    ///
    /// # Errors
    /// [`CodecError::OutOfMemory`] if the allocator has no memory.
    pub fn zeros(&self, len: usize) -> Result<Buffer, CodecError> {
        let mut memory = self.allocate(len)?;
        // SAFETY: called once, and the slice does not outlive this statement.
        unsafe { memory.detach() }.fill(MaybeUninit::new(0));
        Ok(Buffer { memory })
    }

    /// Allocates `len` uninitialized bytes, which are freed when the result is dropped.
    ///
    /// # Errors
    /// [`CodecError::OutOfMemory`] if the allocator has no memory.
    pub(crate) fn allocate(&self, len: usize) -> Result<Allocation, CodecError> {
        if len == 0 {
            return Ok(Allocation { start: NonNull::dangling(), len, allocator: *self });
        }
        // SAFETY: `Allocator::new` promises that the function may be called with any size but 0.
        let start = unsafe { (self.alloc)(self.context, len) };
        let start = NonNull::new(start.cast()).ok_or(CodecError::OutOfMemory { bytes: len })?;
        Ok(Allocation { start, len, allocator: *self })
    }
}

/// Bytes from an [`Allocator`], which are freed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Allocation {
    start: NonNull<MaybeUninit<u8>>,
    len: usize,
    allocator: Allocator,
}

// SAFETY: an allocation is the only owner of its bytes, and its allocator may be called from any thread.
unsafe impl Send for Allocation {}
// SAFETY: a shared reference to an allocation gives no access to its bytes.
unsafe impl Sync for Allocation {}

impl Allocation {
    /// The bytes, with a lifetime that the caller chooses.
    ///
    /// # Safety
    /// Nothing may use the slice once the allocation is dropped, and this method may be called only once.
    pub(crate) unsafe fn detach<'a>(&mut self) -> &'a mut [MaybeUninit<u8>] {
        // SAFETY: `start` is valid for `len` bytes until drop, and the caller takes them only once.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Allocation {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: `start` came from this allocator with this length and is freed once.
            unsafe { (self.allocator.free)(self.allocator.context, self.start.as_ptr().cast(), self.len) }
        }
    }
}

/// A buffer of fixed length in memory of an [`Allocator`], which is freed when the buffer is dropped.
#[derive(Debug)]
pub struct Buffer {
    memory: Allocation,
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: `Allocator::zeros` wrote all the bytes, and they are valid as long as `memory`.
        unsafe { slice::from_raw_parts(self.memory.start.as_ptr().cast(), self.memory.len) }
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`, and `self` is borrowed exclusively.
        unsafe { slice::from_raw_parts_mut(self.memory.start.as_ptr().cast(), self.memory.len) }
    }
}

#[cfg(feature = "std")]
const ALIGN: usize = 16;

#[cfg(feature = "std")]
unsafe extern "C" fn global_alloc(_: *mut c_void, size: usize) -> *mut c_void {
    let Ok(layout) = std::alloc::Layout::from_size_align(size, ALIGN) else { return core::ptr::null_mut() };
    // SAFETY: `Allocator::allocate` never requests 0 bytes.
    unsafe { std::alloc::alloc(layout).cast() }
}

#[cfg(feature = "std")]
unsafe extern "C" fn global_free(_: *mut c_void, memory: *mut c_void, size: usize) {
    // SAFETY: `memory` came from `global_alloc` with this size, which accepted the layout.
    unsafe { std::alloc::dealloc(memory.cast(), std::alloc::Layout::from_size_align_unchecked(size, ALIGN)) }
}
