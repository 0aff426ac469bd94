//! [`ErrorCode`]: one number for every public error, the same in every language.
//!
//! This is the one table. The constants of `varvite.h` and the page `docs/errors.md` are compared with it by
//! a test. Numbers are negative, so that a C function can return one where success is zero or above. A number
//! never changes its meaning, and is never used again. Rust programs match on the errors themselves, which
//! say more.

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $constant:literal;)+) => {
        /// What kind of error an error is. The numbers are part of the C interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $name = $number,)+
        }

        impl ErrorCode {
            /// All of them, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name of the constant in C, without its prefix `VARVITE_E_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $constant,)+
                }
            }

            /// What it means, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

error_codes! {
    /// A bug of Varvite: please report it with the message.
    Internal = -1, "INTERNAL";
    /// An argument that can't be: a null pointer, a number that means nothing, text that is not UTF-8.
    Argument = -2, "ARGUMENT";
    /// A handle that was released, was never given out, or is of another kind.
    Handle = -3, "HANDLE";
    /// The caller's buffer is too small; what was copied is a part at most, and the size that is needed was
    /// given.
    TooSmall = -4, "TOO_SMALL";
    /// The operating system refused or failed an operation on a file.
    Io = -10, "IO";
    /// The path names a folder, device or pipe, not a regular file.
    NotAFile = -11, "NOT_A_FILE";
    /// The file ends before the bytes that were asked for.
    Truncated = -12, "TRUNCATED";
    /// The new file exists already, and replacing it was not asked for.
    Exists = -13, "EXISTS";
    /// Another writer has the file locked, under this name or another.
    Busy = -14, "BUSY";
    /// An earlier write failed, so nothing after it can be trusted.
    Poisoned = -15, "POISONED";
    /// The file is written and in place, but may be lost if power fails.
    NotDurable = -16, "NOT_DURABLE";
    /// Memory for a buffer could not be had.
    OutOfMemory = -17, "OUT_OF_MEMORY";
    /// A file was replaced or changed by another program while it was being changed.
    Replaced = -18, "REPLACED";
    /// The file system has no locks, so nothing is written there.
    NoLocks = -19, "NO_LOCKS";
    /// The file is not a Varvite graph.
    NotVarvite = -20, "NOT_VARVITE";
    /// A newer Varvite wrote the file.
    NewerFormat = -21, "NEWER_FORMAT";
    /// The file needs a feature that this Varvite does not have.
    UnknownFeature = -22, "UNKNOWN_FEATURE";
    /// Bytes of a graph file contradict the format or their checksum.
    Damaged = -23, "DAMAGED";
    /// Something is more than a file can hold.
    TooLarge = -24, "TOO_LARGE";
    /// The graph has no label, edge label or property of this name or number.
    Unknown = -30, "UNKNOWN";
    /// There is no node of this id.
    NoSuchNode = -31, "NO_SUCH_NODE";
    /// A property was read as another type than it has.
    WrongType = -32, "WRONG_TYPE";
    /// A property is to get an index and has one, or is to lose one and has none.
    Index = -33, "INDEX";
    /// A pipeline's plan or the description of a walk is none, or a part of it makes no sense.
    Plan = -34, "PLAN";
    /// A query, a command over a whole graph, an import or a diff would need more memory than it may use.
    OverBudget = -35, "OVER_BUDGET";
    /// The caller cancelled a query.
    Cancelled = -36, "CANCELLED";
    /// A foreign file is not what it should be, is damaged, or passes a limit.
    Foreign = -40, "FOREIGN";
    /// The trace takes no more records: it was finished, or a write to it failed before.
    TraceClosed = -50, "TRACE_CLOSED";
    /// A record has another length than the trace takes.
    RecordLength = -51, "RECORD_LENGTH";
    /// Time went backwards within a thread.
    TimeBackwards = -52, "TIME_BACKWARDS";
    /// A thread of a trace has a stream already.
    ThreadTaken = -53, "THREAD_TAKEN";
}

impl ErrorCode {
    /// The number, below zero.
    pub fn number(self) -> i32 {
        self as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_negative_and_fall() {
        assert!(ErrorCode::ALL[0].number() < 0);
        assert!(ErrorCode::ALL.windows(2).all(|pair| pair[1].number() < pair[0].number()));
    }

    #[test]
    fn a_code_says_what_it_means_in_a_sentence() {
        assert_eq!(ErrorCode::NoSuchNode.meaning(), "There is no node of this id.");
        assert!(ErrorCode::ALL.iter().all(|code| code.meaning().ends_with('.')));
    }
}
