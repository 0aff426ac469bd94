//! The list of parts of an artefact (SBOM) in the form of CycloneDX 1.5, from cargo's metadata and lock file.
//!
//! The list has no time and no random number, so that equal sources give equal lists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::metadata::{self, items, linked, text};
use crate::{Failure, Outcome, cannot, explorer};

/// The list of what is linked into a package of the workspace on a platform.
pub(crate) fn of(root: &Path, package: &str, platform: &str) -> Outcome<String> {
    let metadata = metadata::of(root, platform)?;
    let subject = metadata::member(&metadata, package)?;
    let linked = linked(&metadata, subject);
    let lock = root.join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|error| cannot("read", &lock, &error))?;
    let checksums = checksums(&lock);
    let parts = linked.iter().filter(|part| part["id"] != subject["id"]);
    let mut components: Vec<Json> = parts.map(|part| component(part, "library", &checksums)).collect();
    if linked.iter().any(|part| text(part, "name") == "varvite-explorer") {
        components.extend(page_components(&explorer::lock(root)?));
    }
    let list = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": component(subject, "application", &checksums),
            "properties": [{ "name": "cargo:target", "value": platform }],
        },
        "components": components,
        "dependencies": dependencies(&metadata, &linked),
    });
    let text =
        serde_json::to_string_pretty(&list).map_err(|error| Failure(format!("list of parts: {error}")))?;
    Ok(text + "\n")
}

fn component(package: &Json, kind: &str, checksums: &BTreeMap<(&str, &str), &str>) -> Json {
    let (name, version) = (text(package, "name"), text(package, "version"));
    let mut component = json!({
        "type": kind,
        "bom-ref": purl(package),
        "name": name,
        "version": version,
        "licenses": [{ "expression": text(package, "license").replace('/', " OR ") }],
        "purl": purl(package),
    });
    if let Some(checksum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

/// The packages of npm in the page of the explorer: those of its lock file that serve not only tests.
fn page_components(lock: &Json) -> Vec<Json> {
    let packages = lock["packages"].as_object().into_iter().flatten();
    let shipped = packages.filter(|(path, package)| !path.is_empty() && package["dev"] != true);
    let component = |(path, package): (&String, &Json)| {
        let (name, version) = (path.rsplit("node_modules/").next()?, text(package, "version"));
        let purl = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
        let licences = json!([{ "expression": text(package, "license") }]);
        Some(json!({
            "type": "library", "bom-ref": purl, "name": name, "version": version, "licenses": licences, "purl": purl,
        }))
    };
    shipped.filter_map(component).collect()
}

/// The URL of a package (purl), which also identifies it within the list.
fn purl(package: &Json) -> String {
    // The version of a C library after `+` must be escaped in an URL.
    let version = text(package, "version").replace('+', "%2B");
    format!("pkg:cargo/{}@{version}", text(package, "name"))
}

/// For each part, the parts that it needs.
fn dependencies(metadata: &Json, linked: &[&Json]) -> Vec<Json> {
    let purls: BTreeMap<&str, String> = linked.iter().map(|part| (text(part, "id"), purl(part))).collect();
    let nodes = items(&metadata["resolve"], "nodes").iter();
    let known = nodes.filter_map(|node| Some((purls.get(text(node, "id"))?, node)));
    let mut found: Vec<(&String, BTreeSet<&String>)> = known
        .map(|(purl, node)| {
            let needed = items(node, "dependencies").iter().filter_map(Json::as_str);
            (purl, needed.filter_map(|id| purls.get(id)).collect())
        })
        .collect();
    found.sort();
    found.into_iter().map(|(purl, needed)| json!({ "ref": purl, "dependsOn": needed })).collect()
}

/// The SHA-256 of packages in cargo's lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let packages = lock.split("[[package]]\n").skip(1);
    let checksum =
        |package| Some(((field(package, "name")?, field(package, "version")?), field(package, "checksum")?));
    packages.filter_map(checksum).collect()
}

/// The text of a field of a package in the lock file.
fn field<'l>(package: &'l str, name: &str) -> Option<&'l str> {
    let line = |line: &'l str| line.strip_prefix(name)?.strip_prefix(" = \"")?.strip_suffix('"');
    package.lines().find_map(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"ours\"\nversion = \"0.1.0\"\n\n[[package]]\n\
                        name = \"lib\"\nversion = \"2.1.2+zstd.1.5.7\"\nsource = \"registry\"\nchecksum = \"ab12\"\n";

    #[test]
    fn checksums_are_those_of_the_lock_file() {
        assert_eq!(checksums(LOCK), BTreeMap::from([(("lib", "2.1.2+zstd.1.5.7"), "ab12")]));
    }

    #[test]
    fn packages_of_the_page_are_parts_unless_only_tests_need_them() {
        let lock = json!({ "packages": {
            "": { "name": "page" },
            "node_modules/@codemirror/view": { "version": "6.1.0", "license": "MIT" },
            "node_modules/esbuild": { "version": "0.1.0", "license": "MIT", "dev": true },
        } });
        let components = page_components(&lock);
        assert_eq!(components.len(), 1);
        assert_eq!(components[0]["name"], "@codemirror/view");
        assert_eq!(components[0]["purl"], "pkg:npm/%40codemirror/view@6.1.0");
    }

    #[test]
    fn a_part_has_its_licence_and_checksum() {
        let package = json!({ "name": "lib", "version": "2.1.2+zstd.1.5.7", "license": "MIT/Apache-2.0" });
        let component = component(&package, "library", &checksums(LOCK));
        assert_eq!(component["purl"], "pkg:cargo/lib@2.1.2%2Bzstd.1.5.7");
        assert_eq!(component["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(component["hashes"][0]["content"], "ab12");
    }
}
