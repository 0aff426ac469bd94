//! LZ4's block format by the C library. Some of its levels are faster than `lz4_flex`, and others have
//! smaller output.
//!
//! Both compressors work in memory that the caller provides. Levels above 9 are not offered, because the
//! library calls `malloc` for them.

use core::ffi::{c_char, c_int, c_void};
use core::mem::MaybeUninit;

// Links the library. The crate's own declarations lack the functions that take their state from the caller.
use lz4_sys as _;

use crate::arena::Arena;
use crate::{Codec, CodecError};

unsafe extern "C" {
    fn LZ4_sizeofState() -> c_int;
    fn LZ4_sizeofStateHC() -> c_int;
    fn LZ4_compress_fast_extState(
        state: *mut c_void,
        source: *const c_char,
        target: *mut c_char,
        source_len: c_int,
        target_len: c_int,
        acceleration: c_int,
    ) -> c_int;
    fn LZ4_compress_HC_extStateHC(
        state: *mut c_void,
        source: *const c_char,
        target: *mut c_char,
        source_len: c_int,
        target_len: c_int,
        level: c_int,
    ) -> c_int;
}

/// The longest input of one call.
const INPUT_LEN_MAX: usize = 0x7E00_0000;

/// The alignment of the state, which is that of its widest field.
const ALIGN: usize = 16;

/// A compressor of one level, in memory that it borrows exclusively for `'m`.
pub(crate) struct Compressor<'m> {
    state: &'m mut [MaybeUninit<u8>],
    level: i32,
}

pub(crate) fn memory_len(level: i32) -> usize {
    state_len(level) + ALIGN
}

fn state_len(level: i32) -> usize {
    // SAFETY: both return a constant of the library.
    let len = unsafe { if level > 0 { LZ4_sizeofStateHC() } else { LZ4_sizeofState() } };
    usize::try_from(len).unwrap_or_default()
}

impl<'m> Compressor<'m> {
    pub(crate) fn new(level: i32, arena: &mut Arena<'m>) -> Option<Self> {
        Some(Self { state: arena.take(state_len(level), ALIGN)?, level })
    }

    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let codec = Codec::Lz4;
        if plain.len() > INPUT_LEN_MAX {
            return Err(CodecError::Compress { codec, detail: "a block holds less than 2 GiB" });
        }
        let (state, source) = (self.state.as_mut_ptr().cast(), plain.as_ptr().cast());
        let (target, source_len) = (output.as_mut_ptr().cast(), plain.len() as c_int);
        let target_len = c_int::try_from(output.len()).unwrap_or(c_int::MAX);
        // SAFETY: `state` has the length and alignment that the library needs and needs no content; both
        // slices are valid for the lengths given and can't overlap.
        let len = unsafe {
            match self.level {
                1.. => LZ4_compress_HC_extStateHC(state, source, target, source_len, target_len, self.level),
                _ => {
                    LZ4_compress_fast_extState(state, source, target, source_len, target_len, 1 - self.level)
                }
            }
        };
        match usize::try_from(len) {
            Ok(len) if len > 0 => Ok(len),
            _ => Err(CodecError::Output {
                codec,
                needed: codec.stored_len_max(plain.len()),
                found: output.len(),
            }),
        }
    }
}
