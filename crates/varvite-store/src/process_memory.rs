//! [`ProcessMemory`]: what the operating system says this process holds, to hold against the ledger's account.
//!
//! Reads `/proc/self` on Linux; elsewhere there is no answer, which is `None` and never a guess. Residency comes
//! from the page table (`pagemap`) rather than `mincore`: the question is what counts in this process's resident
//! set, not what happens to be in the page cache.

use std::ops::Range;

/// The memory of this process as the operating system counts it, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProcessMemory {
    /// Everything resident.
    pub resident: u64,
    /// Resident and private: heap, stacks.
    pub anonymous: u64,
    /// Resident pages of mapped files: graphs, but also the program and its libraries.
    pub file: u64,
}

impl ProcessMemory {
    /// Asks the operating system. Costs one small read; `None` where there is no `/proc`.
    pub fn read() -> Option<ProcessMemory> {
        Self::parse(&std::fs::read_to_string("/proc/self/status").ok()?)
    }

    /// What is left of the resident bytes after `explained` of them.
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
            file: field("RssFile:")?,
        })
    }
}

/// How many of `bytes` lie on pages that are present in this process, or `None` where that can't be asked.
pub(crate) fn resident_bytes_of_pages(bytes: &[u8]) -> Option<u64> {
    let addresses = bytes.as_ptr().addr()..bytes.as_ptr().addr() + bytes.len();
    page_table::resident_bytes(addresses)
}

#[cfg(target_os = "linux")]
mod page_table {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;

    use super::Range;

    /// A page's entry in `/proc/self/pagemap`: bit 63 says that it is present.
    const PRESENT: u64 = 1 << 63;
    const ENTRIES_PER_READ: usize = 512;

    pub(super) fn resident_bytes(addresses: Range<usize>) -> Option<u64> {
        let page_bytes = page_bytes()?;
        let page_table = File::open("/proc/self/pagemap").ok()?;
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

    /// How many bytes of `page` are among `addresses`.
    fn overlap(page: usize, page_bytes: usize, addresses: &Range<usize>) -> u64 {
        let start = addresses.start.max(page * page_bytes);
        let end = addresses.end.min((page + 1) * page_bytes);
        end.saturating_sub(start) as u64
    }

    /// The page size, from the values that the kernel hands to every program.
    fn page_bytes() -> Option<usize> {
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

    pub(super) fn resident_bytes(_addresses: Range<usize>) -> Option<u64> {
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

    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn this_process_holds_memory() {
        assert!(ProcessMemory::read().unwrap().resident > 0);
    }
}
