//! `cargo xtask bench-corpus [FOLDER] [--short] [--files N] [--samples N] [--only PART,..]`: measures
//! thousands of graphs in one process and on Spark, beside Spark on Parquet and NetworkX.
//!
//! The harness copies small graphs, the measures are in `bindings/python/benches/corpus.py`, and the harness
//! makes the page. FOLDER has graphs to copy, in place of those of this repository: those of at most 200 kB
//! are the small ones. Parts are `open`, `find`, `nodes`, `components`, `executors` and `clones`. `--short`
//! checks that all of it works: few graphs, programs of the profile of tests, and the page stays below the
//! target folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::python::ADVICE;
use crate::{Failure, Outcome, cannot, wheel};

const SCRIPT: &str = "bindings/python/benches/corpus.py";
/// The folder of the cluster that the script starts, which tests start too.
const CLUSTER: &str = "bindings/python/tests";
/// Small graphs in C, Java and Python.
const SMALL: [&str; 5] = [
    "examples/data/content.cpg.bin",
    "examples/churn/churn.cpg.bin",
    "conformance/joern-text/asked.cpg.bin",
    "conformance/joern-text/asked-java.cpg.bin",
    "conformance/joern-text/asked-python.cpg.bin",
];
const LARGE: &str = "examples/data/zlib.cpg.bin";
/// The most bytes of a small graph.
const SMALL_BYTES_MAX: u64 = 200_000;
/// The endings of graphs.
const ENDINGS: [&str; 2] = [".cpg.bin", ".varvite"];
/// The options that the script gets as they are.
const PASSED: [&str; 3] = ["--files", "--samples", "--only"];
/// The options of the script for a short run.
const SHORT: [&str; 8] = ["--files", "60", "--linked-files", "12", "--large-files", "2", "--samples", "1"];

pub(crate) fn run(root: &Path, words: &[String]) -> Outcome {
    let options = Options::parse(words)?;
    let Sources { small, large } = options.sources(root)?;
    let scratch = target_dir(root).join("bench-corpus");
    let (profile, results) = match options.is_short {
        true => (Profile::Dev, scratch.join("results")),
        false => (Profile::Release, root.join("bench/results")),
    };
    fs::create_dir_all(&results).map_err(|error| cannot("create", &results, &error))?;
    let package =
        if options.is_short { wheel::of_tests(root, "test-wheels")? } else { wheel::release(root)? };
    let python = wheel::environment_with_spark(root, &package)?;
    let built = built::build(root, profile, &["--bin", "varvite", "--bin", "varvite-bench"])?;
    let harness = built.join("varvite-bench");
    let mut measures = Command::new(python);
    measures.arg(root.join(SCRIPT)).env("PYTHONPATH", root.join(CLUSTER));
    measures.env("PYTHONDONTWRITEBYTECODE", "1");
    measures.arg("--root").arg(root).arg("--scratch").arg(&scratch).arg("--results").arg(&results);
    measures.arg("--command").arg(built.join("varvite")).arg("--harness").arg(&harness);
    measures.arg("--line").arg(options.line());
    measures.arg("--small").args(small).arg("--large").args(large);
    if options.is_short {
        measures.args(SHORT);
    }
    measures.args(&options.passed).stderr(std::process::Stdio::inherit());
    let printed = process::output(&mut measures, ADVICE)?;
    let results = printed.lines().last().ok_or_else(|| Failure("bench-corpus wrote no results".into()))?;
    process::run(Command::new(harness).arg("report").arg(results), "see rustup.rs")
}

/// The graphs that are copied.
#[derive(Debug, PartialEq, Eq)]
struct Sources {
    small: Vec<PathBuf>,
    large: Vec<PathBuf>,
}

/// The options of the command line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    folder: Option<PathBuf>,
    is_short: bool,
    /// The options for the script.
    passed: Vec<String>,
}

