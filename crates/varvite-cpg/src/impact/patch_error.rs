//! [`PatchError`]: the reason why a text is not a patch, with its line.

use thiserror::Error;

/// An error of a patch.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("line {line}: {fault}")]
pub struct PatchError {
    /// The line of the patch, from 1.
    pub line: u64,
    /// The fault.
    pub fault: PatchFault,
}

/// A fault of a patch.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PatchFault {
    /// The text has no changes of files.
    #[error("this is not a unified diff: `git diff` and `diff -u` write one")]
    NoPatch,
    /// A diff in the form of `diff -c`.
    #[error("this is a context diff, which is not read: make a unified diff with `diff -u`")]
    Context,
    /// A diff of a merge.
    #[error("a combined diff of a merge has no lines of one side: make a diff against one parent")]
    Combined,
    /// A hunk without the name of its file.
    #[error("a hunk without the lines `--- ` and `+++ ` of its file")]
    NoFile,
    /// One of the two lines with names of a file is missing.
    #[error("the line `--- ` is not followed by a line `+++ `")]
    NoTarget,
    /// The name of a file is empty, or its quotes are wrong.
    #[error("the name of a file is empty or wrongly quoted")]
    Name,
    /// Both names of a file are `/dev/null`.
    #[error("the file exists on neither side")]
    Nowhere,
    /// The first line of a hunk is invalid.
    #[error("the first line of a hunk is invalid; it has the form `@@ -1,2 +3,4 @@`")]
    Hunk,
    /// A hunk begins before the end of the previous one.
    #[error("the hunk begins before the end of the previous hunk")]
    Order,
    /// A hunk has other numbers of lines than its first line says.
    #[error("the hunk has {what} lines than line {begin} says")]
    Count {
        /// Whether it has more lines, or fewer.
        what: &'static str,
        /// The first line of the hunk.
        begin: u64,
    },
    /// The text ends inside of a hunk.
    #[error("the patch ends inside of the hunk of line {begin}; missing lines: {missing}")]
    End {
        /// The first line of the hunk.
        begin: u64,
        /// The number of missing lines.
        missing: u64,
    },
    /// The changes of a file are missing.
    #[error("the changes of the file are missing")]
    NoHunks,
    /// A file is changed twice.
    #[error(
        "{path} is changed a second time, and its lines then count from a state in between: make one diff of all commits"
    )]
    Twice {
        /// The file.
        path: String,
    },
}
