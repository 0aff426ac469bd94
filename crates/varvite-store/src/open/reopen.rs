//! Reopening: the newest commit of the same file, reusing the log that was read before.

use std::sync::Arc;

use crate::commits::commit::Commit;
use crate::commits::log::Log;
use crate::error::{Result, StoreError};
use crate::open::store::{Memory, OpenMode, Store, StoreOptions};

impl Store {
    /// Opens the newest commit of the file, with the memory limits of this store. `None` if this store is
    /// already at the newest commit.
    ///
    /// # Errors
    /// [`StoreError::Replaced`] if the name now refers to another file; the errors of [`Store::open`].
    pub fn reopen(&self) -> Result<Option<Self>> {
        self.reopen_with(None)
    }

    /// Opens the newest commit as [`Store::reopen`] does, for callers that have applied the log of this
    /// store. If the log has only grown, just the new records are read. If older records were damaged since
    /// this store was opened, that is found only when the file is opened anew.
    ///
    /// # Errors
    /// As [`Store::reopen`].
    pub fn reopen_behind(&self) -> Result<Option<Self>> {
        self.reopen_with(Some(&self.log))
    }

    /// Whether the file has changed since this store was opened: it has another commit, or a longer log. The
    /// end of a log that is still being written counts too.
    ///
    /// **Cost**: reads two pages and the length of the file.
    ///
    /// # Errors
    /// As [`Store::reopen`].
    pub fn is_behind(&self) -> Result<bool> {
        Ok(self.changed_commit()?.is_some())
    }

    /// The newest commit; `None` if neither it nor the length of the log differ from those of this store.
    fn changed_commit(&self) -> Result<Option<Commit>> {
        if !self.file.is_at(self.path())? {
            return Err(StoreError::Replaced { path: self.path().to_owned() });
        }
        let commit = Commit::read(&*self.file, self.path())?;
        let is_same = commit.identity() == self.commit_identity() && commit.file_len == self.log.file_len();
        Ok(Some(commit).filter(|_| !is_same))
    }

    fn reopen_with(&self, known: Option<&Log>) -> Result<Option<Self>> {
        let Some(commit) = self.changed_commit()? else { return Ok(None) };
        let is_same_commit = commit.identity() == self.commit_identity();
        let known = known.filter(|known| is_same_commit && known.end() <= commit.file_len);
        let known = match known.and_then(|_| self.last_record()) {
            Some(last) if last.is_there(&*self.file)? => known,
            _ => None,
        };
        let log = Log::read(&*self.file, self.path(), &commit, known)?;
        let mode = match (&self.mapping, self.is_checked) {
            (None, _) => OpenMode::Buffered,
            (Some(_), true) => OpenMode::Checked,
            (Some(_), false) => OpenMode::Mapped,
        };
        let Memory { limits, budget, process_max } = self.memory.clone();
        let options = StoreOptions { mode, limits, budget, process_max };
        let newest = Self::at_commit(Arc::clone(&self.file), commit, log, self.path(), options)?;
        newest.limit_memory(self.memory_max());
        self.watched().iter().for_each(|watched| newest.watch_memory(watched.limit));
        Ok((newest.identity() != self.identity()).then_some(newest))
    }
}
