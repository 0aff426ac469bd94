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
        /// The file.
        path: PathBuf,
        /// An error of the file system.
        error: io::Error,
    },
    /// The source failed.
    #[error("cannot read the profile: {0}")]
    Io(io::Error),
    /// The file's compression is damaged.
    #[error("cannot read the profile: {0}")]
    Frame(FrameError),
    /// The first line is none of heaptrack.
    #[error("not a heaptrack profile: its first line is {found:?}")]
    NotHeaptrack {
        /// The beginning of the line.
        found: String,
    },
    /// It is in no form that is known.
    #[error(
        "not a profile of a known format (heaptrack, interpreted; collapsed stacks; output of `perf \
         script`; pprof; speedscope): it begins with {found:?}"
    )]
    Unknown {
        /// The beginning.
        found: String,
    },
    /// It is in a form that is known and not read.
    #[error("this looks like {name}, which cannot be read directly: {advice}")]
    Foreign {
        /// Its name in messages, such as `a profile of callgrind`.
        name: &'static str,
        /// The next step.
        advice: &'static str,
    },
    /// Most of it looks like a form, and too much does not.
    #[error(
        "this looks like {title}, but only {known} of {lines} lines fit, fewer than nine of ten; to read \
         only these lines, use `import --format {form}` or `heap .. --input-format {form}`"
    )]
    Doubtful {
        /// The form, as options name it.
        form: &'static str,
        /// The name of a file of this form.
        title: &'static str,
        /// Lines that it explains.
        known: u64,
        /// The number of tested lines.
        lines: u64,
    },
    /// The file contains no line of its form.
    #[error("no line is a {what}")]
    NoStacks {
        /// The requested thing.
        what: &'static str,
    },
    /// A message of pprof is damaged, or is none.
    #[error("byte {at} of the message: {what}; not a pprof profile, or a damaged one")]
    Pprof {
        /// The offset in the plain message.
        at: usize,
        /// The value in the file.
        what: &'static str,
    },
    /// A document is none of speedscope.
    #[error("not a speedscope document: {what}")]
    Speedscope {
        /// The fault, and its place.
        what: String,
    },
    /// A raw recording of heaptrack, whose addresses were not resolved to functions yet.
    #[error(
        "line {line}: this profile has addresses without names; interpret it first with the \
         `heaptrack_interpret` in heaptrack's folder libexec: `zstd -dc RAW | heaptrack_interpret | zstd > \
         NEW`"
    )]
    Raw {
        /// The line with the fault.
        line: u64,
    },
    /// The caller requested events, and profiles of this form have none.
    #[error("only heaptrack profiles have events; read this profile without them")]
    NoEvents,
    /// The caller requested roots, and the form has no processes and threads.
    #[error("only the output of `perf script` has processes and threads, and this is {title}")]
    NoThreads {
        /// The form, in words.
        title: &'static str,
    },
    /// A version that is not known.
    #[error("the profile has version {found}, but this program reads up to {newest}: use a newer varvite")]
    NewerVersion {
        /// Version of the profile.
        found: u64,
        /// Newest version that is known.
        newest: u64,
    },
    /// A line is longer than any that heaptrack writes.
    #[error("line {line} is longer than {limit} bytes")]
    LongLine {
        /// Its number.
        line: u64,
        /// Bytes that a line may have.
        limit: usize,
    },
    /// The profile needs more memory than reading may take.
    #[error("the profile needs more than the budget of {limit} bytes: raise the budget with --memory")]
    OverBudget {
        /// Bytes that were allowed.
        limit: usize,
    },
    /// More than four billion of something.
    #[error("the profile has more than {limit} {what}")]
    TooMany {
        /// The things that are too many.
        what: &'static str,
        /// The largest number.
        limit: u64,
    },
}

/// Bytes of a beginning that an error shows.
const SHOWN: usize = 40;

impl ProfileError {
    /// The error of a stream, which may be damage of its compression.
    pub(crate) fn of_stream(error: io::Error) -> Self {
        match error.downcast::<FrameError>() {
            Ok(damage) => Self::Frame(damage),
            Err(error) => Self::Io(error),
        }
    }

    /// The beginning of a file, as an error shows it.
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
