//! Compresses and decodes blocks, each as one zlib stream or one gzip member.

use super::Purpose;
use super::zlib::{ALIGN, DEFLATE_LEN, Deflater, INFLATE_LEN, Inflater, Wrapper};
use crate::arena::Arena;
use crate::{Codec, CodecError};

pub(crate) struct Deflate<'m> {
    codec: Codec,
    deflater: Option<Deflater<'m>>,
    inflater: Inflater<'m>,
}

pub(crate) fn memory_len(purpose: Purpose) -> usize {
    match purpose {
        Purpose::Both { .. } => DEFLATE_LEN + INFLATE_LEN + 2 * ALIGN,
        Purpose::Decode => INFLATE_LEN + ALIGN,
    }
}

impl<'m> Deflate<'m> {
    pub(crate) fn new(codec: Codec, purpose: Purpose, arena: &mut Arena<'m>) -> Option<Self> {
        let wrapper = if codec == Codec::Gzip { Wrapper::Gzip } else { Wrapper::Zlib };
        let inflater = Inflater::new(wrapper, arena)?;
        let deflater = match purpose {
            Purpose::Both { level, .. } => Some(Deflater::new(wrapper, level, arena)?),
            Purpose::Decode => None,
        };
        Some(Self { codec, deflater, inflater })
    }

    pub(crate) fn compress(&mut self, plain: &[u8], output: &mut [u8]) -> Result<usize, CodecError> {
        let codec = self.codec;
        let deflater = self.deflater.as_mut().ok_or(CodecError::DecoderOnly { codec })?;
        deflater.reset();
        let (mut from, mut to) = (0, 0);
        loop {
            let step = deflater
                .step(&plain[from..], &mut output[to..], true)
                .map_err(|detail| CodecError::Compress { codec, detail })?;
            (from, to) = (from + step.consumed, to + step.produced);
            if step.ended {
                return Ok(to);
            }
            if to == output.len() || step.produced == 0 {
                let needed = codec.stored_len_max(plain.len());
                return Err(CodecError::Output { codec, needed, found: output.len() });
            }
        }
    }

    pub(crate) fn decompress(&mut self, stored: &[u8], plain: &mut [u8]) -> Result<usize, CodecError> {
        let codec = self.codec;
        let damaged = |detail| CodecError::Damaged { codec, detail };
        self.inflater.reset();
        let (mut from, mut to) = (0, 0);
        loop {
            let step = self.inflater.step(&stored[from..], &mut plain[to..]).map_err(damaged)?;
            (from, to) = (from + step.consumed, to + step.produced);
            if step.ended {
                let whole = from == stored.len();
                return if whole { Ok(to) } else { Err(damaged("bytes follow the end of the stream")) };
            }
            if from == stored.len() && step.produced == 0 {
                return Err(damaged("the stream ends early"));
            }
            if step.consumed == 0 && step.produced == 0 {
                return Err(CodecError::Longer { codec, expected: plain.len() });
            }
        }
    }
}
