//! [`ProcessMemory`]: the memory of this process as the operating system reports it, to compare with the
//! ledger.
//!
//! Reads `/proc/self` on Linux. On other systems the answer is `None`, never a guess. Residency comes from
//! the page table (`pagemap`) rather than `mincore`: only pages in this process's resident set count, and not
//! pages in the page cache.

use std::ops::Range;

/// The memory of this process as the operating system counts it, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessMemory {
    /// All resident bytes.
    pub resident: u64,
    /// Resident private bytes, such as heap and stacks.
    pub anonymous: u64,
    /// Resident bytes of mapped files, files in `tmpfs` included: graphs, but also the program and its
    /// libraries.
    pub file: u64,
}

impl ProcessMemory {
    /// Reads the figures of the operating system. Costs one small read. `None` if there is no `/proc`.
    pub fn read() -> Option<ProcessMemory> {
        Self::parse(&std::fs::read_to_string("/proc/self/status").ok()?)
    }

    /// The number of resident bytes beyond the `explained` bytes that the caller can account for.
    pub fn unaccounted(&self, explained: u64) -> u64 {
        self.resident.saturating_sub(explained)
    }

    fn parse(status: &str) -> Option<ProcessMemory> {
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            kibibytes.checked_mul(1024)
        };
        Some(ProcessMemory {
            resident: field("VmRSS:")?,
            anonymous: field("RssAnon:")?,
            file: field("RssFile:")? + field("RssShmem:").unwrap_or(0),
        })
    }
}

/// A reader of the memory figures of this process, for repeated calls. Each call costs a read of about thirty
/// bytes, without allocation.
#[derive(Debug)]
pub(crate) struct MemoryGauge {
    statm: std::fs::File,
    page_bytes: u64,
}

impl MemoryGauge {
    /// Opens the gauge; `None` if there is no `/proc`.
    pub(crate) fn open() -> Option<MemoryGauge> {
        let page_bytes = page_table::page_bytes()? as u64;
        Some(MemoryGauge { statm: std::fs::File::open("/proc/self/statm").ok()?, page_bytes })
    }

    /// The memory of this process now.
    pub(crate) fn read(&self) -> Option<ProcessMemory> {
        let mut text = [0; 128];
        let length = page_table::read_start(&self.statm, &mut text)?;
        let text = std::str::from_utf8(text.get(..length)?).ok()?;
        let mut pages = text.split(' ').skip(1).map(|field| field.parse::<u64>().ok());
        let (resident, file) = (pages.next()??, pages.next()??);
        let bytes = |pages: u64| pages.saturating_mul(self.page_bytes);
        let anonymous = bytes(resident.saturating_sub(file));
        Some(ProcessMemory { resident: bytes(resident), anonymous, file: bytes(file) })
    }
}

/// The page table of this process, open for reads on several maps.
pub(crate) struct PageTable(std::fs::File);

impl PageTable {
    /// Opens the page table; `None` if the system has none that can be read.
    pub(crate) fn open() -> Option<PageTable> {
        page_table::open().map(PageTable)
    }

    /// The number of bytes of `bytes` that lie on pages that are present in this process; `None` if this
    /// can't be read. Costs one small read for each 512 pages.
    pub(crate) fn resident_bytes(&self, bytes: &[u8]) -> Option<u64> {
        let addresses = bytes.as_ptr().addr()..bytes.as_ptr().addr() + bytes.len();
        page_table::resident_bytes(&self.0, addresses)
    }
}

#[cfg(target_os = "linux")]
mod page_table {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;

    use super::Range;

    /// The bit of an entry in `/proc/self/pagemap` that is set if the page is present.
    const PRESENT: u64 = 1 << 63;
    const ENTRIES_PER_READ: usize = 512;

    pub(super) fn open() -> Option<File> {
        File::open("/proc/self/pagemap").ok()
    }

