//! A rule on error types: the message of an error contains the messages of its sources, once.
//!
//! A program that prints an error and then its sources would print a cause twice if the message has it and
//! `source()` gives it too, and not at all if neither does. Here the message has it, everywhere. The derive
//! makes a source of every field that is named `source`, or marked as one, or converted from; a raw name
//! (`r#source`) keeps it from that, and a `transparent` error, which is nothing but another, has the message
//! of that.

use super::files::{File, Files, Finding};

/// No error has a source, unless it is nothing but that.
pub(crate) fn errors_say_everything_once(files: &Files) -> Vec<Finding> {
    let sources = files.texts().filter(|(file, text)| is_of_product(file) && derives(text));
    sources.flat_map(|(file, text)| findings(file, text)).collect()
}

/// The rule would find itself: its tests contain the forbidden text.
fn is_of_product(file: &File) -> bool {
    file.source_of_crate().is_some() && !file.path.starts_with("crates/xtask/")
}

fn derives(text: &str) -> bool {
    text.contains("#[error(")
}

fn findings(file: &File, text: &str) -> Vec<Finding> {
    let advice = "gives its message and its source the same cause: name the field r#source, or make the error transparent";
    let lines = sources(text).into_iter();
    lines.map(|line| file.finding(line, advice)).collect()
}

/// The lines, counted from one, that make something a source of an error that has a message of its own.
fn sources(text: &str) -> Vec<usize> {
    let mut is_transparent = false;
    let mut lines = Vec::new();
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        if line.starts_with("#[error(") {
            is_transparent = line.starts_with("#[error(transparent)");
        }
        let is_source = line == "#[source]" || line.starts_with("source: ") && line.ends_with(',');
        if is_source && !line.contains('(') || line.contains("#[from]") && !is_transparent {
            lines.push(number);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_in_the_message_is_no_source() {
        let named = "#[error(\"cannot read: {source}\")]\nIo {\n    source: io::Error,\n},";
        assert_eq!(sources(named), [3]);
        assert_eq!(sources(&named.replace("    source", "    r#source")), [] as [usize; 0]);
        assert_eq!(sources("#[error(\"of {0}\")]\nOf(#[from] Other),"), [2]);
        assert_eq!(sources("#[error(transparent)]\nOf(#[from] Other),"), [] as [usize; 0]);
        assert_eq!(sources("#[error(\"{first}\")]\nPoisoned {\n    #[source]\n    first: Error,\n},"), [3]);
    }
}
