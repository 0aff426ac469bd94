//! [`BuildIds`]: the build ids of the files that a program maps.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use varvite_memtrace::code::FileBinaries;

/// Build ids by path. A program maps several parts of a file, and each file is read once.
#[derive(Debug, Default)]
pub(super) struct BuildIds(BTreeMap<Vec<u8>, Vec<u8>>);

impl BuildIds {
    /// The build id of the file at a path; empty if it has none or cannot be read.
    pub(super) fn of(&mut self, path: &[u8]) -> Vec<u8> {
        if let Some(known) = self.0.get(path) {
            return known.clone();
        }
        let build_id = FileBinaries::build_id(Path::new(OsStr::from_bytes(path))).unwrap_or_default();
        self.0.insert(path.to_vec(), build_id.clone());
        build_id
    }
}