    pub(super) fn resident_bytes(page_table: &File, addresses: Range<usize>) -> Option<u64> {
        let page_bytes = page_bytes()?;
        let pages = addresses.start / page_bytes..addresses.end.div_ceil(page_bytes);
        let mut entries = [0u64; ENTRIES_PER_READ];
        let mut resident_bytes = 0;
        for first in pages.clone().step_by(ENTRIES_PER_READ) {
            let entries = &mut entries[..ENTRIES_PER_READ.min(pages.end - first)];
            let offset = (first * size_of::<u64>()) as u64;
            page_table.read_exact_at(bytemuck::cast_slice_mut(entries), offset).ok()?;
            let present = (first..).zip(entries).filter(|(_, entry)| **entry & PRESENT != 0);
            resident_bytes += present.map(|(page, _)| overlap(page, page_bytes, &addresses)).sum::<u64>();
        }
        Some(resident_bytes)
    }

    /// The number of bytes of `page` that are in `addresses`.
    fn overlap(page: usize, page_bytes: usize, addresses: &Range<usize>) -> u64 {
        let start = addresses.start.max(page * page_bytes);
        let end = addresses.end.min((page + 1) * page_bytes);
        end.saturating_sub(start) as u64
    }

    /// Reads the first bytes of a file, and returns their number.
    pub(super) fn read_start(file: &File, buffer: &mut [u8]) -> Option<usize> {
        file.read_at(buffer, 0).ok()
    }

    /// The page size, from the values that the kernel passes to every program.
    pub(super) fn page_bytes() -> Option<usize> {
        const AT_PAGESZ: usize = 6;
        static PAGE_BYTES: OnceLock<Option<usize>> = OnceLock::new();
        *PAGE_BYTES.get_or_init(|| {
            let bytes = std::fs::read("/proc/self/auxv").ok()?;
            let words: Vec<usize> =
                bytes.as_chunks().0.iter().map(|word| usize::from_ne_bytes(*word)).collect();
            let page_bytes = words.chunks_exact(2).find(|pair| pair[0] == AT_PAGESZ)?[1];
            page_bytes.is_power_of_two().then_some(page_bytes)
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod page_table {
    use super::Range;

    use std::fs::File;

    pub(super) fn open() -> Option<File> {
        None
    }

    pub(super) fn resident_bytes(_page_table: &File, _addresses: Range<usize>) -> Option<u64> {
        None
    }

    pub(super) fn read_start(_file: &File, _buffer: &mut [u8]) -> Option<usize> {
        None
    }

    pub(super) fn page_bytes() -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_figures_are_read_in_bytes() {
        let status = "Name:\tvarvite\nVmRSS:\t    1748 kB\nRssAnon:\t     112 kB\nRssFile:\t    1636 kB\n";
        let memory = ProcessMemory::parse(status).unwrap();
        assert_eq!(memory, ProcessMemory { resident: 1748 << 10, anonymous: 112 << 10, file: 1636 << 10 });
        assert_eq!(memory.unaccounted(1700 << 10), 48 << 10);
        assert_eq!(memory.unaccounted(u64::MAX), 0);
    }

    #[test]
    fn a_status_without_the_figures_is_no_answer() {
        assert_eq!(ProcessMemory::parse("VmRSS: 12 pages\n"), None);
        assert_eq!(ProcessMemory::parse(""), None);
    }

    #[test]
    fn files_in_memory_are_files() {
        let status = "VmRSS:\t 9 kB\nRssAnon:\t 1 kB\nRssFile:\t 3 kB\nRssShmem:\t 5 kB\n";
        assert_eq!(ProcessMemory::parse(status).unwrap().file, 8 << 10);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn this_process_holds_memory() {
        assert!(ProcessMemory::read().unwrap().resident > 0);
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn both_ways_to_ask_agree() {
        let gauge = MemoryGauge::open().unwrap();
        let held = std::hint::black_box(vec![1u8; 64 << 20]);
        let [one, other] = [gauge.read().unwrap(), ProcessMemory::read().unwrap()];
        drop(held);
        // Other tests allocate meanwhile, so the comparison has a margin.
        assert!(one.anonymous >= 64 << 20 && one.anonymous.abs_diff(other.anonymous) < 16 << 20, "{one:?}");
        assert_eq!(one.resident, one.anonymous + one.file);
    }
}
