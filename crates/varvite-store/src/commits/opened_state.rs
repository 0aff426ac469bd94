//! [`OpenedState`]: the state of a file when a writer opened it. The writer publishes only if the file is
//! still in that state.
//!
//! Both superblocks, damaged ones too, and the end of the log are compared byte for byte. The directories are
//! not compared: this writer may have overwritten another writer's new directory by then, and then the
//! previous commit would seem to be the newest.

use varvite_format::{LogRecord, PAGE};

use crate::error::{Result, StoreError};
use crate::vfs::VfsFile;

/// The parts of a file that change whenever another writer commits: its superblocks and the end of its log.
#[derive(Clone, Debug)]
pub(crate) struct OpenedState {
    superblocks: Superblocks,
    log: LogPlace,
}

/// The file, generation, offset and checksum of a log's last record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordPlace {
    pub(crate) file_id: [u8; 16],
    pub(crate) generation: u64,
    pub(crate) offset: u64,
    pub(crate) checksum: u64,
}

/// The end of a log.
#[derive(Clone, Debug)]
struct LogPlace {
    last: Option<RecordPlace>,
    /// The offset of the next record, and the bytes there at the time of opening; `None` for a log to which
    /// this process itself appends.
    next: Option<(u64, Head)>,
}

/// The bytes of a record's head.
pub(crate) type Head = [u8; LogRecord::HEAD];
/// Stands for the head of a record that would lie after the end of the file.
pub(crate) const NO_HEAD: Head = [0; LogRecord::HEAD];

impl OpenedState {
    /// The state of a file with these superblocks, this last record of its log, and these bytes at the offset
    /// of the next record.
    pub(crate) fn of(
        superblocks: &Superblocks,
        last: Option<RecordPlace>,
        next: Option<(u64, Head)>,
    ) -> Self {
        Self { superblocks: superblocks.clone(), log: LogPlace { last, next } }
    }

    /// The state after the writer has appended records; `last` is the last of them.
    pub(crate) fn with_own_record(self, last: RecordPlace) -> Self {
        Self { log: LogPlace { last: Some(last), next: None }, ..self }
    }

    /// Whether a file is still in this state, and no writer has begun to append a record to it.
    ///
    /// # Errors
    /// An error of the file system.
    pub(crate) fn is_untouched(&self, file: &dyn VfsFile) -> Result<bool> {
        let is_next = match &self.log.next {
            Some((offset, head)) => head_at(file, *offset)? == *head,
            None => true,
        };
        Ok(is_next && self.is_still(file)?)
    }

    /// Whether a file is still in this state; the bytes after the end of its log may differ.
    ///
    /// # Errors
    /// An error of the file system.
    pub(crate) fn is_still(&self, file: &dyn VfsFile) -> Result<bool> {
        let has_last = match &self.log.last {
            Some(last) => last.is_there(file)?,
            None => true,
        };
        Ok(has_last && Superblocks::read(file)?.as_ref() == Some(&self.superblocks))
    }
}

impl RecordPlace {
    /// Whether the file still has this record at its offset.
    ///
    /// # Errors
    /// An error of the file system.
    pub(crate) fn is_there(&self, file: &dyn VfsFile) -> Result<bool> {
        let record = LogRecord::from_head(&head_at(file, self.offset)?, &self.file_id);
        Ok(record.is_some_and(|record| record.checksum == self.checksum))
    }
}

/// Reads the bytes of a record head at an offset, with zeros for bytes after the end of the file.
pub(crate) fn head_at(file: &dyn VfsFile, offset: u64) -> Result<Head> {
    let mut head = NO_HEAD;
    let there = file.len()?.saturating_sub(offset).min(LogRecord::HEAD as u64) as usize;
    match file.read_exact_at(offset, &mut head[..there]) {
        // The file became shorter since its length was read: that counts as a difference.
        Err(StoreError::Truncated { .. }) => Ok(NO_HEAD),
        read => read.map(|()| head),
    }
}

/// The bytes of both superblocks, each without the zeros at its end: 64 bytes, unless a page is damaged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Superblocks([Box<[u8]>; 2]);

impl Superblocks {
    /// Reads both superblock pages of a file; `None` if the file ends before them.
    fn read(file: &dyn VfsFile) -> Result<Option<Self>> {
        let mut pages = vec![0; 2 * PAGE];
        match file.read_exact_at(PAGE as u64, &mut pages) {
            Err(StoreError::Truncated { .. }) => return Ok(None),
            read => read?,
        }
        let (first, second) = pages.split_at(PAGE);
        let mut superblocks = Self::default();
        superblocks.set(0, first);
        superblocks.set(1, second);
        Ok(Some(superblocks))
    }

