//! [`ProfileError`]: the reasons why a profile could not be read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;
use varvite_codec::frame::FrameError;
use varvite_codec::protobuf::Wrong;

/// The reason why a profile could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file can't be opened.
    #[error("{}: {error}", path.display())]
    Open {
        /// The path of the file.
        path: PathBuf,
        /// The operating system's error.
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
    /// The file has no known format.
    #[error(
        "not a profile of a known format (heaptrack, interpreted; collapsed stacks; output of `perf \
         script`; pprof; speedscope): it begins with {found:?}"
    )]
    Unknown {
        /// The beginning of the file.
        found: String,
    },
    /// The file has a known format that this crate does not read.
    #[error("this looks like {name}, which cannot be read directly: {advice}")]
    Foreign {
        /// The name of the format in messages, such as `a profile of callgrind`.
        name: &'static str,
        /// The next step for the user.
        advice: &'static str,
    },
    /// Most lines fit a format, but too many do not.
    #[error(
        "this looks like {title}, but only {known} of {lines} lines fit, fewer than nine of ten; to read \
         only these lines, use `import --format {form}` or `heap .. --input-format {form}`"
    )]
    Doubtful {
        /// The name of the format in options.
        form: &'static str,
        /// The name of a file with this format.
        title: &'static str,
        /// The number of lines that fit the format.
        known: u64,
        /// The number of tested lines.
        lines: u64,
    },
    /// Some lines have one count, and others seem to have two.
    #[error(
        "this looks like {title}, but some lines have one count and others end in two numbers; to read one \
         count from each line, use `import --format {form}` or `heap .. --input-format {form}`"
    )]
    Ambiguous {
        /// The name of the format in options.
        form: &'static str,
        /// The name of a file with this format.
        title: &'static str,
    },
    /// No line of the file fits its format.
    #[error("no line is a {what}")]
    NoStacks {
        /// The kind of line that is missing, such as a stack.
        what: &'static str,
    },
    /// The bytes are not a message of pprof, or the message is damaged.
    #[error("byte {at} of the message: {what}; not a pprof profile, or a damaged one")]
    Pprof {
        /// The offset in the decompressed message.
        at: usize,
        /// A description of the error.
        what: &'static str,
    },
    /// A document does not have speedscope's format.
    #[error("not a speedscope document: {what}")]
    Speedscope {
        /// The error, with its line and column in the document.
        what: String,
    },
    /// The file is a raw recording of heaptrack, whose addresses were not resolved to functions yet.
    #[error(
        "line {line}: this profile has addresses without names; interpret it first with the \
         `heaptrack_interpret` in heaptrack's folder libexec: `zstd -dc RAW | heaptrack_interpret | zstd > \
         NEW`"
    )]
    Raw {
        /// The number of the first line that only raw recordings have.
        line: u64,
    },
    /// The caller requested events, but profiles of this format have none.
    #[error("only heaptrack profiles have events; read this profile without them")]
    NoEvents,
    /// The caller requested roots, but the format has neither processes nor threads.
    #[error("only the output of `perf script` has processes and threads, and this is {title}")]
    NoThreads {
        /// The name of the format, in words.
        title: &'static str,
    },
    /// The profile's version is newer than any that this crate reads.
    #[error("the profile has version {found}, but this program reads up to {newest}: use a newer varvite")]
    NewerVersion {
        /// The version of the profile.
        found: u64,
        /// The newest version that this crate reads.
        newest: u64,
    },
    /// A line is longer than any that heaptrack writes.
    #[error("line {line} is longer than {limit} bytes")]
    LongLine {
        /// The number of the line.
        line: u64,
        /// Maximum length of a line in bytes.
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
        /// The maximum number of items.
        limit: u64,
    },
}

/// Number of bytes at a file's beginning that an error shows.
const SHOWN: usize = 40;

impl ProfileError {
    /// Converts the error of a stream. If the error is damaged compressed data, it becomes [`Self::Frame`].
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

impl From<Wrong> for ProfileError {
    fn from(wrong: Wrong) -> Self {
        Self::Pprof { at: wrong.at, what: wrong.what }
    }
}

impl From<io::Error> for ProfileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
