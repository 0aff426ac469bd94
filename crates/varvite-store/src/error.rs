//! Errors of the store: one non-exhaustive enum whose variants have fields rather than texts.
//!
//! A message contains the failed operation, the file, the reason and the next step. It is complete, so
//! `source()` returns nothing: the raw field name `r#source` keeps the derive macro from using the field as
//! the source. Errors are cheap to clone, because a handle whose write failed returns its first failure to
//! every later caller.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use varvite_format::{ErrorCode, FormatError};

use crate::holder::Holder;
use crate::work::cancel::Cancelled;

/// The result of everything in this crate that touches a file.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The reason why an operation of the store failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused an operation, or the operation failed.
    #[error("cannot {operation} {}: {source}{}", path.display(), advice(source))]
    Io {
        /// The operation.
        operation: Operation,
        /// The file or folder of the operation.
        path: PathBuf,
        /// The error of the operating system.
        r#source: Arc<io::Error>,
    },
    /// The path names a folder, device or pipe, not a regular file.
    #[error("{} is not a regular file; give the path of a graph file", path.display())]
    NotAFile {
        /// The path that was opened.
        path: PathBuf,
    },
    /// The file ends before the requested bytes.
    #[error(
        "{} ends at byte {length}, but {wanted} bytes at {offset} are needed: it was cut short, restore it from a copy",
        path.display()
    )]
    Truncated {
        /// The file that is too short.
        path: PathBuf,
        /// The start of the read.
        offset: u64,
        /// The number of bytes that the read needed.
        wanted: u64,
        /// The length of the file.
        length: u64,
    },
    /// The target of a new file exists, and the caller did not ask to replace it.
    #[error("{} exists already; choose another name, or replace it", path.display())]
    Exists {
        /// The existing file.
        path: PathBuf,
    },
    /// A folder that was to be replaced has content that no export made.
    #[error(
        "{} has {found}, which no export made, so it is not replaced; choose another folder",
        path.display()
    )]
    NotAnExport {
        /// The folder.
        path: PathBuf,
        /// The content, or the words for a missing index.
        found: String,
    },
    /// Another process, or another handle of this process, is writing the file.
    #[error("{} is being written by {}; wait until that process ends", path.display(), Name(holder))]
    Busy {
        /// The file that is locked.
        path: PathBuf,
        /// The process that has the lock; `None` if the system does not report it.
        holder: Option<Holder>,
    },
    /// Windows did not give the file's name to a new file, because a program has opened or mapped the file.
    #[error(
        "cannot replace {}: a program has it open, and Windows keeps its name for it; nothing was changed, \
         close the graph there and run this again",
        path.display()
    )]
    InUse {
        /// The file that was to be replaced.
        path: PathBuf,
    },
    /// There is an unfinished file beside the file. The unfinished file is removed only on request.
    #[error(
        "{} has an unfinished file {}: a process is writing it, or was stopped; remove it if no process \
         is writing",
        path.display(),
        partial.display()
    )]
    Unfinished {
        /// The path that the caller asked to create.
        path: PathBuf,
        /// The unfinished file.
        partial: PathBuf,
    },
    /// The file was replaced or changed by another program after the writer opened it.
    #[error("{} was replaced or changed by another program meanwhile; nothing was written to it, run this \
             again", path.display())]
    Replaced {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file system has no locks that could keep a second writer out.
    #[error("cannot lock {}: {reason}; without locks two writers can destroy each other's work. If there \
             is no other writer, use --no-lock", path.display())]
    NoLocks {
        /// The file that was to be locked.
        path: PathBuf,
        /// The error of the operating system.
        reason: Arc<io::Error>,
    },
    /// An earlier write or sync of this handle failed, so no later operation of the handle can be trusted.
    #[error("writing stopped at an earlier failure ({first}); open the file again")]
    Poisoned {
        /// The earlier failure.
        first: Arc<StoreError>,
    },
    /// The new file or commit is complete and in place, but the last sync, of the folder or of the file,
    /// failed.
    #[error(
        "{} is written and in place, but a power failure may lose it ({reason}); write it again to be sure",
        path.display()
    )]
    NotDurable {
        /// The file that was written.
        path: PathBuf,
        /// The error of the sync.
        reason: Arc<StoreError>,
    },
    /// The bytes of the file are not a usable graph.
    #[error("{}{source}", Prefix(path))]
    Format {
        /// The path of the file; empty if the bytes do not belong to a file yet.
        path: PathBuf,
        /// The fault, and its part and offset in the file.
        r#source: Arc<FormatError>,
    },
    /// The newest commit was finished, and is damaged now. The previous commit can be read; but a writer that
    /// continued from it would overwrite the remains of the newest one.
    #[error(
        "the newest commit of {}, number {lost}, is damaged, and writing would overwrite its remains: \
         restore the file from a copy, or run `varvite compact FILE -o NEW` to save the commit before, \
         {generation}",
        path.display()
    )]
    LostCommit {
        /// The path of the file.
        path: PathBuf,
        /// The generation of the commit that is damaged.
        lost: u64,
        /// The generation of the commit before it, which can be read.
        generation: u64,
    },
    /// The graph has a memory limit, and an operation would exceed it.
    #[error("{needed} bytes of memory are needed, the budget is {limit}: raise the budget")]
    OverBudget {
        /// The limit in bytes.
        limit: u64,
        /// The least number of bytes that the graph would hold.
        needed: u64,
    },
    /// A thread set the flag that ends the operation ([`Cancel`](crate::Cancel)).
    #[error("cancelled")]
    Cancelled,
    /// The allocator had no memory for a buffer.
    #[error("no memory for a buffer of {bytes} bytes; lower the memory budget or free memory")]
    OutOfMemory {
        /// The size of the buffer.
        bytes: u64,
    },
}

