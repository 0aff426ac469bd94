//! [`Mapping`]: a whole file, mapped for reading.
//!
//! The contract with all programs: while a map lives, no program may truncate the file. A read of a missing
//! page kills the process (SIGBUS). Varvite itself never truncates a file; files that other programs may
//! change must be read through private buffers instead. Another program may change mapped bytes at any time,
//! so memory safety depends on no earlier check: every index is checked at use.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use memmap2::Mmap;

use crate::memory::process_memory::PageTable;

/// A whole file, mapped for reading. Dropping this value unmaps the file; the file handle need not stay open.
#[derive(Debug)]
pub struct Mapping {
    map: Mmap,
    /// Whether a reader has used a part of the map since the memory watch last cleared this mark.
    is_used: AtomicBool,
}

/// The expected access to a byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// No special access is expected: read ahead as usual.
    Normal,
    /// The range is needed soon: start reading it.
    WillNeed,
    /// The range is not needed: give its memory back. The next access at the same addresses reads the file
    /// again.
    DontNeed,
}

impl Mapping {
    /// Maps the whole of `file` at its present length, without reading it.
    pub(crate) fn of_file(file: &File) -> io::Result<Mapping> {
        // SAFETY: the map is shared and read-only, and lives as long as `Mmap` does. It can't be proved here
        // that no program shortens the file meanwhile. That is the documented contract of this module, which
        // Varvite itself keeps.
        let map = unsafe { Mmap::map(file)? };
        Ok(Mapping { map, is_used: AtomicBool::new(false) })
    }

    /// Marks the map as used, so that the pages of unused maps are given back first. Returns whether the map
    /// was not marked before.
    pub(crate) fn mark_used(&self) -> bool {
        !self.is_used() && !self.is_used.swap(true, Ordering::Relaxed)
    }

    /// Whether the map is marked as used.
    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    /// Whether the map was marked as used; clears the mark.
    pub(crate) fn was_used(&self) -> bool {
        self.is_used.swap(false, Ordering::Relaxed)
    }

    /// All bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Advises the operating system of the expected access to a byte range. The advice is for whole pages, so
    /// the range is widened to page boundaries.
    ///
    /// # Errors
    /// `InvalidInput` if the range is not inside the map; otherwise an error of the operating system. Reads
    /// return the same bytes whether the advice succeeds or not.
    pub fn advise(&self, range: Range<usize>, advice: Advice) -> io::Result<()> {
        self.bytes().get(range.clone()).ok_or(io::ErrorKind::InvalidInput)?;
        if range.is_empty() {
            return Ok(());
        }
        self.advise_pages(range, advice)
    }

    #[cfg(unix)]
    fn advise_pages(&self, range: Range<usize>, advice: Advice) -> io::Result<()> {
        match advice {
            Advice::Normal => self.map.advise_range(memmap2::Advice::Normal, range.start, range.len()),
            Advice::WillNeed => self.map.advise_range(memmap2::Advice::WillNeed, range.start, range.len()),
            Advice::DontNeed => {
                let dont_need = memmap2::UncheckedAdvice::DontNeed;
                // SAFETY: `advise` checked that the range lies inside the map, so no other memory is touched.
                // The map is shared and backed by a file, so a dropped page comes back with the file's bytes,
                // and slices stay valid.
                unsafe { self.map.unchecked_advise_range(dont_need, range.start, range.len()) }
            }
        }
    }

    #[cfg(not(unix))]
    fn advise_pages(&self, _range: Range<usize>, _advice: Advice) -> io::Result<()> {
        Ok(())
    }

    /// The number of bytes of a range that are resident in this process. These bytes are part of the
    /// process's resident set size.
    ///
    /// Counts the parts of resident pages that are in the range. Costs one small read for each 512 pages.
    /// `None` if the operating system does not report residency, or the range is not inside the map.
    pub fn resident_bytes(&self, range: Range<usize>) -> Option<u64> {
        PageTable::open()?.resident_bytes(self.bytes().get(range)?)
    }
}

#[cfg(test)]
#[cfg(not(miri))] // Miri has no file maps.
mod tests {
    use std::io::Write;

    use super::*;

    fn mapped(bytes: &[u8]) -> Mapping {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        Mapping::of_file(&file).unwrap()
    }

    #[test]
    fn an_empty_file_maps_to_no_bytes() {
        let mapping = mapped(&[]);
        assert_eq!(mapping.bytes(), &[] as &[u8]);
        mapping.advise(0..0, Advice::DontNeed).unwrap();
        assert!(matches!(mapping.resident_bytes(0..0), None | Some(0)));
    }

    #[test]
    fn advice_outside_the_map_is_refused() {
        let mapping = mapped(&[1; 100]);
        for range in [0..101, 100..101, 50..150, usize::MAX - 1..usize::MAX] {
            let error = mapping.advise(range, Advice::DontNeed).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
    }

    #[test]
    fn bytes_read_the_same_after_their_memory_was_given_back() {
        let bytes: Vec<u8> = (0..1 << 20).map(|index: u32| (index % 251) as u8).collect();
        let mapping = mapped(&bytes);
        assert_eq!(mapping.bytes(), bytes);
        mapping.advise(0..bytes.len(), Advice::DontNeed).unwrap();
        assert_eq!(mapping.bytes(), bytes);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn residency_follows_touch_and_advice() {
        let mapping = mapped(&vec![7; 1 << 20]);
        let all = 0..1 << 20;
        assert_eq!(mapping.bytes().iter().map(|&byte| u64::from(byte)).sum::<u64>(), 7 << 20);
        assert_eq!(mapping.resident_bytes(all.clone()), Some(1 << 20));
        mapping.advise(0..1 << 19, Advice::DontNeed).unwrap();
        assert_eq!(mapping.resident_bytes(all), Some(1 << 19));
        assert_eq!(mapping.resident_bytes(1 << 19..(1 << 19) + 10), Some(10));
        assert_eq!(mapping.resident_bytes(0..(1 << 20) + 1), None);
    }
}
