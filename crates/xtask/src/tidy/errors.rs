//! A rule on error types: the message of an error contains the messages of its causes, and each only once.
//!
//! Programs often print an error followed by its sources. They would print the cause twice if the message
//! contained it and `source()` returned it too, and never if neither did. Here, every message contains the
//! cause, and errors have no source. The derive macro treats a field as the source if it is named `source` or
//! has the attribute `#[source]` or `#[from]`; the raw name `r#source` avoids this. A `transparent` error has
//! the message and the source of its only field.

use super::files::{File, Files, Finding};

/// No error has a source, except for transparent errors.
pub(crate) fn errors_say_everything_once(files: &Files) -> Vec<Finding> {
    let sources = files.texts().filter(|(file, text)| is_of_product(file) && derives(text));
    sources.flat_map(|(file, text)| findings(file, text)).collect()
}

/// Whether a file belongs to the product. This crate is excluded: the tests of this rule contain the
/// forbidden text.
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

/// The numbers, from one, of lines that make a field the source of an error that has its own message.
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