impl From<Cancelled> for StoreError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// The operation on a file that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs)] // The names are the documentation.
pub enum Operation {
    Open,
    Create,
    Inspect,
    Read,
    Write,
    Sync,
    Map,
    Lock,
    Link,
    Rename,
    Remove,
    SyncFolder,
    ReadAttributes,
    SetAttributes,
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Operation::Open => "open",
            Operation::Create => "create",
            Operation::Inspect => "inspect",
            Operation::Read => "read",
            Operation::Write => "write",
            Operation::Sync => "sync",
            Operation::Map => "map",
            Operation::Lock => "lock",
            Operation::Link => "link",
            Operation::Rename => "rename",
            Operation::Remove => "remove",
            Operation::SyncFolder => "sync the folder",
            Operation::ReadAttributes => "read the attributes of",
            Operation::SetAttributes => "set the attributes of",
        })
    }
}

impl StoreError {
    /// An [`StoreError::Io`] of `operation` on `path`.
    pub fn io(operation: Operation, path: &Path, source: io::Error) -> Self {
        StoreError::Io { operation, path: path.to_owned(), source: Arc::new(source) }
    }

    /// A [`StoreError::Format`] of the file at `path`.
    pub fn format(path: &Path, source: FormatError) -> Self {
        StoreError::Format { path: path.to_owned(), source: Arc::new(source) }
    }

    /// The error code of this kind of error, which is the same in all languages.
    pub fn code(&self) -> ErrorCode {
        match self {
            StoreError::Io { .. } => ErrorCode::Io,
            StoreError::NotAFile { .. } => ErrorCode::NotAFile,
            StoreError::Truncated { .. } => ErrorCode::Truncated,
            StoreError::Exists { .. } | StoreError::NotAnExport { .. } => ErrorCode::Exists,
            StoreError::Busy { .. } | StoreError::InUse { .. } | StoreError::Unfinished { .. } => {
                ErrorCode::Busy
            }
            StoreError::Replaced { .. } => ErrorCode::Replaced,
            StoreError::NoLocks { .. } => ErrorCode::NoLocks,
            StoreError::Poisoned { .. } => ErrorCode::Poisoned,
            StoreError::NotDurable { .. } => ErrorCode::NotDurable,
            StoreError::Format { source, .. } => source.code(),
            StoreError::LostCommit { .. } => ErrorCode::Damaged,
            StoreError::OverBudget { .. } => ErrorCode::OverBudget,
            StoreError::Cancelled => ErrorCode::Cancelled,
            StoreError::OutOfMemory { .. } => ErrorCode::OutOfMemory,
        }
    }

    /// The error number of the operating system (`errno`); `None` if the error is not from the operating
    /// system.
    pub fn os_number(&self) -> Option<i32> {
        match self {
            StoreError::Io { source, .. } | StoreError::NoLocks { reason: source, .. } => {
                source.raw_os_error()
            }
            StoreError::Poisoned { first } | StoreError::NotDurable { reason: first, .. } => {
                first.os_number()
            }
            _ => None,
        }
    }

    /// The error kind of the operating system; `None` if the error is not from the operating system.
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        match self {
            StoreError::Io { source, .. } | StoreError::NoLocks { reason: source, .. } => Some(source.kind()),
            _ => None,
        }
    }
}

/// Displays the holder of a lock, or a substitute if the holder is unknown.
struct Name<'a>(&'a Option<Holder>);

impl fmt::Display for Name<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(holder) => holder.fmt(formatter),
            None => formatter.write_str("another process"),
        }
    }
}

/// Displays the path of the file as a prefix of a message; nothing for an empty path.
struct Prefix<'a>(&'a Path);

impl fmt::Display for Prefix<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_os_str().is_empty() {
            true => Ok(()),
            false => write!(formatter, "{}: ", self.0.display()),
        }
    }
}

/// The advice that follows the message of an error of the operating system; empty for kinds without advice.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            ": the disk is full; earlier commits are untouched, free space and run it again"
        }
        io::ErrorKind::FileTooLarge => ": the file would exceed the size limit of this user or file system",
        io::ErrorKind::PermissionDenied => ": check the owner and rights of the file and its folder",
        io::ErrorKind::ReadOnlyFilesystem => ": choose a folder on a writable file system",
        io::ErrorKind::NotFound => ": check the path",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use varvite_format::Fault;

    #[test]
    fn a_full_disk_is_named_with_the_file_and_the_next_step() {
        let error = StoreError::io(
            Operation::Write,
            Path::new("code.varvite"),
            io::Error::new(io::ErrorKind::StorageFull, "No space left on device"),
        );
        assert_eq!(
            error.to_string(),
            "cannot write code.varvite: No space left on device: the disk is full; earlier commits are untouched, free space and run it again"
        );
    }

    #[test]
    fn bytes_without_a_file_are_told_without_one() {
        let fault = || Fault::Count { what: "bytes", expected: 72, found: 5 };
        let error = || FormatError::damaged("directory", fault());
        let told = "damaged directory: expected 72 bytes, found 5";
        assert_eq!(StoreError::from(error()).to_string(), told);
        assert_eq!(StoreError::format(Path::new("a"), error()).to_string(), format!("a: {told}"));
    }

    #[test]
    fn poison_names_the_first_failure() {
        let first = StoreError::Busy { path: PathBuf::from("a"), holder: None };
        let error = StoreError::Poisoned { first: Arc::new(first) };
        assert!(error.to_string().contains("a is being written by another process"));
    }
}
