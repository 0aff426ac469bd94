//! Rules on crates. Each rule reads its facts from the document that explains them: the crates that each
//! crate may use, the modules that may have unsafe code, and the reason for each external dependency.

use std::collections::{BTreeMap, BTreeSet};

use super::documents::{cells, heading_level, in_backticks, section};
use super::files::{Files, Finding};
use super::rust::{code_of, lines_with};

const MAP: &str = "ARCHITECTURE.md";
const REASONS: &str = "docs/decisions/0002-dependencies.md";
const WORKSPACE: &str = "Cargo.toml";

/// Only the modules listed in ARCHITECTURE.md contain unsafe code, and every listed module does; a crate
/// without unsafe code forbids it.
pub(crate) fn unsafe_code_is_fenced(files: &Files) -> Vec<Finding> {
    let listed = listed_unsafe_modules(files.text(MAP));
    let mut findings = Vec::new();
    let mut seen = BTreeSet::new();
    for (file, text) in files.texts().filter(|(file, _)| file.extension() == "rs") {
        let lines = lines_with(&code_of(text), "unsafe");
        let Some(first) = lines.first() else { continue };
        seen.insert(file.path.as_str());
        if !listed.contains(file.path.as_str()) {
            findings.push(file.finding(*first, format!("unsafe code in a module that {MAP} does not list")));
        }
    }
    let unused = listed.iter().filter(|path| !seen.contains(*path));
    findings.extend(unused.map(|path| in_map(format!("lists {path} for unsafe code; it has none"))));
    findings.extend(crates_that_do_not_forbid(files, &listed));
    findings
}

fn listed_unsafe_modules(map: &str) -> BTreeSet<&str> {
    section(map, "unsafe").into_iter().flat_map(in_backticks).filter(|path| path.ends_with(".rs")).collect()
}

fn crates_that_do_not_forbid(files: &Files, listed: &BTreeSet<&str>) -> Vec<Finding> {
    let roots = files.texts().filter(|(file, _)| {
        let source = file.path.split_once("/src/").map(|(_, rest)| rest);
        file.source_of_crate().is_some() && matches!(source, Some("lib.rs" | "main.rs"))
    });
    let fenced = |path: &str| {
        let folder = path.split_inclusive('/').take(2).collect::<String>();
        listed.iter().any(|module| module.starts_with(&folder))
    };
    let open = roots.filter(|(file, text)| !text.contains("#![forbid(unsafe_code)]") && !fenced(&file.path));
    open.map(|(file, _)| file.finding(1, "a crate without unsafe code opens with #![forbid(unsafe_code)]"))
        .collect()
}

/// Among the crates of the workspace, a crate depends only on those that the table of crates allows.
pub(crate) fn crates_need_only_what_they_may(files: &Files) -> Vec<Finding> {
    let needs = needs_by_crate(files.text(MAP));
    let manifests = files.texts().filter(|(file, _)| is_manifest_of_crate(&file.path));
    let mut findings = Vec::new();
    for (file, text) in manifests {
        let name = name_of_crate(&file.path, text);
        let Some(allowed) = needs.get(name) else {
            findings.push(file.finding(0, format!("'{name}' is missing from the table of crates in {MAP}")));
            continue;
        };
        let needed = keys(text, "[dependencies]").into_iter().filter(|(_, key)| key.starts_with("varvite"));
        let beyond = needed.filter(|(_, key)| !allowed.contains(key));
        findings
            .extend(beyond.map(|(line, key)| file.finding(line, format!("'{name}' may not need '{key}'"))));
    }
    findings
}

fn is_manifest_of_crate(path: &str) -> bool {
    let inside = path.starts_with("crates/") || path.starts_with("bindings/");
    inside && path.ends_with("/Cargo.toml") && path.matches('/').count() == 2
}

/// The name of a crate: the name of its folder; or, for a binding, the name in its manifest, because the
/// folder is named after the language.
fn name_of_crate<'a>(path: &'a str, manifest: &'a str) -> &'a str {
    let folder = path.split('/').nth(1).unwrap_or_default();
    let names = manifest.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let mut binding = names.filter(|_| path.starts_with("bindings/"));
    binding.next().unwrap_or(folder)
}

/// The crates that each crate may use, from the rows of the table.
fn needs_by_crate(map: &str) -> BTreeMap<&str, BTreeSet<&str>> {
    let rows = section(map, "the crates").into_iter().map(cells);
    rows.filter_map(|row| {
        let name = in_backticks(row.first()?).next()?;
        Some((name, in_backticks(row.last()?).collect()))
    })
    .collect()
}

