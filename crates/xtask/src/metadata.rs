//! Cargo's metadata: the packages of the workspace, their dependencies, and what is linked into a program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

use crate::process::{self, cargo};
use crate::{Failure, Outcome};

const ADVICE: &str = "https://rustup.rs";

/// The platform of this machine, as Rust names it.
pub(crate) fn host() -> Outcome<String> {
    let version = process::output(Command::new("rustc").arg("-vV"), ADVICE)?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| Failure("rustc -vV names no host".to_owned()))
}

/// Cargo's metadata about the workspace, with its dependencies on a platform. Nothing is downloaded.
pub(crate) fn of(root: &Path, platform: &str) -> Outcome<Json> {
    let mut command = cargo();
    command.current_dir(root).args(["metadata", "--format-version", "1", "--offline"]);
    command.args(["--filter-platform", platform]);
    let json = process::output(&mut command, ADVICE)?;
    serde_json::from_str(&json).map_err(|error| Failure(format!("cargo metadata: {error}")))
}

/// The packages that are linked into `roots`, or needed to build them.
pub(crate) fn needed<'m>(metadata: &'m Json, roots: &[&'m Json]) -> BTreeSet<&'m str> {
    reached(metadata, roots, |kind| kind != "dev")
}

/// The packages whose code is linked into `root`, with `root` itself, in the order of their names.
pub(crate) fn linked<'m>(metadata: &'m Json, root: &'m Json) -> Vec<&'m Json> {
    let reached = reached(metadata, &[root], str::is_empty);
    let packages = items(metadata, "packages").iter();
    let mut linked: Vec<&Json> =
        packages.filter(|package| reached.contains(text(package, "id")) && !is_macro(package)).collect();
    linked.sort_by_key(|package| (text(package, "name"), text(package, "version")));
    linked
}

/// The member of the workspace with this name.
pub(crate) fn member<'m>(metadata: &'m Json, name: &str) -> Outcome<&'m Json> {
    let members = items(metadata, "workspace_members");
    let is_member = |package: &&Json| members.contains(&package["id"]);
    let found = items(metadata, "packages").iter().filter(is_member).find(|p| text(p, "name") == name);
    found.ok_or_else(|| Failure(format!("the workspace has no package {name}")))
}

/// Whether a package runs in the compiler, so that its code is not linked.
fn is_macro(package: &Json) -> bool {
    let kinds = items(package, "targets").iter().flat_map(|target| items(target, "kind"));
    kinds.filter_map(Json::as_str).any(|kind| kind == "proc-macro")
}

/// The packages that `roots` depend on through dependencies of the kinds that `follows` accepts. The kind of
/// a dependency that is linked is an empty text.
fn reached<'m>(metadata: &'m Json, roots: &[&'m Json], follows: fn(&str) -> bool) -> BTreeSet<&'m str> {
    let nodes = items(&metadata["resolve"], "nodes");
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = roots.iter().map(|package| text(package, "id")).collect();
    while let Some(id) = open.pop() {
        if !reached.insert(id) {
            continue;
        }
        let dependencies =
            nodes.iter().filter(|node| text(node, "id") == id).flat_map(|node| items(node, "deps"));
        let is_followed = |dependency: &&Json| {
            items(dependency, "dep_kinds").iter().any(|kind| follows(text(kind, "kind")))
        };
        open.extend(dependencies.filter(is_followed).map(|dependency| text(dependency, "pkg")));
    }
    reached
}

/// A text in a field; empty if the field is missing.
pub(crate) fn text<'j>(json: &'j Json, field: &str) -> &'j str {
    json[field].as_str().unwrap_or_default()
}

/// The list in a field; empty if the field is missing.
pub(crate) fn items<'j>(json: &'j Json, field: &str) -> &'j [Json] {
    json[field].as_array().map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn code_of_macros_and_build_scripts_is_not_linked() {
        let package = |id: &str, kind: &str| json!({ "id": id, "name": id, "targets": [{ "kind": [kind] }] });
        let metadata = json!({
            "packages": [
                package("ours", "bin"), package("lib", "lib"), package("derive", "proc-macro"),
                package("quote", "lib"), package("cc", "lib"), package("test", "lib"),
            ],
            "resolve": { "nodes": [
                { "id": "ours", "deps": [
                    { "pkg": "lib", "dep_kinds": [{ "kind": "dev" }, { "kind": null }] },
                    { "pkg": "derive", "dep_kinds": [{ "kind": null }] },
                    { "pkg": "test", "dep_kinds": [{ "kind": "dev" }] },
                ] },
                { "id": "lib", "deps": [{ "pkg": "cc", "dep_kinds": [{ "kind": "build" }] }] },
            ] },
        });
        let linked = linked(&metadata, &metadata["packages"][0]);
        assert_eq!(linked.iter().map(|package| text(package, "name")).collect::<Vec<_>>(), ["lib", "ours"]);
    }
}
