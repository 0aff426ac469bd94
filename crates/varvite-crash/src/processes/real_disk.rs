//! Checks that need real files: locks through links, and short writes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use varvite::GraphError;
use varvite::change::ChangeError;
use varvite::error::StoreError;
use varvite::vfs::RealVfs;
use varvite_store::FileChange;

use crate::breach::{Breach, Outcome, demand};
use crate::planting;
use crate::writers::answer::Answer;
use crate::writers::writer::Writer;

/// The unit of `ulimit -f` in a POSIX shell.
const LIMIT_UNIT: u64 = 512;
const SEED: u64 = 4;

/// A folder that is removed when this value is dropped.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes a folder that no other process uses.
    pub(crate) fn new(name: &str) -> Outcome<Self> {
        let folder = std::env::temp_dir().join(format!("varvite-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Files that stay in a temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub(crate) fn check() -> Outcome<String> {
    let folder = Folder::new("real")?;
    lock_through_link(&folder)?;
    let cut = cut_writes(&folder)?;
    Ok(format!("{cut} writes cut short"))
}

fn write(writer: Writer, path: &Path, number: u32) -> varvite::Result<(), ChangeError> {
    writer.write(Arc::new(RealVfs), path, SEED, number)
}

/// Checks that all links to a file lead to one lock.
fn lock_through_link(folder: &Folder) -> Outcome {
    let (file, link) = (folder.file("graph.varvite"), folder.file("link.varvite"));
    write(Writer::Import, &file, 0)?;
    std::os::unix::fs::symlink(&file, &link)?;
    let held = FileChange::begin(Arc::new(RealVfs), &file)?;
    match write(Writer::Apply, &link, 1) {
        Err(ChangeError::Graph(GraphError::Store(StoreError::Busy { .. }))) => {}
        other => return Err(Breach::new(format!("a second writer, by a link, was told {other:?}"))),
    }
    drop(held);
    Ok(write(Writer::Apply, &link, 1)?)
}

/// Commits in child processes with a limit on the file size: a write across the limit is short, and the next
/// one fails. No such commit may be reported as done.
fn cut_writes(folder: &Folder) -> Outcome<u64> {
    let (whole, file) = (folder.file("whole.varvite"), folder.file("cut.varvite"));
    write(Writer::Import, &whole, 0)?;
    write(Writer::Apply, &whole, 1)?;
    let before = fs::metadata(&whole)?.len();
    let base = fs::read(&whole)?;
    write(Writer::Apply, &whole, 2)?;
    let after = fs::metadata(&whole)?.len();
    let (first, last) = (before / LIMIT_UNIT + 1, (after - 1) / LIMIT_UNIT);
    // All limits inside the directory, and some before it.
    let limits = (first..=last).filter(|limit| last - limit < 6 || limit % 7 == 0);
    let mut count = 0;
    for limit in limits {
        fs::write(&file, &base)?;
        let is_done = commit_within(&file, limit)?;
        let answer = Answer::read_at(&RealVfs, &file)
            .map_err(|breach| breach.at("after a write that was cut short"))?;
        let marks = answer.content(SEED)?.marks;
        demand(!is_done, || format!("a commit beyond {} bytes was reported as done", limit * LIMIT_UNIT))?;
        demand(marks.len() == 1 && !marks.contains(&2), || format!("the file has {marks:?}"))?;
        count += 1;
    }
    demand(count > 0, || "no limit is within the commit".to_owned())?;
    Ok(count)
}

/// Commits in a child process with this limit on the file size. Returns whether the child reports success.
fn commit_within(file: &Path, limit: u64) -> Outcome<bool> {
    let script = format!("trap '' XFSZ; ulimit -f {limit}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh"]).arg(std::env::current_exe()?);
    command.args(planting::words()).args(["once", "apply"]).arg(file).args([&SEED.to_string(), "2"]);
    let output = command.output()?;
    Ok(output.status.success())
}
