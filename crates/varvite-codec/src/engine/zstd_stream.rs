//! Zstandard frames of any length, with contexts in the caller's memory.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

use zstd_sys::{
    ZSTD_CCtx, ZSTD_DCtx, ZSTD_EndDirective, ZSTD_FrameHeader, ZSTD_FrameType_e, ZSTD_cParameter,
    ZSTD_inBuffer, ZSTD_outBuffer,
};

use super::zstd::{ALIGN, checked};
use crate::arena::Arena;

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Header {
    /// More bytes are needed to decide.
    Unknown,
    /// A frame that readers skip.
    Skippable,
    /// A frame with the length of its window and the id of its dictionary.
    Frame { window_len: u64, dictionary: u32 },
}

/// The number of bytes that always suffice for [`header`].
pub(crate) const HEADER_LEN_MAX: usize = 18;

/// Reads the header at the start of a frame.
pub(crate) fn header(start: &[u8]) -> Result<Header, &'static str> {
    let mut header = MaybeUninit::<ZSTD_FrameHeader>::zeroed();
    // SAFETY: writes the struct, and reads no more than the slice.
    let code =
        unsafe { zstd_sys::ZSTD_getFrameHeader(header.as_mut_ptr(), start.as_ptr().cast(), start.len()) };
    if checked(code).map_err(|failure| failure.detail)? > 0 {
        return Ok(Header::Unknown);
    }
    // SAFETY: all zeros are a valid value, and the library wrote the other fields.
    let header = unsafe { header.assume_init() };
    if header.frameType == ZSTD_FrameType_e::ZSTD_skippableFrame {
        return Ok(Header::Skippable);
    }
    Ok(Header::Frame { window_len: header.windowSize, dictionary: header.dictID })
}

/// The result of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The number of bytes taken from the input.
    pub(crate) consumed: usize,
    /// The number of bytes written to the output.
    pub(crate) produced: usize,
    /// The least number of bytes that must follow; 0 at the end of a frame.
    pub(crate) left: usize,
}

/// A decoder of frames.
pub(crate) struct Decoder<'m> {
    context: NonNull<ZSTD_DCtx>,
    memory: PhantomData<&'m mut [MaybeUninit<u8>]>,
}

// SAFETY: the context lies in memory that this value alone uses, and the library ties nothing to a thread.
unsafe impl Send for Decoder<'_> {}

/// The size of the memory of a decoder of frames with windows of up to `window_len` bytes.
pub(crate) fn decoder_len(window_len: usize) -> usize {
    // SAFETY: computes from a number alone.
    ALIGN + unsafe { zstd_sys::ZSTD_estimateDStreamSize(window_len) }
}

impl<'m> Decoder<'m> {
    pub(crate) fn new(arena: &mut Arena<'m>) -> Option<Self> {
        let memory = arena.take_rest(ALIGN)?;
        // SAFETY: `memory` is aligned, and ours alone for 'm; if it is too small, the result is null, which
        // is handled.
        let made = unsafe { zstd_sys::ZSTD_initStaticDStream(memory.as_mut_ptr().cast(), memory.len()) };
        Some(Self { context: NonNull::new(made)?, memory: PhantomData })
    }

    /// Decodes as much of `input` as fits into `output`, at most to the end of a frame.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, &'static str> {
        let mut source = ZSTD_inBuffer { src: input.as_ptr().cast(), size: input.len(), pos: 0 };
        let mut target = ZSTD_outBuffer { dst: output.as_mut_ptr().cast(), size: output.len(), pos: 0 };
        // SAFETY: the context is ours; both buffers are slices that live through the call.
        let code = unsafe {
            zstd_sys::ZSTD_decompressStream(self.context.as_ptr(), &raw mut target, &raw mut source)
        };
        let left = checked(code).map_err(|failure| failure.detail)?;
        Ok(Step { consumed: source.pos, produced: target.pos, left })
    }
}

/// A compressor of successive frames, each with a checksum.
pub(crate) struct Encoder<'m> {
    context: NonNull<ZSTD_CCtx>,
    memory: PhantomData<&'m mut [MaybeUninit<u8>]>,
}

// SAFETY: the context lies in memory that this value alone uses, and the library ties nothing to a thread.
unsafe impl Send for Encoder<'_> {}

/// The size of the memory of a compressor of this level.
pub(crate) fn encoder_len(level: i32) -> usize {
    // SAFETY: computes from numbers alone.
    ALIGN + unsafe { zstd_sys::ZSTD_estimateCStreamSize_usingCParams(zstd_sys::ZSTD_getCParams(level, 0, 0)) }
}

impl<'m> Encoder<'m> {
    pub(crate) fn new(level: i32, arena: &mut Arena<'m>) -> Option<Self> {
        let memory = arena.take_rest(ALIGN)?;
        // SAFETY: `memory` is aligned, and ours alone for 'm; if it is too small, the result is null, which
        // is handled.
        let made = unsafe { zstd_sys::ZSTD_initStaticCStream(memory.as_mut_ptr().cast(), memory.len()) };
        let context = NonNull::new(made)?;
        for (parameter, value) in
            [(ZSTD_cParameter::ZSTD_c_compressionLevel, level), (ZSTD_cParameter::ZSTD_c_checksumFlag, 1)]
        {
            // SAFETY: the context was just made.
            let code = unsafe { zstd_sys::ZSTD_CCtx_setParameter(context.as_ptr(), parameter, value) };
            checked(code).ok()?;
        }
        Some(Self { context, memory: PhantomData })
    }

    /// Compresses as much of `input` as fits into `output`; if `last`, also ends the frame.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8], last: bool) -> Result<Step, &'static str> {
        let mut source = ZSTD_inBuffer { src: input.as_ptr().cast(), size: input.len(), pos: 0 };
        let mut target = ZSTD_outBuffer { dst: output.as_mut_ptr().cast(), size: output.len(), pos: 0 };
        let end = if last { ZSTD_EndDirective::ZSTD_e_end } else { ZSTD_EndDirective::ZSTD_e_continue };
        // SAFETY: the context is ours; both buffers are slices that live through the call.
        let code = unsafe {
            zstd_sys::ZSTD_compressStream2(self.context.as_ptr(), &raw mut target, &raw mut source, end)
        };
        let left = checked(code).map_err(|failure| failure.detail)?;
        Ok(Step { consumed: source.pos, produced: target.pos, left })
    }
}
