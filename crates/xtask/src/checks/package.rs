//! Checks that every published crate has its metadata, its licence, and a package with all required files.
//!
//! A crate is published if its manifest does not have `publish = false`. Packages are made and listed, but
//! not compiled, because all other checks compile the same sources. Nothing is downloaded.
//!
//! Also checks that no dependency requires a newer Rust version than the manifests promise to support
//! (`rust-version`). The module `msrv` checks the workspace's own code, by building it.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value as Json;

use crate::metadata::{self, items, needed, text};
use crate::process::{self, cargo};
use crate::{Failure, Outcome};

const ADVICE: &str = "https://rustup.rs";
/// The largest number of keywords that a registry accepts.
const KEYWORDS_MAX: usize = 5;
/// Files that every package must have, in addition to its sources.
const HELD: [&str; 3] = ["Cargo.toml", "LICENSE", "README.md"];

/// Makes the packages of all published crates, and reports faults.
pub(crate) fn run(root: &Path) -> Outcome {
    let metadata = metadata::of(root, &metadata::host()?)?;
    let packages = items(&metadata, "packages");
    let members: BTreeSet<&str> =
        items(&metadata, "workspace_members").iter().filter_map(Json::as_str).collect();
    let is_member = |package: &&Json| members.contains(text(package, "id"));
    let is_published = |package: &&Json| package["publish"].is_null();
    let published: Vec<&Json> = packages.iter().filter(is_member).filter(is_published).collect();
    let mut findings: Vec<String> = published.iter().flat_map(|package| missing(package)).collect();
    let names: Vec<&str> = published.iter().map(|package| text(package, "name")).collect();
    for name in &names {
        findings.extend(misheld(name, &listed(root, name)?));
    }
    findings.extend(too_new(&metadata, &published));
    for finding in &findings {
        eprintln!("{finding}");
    }
    if !findings.is_empty() {
        return Err(Failure(format!("package: {} findings", findings.len())));
    }
    pack(root, &names)?;
    println!("varvite: {} crates can be packed: {}", names.len(), names.join(", "));
    Ok(())
}

/// Findings about required metadata that a manifest lacks.
fn missing(package: &Json) -> Vec<String> {
    let name = text(package, "name");
    let fields =
        ["description", "license", "readme", "rust_version", "repository", "homepage", "documentation"];
    let fields = fields.into_iter();
    let absent = fields.filter(|field| text(package, field).is_empty());
    let lists = ["keywords", "categories"].into_iter().filter(|field| items(package, field).is_empty());
    let mut findings: Vec<String> =
        absent.chain(lists).map(|field| format!("{name}: its manifest has no {field}")).collect();
    if items(package, "keywords").len() > KEYWORDS_MAX {
        findings.push(format!("{name}: more than {KEYWORDS_MAX} keywords"));
    }
    findings
}

/// The names of the files in a package.
fn listed(root: &Path, name: &str) -> Outcome<Vec<String>> {
    let mut command = cargo();
    command.current_dir(root).args(["package", "--list", "--allow-dirty", "--offline", "-p", name]);
    Ok(process::output(&mut command, ADVICE)?.lines().map(str::to_owned).collect())
}

/// Findings about a package's files: required files that are missing, and tests, which a package must not
/// have because they read files of the repository.
fn misheld(name: &str, files: &[String]) -> Vec<String> {
    let lacks = HELD.into_iter().filter(|held| !files.iter().any(|file| file == held));
    let lacks = lacks.map(|held| format!("{name}: its package has no {held}"));
    let tests = files.iter().filter(|file| file.starts_with("tests/") && file.ends_with(".rs"));
    lacks.chain(tests.map(|file| format!("{name}: its package has the test {file}"))).collect()
}

/// Findings about dependencies that require a newer Rust version than the manifests promise to support.
fn too_new(metadata: &Json, published: &[&Json]) -> Vec<String> {
    let promised =
        published.iter().map(|package| version(text(package, "rust_version"))).min().unwrap_or_default();
    let needed = needed(metadata, published);
    let packages = items(metadata, "packages").iter().filter(|package| needed.contains(text(package, "id")));
    let newer = packages.filter(|package| version(text(package, "rust_version")) > promised);
    newer
        .map(|package| {
            let (name, wanted) = (text(package, "name"), text(package, "rust_version"));
            format!("{name}: needs Rust {wanted}, and our rust-version is older")
        })
        .collect()
}

/// Makes all packages together, because they depend on each other.
fn pack(root: &Path, names: &[&str]) -> Outcome {
    let mut command = cargo();
    command.current_dir(root).args(["package", "--quiet", "--no-verify", "--allow-dirty", "--offline"]);
    command.args(names.iter().flat_map(|name| ["-p", name]));
    process::output(&mut command, ADVICE).map(drop)
}

/// The numbers in a version such as 1.89 or 1.85.0.
fn version(words: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = words.split('.').map_while(|number| number.parse().ok()).collect();
    numbers.resize(3, 0);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_manifest_says_what_a_registry_asks() {
        let mut package = json!({
            "name": "varvite", "description": "d", "license": "l", "readme": "r", "rust_version": "1.89",
            "repository": "r", "homepage": "h", "documentation": "d",
            "keywords": ["a"], "categories": ["b"],
        });
        assert_eq!(missing(&package), [""; 0]);
        package["license"] = Json::Null;
        package["keywords"] = json!(["a", "b", "c", "d", "e", "f"]);
        assert_eq!(
            missing(&package),
            ["varvite: its manifest has no license", "varvite: more than 5 keywords"]
        );
    }

    #[test]
    fn a_package_has_the_licence_and_no_tests() {
        let files = ["Cargo.toml", "README.md", "src/lib.rs", "tests/main.rs", "tests/golden/a.zst"]
            .map(str::to_owned);
        let expected = ["x: its package has no LICENSE", "x: its package has the test tests/main.rs"];
        assert_eq!(misheld("x", &files), expected);
    }

    #[test]
    fn only_what_is_linked_must_be_as_old_as_we_promise() {
        let package = |id: &str, rust: &str| json!({ "id": id, "name": id, "rust_version": rust });
        let metadata = json!({
            "packages": [package("ours", "1.89"), package("old", "1.85.0"), package("new", "1.90"), package("test", "1.99")],
            "resolve": { "nodes": [
                { "id": "ours", "deps": [
                    { "pkg": "old", "dep_kinds": [{ "kind": null }] }, { "pkg": "test", "dep_kinds": [{ "kind": "dev" }] },
                ] },
                { "id": "old", "deps": [{ "pkg": "new", "dep_kinds": [{ "kind": "build" }] }] },
            ] },
        });
        let published = [&metadata["packages"][0]];
        assert_eq!(too_new(&metadata, &published), ["new: needs Rust 1.90, and our rust-version is older"]);
    }
}
