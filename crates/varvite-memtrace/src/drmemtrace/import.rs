//! Converts a file to references: detects the file's form, and reads its framing and its entries.

use std::io::{ErrorKind, Read, Seek, SeekFrom};

use varvite_codec::frame::{
    Component, Expansion, FrameOptions, FrameProblem, FrameReader, Framing, ZipReader,
};
use varvite_trace::Sink;

use super::entries::Entries;
use super::words::Words;
use super::{DrmemtraceError, Modules};
use crate::reference::{Counts, Reference, References, kind};

type Result<T> = std::result::Result<T, DrmemtraceError>;

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrmemtraceReport {
    /// The numbers of references that were recorded.
    pub counts: Counts,
    /// The level of detail of the file.
    pub tier: Tier,
    /// Version of the trace.
    pub version: u64,
    /// Bits that describe the file's content, as defined by DynamoRIO; 0 if the file has no entry with these
    /// bits.
    pub file_type: u64,
    /// If the trace is truncated, a description of the missing end; `None` if it is complete. Everything
    /// before the cut was recorded.
    pub cut: Option<String>,
}

/// The level of detail of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// A final trace, with every instruction and memory access.
    Final,
    /// A raw trace, with only blocks, addresses and markers.
    Raw,
}

/// The layout of a file's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Entries of twelve bytes, from 64-bit programs.
    Wide,
    /// Entries of eight bytes, from 32-bit programs.
    Narrow,
    /// Words of eight bytes, from a raw trace.
    Raw,
}

/// Number of bytes from which the form can be detected.
const FIRST_LEN: usize = 16;
/// Number of plain bytes that are read at a time: a multiple of the length of every entry.
const READ_LEN: usize = 24 << 13;

/// Whether a file that begins with these bytes may be a drmemtrace. It may if it is a zip, has a known
/// framing, or begins with a header.
pub fn is_drmemtrace(first: &[u8]) -> bool {
    first.starts_with(b"PK\x03\x04") || Framing::detect(first).is_some() || form(first).is_some()
}

/// Options for reading a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct DrmemtraceOptions<'m> {
    /// The number of the thread to which entries belong if the file names no thread.
    pub shard: u64,
    /// The load addresses of binaries, if the trace has a `modules.log`.
    pub modules: Option<&'m Modules>,
    /// The limit of the decompressed length of a compressed file. By default, this is 64 MiB or, if that is
    /// more, 200 bytes for each byte of the file.
    pub expansion: Expansion,
}

/// Reads one file to its end, and records each entry under its thread.
///
/// Read all files of a trace into the same `target`, since a thread that ran on several cores has turns in
/// several files.
///
/// **Cost**: one pass; memory for the framing (at most slightly more than 16 MiB), in addition to the memory
/// of `target`.
///
/// # Errors
/// Every fault of the file except a missing end. A file that ends too early is recorded up to its end, and
/// the report describes the missing end. A compressed file that expands too far causes an error
/// ([`varvite_codec::frame::Expanded`]).
pub fn import<R: Read + Seek, S: Sink>(
    mut source: R,
    options: &DrmemtraceOptions<'_>,
    target: &mut References<'_, S>,
) -> Result<DrmemtraceReport> {
    let mut first = Vec::new();
    source.by_ref().take(FIRST_LEN as u64).read_to_end(&mut first)?;
    let stored_len = source.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(0))?;
    let DrmemtraceOptions { shard, modules, expansion } = *options;
    let before = target.counts();
    let mut reading = Reading { target, before, shard, modules, parser: None, rest: Vec::new(), cut: None };
    let options = FrameOptions { expansion: expansion.of_len(stored_len), ..FrameOptions::default() };
    if first.starts_with(b"PK\x03\x04") {
        reading.read_zip(&ZipReader::open(source, &options)?)?;
    } else if let Some(framing) = Framing::detect(&first) {
        reading.read(&mut FrameReader::new(framing, source, &options)?)?;
    } else {
        reading.read(&mut source)?;
    }
    reading.finish()
}

struct Reading<'m, 't, 'r, S: Sink> {
    target: &'t mut References<'r, S>,
    before: Counts,
    shard: u64,
    modules: Option<&'m Modules>,
    parser: Option<Parser<'m>>,
    /// The first bytes of an entry that has not been read completely yet.
    rest: Vec<u8>,
    cut: Option<String>,
}

enum Parser<'m> {
    Wide(Entries),
    Narrow(Entries),
    Raw(Box<Words<'m>>),
}

