//! Checks `README.md`: its commands return the answers that it shows, its programs compile, and its lists
//! name every command and every binding.

use std::collections::BTreeSet;
use std::path::Path;

use crate::command::{Folder, varvite};
use crate::guide::{ROOT, commands_of, run};

const README: &str = include_str!("../../../README.md");
const JAVA_README: &str = include_str!("../../../bindings/java/README.md");
const JAVA_EXAMPLE: &str = include_str!("../../../examples/java/src/main/java/varvite/examples/Callees.java");
const JAVA_POM: &str = include_str!("../../../bindings/java/pom.xml");
const INSTALL: &str = include_str!("../../../docs/guide/install.md");
const LIBRARY: &str = include_str!("../../varvite/src/lib.rs");

/// The lines between a heading and the next one.
fn section(heading: &str) -> &'static str {
    let (_, rest) = README.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no {heading}"));
    rest.split("\n## ").next().unwrap()
}

/// The lines of the first code block that begins with `opening`, without indentation.
fn block<'a>(text: &'a str, opening: &str) -> Vec<&'a str> {
    let (_, rest) = text.split_once(opening).unwrap();
    rest.split("```").next().unwrap().lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// Whether these are consecutive lines of a file. Indentation is ignored.
fn stand_in(lines: &[&str], file: &str) -> bool {
    let file: Vec<&str> = file.lines().map(str::trim).collect();
    file.windows(lines.len()).any(|window| window == lines)
}

#[test]
fn the_session_answers_as_shown() {
    let folder = Folder::new();
    let graph = folder.path("graph.varvite");
    let commands = commands_of(README);
    assert!(commands.len() >= 2 && commands[0].0.starts_with("varvite import "));
    for (command, expected) in commands {
        let text = run(command, &graph).replace(&graph, "zlib.varvite");
        // The duration of an import differs from machine to machine.
        let said = |line: &str| match command.starts_with("varvite import") {
            true => line.rsplit_once(", ").unwrap().0.to_owned(),
            false => line.trim_end().to_owned(),
        };
        let lines: Vec<String> = text.lines().map(said).collect();
        assert_eq!(lines, expected.into_iter().map(said).collect::<Vec<_>>(), "{command}");
    }
}

#[test]
fn the_rust_lines_are_the_first_example_of_the_library() {
    let example = LIBRARY.lines().skip_while(|line| !line.starts_with("//! ```")).skip(1);
    let example = example.take_while(|line| !line.starts_with("//! ```"));
    let lines = example.map(|line| line.trim_start_matches("//!").trim());
    let shown: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    assert_eq!(block(README, "```rust\n"), shown);
}

#[test]
fn the_java_lines_are_those_of_an_example_that_is_compiled() {
    for readme in [README, JAVA_README] {
        let lines = block(readme, "```java\n");
        assert!(lines.len() > 3 && stand_in(&lines, JAVA_EXAMPLE), "{lines:#?}");
    }
}

#[test]
fn features_name_every_command_and_none_that_is_missing() {
    let rows = section("Features").lines().filter_map(|line| line.split('|').nth(2));
    let named: BTreeSet<&str> = rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    let help = varvite(&["--help"]).text();
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let known = list.lines().take_while(|line| !line.is_empty());
    assert_eq!(named, known.map(|line| line.split_whitespace().next().unwrap()).collect());
}

#[test]
fn features_name_every_binding_and_limits_none() {
    let today = section("Features");
    let folders = std::fs::read_dir(Path::new(ROOT).join("bindings")).unwrap();
    let folders = folders.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders: BTreeSet<String> = folders.collect();
    let links = today.split("](bindings/").skip(1).filter_map(|link| link.split('/').next());
    assert_eq!(links.map(str::to_owned).collect::<BTreeSet<_>>(), folders);
    assert!(today.contains("Scala") && Path::new(ROOT).join("bindings/java/scala/pom.xml").exists());
    let absent = section("Limits");
    assert!(["Java", "Python"].iter().all(|language| !absent.contains(language)), "{absent}");
}

#[test]
fn the_list_of_guides_names_every_page() {
    const LIST: &str = include_str!("../../../docs/guide/README.md");
    let pages = std::fs::read_dir(Path::new(ROOT).join("docs/guide")).unwrap();
    let names = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
    let pages: Vec<String> = names.filter(|name| name.ends_with(".md") && name != "README.md").collect();
    assert!(pages.len() > 20);
    for page in pages {
        assert!(LIST.contains(&format!("]({page})")), "{page} is missing in docs/guide/README.md");
    }
    assert!(README.contains("](docs/guide/README.md)"));
}

/// The versions, names and files are those that the release has. `cargo xtask test-release` runs the first
/// line, and finds the artefacts of the others.
#[test]
fn each_kind_of_user_has_one_line_to_install() {
    let lines: Vec<&str> = section("Install").lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let kinds: Vec<&str> = lines.iter().filter_map(|line| Some(line.split_once(": `")?.0)).collect();
    assert_eq!(kinds, ["Command", "Rust", "Java", "Python", "C"]);
    let version = env!("CARGO_PKG_VERSION");
    let group = JAVA_POM.split("<groupId>").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    assert!(JAVA_POM.contains(&format!("<version>{version}</version>")));
    for artefact in ["varvite-ffi", "varvite-native"] {
        assert!(lines[2].contains(&format!("`{group}:{artefact}:{version}")), "{}", lines[2]);
        assert!(INSTALL.contains(&format!("{group}:{artefact}:{version}")), "{artefact} in the guide");
    }
    for archive in
        [format!("varvite-c-{version}-linux-x86_64.tar.gz"), format!("varvite-{version}-linux-x86_64.tar.gz")]
    {
        assert!(INSTALL.contains(&archive), "{archive} in the guide");
    }
    assert!(lines[4].contains(&format!("varvite-c-{version}-linux-x86_64.tar.gz")), "{}", lines[4]);
    assert!(
        Path::new(ROOT).join("crates/varvite/Cargo.toml").exists() && lines[1].contains("crates/varvite`")
    );
    assert!(INSTALL.contains(&format!("pip install target/release-artefacts/varvite-{version}-")));
    assert!(lines[3].contains("`pip install target/release-artefacts/varvite-*.whl`"), "{}", lines[3]);
    assert!(Path::new(ROOT).join("packaging/c/varvite.pc.in").exists() && lines[4].contains(" varvite`"));
}

#[test]
fn what_exists_is_not_called_absent() {
    let absent = section("Limits");
    let today = section("Features");
    // For a long time, the README said that there was no support for traces, although `import --into` adds
    // them as layers.
    assert!(varvite(&["import", "--help"]).text().contains("--into"));
    assert!(today.contains("layer") && !absent.contains("traces"));
}
