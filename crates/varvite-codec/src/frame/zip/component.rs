//! One component of a zip file, and the reader of its plain bytes.

use std::io::{self, Read, Seek};

use rawzip::{RangeReader, ZipArchiveEntryWayfinder};

use super::positioned::Positioned;
use super::{FORMAT, Sum, error_at};
use crate::allocated::Allocated;
use crate::engine::zlib::Wrapper;
use crate::frame::deflate::{Inflating, inflater};
use crate::frame::input::Input;
use crate::frame::{FrameError, FrameOptions, FrameProblem};

/// An entry of the central directory.
#[derive(Clone, Debug)]
pub struct Component {
    /// The name of the component, in any character set; usually UTF-8.
    pub name: Vec<u8>,
    /// The number of plain bytes according to the directory; readers enforce it.
    pub plain_len: u64,
    /// The number of bytes that the component takes in the file.
    pub stored_len: u64,
    /// The offset of the component's local header in the file.
    pub offset: u64,
    pub(super) sum: u32,
    pub(super) method: Method,
    pub(super) wayfinder: ZipArchiveEntryWayfinder,
}

/// The compression method of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Stored,
    Deflated,
    Encrypted,
    Other,
}

/// Reads the plain bytes of a component, as an [`io::Read`]. The length and the CRC-32 are checked at the
/// end.
pub struct ComponentReader<'z, R> {
    input: Input<RangeReader<&'z Positioned<R>>>,
    /// The inflater; `None` for a component that is stored plain.
    inflater: Option<Allocated<Inflating>>,
    /// The offset of the component's data in the file.
    data_offset: u64,
    begin: u64,
    sum: Sum,
    sum_expected: u32,
    left: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Inside,
    Ended,
    Failed,
}

impl<'z, R: Read + Seek> ComponentReader<'z, R> {
    pub(super) fn new(
        component: &Component,
        data: RangeReader<&'z Positioned<R>>,
        data_offset: u64,
        options: &FrameOptions,
    ) -> Result<Self, FrameError> {
        let unsupported = |what| error_at(component.offset, FrameProblem::Unsupported { what });
        let inflater = match component.method {
            Method::Stored => None,
            Method::Deflated => {
                Some(inflater(Wrapper::Raw, options).map_err(|e| error_at(component.offset, e))?)
            }
            Method::Encrypted => return Err(unsupported("an encrypted component")),
            Method::Other => return Err(unsupported("a compression method other than deflate")),
        };
        if component.plain_len > options.plain_len_max {
            let (what, found, max) = ("a component", component.plain_len, options.plain_len_max);
            return Err(error_at(component.offset, FrameProblem::TooLong { what, found, max }));
        }
        Ok(Self {
            input: Input::new(data, FORMAT, &options.allocator)?,
            inflater,
            data_offset,
            begin: component.offset,
            sum: Sum::default(),
            sum_expected: component.sum,
            left: component.plain_len,
            state: State::Inside,
        })
    }

    /// Writes the next plain bytes to the start of `output`, and returns their number; 0 at the end of the
    /// component.
    ///
    /// # Errors
    /// A [`FrameError`] for data that is invalid, ends early, or differs from the directory. Every later call
    /// fails too.
    pub fn read_plain(&mut self, output: &mut [u8]) -> Result<usize, FrameError> {
        match self.state {
            State::Failed => Err(self.damaged("an earlier error ended this component")),
            State::Ended => Ok(0),
            State::Inside if output.is_empty() => Ok(0),
            State::Inside => {
                let result = self.decode(output);
                if result.is_err() {
                    self.state = State::Failed;
                }
                result
            }
        }
    }

    fn decode(&mut self, output: &mut [u8]) -> Result<usize, FrameError> {
        loop {
            let (produced, ended) = self.step(output)?;
            if produced as u64 > self.left {
                return Err(self.damaged("the component holds more bytes than the directory says"));
            }
            self.left -= produced as u64;
            self.sum.update(&output[..produced]);
            if ended {
                self.check_end()?;
                self.state = State::Ended;
            }
            if produced > 0 || ended {
                return Ok(produced);
            }
        }
    }

    /// Decodes some plain bytes. Returns their number, and whether they are the last.
    fn step(&mut self, output: &mut [u8]) -> Result<(usize, bool), FrameError> {
        let offset = self.data_offset + self.input.offset();
        let placed = |error: FrameError| FrameError { offset, ..error };
        let seen = self.input.peek(1).map_err(placed)?;
        let Some(inflater) = &mut self.inflater else {
            let len = seen.len().min(output.len());
            output[..len].copy_from_slice(&seen[..len]);
            let ended = len == 0;
            self.input.consume(len);
            return Ok((len, ended));
        };
        let is_end = seen.is_empty();
        let step = inflater.get().step(seen, output);
        let step = step.map_err(|detail| error_at(offset, FrameProblem::Damaged { detail }))?;
        if is_end && !step.ended && step.produced == 0 {
            let what = "component";
            return Err(error_at(self.begin, FrameProblem::Truncated { what, missing: 1 }));
        }
        self.input.consume(step.consumed);
        Ok((step.produced, step.ended))
    }

    fn check_end(&self) -> Result<(), FrameError> {
        if self.left > 0 {
            return Err(self.damaged("the component holds fewer bytes than the directory says"));
        }
        let (what, expected, found) = ("a component", self.sum_expected, self.sum.0);
        if expected != found {
            return Err(error_at(self.begin, FrameProblem::Checksum { what, expected, found }));
        }
        Ok(())
    }

    fn damaged(&self, detail: &'static str) -> FrameError {
        error_at(self.begin, FrameProblem::Damaged { detail })
    }
}

impl<R: Read + Seek> Read for ComponentReader<'_, R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        Ok(self.read_plain(output)?)
    }
}
