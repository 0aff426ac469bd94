//! The rule that all files are changed in the same way: only the modules listed here may create, truncate,
//! rename or remove files.
//!
//! All other modules use `varvite_store`: its `StagedFile` takes a lock, writes a temporary file, syncs it
//! and renames it. Tests and tools of the repository are exempt.

use super::files::{Files, Finding};
use super::rust::code_of;

/// Modules that may change files, each with the reason.
const MAY: [(&str, &str); 3] = [
    ("crates/varvite-cli/src/joern/aot.rs", "removes folders that Java wrote to, which have no readers"),
    ("crates/varvite-store/src/vfs/real.rs", "is the operating system's file system"),
    ("crates/varvite-generate/src/folder.rs", "writes sources, many in a folder, that have no readers yet"),
];

/// Crates that are not part of the product.
const TOOLS: [&str; 5] = ["xtask", "varvite-hostile", "varvite-crash", "varvite-model", "varvite-testing"];

/// Calls that create, change or remove a file, as they look in code from which blanks are removed.
const CALLS: [&str; 16] = [
    "File::create(",
    "File::create_new(",
    "File::options(",
    ".create(true)",
    ".create_new(true)",
    ".truncate(true)",
    ".append(true)",
    ".write(true)",
    ".set_len(",
    "fs::write(",
    "fs::copy(",
    "fs::rename(",
    "fs::hard_link(",
    "fs::remove_file(",
    "fs::remove_dir_all(",
    "fs::create_dir_all(",
];

/// No crate of the product changes files except through the store.
pub(crate) fn files_are_changed_in_one_way(files: &Files) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, text) in files.texts() {
        let of_product = file.source_of_crate().is_some_and(|name| !TOOLS.contains(&name));
        let is_test = file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
        if !of_product || is_test || MAY.iter().any(|(path, _)| *path == file.path) {
            continue;
        }
        let code = code_of(text);
        let lines = code.lines().enumerate().take_while(|(_, line)| !line.contains("#[cfg(test)]"));
        for (number, line) in lines {
            let line: String = line.chars().filter(|char| !char.is_whitespace()).collect();
            if let Some(call) = CALLS.iter().find(|call| calls(&line, call)) {
                let what = format!("'{call}..)': files are changed through varvite_store::StagedFile");
                findings.push(file.finding(number + 1, what));
            }
        }
    }
    let gone = MAY.iter().filter(|(path, _)| !files.exists(path)).map(|(path, why)| Finding {
        path: "crates/xtask/src/tidy/writers.rs".into(),
        line: 0,
        what: format!("{path}, which {why}, is gone"),
    });
    findings.extend(gone.filter(|_| files.exists("crates")));
    findings
}

/// Whether a line contains this call, and not only a call whose name is longer, such as `StagedFile::create`.
fn calls(line: &str, call: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let starts_word = |at: usize| !call.starts_with(is_part) || !line[..at].ends_with(is_part);
    line.match_indices(call).any(|(at, _)| starts_word(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        let may = MAY.map(|(path, _)| (path, "//! One of those that may.\nfs::rename(a, b);"));
        let findings = files_are_changed_in_one_way(&Files::of_texts(&[&may[..], &[(path, text)]].concat()));
        findings.into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_file_that_is_made_past_the_store_is_found() {
        let text = "let a = std::fs::File::create(path);\nfs::write(a, b)?;\n// fs::write(\nlet b = options . truncate( true );";
        assert_eq!(lines("crates/a/src/b.rs", text), [1, 2, 4]);
        assert_eq!(lines("bindings/c/src/b.rs", "fs::remove_file(path);"), [1]);
        assert_eq!(
            lines("crates/a/src/b.rs", "File::open(path);\nStagedFile::create(path);"),
            [] as [usize; 0]
        );
    }

    #[test]
    fn tests_and_tools_may() {
        let text = "fs::write(a, b)?;";
        assert_eq!(lines("crates/a/tests/b.rs", text), [] as [usize; 0]);
        assert_eq!(lines("crates/xtask/src/b.rs", text), [] as [usize; 0]);
        assert_eq!(
            lines("crates/a/src/b.rs", &format!("fn f() {{}}\n#[cfg(test)]\n{text}")),
            [] as [usize; 0]
        );
    }
}
