//! DEFLATE streams by `zlib-rs`, with their state in the caller's memory.
//!
//! The library allocates memory only when a stream is set up, through two functions that the stream's struct
//! holds. Here, allocation takes parts of a reserved region, and freeing does nothing: the whole region is
//! freed at the end of the stream.

use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use libz_rs_sys::{self as z, z_stream};

use crate::arena::Arena;

/// The framing around the compressed bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// No framing, as in a zip file.
    #[cfg(feature = "frame")]
    Raw,
    /// zlib: two bytes before the compressed bytes, an Adler-32 after them.
    Zlib,
    /// A gzip member: at least ten bytes before the compressed bytes, a CRC-32 and the length after them.
    Gzip,
}

impl Wrapper {
    /// The library's argument `windowBits`: the binary logarithm of the window size (32 KiB), plus an offset
    /// that selects the framing.
    fn window_bits(self) -> i32 {
        match self {
            #[cfg(feature = "frame")]
            Self::Raw => -15,
            Self::Zlib => 15,
            Self::Gzip => 31,
        }
    }
}

/// The result of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of bytes taken from the input.
    pub(crate) consumed: usize,
    /// The number of bytes written to the output.
    pub(crate) produced: usize,
    /// Whether the stream is at its end.
    pub(crate) ended: bool,
}

/// The size of the memory of a compressing stream, with a margin, because the library does not report the
/// exact size.
pub(crate) const DEFLATE_LEN: usize = 416 << 10;

/// The size of the memory of a decoding stream.
pub(crate) const INFLATE_LEN: usize = 56 << 10;

/// The alignment of the memory that the library gets.
pub(crate) const ALIGN: usize = 64;

/// The library's argument `memLevel`, which sets the memory that the search uses; this is the default.
const MEMORY_LEVEL: i32 = 8;

/// A stream that compresses.
pub(crate) struct Deflater<'m>(Stream<'m>);

impl<'m> Deflater<'m> {
    /// Sets a stream up in `arena`; `None` if that has fewer than [`DEFLATE_LEN`] bytes.
    pub(crate) fn new(wrapper: Wrapper, level: i32, arena: &mut Arena<'m>) -> Option<Self> {
        let stream = Stream::new(DEFLATE_LEN, arena)?;
        // SAFETY: the stream is ours, at an address that stays, with its three fields for memory set.
        let code = unsafe {
            z::deflateInit2_(
                stream.at.as_ptr(),
                level,
                z::Z_DEFLATED,
                wrapper.window_bits(),
                MEMORY_LEVEL,
                z::Z_DEFAULT_STRATEGY,
                z::zlibVersion(),
                size_of::<z_stream>() as i32,
            )
        };
        (code == z::Z_OK).then_some(Self(stream))
    }

    /// Resets the stream to its initial state.
    pub(crate) fn reset(&mut self) {
        // SAFETY: the stream was set up in `new`.
        let code = unsafe { z::deflateReset(self.0.at.as_ptr()) };
        debug_assert_eq!(code, z::Z_OK);
    }

    /// Compresses as much of `input` as fits into `output`; if `last`, also ends the stream.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8], last: bool) -> Result<Step, &'static str> {
        let flush = if last { z::Z_FINISH } else { z::Z_NO_FLUSH };
        // SAFETY: `run` has pointed the stream at two slices that live through the call.
        self.0.run(input, output, |stream| unsafe { z::deflate(stream, flush) })
    }
}

/// A stream that decodes.
pub(crate) struct Inflater<'m>(Stream<'m>);

impl<'m> Inflater<'m> {
    /// Sets a stream up in `arena`; `None` if that has fewer than [`INFLATE_LEN`] bytes.
    pub(crate) fn new(wrapper: Wrapper, arena: &mut Arena<'m>) -> Option<Self> {
        let stream = Stream::new(INFLATE_LEN, arena)?;
        let (at, len) = (stream.at.as_ptr(), size_of::<z_stream>() as i32);
        // SAFETY: the stream is ours, at an address that stays, with its three fields for memory set.
        let code = unsafe { z::inflateInit2_(at, wrapper.window_bits(), z::zlibVersion(), len) };
        (code == z::Z_OK).then_some(Self(stream))
    }

