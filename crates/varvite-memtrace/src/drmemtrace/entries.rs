//! [`Entries`]: checks and records the entries of a final trace.

use varvite_trace::Sink;

use super::DrmemtraceError;
use super::placement::Placement;
use crate::reference::{Reference, References, kind, marker};

type Result<T> = std::result::Result<T, DrmemtraceError>;

/// The oldest and the newest version of final traces that this module reads.
const VERSIONS: [u64; 2] = [1, 7];
/// The bit of the file type for a file of a core, on which threads take turns. Without this bit, the file
/// belongs to one thread.
const CORE_SHARDED: u64 = 0x10000;

/// The state after some entries of a trace.
#[derive(Debug)]
pub(super) struct Entries {
    placement: Placement,
    version: Option<u64>,
    file_type: u64,
    has_end: bool,
}

impl Entries {
    pub(super) fn new(shard: u64) -> Self {
        Self { placement: Placement::new(shard), version: None, file_type: 0, has_end: false }
    }

    /// Checks an entry and records it.
    pub(super) fn take<S: Sink>(&mut self, entry: Reference, target: &mut References<'_, S>) -> Result<()> {
        // In the file of a core, each thread has its own footer, and the last footer is the core's.
        if std::mem::take(&mut self.has_end) && !self.placement.by_cores {
            return Err(self.placement.damaged("entries after the footer", 0, entry.kind.into()));
        }
        match entry.kind {
            kind::READ | kind::WRITE | kind::INSTRUCTION => {}
            kind::HEADER => self.take_header(entry.value)?,
            kind::THREAD => self.placement.switch(entry.value, target)?,
            kind::MARKER if entry.size == marker::FILE_TYPE => {
                self.file_type = entry.value;
                self.placement.by_cores |= entry.value & CORE_SHARDED != 0;
            }
            kind::MARKER if entry.size == marker::TIMESTAMP => {
                self.placement.set_time(entry.value, target)?
            }
            kind::FOOTER => self.has_end = true,
            other if other > kind::LAST => {
                return Err(self.placement.damaged("type of the entry", u64::from(kind::LAST), other.into()));
            }
            _ => {}
        }
        self.placement.push(entry, target)
    }

    fn take_header(&mut self, version: u64) -> Result<()> {
        let [first, last] = VERSIONS;
        if self.version.is_some() && !self.placement.by_cores {
            return Err(self.placement.damaged("headers of one trace", 1, 2));
        }
        if !(first..=last).contains(&version) {
            return Err(DrmemtraceError::Version { found: version, first, last });
        }
        self.version = Some(version);
        self.placement.begin();
        Ok(())
    }

    pub(super) fn finish<S: Sink>(&mut self, target: &mut References<'_, S>) -> Result<()> {
        self.placement.finish(target)
    }

    pub(super) fn version(&self) -> u64 {
        self.version.unwrap_or(0)
    }

    pub(super) fn file_type(&self) -> u64 {
        self.file_type
    }

    /// Whether the last entry was a footer.
    pub(super) fn has_end(&self) -> bool {
        self.has_end
    }
}
