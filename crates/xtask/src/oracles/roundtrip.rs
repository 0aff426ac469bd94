//! `cargo xtask roundtrip GRAPH ...`: checks that importing and exporting a graph loses nothing.
//!
//! The command imports each `cpg.bin` with every profile, asks `varvite` for its facts, exports the graph,
//! and loads the result with flatgraph. All facts must equal the facts that flatgraph finds in the original.
//! The facts of the original are read from `GRAPH.expected.json` beside the graph; without this file,
//! flatgraph computes them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::difference::differences;
use crate::built::{self, Profile};
use crate::java::Peer;
use crate::process;
use crate::{Failure, Outcome, cannot};

const PROFILES: [&str; 3] = ["direct", "compact", "archive"];
/// The maximum number of differences that are printed; further differences are only counted.
const SHOWN_MAX: usize = 10;

/// Checks each graph in `arguments`; `--release` builds an optimised `varvite`, for large graphs.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Outcome {
    let (options, graphs): (Vec<_>, Vec<_>) = arguments.iter().partition(|word| word.starts_with('-'));
    if let Some(unknown) = options.iter().find(|option| **option != "--release") {
        return Err(Failure(format!("no option '{unknown}' for roundtrip")));
    }
    if graphs.is_empty() {
        return Err(Failure("roundtrip needs a graph, such as examples/data/zlib.cpg.bin".into()));
    }
    let profile = if options.is_empty() { Profile::Dev } else { Profile::Release };
    let both = Both { varvite: built::varvite(root, profile)?, flatgraph: Peer::flatgraph(root)? };
    let folder = process::target_dir(root).join("roundtrip");
    graphs.into_iter().try_for_each(|graph| both.check(Path::new(graph), &folder))
}

/// The two programs whose facts must be equal.
struct Both {
    varvite: PathBuf,
    flatgraph: Peer,
}

impl Both {
    fn check(&self, graph: &Path, folder: &Path) -> Outcome {
        let stem = stem(graph)?;
        let folder = folder.join(stem);
        make_empty(&folder).map_err(|error| cannot("empty", &folder, &error))?;
        let expected = self.expected_facts(graph, &folder)?;
        for profile in PROFILES {
            let file = folder.join(format!("{profile}.varvite"));
            self.import(graph, &file, profile)?;
            agree(&format!("{stem}, {profile}"), &expected, &self.facts(&file)?)?;

            let exported = folder.join(format!("{profile}.cpg.bin"));
            self.export(&file, &exported)?;
            let told = self.facts_of_flatgraph(&exported, &folder)?;
            agree(&format!("{stem}, {profile}, exported and loaded by flatgraph"), &expected, &told)?;
        }
        println!("{stem}: the same facts before and after, in every profile");
        Ok(())
    }

    fn import(&self, graph: &Path, file: &Path, profile: &str) -> Outcome {
        let mut import = self.command("import");
        import.arg(graph).arg("-o").arg(file).args(["--profile", profile]);
        process::run(&mut import, "")
    }

    fn export(&self, file: &Path, graph: &Path) -> Outcome {
        let mut export = self.command("export");
        export.arg(file).arg("-o").arg(graph).args(["--format", "flatgraph"]);
        process::run(&mut export, "")
    }

    fn facts(&self, file: &Path) -> Outcome<Value> {
        let mut facts = self.command("facts");
        let output =
            facts.arg(file).output().map_err(|error| process::could_not_start(&facts, &error, ""))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(Failure(format!("failed: {}: {}", process::line(&facts), said.trim())));
        }
        parse(&process::line(&facts), &output.stdout)
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.varvite);
        command.arg(name);
        command
    }

    fn expected_facts(&self, graph: &Path, folder: &Path) -> Outcome<Value> {
        let beside = graph.with_file_name(format!("{}.expected.json", stem(graph)?));
        match fs::read(&beside) {
            Ok(bytes) => parse(&beside.display().to_string(), &bytes),
            Err(_) => self.facts_of_flatgraph(graph, folder),
        }
    }

    fn facts_of_flatgraph(&self, graph: &Path, folder: &Path) -> Outcome<Value> {
        let out = folder.join("flatgraph.json");
        self.flatgraph.facts(graph, &out)?;
        let told = fs::read(&out).map_err(|error| cannot("read", &out, &error))?;
        parse(&out.display().to_string(), &told)
    }
}

/// The file name of a graph without its extension: `zlib` for `examples/data/zlib.cpg.bin`.
fn stem(graph: &Path) -> Outcome<&str> {
    let name = graph.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let stem = name.strip_suffix(".cpg.bin").or_else(|| name.strip_suffix(".fg"));
    stem.ok_or_else(|| {
        Failure(format!("not the name of a graph: {} (expected NAME.cpg.bin)", graph.display()))
    })
}

fn make_empty(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => fs::create_dir_all(folder),
    }
}

fn parse(source: &str, bytes: &[u8]) -> Outcome<Value> {
    serde_json::from_slice(bytes).map_err(|error| Failure(format!("{source}: not JSON: {error}")))
}

/// Fails with the paths at which the facts differ.
fn agree(what: &str, expected: &Value, found: &Value) -> Outcome {
    let lines = differences(expected, found);
    if lines.is_empty() {
        return Ok(());
    }
    for line in lines.iter().take(SHOWN_MAX) {
        eprintln!("{what}: {line}");
    }
    Err(Failure(format!("{what}: {} facts differ", lines.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_of_a_graph_is_its_name() {
        assert_eq!(stem(Path::new("a/zlib.cpg.bin")).unwrap(), "zlib");
        assert!(stem(Path::new("a/zlib.json")).is_err());
    }

    #[test]
    fn emptying_makes_a_folder_or_clears_it() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("a");
        make_empty(&inside).unwrap();
        fs::write(inside.join("old"), "").unwrap();
        make_empty(&inside).unwrap();
        assert_eq!(fs::read_dir(&inside).unwrap().count(), 0);
    }

    #[test]
    fn differing_facts_fail_with_their_number() {
        let failure =
            agree("zlib", &serde_json::json!({"nodes": 1}), &serde_json::json!({"nodes": 2})).unwrap_err();
        assert_eq!(failure.0, "zlib: 1 facts differ");
    }
}
