//! `cargo xtask bench-ask [GRAPH] [--sources FOLDER] [--queries PREFIX,..] [--turns N] [--seconds N]
//! [--only PART,..]`: measures queries in Joern's language, and the questions of agents.
//!
//! Compiles a program in Scala with the queries, for Joern; imports the graph; and runs the harness, which
//! measures. Parts are `warm` (the queries in Joern and in Varvite), `cold` (a process for each query),
//! `crowd` (fifty processes on one file) and `agent` (questions with known answers; needs the sources for
//! grep and ctags).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::jdk;
use crate::joern::text;
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

/// The graph without an argument. Without this file, which is not in the repository, that of zlib.
const GRAPH: &str = "../shared/data/sqlite.cpg.bin";
const SMALL_GRAPH: &str = "examples/data/zlib.cpg.bin";
/// The options that the harness gets as they are.
const PASSED: [&str; 4] = ["--sources", "--turns", "--seconds", "--only"];

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let options = Options::parse(root, words)?;
    let folder = target_dir(root).join("bench-ask");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let asked = text::measured(root, &folder, &options.prefixes)?;
    let built = built::build(root, Profile::Release, &["--bin", "varvite", "--bin", "varvite-bench-ask"])?;
    let varvite = built.join("varvite");
    let (cpg, graph) = inputs(&options.graph, &varvite, &folder)?;
    let jdk = jdk::find()?;
    let mut harness = Command::new(built.join("varvite-bench-ask"));
    harness.arg("run").arg("--root").arg(root).arg("--command").arg(varvite);
    harness.arg("--cpg").arg(cpg).arg("--graph").arg(graph).arg("--queries").arg(asked.queries);
    harness.arg("--java").arg(jdk.program("java")).arg("--java-version").arg(jdk.version.to_string());
    harness.arg("--class-path").arg(asked.class_path).arg("--joern-version").arg(asked.version);
    harness.arg("--line").arg(options.line());
    process::run(harness.args(&options.passed), "see rustup.rs")
}

/// A copy of the graph for Joern, which changes files that it opens, and the imported graph.
fn inputs(graph: &Path, varvite: &Path, folder: &Path) -> Outcome<(PathBuf, PathBuf)> {
    let name = graph.file_name().unwrap_or_default();
    let cpg = folder.join(name);
    fs::copy(graph, &cpg).map_err(|error| cannot("copy", graph, &error))?;
    let imported = folder.join(name).with_extension("varvite");
    let mut import = Command::new(varvite);
    process::output(import.arg("import").arg(graph).arg("-o").arg(&imported).arg("--force"), "")?;
    Ok((cpg, imported))
}

/// The options of the command line.
#[derive(Debug)]
struct Options {
    graph: PathBuf,
    /// The beginnings of the ids of the queries to run; all if there are none.
    prefixes: Vec<String>,
    /// The options for the harness.
    passed: Vec<String>,
}

impl Options {
    fn parse(root: &Path, words: &[String]) -> Outcome<Self> {
        let mut options = Self { graph: root.join(GRAPH), prefixes: Vec::new(), passed: Vec::new() };
        if !options.graph.exists() {
            eprintln!("bench-ask: {GRAPH} is not there: {SMALL_GRAPH} is measured");
            options.graph = root.join(SMALL_GRAPH);
        }
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                words.next().cloned().ok_or_else(|| Failure(format!("bench-ask wants a value behind {word}")))
            };
            match word.as_str() {
                "--queries" => options.prefixes = value()?.split(',').map(str::to_owned).collect(),
                passed if PASSED.contains(&passed) => options.passed.extend([word.clone(), value()?]),
                graph if !graph.starts_with('-') => options.graph = found(graph)?,
                other => {
                    return Err(Failure(format!(
                        "bench-ask knows a graph, --queries PREFIX,.., {} with a value, not '{other}'",
                        PASSED.join(", ")
                    )));
                }
            }
        }
        Ok(options)
    }

    /// The command line for the page, without folders of this machine.
    fn line(&self) -> String {
        let graph = self.graph.file_name().unwrap_or_default().to_string_lossy();
        let queries = if self.prefixes.is_empty() {
            String::new()
        } else {
            format!(" --queries {}", self.prefixes.join(","))
        };
        let pairs = self.passed.chunks(2).map(|pair| match pair {
            [name, _] if name == "--sources" => format!(" {name} FOLDER"),
            pair => format!(" {}", pair.join(" ")),
        });
        format!("cargo xtask bench-ask {graph}{queries}{}", pairs.collect::<String>())
    }
}

fn found(graph: &str) -> Outcome<PathBuf> {
    fs::canonicalize(graph).map_err(|error| cannot("find", Path::new(graph), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> Outcome<Options> {
        Options::parse(Path::new("/"), &words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_known_options_are_taken() {
        assert!(options(&[]).is_ok());
        assert!(options(&["--turns", "1", "--only", "cold", "--queries", "everyday,guide"]).is_ok());
        for (words, failure) in [
            (&["--turns"][..], "bench-ask wants a value behind --turns"),
            (
                &["--long", "1"],
                "bench-ask knows a graph, --queries PREFIX,.., --sources, --turns, --seconds, --only with a value, not '--long'",
            ),
            (&["/no/such.cpg.bin"], "cannot find /no/such.cpg.bin: No such file or directory (os error 2)"),
        ] {
            assert_eq!(options(words).unwrap_err().0, failure);
        }
    }

    #[test]
    fn the_command_line_of_the_page_has_no_folder() {
        let line = options(&["--sources", "/a/b", "--turns", "2", "--queries", "card"]).unwrap().line();
        assert!(line.starts_with("cargo xtask bench-ask ") && !line.contains('/'), "{line}");
        assert!(line.ends_with(" --queries card --sources FOLDER --turns 2"), "{line}");
    }
}