impl Options {
    fn parse(words: &[String]) -> Outcome<Self> {
        let (mut options, mut words) = (Self::default(), words.iter());
        while let Some(word) = words.next() {
            match word.as_str() {
                "--short" => options.is_short = true,
                passed if PASSED.contains(&passed) => {
                    let wants = || Failure(format!("bench-corpus wants a value behind {word}"));
                    options.passed.extend([word.clone(), words.next().ok_or_else(wants)?.clone()]);
                }
                folder if !folder.starts_with('-') => options.folder = Some(folder.into()),
                other => {
                    return Err(Failure(format!(
                        "bench-corpus knows a folder, --short, and {} with a value, not '{other}'",
                        PASSED.join(", ")
                    )));
                }
            }
        }
        Ok(options)
    }

    /// The graphs that are copied: those of the repository, or those in the folder.
    fn sources(&self, root: &Path) -> Outcome<Sources> {
        let of_repository = || vec![root.join(LARGE)];
        let Some(folder) = &self.folder else {
            let small = SMALL.iter().map(|path| root.join(path)).collect();
            return Ok(Sources { small, large: of_repository() });
        };
        let (mut small, mut large) = (Vec::new(), Vec::new());
        for path in graphs_in(folder)? {
            let len = fs::metadata(&path).map_err(|error| cannot("read", &path, &error))?.len();
            if len <= SMALL_BYTES_MAX { &mut small } else { &mut large }.push(path);
        }
        if small.is_empty() {
            let folder = folder.display();
            let most = SMALL_BYTES_MAX / 1000;
            return Err(Failure(format!(
                "{folder} has no .cpg.bin or .varvite of at most {most} kB to copy"
            )));
        }
        Ok(Sources { small, large: if large.is_empty() { of_repository() } else { large } })
    }

    /// The command line for the page, without folders of this machine.
    fn line(&self) -> String {
        let folder = self.folder.as_ref().map(|_| "FOLDER".to_owned());
        let short = self.is_short.then(|| "--short".to_owned());
        let words = folder.into_iter().chain(short).chain(self.passed.iter().cloned());
        ["cargo xtask bench-corpus".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// The graphs in a folder, by their names.
fn graphs_in(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let unreadable = |error| cannot("read", folder, &error);
    let folder = fs::canonicalize(folder).map_err(unreadable)?;
    let entries = fs::read_dir(&folder).map_err(unreadable)?;
    let mut graphs = Vec::new();
    for entry in entries {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
            graphs.push(path);
        }
    }
    graphs.sort();
    Ok(graphs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: &[&str]) -> Outcome<Options> {
        Options::parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn only_known_options_are_taken() {
        assert!(options(&["--short"]).is_ok_and(|options| options.is_short));
        assert!(options(&["graphs", "--files", "100", "--only", "find,clones"]).is_ok());
        for (words, failure) in [
            (&["--files"][..], "bench-corpus wants a value behind --files"),
            (
                &["--long"],
                "bench-corpus knows a folder, --short, and --files, --samples, --only with a value, not '--long'",
            ),
        ] {
            assert_eq!(options(words).unwrap_err().0, failure);
        }
    }

    #[test]
    fn the_command_line_of_the_page_has_no_folder() {
        let line = options(&["/a/b", "--samples", "3"]).unwrap().line();
        assert_eq!(line, "cargo xtask bench-corpus FOLDER --samples 3");
    }

    #[test]
    fn graphs_of_a_folder_are_small_or_large() {
        let root = crate::root();
        let of =
            |folder: &str| Options { folder: Some(root.join(folder)), ..Options::default() }.sources(&root);
        let sources = of("examples/data").unwrap();
        let names = |paths: &[PathBuf]| -> Vec<String> {
            paths.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
        };
        assert_eq!(names(&sources.small), ["content.cpg.bin"]);
        assert_eq!(names(&sources.large), ["zlib.cpg.bin"]);
        assert!(of("examples/plans").unwrap_err().0.contains("has no .cpg.bin or .varvite"));
        let own = Options::default().sources(&root).unwrap();
        assert!(own.small.iter().chain(&own.large).all(|path| path.exists()));
    }
}
