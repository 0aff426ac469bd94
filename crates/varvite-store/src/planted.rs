//! [`Bug`]: deliberate bugs in the protocol of writing. The crash harness must find each of them.
//!
//! The code of a bug is a line `planted!(NAME ...)`. Without the feature `planted` the line expands to the
//! constant `false` or to nothing, and this module is not compiled: published programs contain no code of a
//! bug. `cargo xtask planted` plants one bug after another, and fails if the harness does not find it.
//! docs/decisions/0040-plant-known-bugs.md has the reasons.

use std::sync::atomic::{AtomicUsize, Ordering};

macro_rules! bugs {
    ($($(#[doc = $text:literal])+ $name:ident,)+) => {
        /// A deliberate bug.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Bug {
            $($(#[doc = $text])+ $name,)+
        }

        impl Bug {
            /// All deliberate bugs.
            pub const ALL: &[Bug] = &[$(Bug::$name,)+];

            /// The name of the bug in the code.
            pub const fn name(self) -> &'static str {
                match self { $(Bug::$name => stringify!($name),)+ }
            }

            /// The effect of the bug.
            pub const fn text(self) -> &'static str {
                match self { $(Bug::$name => concat!($($text,)+),)+ }
            }
        }
    };
}

bugs! {
    /// A commit writes its superblock without the sync before it.
    AppendSkipsFirstSync,
    /// A commit is reported before its superblock is synced.
    AppendSkipsSecondSync,
    /// The superblock is written before the directory that it refers to, with one sync for both.
    SuperblockBeforeDirectory,
    /// A commit overwrites the superblock slot of the valid commit.
    NewerSuperblockOverwritten,
    /// A commit begins at the directory of the previous commit, and overwrites that directory.
    CommitOverDirectory,
    /// If a superblock slot is damaged, a commit begins right after the bytes that the other slot refers to.
    CommitOverDamagedSlot,
    /// A commit continues after a failed write.
    AppendWriteErrorSwallowed,
    /// A commit syncs again after a failed sync.
    AppendSyncRetried,
    /// A commit whose superblock could not be synced is reported as done.
    UnsyncedSuperblockReported,
    /// A commit is reported as not done although its superblock was written, in a write that seemed to fail.
    WrittenSuperblockDenied,
    /// A superblock is written without a check that the file is still at the previous commit.
    BaseNotCheckedLast,
    /// A commit is written to a file that has lost its name.
    AppendToReplacedFile,
    /// The checksum of a directory is not checked.
    DirectoryChecksumIgnored,
    /// A file that was opened at its older commit does not report this.
    RecoverySilent,
    /// A superblock that is read while it is being written counts as damaged.
    TornReadNotRepeated,
    /// Writers take no lock.
    LockNotTaken,
    /// A writer that has got the lock does not check whether the name now refers to another file.
    NameNotCheckedAgain,
    /// The lock is released before the commit.
    LockDroppedEarly,
    /// A writer treats a symbolic link as if it were the file itself.
    LinkNotFollowed,
    /// A new file gets its name before it is synced.
    RenameBeforeSync,
    /// A new file is reported before its folder is synced.
    FolderNotSynced,
    /// A new file takes a name without a check whether another file has taken the name.
    NamesNotChecked,
    /// A new file is written over the leftovers of a crash under its temporary name.
    LeftoverReused,
    /// A write that the system cut short is not continued.
    ShortWrite,
    /// The checksum of a block is not checked.
    BlockChecksumIgnored,
    /// A compaction replaces a file that changed since it was copied.
    CompactWithoutCheck,
    /// A small commit is reported before it is synced.
    LogSyncSkipped,
    /// Records are appended after a failed write or sync.
    LogFailureForgotten,
    /// A record is reported as written although the write failed.
    LogWriteErrorSwallowed,
    /// A record claims that all records before it are durable, although they were not synced.
    LogDurableClaimed,
    /// Records are appended to a file that has lost its name.
    LogReplacedNotNoticed,
    /// A large commit begins at the log that it replaces, and overwrites it.
    LogOverwritten,
    /// A log is begun in a file that already has one.
    LogBegunOverLog,
    /// A writer ignores the log that it finds.
    LogNotTakenUp,
    /// A record is accepted although it does not follow the last record.
    LogChainNotChecked,
    /// A record of an older commit is accepted.
    LogOlderGenerationTaken,
    /// The checksum of a record's payload is not checked.
    LogTornRecordTaken,
    /// A durable record that is damaged ends the log, and no error is reported.
    LogDamageDropped,
    /// A record that was torn by a power failure is reported as damage.
    LogTailFatal,
    /// The applied part of a refused diff stays in memory.
    RefusedDiffKept,
}

/// The number of the planted bug, from 1; 0 if no bug is planted.
static PLANTED: AtomicUsize = AtomicUsize::new(0);

/// Plants a bug in the whole process. It cannot be removed.
pub fn plant(bug: Bug) {
    PLANTED.store(bug as usize + 1, Ordering::SeqCst);
}

/// Whether this bug is planted.
pub fn is_planted(bug: Bug) -> bool {
    PLANTED.load(Ordering::SeqCst) == bug as usize + 1
}
