//! Reads the build id of a file without the rest of it: programs map files of many gigabytes.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use object::elf::{ELF_NOTE_GNU, FileHeader32, FileHeader64, NT_GNU_BUILD_ID, PT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, FileKind, ReadCache, ReadRef};

/// Maximum length in bytes of the program headers, and of a segment of notes. Real ones have some hundred.
const PART_MAX: u64 = 64 << 10;
/// Maximum number of segments of notes that are read. Linkers make one to three.
const NOTES_MAX: usize = 16;

/// The build id of an ELF file; `None` if the file is no program or library, or has no build id.
///
/// **Cost**: reads the headers and the notes, at most 17 parts of 64 KiB.
pub(super) fn build_id_of(path: &Path) -> Option<Vec<u8>> {
    // Opening a pipe would wait for its writer.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let cache = ReadCache::new(File::open(path).ok()?);
    let parts = Parts(&cache);
    match FileKind::parse(parts).ok()? {
        FileKind::Elf32 => in_notes::<FileHeader32<Endianness>>(parts),
        FileKind::Elf64 => in_notes::<FileHeader64<Endianness>>(parts),
        _ => None,
    }
}

fn in_notes<Elf: FileHeader<Endian = Endianness>>(parts: Parts<'_>) -> Option<Vec<u8>> {
    let header = Elf::parse(parts).ok()?;
    let endian = header.endian().ok()?;
    let segments = header.program_headers(endian, parts).ok()?.iter();
    let of_notes = segments.filter(|segment| segment.p_type(endian) == PT_NOTE).take(NOTES_MAX);
    let notes = of_notes.filter_map(|segment| segment.notes(endian, parts).ok().flatten());
    let mut notes = notes.flat_map(|notes| notes.filter_map(Result::ok));
    let id = notes.find(|note| note.name() == ELF_NOTE_GNU && note.n_type(endian) == NT_GNU_BUILD_ID)?;
    Some(id.desc().to_vec())
}

/// Parts of a file that are read when they are needed. Longer parts are refused, because only the file says
/// how long they are.
#[derive(Clone, Copy)]
struct Parts<'c>(&'c ReadCache<File>);

impl<'c> ReadRef<'c> for Parts<'c> {
    fn len(self) -> Result<u64, ()> {
        self.0.len()
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'c [u8], ()> {
        if size > PART_MAX { Err(()) } else { self.0.read_bytes_at(offset, size) }
    }

    fn read_bytes_at_until(self, range: Range<u64>, delimiter: u8) -> Result<&'c [u8], ()> {
        self.0.read_bytes_at_until(range, delimiter)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// A file of 64 GiB, which takes a few blocks of the disk, with these bytes at its beginning.
    fn large_file(bytes: &[u8]) -> tempfile::NamedTempFile {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file.as_file().set_len(64 << 30).unwrap();
        file
    }

    fn program() -> Vec<u8> {
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/trace/shapes")).unwrap()
    }

    #[test]
    fn the_build_id_of_a_file_is_that_of_its_binary_however_long_the_file_is() {
        let program = program();
        let binary = super::super::binary::Binary::parse(&program, None).unwrap();
        assert_eq!(binary.build_id().len(), 20);
        assert_eq!(build_id_of(large_file(&program).path()).as_deref(), Some(binary.build_id()));
    }

    #[test]
    fn a_file_without_a_build_id_has_none() {
        for bytes in [&b""[..], b"SQLite format 3\0", b"\x7fELF\x02\x01\x01"] {
            assert_eq!(build_id_of(large_file(bytes).path()), None);
        }
        assert_eq!(build_id_of(Path::new("/dev/zero")), None);
    }

    #[test]
    fn headers_that_claim_gigabytes_are_refused() {
        let program = program();
        let place = |at: usize| u64::from_le_bytes(program[at..at + 8].try_into().unwrap()) as usize;
        let (headers, count) = (place(32), usize::from(program[56]));
        // The segments of notes are longer than 64 KiB, or lie behind the end of the file.
        for (field, value) in [(32, 8u64 << 30), (8, 1 << 40)] {
            let mut changed = program.clone();
            for header in (0..count).map(|number| headers + 56 * number) {
                changed[header + field..header + field + 8].copy_from_slice(&value.to_le_bytes());
            }
            assert_eq!(build_id_of(large_file(&changed).path()), None);
        }
        // There are more program headers than 64 KiB hold.
        let mut changed = program.clone();
        changed[56..58].copy_from_slice(&60_000u16.to_le_bytes());
        assert_eq!(build_id_of(large_file(&changed).path()), None);
    }
}
