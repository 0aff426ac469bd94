//! Words on standard error, beside an answer. That nobody reads them changes nothing: `eprintln!` would end the command.

use std::io::{self, Write};

use super::text::escaped;

/// Says what an answer does not tell.
pub(crate) fn note(text: &str) {
    complain(&format!("note: {}\n", escaped(text)));
}

/// Says a line of its own.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escaped(line));
}

/// Says why there is no answer, in lines that are whole and hold nothing that a terminal would obey.
pub(crate) fn complain(lines: &str) {
    let _ = write!(io::stderr(), "varvite: {lines}");
}
