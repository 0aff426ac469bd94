//! Notes on standard error, in addition to an answer. If standard error is closed, they are lost; `eprintln!`
//! would end the command in this case.

use std::io::{self, Write};

use varvite_show::{Shown, escaped};

/// Writes a note.
pub(crate) fn note(text: &str) {
    complain(&format!("note: {}\n", escaped(text)));
}

/// Writes a note if the file and method of some nodes in the shown rows are missing.
pub(crate) fn note_places(shown: Shown) {
    if !shown.has_all_places {
        note("the syntax tree is too deep: file and method of some nodes are missing");
    }
}

/// Writes a line without a prefix.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escaped(line));
}

/// Writes the reason why a command failed. The caller must escape control characters, and end the line.
pub(crate) fn complain(lines: &str) {
    let _ = write!(io::stderr(), "varvite: {lines}");
}
