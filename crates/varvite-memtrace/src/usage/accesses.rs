//! [`Accesses`]: the sizes of loads and stores, the working set over time, and reuse distances.

use std::collections::BTreeMap;

use varvite::Task;
use varvite_trace::{Reader, Source};

use super::error::{UsageError, check_content};
use super::reuse::Reuse;
use crate::reference::{Reference, few_records, for_each_block, kind, marker};

/// Bytes of a cache line.
pub const LINE_LEN: u64 = 64;

/// The loads and stores of a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// A row for each size, the smallest first.
    pub sizes: Vec<SizeRow>,
    /// The windows of time, in the order of the trace.
    pub windows: Vec<Window>,
    /// A row for each range of reuse distances, the smallest first. Ranges at the end without uses are left
    /// out.
    pub reuse: Vec<ReuseRow>,
    /// The number of uses of cache lines that were not used before.
    pub first_uses: u64,
    /// 1 if windows and reuse distances are exact; if it is N, they are estimates from one cache line in N.
    pub one_line_in: u64,
    /// Whether records are missing in the middle of the trace.
    pub is_sampled: bool,
}

/// The accesses of a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeRow {
    /// The size in bytes.
    pub bytes: u16,
    /// The number of loads.
    pub loads: u64,
    /// The number of stores.
    pub stores: u64,
}

/// The memory that a part of the trace used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first record of the window, counted from 0.
    pub from: u64,
    /// The record after the window.
    pub to: u64,
    /// The bytes of all cache lines that were loaded or stored in the window.
    pub bytes: u64,
}

/// The uses of cache lines in a range of reuse distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReuseRow {
    /// The shortest distance: the number of other lines that were used since the line's last use.
    pub from_lines: u64,
    /// The longest distance.
    pub to_lines: u64,
    /// The number of uses.
    pub uses: u64,
}

impl Accesses {
    /// Reads all records of a trace, in `windows` windows of equally many records. An access counts as uses
    /// of its first and its last cache line; only instructions that save all registers access more lines.
    ///
    /// **Cost**: decodes the trace once. Each access takes time proportional to the logarithm of the number
    /// of lines. The cache lines are kept in about `memory_bytes`: a sample of them if all take more.
    ///
    /// # Errors
    /// [`UsageError`].
    pub fn of<S: Source>(
        reader: &mut Reader<S>,
        windows: u64,
        memory_bytes: usize,
        task: &Task<'_>,
    ) -> Result<Self, UsageError> {
        check_content(reader)?;
        let records: u64 = reader.blocks()?.iter().map(|block| u64::from(block.records)).sum();
        let mut counting = Counting::new(records.div_ceil(windows.max(1)).max(1), memory_bytes);
        for_each_block(reader, task, |block| {
            few_records(block).flatten().for_each(|reference| counting.count(reference));
            Ok::<_, UsageError>(())
        })?;
        Ok(counting.finish())
    }
}

/// The numbers of loads and stores while a trace is read.
struct Counting {
    sizes: BTreeMap<u16, (u64, u64)>,
    reuse: Reuse,
    windows: Vec<Window>,
    records: u64,
    window_len: u64,
    is_sampled: bool,
}

impl Counting {
    fn new(window_len: u64, memory_bytes: usize) -> Self {
        Self {
            sizes: BTreeMap::new(),
            reuse: Reuse::new(memory_bytes),
            windows: Vec::new(),
            records: 0,
            window_len,
            is_sampled: false,
        }
    }

    #[inline]
    fn count(&mut self, reference: Reference) {
        let Reference { kind, size, value } = reference;
        if matches!(kind, kind::READ | kind::WRITE | kind::ADDRESS) {
            let (loads, stores) = self.sizes.entry(size).or_default();
            *(if kind == kind::WRITE { stores } else { loads }) += 1;
            let (first, last) =
                (value / LINE_LEN, value.saturating_add(u64::from(size.max(1)) - 1) / LINE_LEN);
            self.reuse.touch(first);
            if last != first {
                self.reuse.touch(last);
            }
        }
        if kind == kind::MARKER {
            self.is_sampled |= marker::is_of_samples(size, value);
        }
        self.records += 1;
        if self.records.is_multiple_of(self.window_len) {
            self.end_window();
        }
    }

    fn end_window(&mut self) {
        let from = self.windows.last().map_or(0, |window| window.to);
        let bytes = self.reuse.end_window() * LINE_LEN;
        self.windows.push(Window { from, to: self.records, bytes });
    }

    fn finish(mut self) -> Accesses {
        if !self.records.is_multiple_of(self.window_len) {
            self.end_window();
        }
        let sizes = self.sizes.iter();
        Accesses {
            sizes: sizes
                .map(|(bytes, (loads, stores))| SizeRow { bytes: *bytes, loads: *loads, stores: *stores })
                .collect(),
            windows: self.windows,
            reuse: reuse_rows(&self.reuse.counts()),
            first_uses: self.reuse.first_uses(),
            one_line_in: self.reuse.one_in(),
            is_sampled: self.is_sampled,
        }
    }
}

fn reuse_rows(counts: &[u64; 64]) -> Vec<ReuseRow> {
    let used = counts.iter().rposition(|uses| *uses > 0).map_or(0, |last| last + 1);
    let row = |(bin, uses): (u32, &u64)| {
        let (from_lines, to_lines) = if bin == 0 { (0, 0) } else { (1 << (bin - 1), (1 << bin) - 1) };
        ReuseRow { from_lines, to_lines, uses: *uses }
    };
    (0..).zip(&counts[..used]).map(row).collect()
}
