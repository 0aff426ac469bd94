//! `varvite trace record` where it does not exist: a line that says where to record.
//!
//! Recording needs valgrind, and sockets and a `/proc` as Linux has them. Everything else of `varvite trace`
//! works on every system, on traces from Linux too.

use std::ffi::OsString;
use std::path::Path;

use clap::Args;

use crate::failure::{Failure, Outcome};

/// Arguments of `varvite trace record`.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// The words of a recording on Linux, which are not read
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _words: Vec<OsString>,
}

/// Refuses to record.
pub(crate) fn run(_: &RecordArgs) -> Outcome {
    let what = "records on Linux alone, because it needs valgrind: record the program there, and read the \
                trace here";
    Err(Failure::source(Path::new("varvite trace record"), what.to_owned()))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        args: RecordArgs,
    }

    #[test]
    fn any_recording_is_refused_with_one_line_that_says_where_to_record() {
        for words in [&["record"][..], &["record", "-o", "x.vtrace", "--sample", "1ms/1s", "--", "ls", "-l"]]
        {
            let failure = run(&Words::try_parse_from(words).unwrap().args).unwrap_err();
            let message = failure.to_string();
            assert!(message.starts_with("varvite trace record: records on Linux alone"), "{message}");
            assert_eq!((failure.exit_code(), message.lines().count()), (3, 1));
        }
    }
}