/// Every external dependency has a section with its reason, and every section has a dependency.
pub(crate) fn dependencies_have_reasons(files: &Files) -> Vec<Finding> {
    let Some((workspace, text)) = files.texts().find(|(file, _)| file.path == WORKSPACE) else {
        return Vec::new();
    };
    let headings = files.text(REASONS).lines().filter(|line| heading_level(line) > 0);
    let explained: BTreeSet<&str> = headings.flat_map(in_backticks).collect();
    let used = keys(text, "[workspace.dependencies]");
    let foreign: Vec<_> = used.into_iter().filter(|(_, key)| !key.starts_with("varvite")).collect();
    let bare = foreign.iter().filter(|(_, key)| !explained.contains(key));
    let mut findings: Vec<Finding> = bare
        .map(|(line, key)| workspace.finding(*line, format!("'{key}' has no reason in {REASONS}")))
        .collect();
    let gone = explained.iter().filter(|name| !foreign.iter().any(|(_, key)| key == *name));
    findings.extend(gone.map(|name| Finding {
        path: REASONS.into(),
        line: 0,
        what: format!("explains '{name}', which the workspace does not use"),
    }));
    findings
}

/// The keys of a table in a manifest, each with its line number, from one.
fn keys<'a>(manifest: &'a str, table: &str) -> Vec<(usize, &'a str)> {
    let lines = manifest.lines().enumerate().skip_while(|(_, line)| line.trim() != table).skip(1);
    let inside = lines.take_while(|(_, line)| !line.starts_with('['));
    let named = inside.filter(|(_, line)| line.starts_with(|c: char| c.is_ascii_alphabetic()));
    named.map(|(i, line)| (i + 1, line.split(['=', '.', ' ']).next().unwrap_or_default())).collect()
}

fn in_map(what: String) -> Finding {
    Finding { path: MAP.into(), line: 0, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORBID: &str = "#![forbid(unsafe_code)]\n";

    fn check(rule: fn(&Files) -> Vec<Finding>, texts: &[(&str, &str)], expected: &[&str]) {
        let found: Vec<String> = rule(&Files::of_texts(texts)).iter().map(Finding::to_string).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn unsafe_code_outside_the_list_is_found() {
        let map = "## Unsafe code\n- `crates/a/src/map.rs`: why\n";
        let texts = [
            ("ARCHITECTURE.md", map),
            ("crates/a/src/lib.rs", ""),
            ("crates/a/src/map.rs", "unsafe {}"),
            ("crates/b/src/lib.rs", FORBID),
            ("crates/b/src/sly.rs", "\nunsafe {}"),
        ];
        check(
            unsafe_code_is_fenced,
            &texts,
            &["crates/b/src/sly.rs:2: unsafe code in a module that ARCHITECTURE.md does not list"],
        );
    }

    #[test]
    fn a_listed_module_without_unsafe_code_is_found() {
        let map = "## Unsafe code\n- `crates/a/src/map.rs`: why\n";
        let texts = [("ARCHITECTURE.md", map), ("crates/a/src/map.rs", "")];
        check(
            unsafe_code_is_fenced,
            &texts,
            &["ARCHITECTURE.md: lists crates/a/src/map.rs for unsafe code; it has none"],
        );
    }

    #[test]
    fn a_crate_that_does_not_forbid_unsafe_code_is_found() {
        check(
            unsafe_code_is_fenced,
            &[("crates/a/src/lib.rs", "//! x")],
            &["crates/a/src/lib.rs:1: a crate without unsafe code opens with #![forbid(unsafe_code)]"],
        );
    }

    #[test]
    fn a_need_beyond_the_table_is_found() {
        let map = "## The crates\n| crate | knows | may need |\n|---|---|---|\n\
                   | `varvite-codec` | bytes | nothing |\n| `varvite` | graphs | `varvite-codec` |\n";
        let codec = "[dependencies]\nvarvite.workspace = true\nzstd.workspace = true\n";
        let graph = "[dependencies]\nvarvite-codec = { workspace = true }\n\n[dev-dependencies]\nvarvite-model = \"1\"\n";
        let texts = [
            ("ARCHITECTURE.md", map),
            ("crates/varvite-codec/Cargo.toml", codec),
            ("crates/varvite/Cargo.toml", graph),
            ("crates/other/Cargo.toml", ""),
            ("bindings/c/Cargo.toml", "[package]\nname = \"varvite-c\"\n"),
        ];
        check(
            crates_need_only_what_they_may,
            &texts,
            &[
                "crates/varvite-codec/Cargo.toml:2: 'varvite-codec' may not need 'varvite'",
                "crates/other/Cargo.toml: 'other' is missing from the table of crates in ARCHITECTURE.md",
                "bindings/c/Cargo.toml: 'varvite-c' is missing from the table of crates in ARCHITECTURE.md",
            ],
        );
    }

    #[test]
    fn a_dependency_without_a_reason_is_found_and_a_reason_without_dependency() {
        let texts = [
            (
                "Cargo.toml",
                "[workspace.dependencies]\nvarvite = { path = \"x\" }\ncsv = \"1\"\n# note\nserde = \"1\"\n",
            ),
            ("docs/decisions/0002-dependencies.md", "### `csv`\n### `snap`\n"),
        ];
        check(
            dependencies_have_reasons,
            &texts,
            &[
                "Cargo.toml:5: 'serde' has no reason in docs/decisions/0002-dependencies.md",
                "docs/decisions/0002-dependencies.md: explains 'snap', which the workspace does not use",
            ],
        );
    }
}
