//! The central directory of a zip file, its checks, and access to components.

use std::io::{Read, Seek, SeekFrom};

use rawzip::{CompressionMethod, ZipArchive, ZipFileHeaderRecord, ZipLocator};

use super::component::{Component, ComponentReader, Method};
use super::positioned::Positioned;
use super::{error_at, structural};
use crate::frame::{FrameError, FrameOptions, FrameProblem};

/// The longest header in the central directory.
const RECORD_LEN_MAX: usize = rawzip::MAX_CENTRAL_DIRECTORY_RECORD_SIZE;

/// A zip file, open for reading.
///
/// Opening reads the central directory. Memory grows with the names of components, up to
/// [`FrameOptions::buffer_len_max`] for all names. Overlapping components, which zip bombs consist of, are
/// refused. Components are also refused if their total length exceeds the limit that
/// [`FrameOptions::expansion`] sets for a file of this length. The lengths are those in the directory; the
/// readers of components enforce them.
pub struct ZipReader<R> {
    archive: ZipArchive<Positioned<R>>,
    components: Vec<Component>,
    options: FrameOptions,
}

impl<R: Read + Seek> ZipReader<R> {
    /// Opens a zip file.
    ///
    /// # Errors
    /// A [`FrameError`] if the file is no zip file, was cut off, or has an invalid directory.
    pub fn open(mut read: R, options: &FrameOptions) -> Result<Self, FrameError> {
        let len = read.seek(SeekFrom::End(0)).map_err(|error| error_at(0, FrameProblem::Io(error)))?;
        let mut buffer = options.allocator.zeros(RECORD_LEN_MAX).map_err(|error| error_at(0, error))?;
        let located = ZipLocator::new().locate_in_reader(Positioned::new(read), &mut buffer, len);
        let archive = located.map_err(|(_, error)| structural(len, error))?;
        let components = components(&archive, &mut buffer, options)?;
        let plain_len = components.iter().fold(0, |sum: u64, one| sum.saturating_add(one.plain_len));
        let expansion = options.expansion.check(plain_len, len);
        expansion.map_err(|error| error_at(archive.directory_offset(), error))?;
        Ok(Self { archive, components, options: *options })
    }

    /// The components in the order of the central directory.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// A reader of the component with this index; `None` if there is no such component.
    ///
    /// # Errors
    /// A [`FrameError`] if the component's local header is invalid or its method is not supported.
    pub fn component(&self, index: usize) -> Result<Option<ComponentReader<'_, R>>, FrameError> {
        let Some(component) = self.components.get(index) else { return Ok(None) };
        let offset = component.offset;
        let entry = self.archive.get_entry(component.wayfinder).map_err(|error| structural(offset, error))?;
        let (start, end) = entry.compressed_data_range();
        if end > self.archive.directory_offset() {
            let detail = "a component runs into the central directory";
            return Err(error_at(offset, FrameProblem::Damaged { detail }));
        }
        let data = rawzip::RangeReader::new(self.archive.get_ref(), start..end);
        ComponentReader::new(component, data, start, &self.options).map(Some)
    }
}

fn components<R: Read + Seek>(
    archive: &ZipArchive<Positioned<R>>,
    buffer: &mut [u8],
    options: &FrameOptions,
) -> Result<Vec<Component>, FrameError> {
    let directory = archive.directory_offset();
    let mut components: Vec<Component> = Vec::new();
    let mut entries = archive.entries(buffer);
    let mut memory_len = 0;
    while let Some(entry) = entries.next_entry().map_err(|error| structural(directory, error))? {
        let component = component(&entry);
        memory_len += component.name.len() + size_of::<Component>();
        if memory_len > options.buffer_len_max {
            let (what, found, max) =
                ("the central directory", memory_len as u64, options.buffer_len_max as u64);
            return Err(error_at(directory, FrameProblem::TooLong { what, found, max }));
        }
        components.push(component);
    }
    if components.len() as u64 != archive.entries_hint() {
        let detail = "the central directory does not hold as many components as the end record says";
        return Err(error_at(directory, FrameProblem::Damaged { detail }));
    }
    check_overlap(&components)?;
    Ok(components)
}

fn component(entry: &ZipFileHeaderRecord<'_>) -> Component {
    let method = match entry.compression_method() {
        _ if entry.flags().is_encrypted() => Method::Encrypted,
        CompressionMethod::STORE => Method::Stored,
        CompressionMethod::DEFLATE => Method::Deflated,
        _ => Method::Other,
    };
    Component {
        name: entry.file_path().as_bytes().to_vec(),
        plain_len: entry.uncompressed_size_hint(),
        stored_len: entry.compressed_size_hint(),
        offset: entry.local_header_offset(),
        sum: entry.crc32(),
        method,
        wayfinder: entry.wayfinder(),
    }
}

fn check_overlap(components: &[Component]) -> Result<(), FrameError> {
    let mut ranges: Vec<(u64, u64)> =
        components.iter().map(|component| (component.offset, component.stored_len)).collect();
    ranges.sort_unstable();
    let over = ranges.windows(2).find(|pair| pair[0].0.saturating_add(pair[0].1) >= pair[1].0);
    match over {
        Some(pair) => {
            let detail = "two components overlap";
            Err(error_at(pair[1].0, FrameProblem::Damaged { detail }))
        }
        None => Ok(()),
    }
}