impl<S: Sink> Reading<'_, '_, '_, S> {
    fn read_zip<R: Read + Seek>(&mut self, zip: &ZipReader<R>) -> Result<()> {
        for (number, component) in zip.components().iter().enumerate() {
            check_order(number, component)?;
            let reader = zip.component(number)?;
            self.read(&mut reader.expect("the number is that of a component"))?;
            if self.cut.is_some() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reads plain bytes up to their end, or up to the point where the file was cut.
    fn read(&mut self, source: &mut dyn Read) -> Result<()> {
        let mut buffer = vec![0; READ_LEN];
        loop {
            match source.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => self.take(&buffer[..read])?,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => match DrmemtraceError::from(error) {
                    DrmemtraceError::Frame(error)
                        if matches!(error.problem, FrameProblem::Truncated { .. }) =>
                    {
                        self.cut = Some(error.to_string());
                        return Ok(());
                    }
                    error => return Err(error),
                },
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        self.rest.extend_from_slice(bytes);
        if self.parser.is_none() && self.rest.len() < FIRST_LEN {
            return Ok(());
        }
        let mut rest = std::mem::take(&mut self.rest);
        let parsed = self.parse(&rest)?;
        rest.drain(..parsed);
        self.rest = rest;
        Ok(())
    }

    /// Records the complete entries in `bytes`, and returns their length in bytes.
    fn parse(&mut self, bytes: &[u8]) -> Result<usize> {
        if self.parser.is_none() {
            self.parser = Some(parser(bytes, self.shard, self.modules)?);
        }
        let target = &mut *self.target;
        match self.parser.as_mut().expect("made above") {
            Parser::Wide(entries) => {
                let (whole, rest) = bytes.as_chunks::<{ Reference::LEN }>();
                whole.iter().try_for_each(|entry| entries.take(Reference::from_bytes(entry), target))?;
                Ok(bytes.len() - rest.len())
            }
            Parser::Narrow(entries) => {
                let (whole, rest) = bytes.as_chunks::<8>();
                whole.iter().try_for_each(|entry| entries.take(narrow(entry), target))?;
                Ok(bytes.len() - rest.len())
            }
            Parser::Raw(words) => {
                let (whole, rest) = bytes.as_chunks::<8>();
                whole.iter().try_for_each(|word| words.take(u64::from_le_bytes(*word), target))?;
                Ok(bytes.len() - rest.len())
            }
        }
    }

    fn finish(mut self) -> Result<DrmemtraceReport> {
        if self.parser.is_none() {
            // There are too few bytes to detect the form, and every trace is longer.
            return Err(DrmemtraceError::NotDrmemtrace { found: self.rest });
        }
        match self.parser.as_mut().expect("checked above") {
            Parser::Wide(entries) | Parser::Narrow(entries) => entries.finish(self.target)?,
            Parser::Raw(words) => words.finish(self.target)?,
        }
        let (tier, version, file_type, has_end) = match self.parser.as_ref().expect("checked above") {
            Parser::Wide(entries) | Parser::Narrow(entries) => {
                (Tier::Final, entries.version(), entries.file_type(), entries.has_end())
            }
            Parser::Raw(words) => (Tier::Raw, words.version(), words.file_type(), words.has_end()),
        };
        if self.cut.is_none() && !self.rest.is_empty() {
            self.cut = Some(format!("the last entry is cut after {} bytes", self.rest.len()));
        }
        if self.cut.is_none() && !has_end {
            self.cut = Some("there is no footer at its end".to_owned());
        }
        let counts = self.target.counts().since(self.before);
        Ok(DrmemtraceReport { counts, tier, version, file_type, cut: self.cut })
    }
}

fn parser<'m>(first: &[u8], shard: u64, modules: Option<&'m Modules>) -> Result<Parser<'m>> {
    match form(first) {
        Some(Form::Wide) => Ok(Parser::Wide(Entries::new(shard))),
        Some(Form::Narrow) => Ok(Parser::Narrow(Entries::new(shard))),
        Some(Form::Raw) => Ok(Parser::Raw(Box::new(Words::new(shard, modules)))),
        None => Err(DrmemtraceError::NotDrmemtrace { found: first[..first.len().min(FIRST_LEN)].to_vec() }),
    }
}

/// The form of a file that begins with these bytes. The first entry is a header, whose value is a version and
/// thus small. So, in a wide entry, the upper half of the value is zero. In a narrow entry, there is no upper
/// half: the next entry follows immediately, and does not begin with zeros.
fn form(first: &[u8]) -> Option<Form> {
    let (head, rest) = first.split_first_chunk::<8>()?;
    if head[..4] == [kind::HEADER as u8, 0, 0, 0] {
        let upper = rest.first_chunk::<4>()?;
        return Some(if *upper == [0; 4] { Form::Wide } else { Form::Narrow });
    }
    Words::is_header(u64::from_le_bytes(*head)).then_some(Form::Raw)
}

/// Converts the entry of a 32-bit program, and widens its address to 64 bits.
fn narrow(entry: &[u8; 8]) -> Reference {
    let [k0, k1, s0, s1, v0, v1, v2, v3] = *entry;
    Reference::from_bytes(&[k0, k1, s0, s1, v0, v1, v2, v3, 0, 0, 0, 0])
}

/// Checks that a component's name consists of `chunk.` and the component's number, from 0, with at least four
/// digits.
fn check_order(number: usize, component: &Component) -> Result<()> {
    let digits = component.name.strip_prefix(b"chunk.");
    let digits = digits.filter(|digits| digits.len() >= 4 && digits.iter().all(u8::is_ascii_digit));
    let found = digits.and_then(|digits| str::from_utf8(digits).ok()?.parse::<usize>().ok());
    if found == Some(number) {
        return Ok(());
    }
    let width = digits.map_or(8, <[u8]>::len);
    let found = String::from_utf8_lossy(&component.name).into_owned();
    Err(DrmemtraceError::Order { expected: format!("chunk.{number:0width$}"), found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_by_the_first_entry() {
        let wide = [25, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 28, 0, 12, 0];
        assert_eq!(form(&wide), Some(Form::Wide));
        assert_eq!(form(&[25, 0, 0, 0, 7, 0, 0, 0, 28, 0, 12, 0, 7, 0, 0, 0]), Some(Form::Narrow));
        assert_eq!(form(&(6u64 << 61 | 4 << 56 | 6 << 48 | 0x41).to_le_bytes()), Some(Form::Raw));
        assert_eq!(form(&[0; 16]), None);
        assert_eq!(form(&wide[..11]), None, "too short to tell");
    }
}