    /// Keeps the bytes of superblock page `number`, which is 0 or 1.
    pub(crate) fn set(&mut self, number: usize, page: &[u8]) {
        self.0[number] = without_end_zeros(page).into();
    }
}

/// The bytes of a page up to the last that is not zero. In most pages nearly all bytes are zero, so `PIECE`
/// bytes are checked at a time.
fn without_end_zeros(page: &[u8]) -> &[u8] {
    const PIECE: usize = 128;
    let is_zero = |piece: &&[u8]| piece.iter().fold(0, |any, byte| any | byte) == 0;
    let zeros: usize = page.rchunks(PIECE).take_while(is_zero).map(<[u8]>::len).sum();
    let end = page[..page.len() - zeros].iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    &page[..end]
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use tempfile::NamedTempFile;

    use super::*;
    use crate::commits::commit::PAGES;
    use crate::vfs::{RealVfs, Vfs};

    fn open(file: &NamedTempFile) -> Arc<dyn VfsFile> {
        RealVfs.open(file.path()).unwrap()
    }

    fn state_of(file: &NamedTempFile, log_end: u64) -> OpenedState {
        let file = open(file);
        let superblocks = Superblocks::read(&*file).unwrap().unwrap();
        let next = LogRecord::log_start(log_end).unwrap();
        OpenedState::of(&superblocks, None, Some((next, head_at(&*file, next).unwrap())))
    }

    #[test]
    fn a_page_ends_with_its_last_byte_that_is_not_zero() {
        let mut page = [0; PAGE];
        assert_eq!(without_end_zeros(&page), [0u8; 0]);
        for last in (0..PAGE).step_by(61).chain([127, 128, PAGE - 1]) {
            page.fill(0);
            page[last] = 1;
            assert_eq!(without_end_zeros(&page).len(), last + 1);
        }
    }

    #[test]
    fn every_byte_of_both_superblocks_and_behind_the_log_counts() {
        let file = NamedTempFile::new().unwrap();
        let bytes: Vec<u8> = (0..PAGES + 200).map(|at| (at % 251) as u8).collect();
        fs::write(file.path(), &bytes).unwrap();
        let log_end = PAGES as u64 + 60;
        let state = state_of(&file, log_end);
        let is = |bytes: &[u8]| {
            fs::write(file.path(), bytes).unwrap();
            let file = open(&file);
            (state.is_still(&*file).unwrap(), state.is_untouched(&*file).unwrap())
        };
        assert_eq!(is(&bytes), (true, true), "damaged pages that are as they were");
        for at in (0..bytes.len()).step_by(13).chain([PAGE, PAGES - 1]) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let (is_superblock, is_next) =
                ((PAGE..PAGES).contains(&at), (PAGES + 64..PAGES + 128).contains(&at));
            assert_eq!(is(&changed), (!is_superblock, !is_superblock && !is_next), "byte {at}");
        }
        assert_eq!(is(&bytes[..PAGES]), (true, false));
        assert_eq!(is(&bytes[..PAGES - 1]), (false, false));
    }

    #[test]
    fn a_record_that_is_not_the_last_any_more_is_a_difference() {
        let file = NamedTempFile::new().unwrap();
        let record = |number| LogRecord {
            generation: 1,
            number,
            durable: 0,
            previous: 5,
            payload_len: 0,
            payload_hash: 0,
            checksum: 0,
        };
        let (head, checksum) = record(1).to_bytes(&[7; 16], b"payload");
        let (other, _) = record(2).to_bytes(&[7; 16], b"payload");
        let mut bytes = vec![0; PAGES];
        bytes.extend(&head);
        fs::write(file.path(), &bytes).unwrap();
        let place = RecordPlace { file_id: [7; 16], generation: 1, offset: PAGES as u64, checksum };
        let state = state_of(&file, PAGES as u64).with_own_record(place);
        assert!(state.is_still(&*open(&file)).unwrap());
        bytes[PAGES..][..64].copy_from_slice(&other[..64]);
        fs::write(file.path(), &bytes).unwrap();
        assert!(!state.is_still(&*open(&file)).unwrap());
    }
}