    /// Resets the stream to its initial state.
    pub(crate) fn reset(&mut self) {
        // SAFETY: the stream was set up in `new`.
        let code = unsafe { z::inflateReset(self.0.at.as_ptr()) };
        debug_assert_eq!(code, z::Z_OK);
    }

    /// Decodes as much of `input` as fits into `output`.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, &'static str> {
        // SAFETY: `run` has pointed the stream at two slices that live through the call.
        self.0.run(input, output, |stream| unsafe { z::inflate(stream, z::Z_NO_FLUSH) })
    }
}

/// A stream of the library, in memory that it borrows exclusively for `'m`.
struct Stream<'m> {
    at: NonNull<z_stream>,
    memory: PhantomData<&'m mut [MaybeUninit<u8>]>,
}

// SAFETY: stream and state lie in memory that this value alone uses, and the library ties nothing to a
// thread.
unsafe impl Send for Stream<'_> {}

impl<'m> Stream<'m> {
    fn new(len: usize, arena: &mut Arena<'m>) -> Option<Self> {
        let mut arena = Arena::new(arena.take(len, ALIGN)?);
        let stream = NonNull::from(arena.place(z_stream::default())?);
        let region = NonNull::from(arena.place(Region { next: core::ptr::null_mut(), left: 0 })?);
        let rest = arena.take_rest(ALIGN)?;
        // SAFETY: the region and the stream lie in our memory, and nothing else points at them yet.
        unsafe {
            region.write(Region { next: rest.as_mut_ptr().cast(), left: rest.len() });
            (*stream.as_ptr()).zalloc = Some(take);
            (*stream.as_ptr()).zfree = Some(keep);
            (*stream.as_ptr()).opaque = region.as_ptr().cast();
        }
        Some(Self { at: stream, memory: PhantomData })
    }

    fn run(
        &mut self,
        input: &[u8],
        output: &mut [u8],
        work: impl FnOnce(*mut z_stream) -> i32,
    ) -> Result<Step, &'static str> {
        // SAFETY: the stream is ours.
        let stream = unsafe { self.at.as_mut() };
        let (avail_in, avail_out) = (clamped(input.len()), clamped(output.len()));
        (stream.next_in, stream.avail_in) = (input.as_ptr(), avail_in);
        (stream.next_out, stream.avail_out) = (output.as_mut_ptr(), avail_out);
        let code = work(self.at.as_ptr());
        // SAFETY: the stream is ours.
        let stream = unsafe { self.at.as_mut() };
        match code {
            z::Z_OK | z::Z_BUF_ERROR | z::Z_STREAM_END => Ok(Step {
                consumed: (avail_in - stream.avail_in) as usize,
                produced: (avail_out - stream.avail_out) as usize,
                ended: code == z::Z_STREAM_END,
            }),
            z::Z_NEED_DICT => Err("it needs a dictionary"),
            _ => Err(message(stream)),
        }
    }
}

fn clamped(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn message(stream: &z_stream) -> &'static str {
    if stream.msg.is_null() {
        return "the stream is malformed";
    }
    // SAFETY: the library sets `msg` to one of its constant strings, which end in zero.
    unsafe { CStr::from_ptr(stream.msg) }.to_str().unwrap_or("the stream is malformed")
}

/// The unused part of the memory reserved for a stream.
struct Region {
    next: *mut u8,
    left: usize,
}

unsafe extern "C" fn take(region: *mut c_void, items: u32, size: u32) -> *mut c_void {
    // SAFETY: `opaque` of our streams is their `Region`, which only this function uses.
    let region = unsafe { &mut *region.cast::<Region>() };
    let len = (items as usize * size as usize).next_multiple_of(ALIGN);
    if len > region.left {
        return core::ptr::null_mut();
    }
    let taken = region.next;
    region.left -= len;
    // SAFETY: `len` bytes from `next` on were left.
    region.next = unsafe { taken.add(len) };
    taken.cast()
}

unsafe extern "C" fn keep(_region: *mut c_void, _memory: *mut c_void) {}
