//! Notes on standard error, beside an answer. A closed standard error changes nothing, while `eprintln!`
//! would end the command.

use std::io::{self, Write};

use varvite_show::{Shown, escaped};

/// Writes a note beside an answer.
pub(crate) fn note(text: &str) {
    complain(&format!("note: {}\n", escaped(text)));
}

/// Says whether file and method of some nodes are missing among rows that were shown.
pub(crate) fn note_places(shown: Shown) {
    if !shown.has_all_places {
        note("the syntax tree is too deep: file and method of some nodes are missing");
    }
}

/// Says a line of its own.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(io::stderr(), "{}", escaped(line));
}

/// Says why there is no answer, in lines that are whole and hold nothing that a terminal would obey.
pub(crate) fn complain(lines: &str) {
    let _ = write!(io::stderr(), "varvite: {lines}");
}
