//! [`ErrorCode`]: one number for every public error, the same in every language.
//!
//! Only the table in this file gives errors their numbers. A test compares the constants of `varvite.h` and
//! the page `docs/errors.md` with the table. Numbers are negative, so that a C function can return an error
//! where zero and positive numbers mean success. A number never changes its meaning, and is never reused.
//! Rust programs match on the errors themselves, which have more details.

macro_rules! error_codes {
    ($($(#[doc = $doc:literal])+ $name:ident = $number:literal, $constant:literal;)+) => {
        /// The kind of an error. The numbers are part of the C interface.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum ErrorCode {
            $($(#[doc = $doc])+ $name = $number,)+
        }

        impl ErrorCode {
            /// All codes, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name of the constant in C, without its prefix `VARVITE_E_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $constant,)+
                }
            }

            /// The meaning of the code, in one sentence.
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
    /// An argument is invalid: a null pointer, a number without a meaning, or text that is not UTF-8.
    Argument = -2, "ARGUMENT";
    /// A handle is not valid: it was released, no function returned it, or it is of another kind.
    Handle = -3, "HANDLE";
    /// The caller's buffer is too small: the function copied at most a part of the result, and returned the
    /// needed size.
    TooSmall = -4, "TOO_SMALL";
    /// The operating system refused or failed an operation on a file.
    Io = -10, "IO";
    /// The path names a folder, device or pipe, not a regular file.
    NotAFile = -11, "NOT_A_FILE";
    /// The file ends before the bytes that a read needs.
    Truncated = -12, "TRUNCATED";
    /// The new file exists already, and the caller did not request its replacement.
    Exists = -13, "EXISTS";
    /// Another writer has the file locked, under this name or another.
    Busy = -14, "BUSY";
    /// An earlier write failed, so the writer or log accepts no more work.
    Poisoned = -15, "POISONED";
    /// The file is written and in place, but may be lost if power fails.
    NotDurable = -16, "NOT_DURABLE";
    /// The operating system gave no memory for a buffer.
    OutOfMemory = -17, "OUT_OF_MEMORY";
    /// Another program replaced or changed a file while Varvite was changing it.
    Replaced = -18, "REPLACED";
    /// The file system has no locks, so Varvite writes nothing there.
    NoLocks = -19, "NO_LOCKS";
    /// The file is not a Varvite graph.
    NotVarvite = -20, "NOT_VARVITE";
    /// A newer Varvite wrote the file.
    NewerFormat = -21, "NEWER_FORMAT";
    /// The file needs a feature that this Varvite does not have.
    UnknownFeature = -22, "UNKNOWN_FEATURE";
    /// Bytes of a graph file contradict the format or their checksum.
    Damaged = -23, "DAMAGED";
    /// The graph, or one of its parts, is larger than a file can hold.
    TooLarge = -24, "TOO_LARGE";
    /// The graph has no label, edge label or property of this name or number.
    Unknown = -30, "UNKNOWN";
    /// The graph has no node with this id.
    NoSuchNode = -31, "NO_SUCH_NODE";
    /// The caller read a property as a type that it does not have.
    WrongType = -32, "WRONG_TYPE";
    /// A property that should get an index has one already, or a property that should lose its index has
    /// none.
    Index = -33, "INDEX";
    /// The plan of a pipeline or the description of a walk is invalid, or a part of it is.
    Plan = -34, "PLAN";
    /// A query, an import, a diff or other work on a whole graph needs more memory than its budget.
    OverBudget = -35, "OVER_BUDGET";
    /// The caller cancelled a query.
    Cancelled = -36, "CANCELLED";
    /// A foreign file has another format than expected, is damaged, or passes a limit.
    Foreign = -40, "FOREIGN";
    /// The trace accepts no more records: the caller finished it, or an earlier write failed.
    TraceClosed = -50, "TRACE_CLOSED";
    /// A record has another length than the records of the trace.
    RecordLength = -51, "RECORD_LENGTH";
    /// The time of a record is before that of an earlier record of its thread.
    TimeBackwards = -52, "TIME_BACKWARDS";
    /// The thread already has a stream in this trace.
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
    fn a_code_says_its_meaning_in_a_sentence() {
        assert_eq!(ErrorCode::NoSuchNode.meaning(), "The graph has no node with this id.");
        assert!(ErrorCode::ALL.iter().all(|code| code.meaning().ends_with('.')));
    }
}
