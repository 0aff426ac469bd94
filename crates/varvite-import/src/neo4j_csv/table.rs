//! [`Table`]: the files of a group, read as one table.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use varvite_codec::frame::Expansion;

use super::format::CsvFormat;
use super::header::{Header, Role};
use super::reader::CsvReader;
use super::record::Record;
use crate::text::{TextError, TextFault, TextPosition};

/// Options for the rows of a table.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TableRules {
    /// Whether rows may have more fields than the header.
    pub(super) ignore_extra_columns: bool,
    /// Whether further files may begin with the header.
    pub(super) skip_headers: bool,
}

/// Options for the files of all tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) format: CsvFormat,
    pub(super) rules: TableRules,
    /// The limit on the decompressed length of compressed files.
    pub(super) expansion: Expansion,
}

/// The files of a group, the first of which begins with the header.
pub(super) struct Table {
    pub(super) header: Header,
    reader: CsvReader,
    reading: Reading,
    /// The files that have not been read yet.
    rest: VecDeque<PathBuf>,
    /// The hash of the files before the current one.
    hasher: blake3::Hasher,
    read_before: u64,
}

impl Table {
    /// Opens the first file and reads the header.
    pub(super) fn open(
        files: &[PathBuf],
        role: Role,
        has_type: bool,
        reading: Reading,
    ) -> Result<Option<Self>, TextError> {
        let mut rest: VecDeque<PathBuf> = files.iter().cloned().collect();
        let Some(first) = rest.pop_front() else { return Ok(None) };
        let mut reader = CsvReader::open(&first, reading.format, reading.expansion)?;
        if !reader.read()? {
            let example = match role {
                Role::Nodes => ":ID,name,:LABEL",
                Role::Relationships => ":START_ID,:END_ID,:TYPE",
            };
            return Err(TextError::at(&first, TextPosition::line(1), TextFault::NoHeader { example }));
        }
        let record = reader.record();
        let header = Header::read(record, role, has_type).map_err(|(index, fault)| {
            let field = record.field(index);
            TextError::at(&first, TextPosition::column(field.line, index, ""), fault)
        })?;
        let (hasher, read_before) = (blake3::Hasher::new(), 0);
        Ok(Some(Self { header, reader, reading, rest, hasher, read_before }))
    }

    /// Reads the next row; returns false after the last row of the last file.
    pub(super) fn read(&mut self) -> Result<bool, TextError> {
        let mut is_first = false;
        loop {
            if self.reader.read()? {
                if is_first && self.reading.rules.skip_headers && self.is_header() {
                    is_first = false;
                    continue;
                }
                return self.check_width().map(|()| true);
            }
            let Some(next) = self.rest.pop_front() else { return Ok(false) };
            self.hasher.update(&self.reader.source().digest());
            self.read_before += self.reader.source().read_bytes();
            self.reader = CsvReader::open(&next, self.reading.format, self.reading.expansion)?;
            is_first = true;
        }
    }

    fn is_header(&self) -> bool {
        self.record().fields().map(|field| field.text.trim()).eq(self.header.names.iter())
    }

    fn check_width(&self) -> Result<(), TextError> {
        let (found, expected) = (self.record().len(), self.header.columns.len());
        if found <= expected || self.reading.rules.ignore_extra_columns {
            return Ok(());
        }
        let place = TextPosition::column(self.record().field(expected).line, expected, "");
        Err(TextError::at(self.path(), place, TextFault::ExtraFields { found, expected }))
    }

    /// The row that was read last.
    pub(super) fn record(&self) -> &Record {
        self.reader.record()
    }

    /// The path of the current file.
    pub(super) fn path(&self) -> &Path {
        self.reader.path()
    }

    /// The error for a fault in a field of the last row.
    pub(super) fn at(&self, index: usize, fault: impl Into<TextFault>) -> TextError {
        let line = self.record().field(index).line;
        let name = self.header.names.get(index).map_or("", String::as_str);
        TextError::at(self.path(), TextPosition::column(line, index, name), fault)
    }

    /// The number of bytes read from all files so far.
    pub(super) fn read_bytes(&self) -> u64 {
        self.read_before + self.reader.source().read_bytes()
    }

    /// The BLAKE3 hash of all files, once they are read.
    pub(super) fn digest(mut self) -> [u8; 32] {
        self.hasher.update(&self.reader.source().digest());
        *self.hasher.finalize().as_bytes()
    }
}
