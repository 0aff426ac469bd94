//! Damage that no crash causes: superblock slots, directories and columns with a changed byte, and truncated
//! files. Also pages that are read while they are written.
//!
//! A file opens at its newest whole commit, and the graph reports if that is not the newest commit. No answer
//! ever comes from damaged bytes.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use varvite::OpenOptions;
use varvite::vfs::Vfs;
use varvite_format::{Continued, PAGE};
use varvite_store::Operation;
use varvite_testing::vfs::{FaultVfs, MemoryVfs};

use crate::breach::{Outcome, demand};
use crate::writers::answer::Answer;
use crate::writers::history::History;
use crate::writers::writer::{PATH, Writer};

/// A file of two commits, and its content at each commit.
struct TwoCommits {
    history: History,
    bytes: Vec<u8>,
    older: Answer,
    newer: Answer,
}

pub(crate) fn check() -> Outcome<String> {
    let file = TwoCommits::write()?;
    let whole = file.open(&file.bytes)?;
    demand(whole.is_same(&file.newer) && !whole.graph().is_recovered(), || "a whole file".to_owned())?;
    let slots = file.damage_slots()?;
    let others = file.damage_others()?;
    let cuts = file.cut()?;
    file.read_torn()?;
    file.write_behind_damage()?;
    Ok(format!("{slots} damaged bytes of slots, {others} of directories and columns, {cuts} cuts"))
}

fn disk_of(bytes: &[u8]) -> MemoryVfs {
    let disk = MemoryVfs::new();
    disk.put(PATH, bytes);
    disk
}

impl TwoCommits {
    fn write() -> Outcome<Self> {
        let writers = vec![Writer::FirstImport, Writer::Layer(0), Writer::Apply];
        let history = History { seed: 11, writers };
        let (before, after) = (history.disk(1)?, history.disk(2)?);
        let bytes = after.contents(PATH).unwrap_or_default();
        let (older, newer) = (Answer::read(&before)?, Answer::read(&after)?);
        Ok(Self { history, bytes, older, newer })
    }

    fn open(&self, bytes: &[u8]) -> Outcome<Answer> {
        Answer::read(&disk_of(bytes))
    }

    fn flipped(&self, at: usize) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes[at] ^= 1 << (at % 8);
        bytes
    }

    /// Damages each byte of each superblock slot. The graph must open at the other commit, and report the
    /// damage.
    fn damage_slots(&self) -> Outcome<usize> {
        let mut count = 0;
        for (page, expected) in [(1, &self.newer), (2, &self.older)] {
            for at in (page * PAGE..page * PAGE + 64).chain([(page + 1) * PAGE - 1]) {
                let found = self.open(&self.flipped(at)).map_err(|breach| breach.at(format!("byte {at}")))?;
                demand(found.is_same(expected), || format!("byte {at} of a slot: another commit"))?;
                demand(found.graph().is_recovered(), || format!("byte {at} of a slot: not told"))?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Damages the newer directory, which must be skipped, and columns, which must lead to an error.
    fn damage_others(&self) -> Outcome<usize> {
        let directory = self.newer.graph().store().superblock();
        let start = directory.directory_offset as usize;
        let end = start + directory.directory_len as usize;
        for at in start..end {
            let found = self.open(&self.flipped(at)).map_err(|breach| breach.at(format!("byte {at}")))?;
            demand(found.is_same(&self.older), || format!("byte {at} of a directory: another answer"))?;
            demand(found.graph().is_recovered(), || format!("byte {at} of a directory: not told"))?;
        }
        let mut count = end - start + self.damage_continued(start..end)?;
        for row in &self.newer.graph().store().directory().segments {
            for at in row.offset as usize..row.end() as usize {
                let says_wrong = self.open(&self.flipped(at)).is_ok_and(|found| !found.is_same(&self.newer));
                demand(!says_wrong, || format!("byte {at} of a column: another answer"))?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Damages the older directory, to which the newer directory only adds rows. The file must not open, or
    /// must open at the older commit.
    fn damage_continued(&self, newer: Range<usize>) -> Outcome<usize> {
        let within = 3 * PAGE as u64..newer.start as u64;
        let Some(older) = Continued::of(&self.bytes[newer], within)? else { return Ok(0) };
        let (start, len) = (older.offset as usize, older.len as usize);
        for at in start..start + len {
            if let Ok(found) = self.open(&self.flipped(at)) {
                let is_told = found.is_same(&self.older) && found.graph().is_recovered();
                demand(is_told, || format!("byte {at} of a continued directory: another answer"))?;
            }
        }
        Ok(len)
    }

    /// Truncates the file. It must open at the older commit, or not at all.
    fn cut(&self) -> Outcome<usize> {
        let step = 13;
        for length in (0..self.bytes.len()).step_by(step) {
            if let Ok(found) = self.open(&self.bytes[..length]) {
                let is_told = found.is_same(&self.older) && found.graph().is_recovered();
                demand(is_told, || format!("cut to {length} bytes: another answer"))?;
            }
        }
        Ok(self.bytes.len().div_ceil(step))
    }

    /// Checks that a reader reads a superblock slot again if the slot was half written at the first read.
    fn read_torn(&self) -> Outcome {
        for page in [1, 2] {
            let disk = disk_of(&self.bytes);
            let file = disk.open_writable(Path::new(PATH))?;
            let good = self.bytes[page * PAGE..][..PAGE].to_vec();
            let is_torn = AtomicBool::new(false);
            let watched = FaultVfs::watched(Arc::new(disk), move |_, operation| {
                let was_torn = is_torn.swap(true, Ordering::Relaxed);
                let page_of = |bytes: &[u8]| file.write_all_at((page * PAGE) as u64, bytes);
                let written = match (operation, was_torn) {
                    (Operation::Read, false) => page_of(&[0xA5; 512]),
                    (_, true) => page_of(&good),
                    _ => {
                        is_torn.store(false, Ordering::Relaxed);
                        Ok(())
                    }
                };
                written.expect("a disk in memory");
            });
            let found = Answer::read(&watched)?;
            demand(found.is_same(&self.newer), || "a slot that is being written: another commit".to_owned())?;
            demand(!found.graph().is_recovered(), || {
                "a slot that is being written: taken for damage".to_owned()
            })?;
        }
        Ok(())
    }

    /// Checks that a reader of the newer commit keeps its snapshot even if the superblock slot of that commit
    /// is damaged and a writer continues from the older commit.
    fn write_behind_damage(&self) -> Outcome {
        let disk = disk_of(&self.bytes);
        let reader = OpenOptions::new().buffered().open_in(&disk, PATH)?;
        disk.open_writable(Path::new(PATH))?.write_all_at(2 * PAGE as u64, &[0xA5; 512])?;
        self.history.write(2, Arc::new(disk))?;
        let found = Answer::of(reader)
            .map_err(|breach| breach.at("read while a writer followed the older commit"))?;
        demand(found.is_same(&self.newer), || "a reader saw what a later writer wrote".to_owned())
    }
}
