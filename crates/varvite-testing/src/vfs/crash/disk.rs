//! [`Disk`]: durable and pending data at one point of a recorded workload.
//!
//! The disk performs the operations of the log one at a time. A sync makes pending data durable. An image has
//! the durable data, plus the pending data that survives according to a [`Plan`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fate::{Fate, PendingWrite};
use crate::vfs::MemoryVfs;
use crate::vfs::record::{FileNumber, OperationLog, Recorded};

#[derive(Debug)]
pub(super) struct Disk {
    names: BTreeMap<PathBuf, FileNumber>,
    contents: BTreeMap<FileNumber, Arc<Vec<u8>>>,
    pub(super) writes: Vec<PendingWrite>,
    pub(super) changes: Vec<NameChange>,
}

/// An atomic change to a folder: the names that it adds, changes or removes.
#[derive(Debug, Clone)]
pub(super) struct NameChange {
    pub(super) names: Vec<(PathBuf, Option<FileNumber>)>,
}

/// The fate of each pending write, and whether each pending change of names survives.
#[derive(Debug, Clone)]
pub(super) struct Plan<'a> {
    pub(super) fates: &'a [Fate],
    pub(super) survives: &'a [bool],
}

impl Disk {
    pub(super) fn before(log: &OperationLog) -> Disk {
        Disk {
            names: log.base.iter().map(|(path, (file, _))| (path.clone(), *file)).collect(),
            contents: log.base.values().map(|(file, bytes)| (*file, Arc::new(bytes.clone()))).collect(),
            writes: Vec::new(),
            changes: Vec::new(),
        }
    }

    pub(super) fn perform(&mut self, operation: &Recorded) {
        match operation {
            Recorded::Create { path: name, file } | Recorded::Link { to: name, file } => {
                self.change(vec![(name.clone(), Some(*file))]);
            }
            Recorded::Remove { path } => self.change(vec![(path.clone(), None)]),
            Recorded::Rename { from, to, file } => self.rename(from, to, *file),
            Recorded::Write { file, offset, bytes } => {
                // The log describes files in memory, so offsets fit in a `usize`.
                let offset = *offset as usize;
                self.writes.push(PendingWrite { file: *file, offset, bytes: bytes.clone() });
            }
            Recorded::Sync { file } => self.sync(*file),
            Recorded::SyncFolder { path } => self.sync_folder(path),
            Recorded::Mark { .. } => {}
        }
    }

    /// The disk as a power failure leaves it under `plan`.
    pub(super) fn image(&self, plan: &Plan<'_>) -> MemoryVfs {
        let mut names = self.names.clone();
        let surviving = self.changes.iter().zip(plan.survives).filter(|(_, survives)| **survives);
        surviving.for_each(|(change, _)| change.apply(&mut names));
        let image = MemoryVfs::new();
        let mut first_names = BTreeMap::new();
        for (path, file) in names {
            match first_names.get(&file) {
                Some(first) => image.put_link(first, &path),
                None => {
                    image.put_shared(&path, self.content(file, plan.fates));
                    first_names.insert(file, path);
                }
            }
        }
        image
    }

    fn content(&self, file: FileNumber, fates: &[Fate]) -> Arc<Vec<u8>> {
        let mut content = self.contents.get(&file).cloned().unwrap_or_default();
        let of_file = self.writes.iter().zip(fates).filter(|(write, _)| write.file == file);
        of_file.for_each(|(write, fate)| fate.apply(write, Arc::make_mut(&mut content)));
        content
    }

    fn change(&mut self, names: Vec<(PathBuf, Option<FileNumber>)>) {
        self.changes.push(NameChange { names });
    }

    /// Adds the changes of a rename: one atomic change in one folder, or two changes in two folders.
    fn rename(&mut self, from: &Path, to: &Path, file: FileNumber) {
        let (gone, come) = ((from.to_owned(), None), (to.to_owned(), Some(file)));
        if from.parent() == to.parent() {
            self.change(vec![gone, come]);
        } else {
            self.change(vec![gone]);
            self.change(vec![come]);
        }
    }

    fn sync(&mut self, file: FileNumber) {
        let content = self.contents.entry(file).or_default();
        for write in self.writes.extract_if(.., |write| write.file == file) {
            Fate::Kept.apply(&write, Arc::make_mut(content));
        }
    }

    fn sync_folder(&mut self, folder: &Path) {
        for change in self.changes.extract_if(.., |change| change.is_in(folder)) {
            change.apply(&mut self.names);
        }
    }
}

impl NameChange {
    fn apply(&self, names: &mut BTreeMap<PathBuf, FileNumber>) {
        for (path, file) in &self.names {
            match file {
                Some(file) => names.insert(path.clone(), *file),
                None => names.remove(path),
            };
        }
    }

    fn is_in(&self, folder: &Path) -> bool {
        self.names.iter().all(|(path, _)| path.parent().unwrap_or(Path::new("")) == folder)
    }
}
