//! [`Source`]: a temporary file with given bytes.

use std::path::{Path, PathBuf};

/// A file that is removed when this value is dropped.
#[derive(Debug)]
pub struct Source(PathBuf);

impl Source {
    /// Writes a temporary file whose path contains the process, the thread and `name`.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let thread = format!("{:?}", std::thread::current().id());
        let thread: String = thread.chars().filter(char::is_ascii_digit).collect();
        let path = std::env::temp_dir().join(format!("varvite-fuzz-{}-{thread}-{name}", std::process::id()));
        std::fs::write(&path, bytes).expect("the folder for temporary files takes files");
        Self(path)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
