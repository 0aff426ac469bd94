//! [`ProfileError`]: the reasons why a profile could not be read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite_codec::frame::FrameError;

/// The reason why a profile could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file can't be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The error of the file system.
        error: io::Error,
    },
    /// The source could not be read.
    #[error("cannot read the profile: {0}")]
    Io(io::Error),
    /// The compressed data of the file is damaged.
    #[error("cannot read the profile: {0}")]
    Frame(FrameError),
    /// The first line does not begin a heaptrack profile.
    #[error("not a heaptrack profile: its first line is {found:?}")]
    NotHeaptrack {
        /// The beginning of the first line.
        found: String,
    },
    /// The file is of no known form.
    #[error(
        "not a profile of a known format (heaptrack, interpreted; collapsed stacks; output of `perf \
         script`; pprof; speedscope): it begins with {found:?}"
    )]
    Unknown {
        /// The beginning of the file.
        found: String,
    },
    /// The file is of a known form that this crate does not read.
    #[error("this looks like {name}, which cannot be read directly: {advice}")]
    Foreign {
        /// The name of the form in messages, such as `a profile of callgrind`.
        name: &'static str,
        /// The next step for the user.
        advice: &'static str,
    },
    /// Most lines fit a form, but too many do not.
    #[error(
        "this looks like {title}, but only {known} of {lines} lines fit, fewer than nine of ten; to read \
         only these lines, use `import --format {form}` or `heap .. --input-format {form}`"
    )]
    Doubtful {
        /// The name of the form in options.
        form: &'static str,
        /// The name of a file of this form.
        title: &'static str,
        /// The number of lines that fit the form.
        known: u64,
        /// The number of tested lines.
        lines: u64,
    },
    /// The file contains no line of its form.
    #[error("no line is a {what}")]
    NoStacks {
        /// The missing thing, such as stacks.
        what: &'static str,
    },
    /// A message of pprof is damaged, or the bytes are not such a message.
    #[error("byte {at} of the message: {what}; not a pprof profile, or a damaged one")]
    Pprof {
        /// The offset in the decompressed message.
        at: usize,
        /// A description of the fault.
        what: &'static str,
    },
    /// A document is not in the form of speedscope.
    #[error("not a speedscope document: {what}")]
    Speedscope {
        /// The fault, and its line and column in the document.
        what: String,
    },
    /// A raw recording of heaptrack, whose addresses were not resolved to functions yet.
    #[error(
        "line {line}: this profile has addresses without names; interpret it first with the \
         `heaptrack_interpret` in heaptrack's folder libexec: `zstd -dc RAW | heaptrack_interpret | zstd > \
         NEW`"
    )]
    Raw {
        /// The number of the first line that only raw recordings have.
        line: u64,
    },
    /// The caller requested events, but profiles of this form have none.
    #[error("only heaptrack profiles have events; read this profile without them")]
    NoEvents,
    /// The caller requested roots, but the form has neither processes nor threads.
    #[error("only the output of `perf script` has processes and threads, and this is {title}")]
    NoThreads {
        /// The form, in words.
        title: &'static str,
    },
    /// The profile has a version newer than those that are read.
    #[error("the profile has version {found}, but this program reads up to {newest}: use a newer varvite")]
    NewerVersion {
        /// The version of the profile.
        found: u64,
        /// The newest version that is read.
        newest: u64,
    },
    /// A line is longer than any that heaptrack writes.
    #[error("line {line} is longer than {limit} bytes")]
    LongLine {
        /// The number of the line.
        line: u64,
        /// Largest length of a line in bytes.
        limit: usize,
    },
    /// The profile needs more memory than the limit allows.
    #[error("the profile needs more than the budget of {limit} bytes: raise the budget with --memory")]
    OverBudget {
        /// The memory limit in bytes.
        limit: usize,
    },
    /// The profile has more than four billion items of a kind.
    #[error("the profile has more than {limit} {what}")]
    TooMany {
        /// The kind of the items.
        what: &'static str,
        /// The largest allowed number of items.
        limit: u64,
    },
}

/// Number of bytes of a file's beginning that an error shows.
const SHOWN: usize = 40;

impl ProfileError {
    /// The error of a stream; damaged compressed data gives [`Self::Frame`].
    pub(crate) fn of_stream(error: io::Error) -> Self {
        match error.downcast::<FrameError>() {
            Ok(damage) => Self::Frame(damage),
            Err(error) => Self::Io(error),
        }
    }

    /// The part of a file's beginning that an error shows.
    pub(crate) fn shown(head: &[u8]) -> String {
        let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
        String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).into_owned()
    }
}

impl From<io::Error> for ProfileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
