//! Zstandard by the reference library, whose contexts are placed in the caller's memory.
//!
//! `ZSTD_initStatic*` places a context and all its memory into one region; the library then never calls
//! `malloc`. Such contexts are not freed by the library: only their region is freed.

use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use zstd_sys::{ZSTD_CCtx, ZSTD_DCtx, ZSTD_ErrorCode, ZSTD_cParameter};

use super::Purpose;
use crate::arena::Arena;
use crate::{Codec, CodecError};

/// The contexts, in memory that they borrow exclusively for `'m`.
pub(crate) struct Zstd<'m> {
    compressor: Option<NonNull<ZSTD_CCtx>>,
    decompressor: NonNull<ZSTD_DCtx>,
    memory: PhantomData<&'m mut [MaybeUninit<u8>]>,
}

// SAFETY: the contexts lie in memory that this value alone uses, and the library ties nothing to a thread.
unsafe impl Send for Zstd<'_> {}

/// The alignment of contexts.
pub(super) const ALIGN: usize = 8;

/// The input lengths at which the library changes its parameters; beyond the last they stay the same.
const TIERS: [usize; 3] = [16 << 10, 128 << 10, 256 << 10];

pub(crate) fn memory_len(purpose: Purpose) -> usize {
    let compressor = match purpose {
        Purpose::Both { level, block_len } => compressor_len(level, block_len) + ALIGN,
        Purpose::Decode => 0,
    };
    compressor + decompressor_len() + ALIGN
}

/// The size of the memory for blocks of up to `block_len` bytes. The size is the maximum over all shorter
/// lengths too, because the parameters for a shorter block may need more memory.
fn compressor_len(level: i32, block_len: usize) -> usize {
    let shorter = TIERS.into_iter().filter(|tier| *tier < block_len);
    let lens = shorter.chain([block_len.max(1)]);
    let estimate = |len: usize| {
        // SAFETY: both functions compute from numbers alone.
        unsafe {
            zstd_sys::ZSTD_estimateCCtxSize_usingCParams(zstd_sys::ZSTD_getCParams(level, len as u64, 0))
        }
    };
    lens.map(estimate).max().unwrap_or_default()
}

fn decompressor_len() -> usize {
    // SAFETY: returns a constant of the library.
    unsafe { zstd_sys::ZSTD_estimateDCtxSize() }
}

impl<'m> Zstd<'m> {
    pub(crate) fn new(purpose: Purpose, arena: &mut Arena<'m>) -> Option<Self> {
        let memory = arena.take(decompressor_len(), ALIGN)?;
        // SAFETY: `memory` is aligned, and ours alone for 'm; if it is too small, the result is null, which
        // is handled.
        let made = unsafe { zstd_sys::ZSTD_initStaticDCtx(memory.as_mut_ptr().cast(), memory.len()) };
        let decompressor = NonNull::new(made)?;
        let compressor = match purpose {
            Purpose::Both { level, block_len } => Some(new_compressor(level, block_len, arena)?),
            Purpose::Decode => None,
        };
        Some(Self { compressor, decompressor, memory: PhantomData })
    }

    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let compressor = self.compressor.ok_or(CodecError::DecoderOnly { codec: Codec::Zstd })?;
        let (to, from) = (output.as_mut_ptr().cast::<c_void>(), plain.as_ptr().cast::<c_void>());
        // SAFETY: the context is ours and set up; both slices are valid for their lengths and can't overlap.
        let code =
            unsafe { zstd_sys::ZSTD_compress2(compressor.as_ptr(), to, output.len(), from, plain.len()) };
        checked(code).map_err(|failure| match failure.code {
            ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall => CodecError::Output {
                codec: Codec::Zstd,
                needed: Codec::Zstd.stored_len_max(plain.len()),
                found: output.len(),
            },
            _ => CodecError::Compress { codec: Codec::Zstd, detail: failure.detail },
        })
    }

    pub(crate) fn decompress(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
        let (to, from) = (plain.as_mut_ptr().cast::<c_void>(), stored.as_ptr().cast::<c_void>());
        // SAFETY: the context is ours and set up; both slices are valid for their lengths and can't overlap.
        let code = unsafe {
            zstd_sys::ZSTD_decompressDCtx(self.decompressor.as_ptr(), to, plain.len(), from, stored.len())
        };
        let expected = plain.len();
        checked(code).map_err(|failure| match failure.code {
            ZSTD_ErrorCode::ZSTD_error_dstSize_tooSmall => {
                CodecError::Longer { codec: Codec::Zstd, expected }
            }
            _ => CodecError::Damaged { codec: Codec::Zstd, detail: failure.detail },
        })
    }
}

fn new_compressor(level: i32, block_len: usize, arena: &mut Arena<'_>) -> Option<NonNull<ZSTD_CCtx>> {
    let memory = arena.take(compressor_len(level, block_len), ALIGN)?;
    // SAFETY: `memory` is aligned, and its owner outlives the context; if it is too small, the result is
    // null, which is handled.
    let made = unsafe { zstd_sys::ZSTD_initStaticCCtx(memory.as_mut_ptr().cast(), memory.len()) };
    let compressor = NonNull::new(made)?;
    let parameter = ZSTD_cParameter::ZSTD_c_compressionLevel;
    // SAFETY: the context was just made.
    let code = unsafe { zstd_sys::ZSTD_CCtx_setParameter(compressor.as_ptr(), parameter, level) };
    checked(code).ok().map(|_| compressor)
}

/// The library's error.
pub(super) struct Failure {
    code: ZSTD_ErrorCode,
    pub(super) detail: &'static str,
}

/// Splits the library's result into a length or an error.
pub(super) fn checked(code: usize) -> Result<usize, Failure> {
    // SAFETY: reads only the number.
    if unsafe { zstd_sys::ZSTD_isError(code) } == 0 {
        return Ok(code);
    }
    // SAFETY: the library gives a constant string that ends in zero for every number.
    let name = unsafe { CStr::from_ptr(zstd_sys::ZSTD_getErrorName(code)) };
    // SAFETY: reads only the number.
    let code = unsafe { zstd_sys::ZSTD_getErrorCode(code) };
    Err(Failure { code, detail: name.to_str().unwrap_or("unknown") })
}
