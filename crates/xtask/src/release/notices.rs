//! The licences of everything that is linked into an artefact, in one text.
//!
//! The texts are those in the packages of the dependencies. A package without a text is an error, because a
//! licence that cannot be passed on does not permit passing on the code. Equal texts appear once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::metadata::{self, linked, text};
use crate::{Failure, Outcome, cannot};

/// The name of the file in artefacts.
pub(crate) const FILE: &str = "THIRD-PARTY-LICENCES.txt";

/// Beginnings of the names of files with a licence, in small letters.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

/// Licences of C libraries, and of other foreign parts, inside packages.
const INSIDE: [(&str, &str); 3] = [
    ("lz4-sys", "liblz4/lib/LICENSE"),
    ("regex-syntax", "src/unicode_tables/LICENSE-UNICODE"),
    ("zstd-sys", "zstd/LICENSE"),
];

/// Parts that no package contains, with their licences.
const BESIDE: &str = "\
The standard library of Rust, by the Rust Project Contributors: MIT OR Apache-2.0. Its copyright statement is at
https://github.com/rust-lang/rust/blob/main/COPYRIGHT; the text of Apache-2.0 is in the file LICENSE.

libunwind of the LLVM Project, in the artefacts for Linux and Windows: Apache-2.0 WITH LLVM-exception.
";

/// The licences of the packages in the page of the explorer, which its bundler writes.
const PAGE: &str = "crates/varvite-explorer/assets/notices.txt";

/// The licences of what is linked into a package of the workspace on a platform.
pub(crate) fn of(root: &Path, package: &str, platform: &str) -> Outcome<String> {
    let metadata = metadata::of(root, platform)?;
    let linked = linked(&metadata, metadata::member(&metadata, package)?);
    let page = page(root, &linked)?;
    let foreign: Vec<&Json> = linked.into_iter().filter(|package| !package["source"].is_null()).collect();
    let mut list = format!(
        "{package} contains the code of these packages, whose licences follow. Where a package offers a choice\n\
         of licences, any of them applies.\n\n"
    );
    let mut users: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in foreign {
        let name = format!("{} {}", text(package, "name"), text(package, "version"));
        list.push_str(&format!("{name}: {}\n", text(package, "license")));
        for (file, text) in texts(package)? {
            users.entry(text).or_default().push(format!("{name}, {file}"));
        }
    }
    let mut texts: Vec<(Vec<String>, String)> =
        users.into_iter().map(|(text, users)| (users, text)).collect();
    texts.sort();
    let texts = texts.into_iter().map(|(users, text)| section(&users, &text));
    Ok(format!("{list}\n{BESIDE}{}{page}", texts.collect::<String>()))
}

/// The licences of the packages in the page of the explorer, if the explorer is linked and its page is built.
fn page(root: &Path, linked: &[&Json]) -> Outcome<String> {
    let path = root.join(PAGE);
    if !linked.iter().any(|package| text(package, "name") == "varvite-explorer") || !path.exists() {
        return Ok(String::new());
    }
    let texts = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
    Ok(section(&["Packages of npm in the page of varvite explore".to_owned()], &texts))
}

/// A text below the names of the files that contain it.
fn section(users: &[String], text: &str) -> String {
    format!("\n{}\n{}\n\n{}\n", "-".repeat(80), users.join("\n"), text.trim_end())
}

/// The texts in a package, each with the name of its file.
fn texts(package: &Json) -> Outcome<Vec<(String, String)>> {
    let manifest = Path::new(text(package, "manifest_path"));
    let folder = manifest.parent().unwrap_or(manifest);
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| is_licence(name)).collect();
    names.sort();
    if names.is_empty() {
        let name = text(package, "name");
        return Err(Failure(format!(
            "the package {name} has no text of its licence in {}",
            folder.display()
        )));
    }
    let inside = INSIDE.iter().filter(|(owner, _)| *owner == text(package, "name"));
    names.extend(inside.map(|(_, file)| (*file).to_owned()));
    let text_of = |name: String| {
        let path = folder.join(&name);
        let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        Ok((name, text.replace("\r\n", "\n")))
    };
    names.into_iter().map(text_of).collect()
}

/// Whether the name of a file begins as that of a licence does.
fn is_licence(name: &str) -> bool {
    let name = name.to_lowercase();
    NAMES.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(folder: &Path) -> Json {
        json!({ "name": "p", "version": "1.0.0", "manifest_path": folder.join("Cargo.toml") })
    }

    #[test]
    fn a_package_without_a_text_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let failure = texts(&package(folder.path())).unwrap_err();
        assert!(failure.0.starts_with("the package p has no text of its licence"), "{failure}");
    }

    #[test]
    fn all_texts_of_a_package_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["LICENSE-MIT", "Copying.md", "NOTICES.md", "lib.rs"] {
            fs::write(folder.path().join(name), format!("text of {name}\r\n")).unwrap();
        }
        let texts = texts(&package(folder.path())).unwrap();
        assert_eq!(
            texts.iter().map(|(name, _)| &**name).collect::<Vec<_>>(),
            ["Copying.md", "LICENSE-MIT", "NOTICES.md"]
        );
        assert_eq!(texts[0].1, "text of Copying.md\n");
    }
}
