//! `cargo xtask test-joern --text [NAME=GRAPH ...]`: compares the answers of `varvite ask`'s machinery with
//! Joern's, for queries in Joern's language.
//!
//! The steps:
//!
//! ```text
//! queries   Queries::read     conformance/joern-text/texts.csv, or the file that VARVITE_TEXT_QUERIES names
//! program   Program::compile  a function in Scala for each query
//! answers   Joern             a line of JSON for each query on each graph
//! verdicts  the example judge of varvite-text: asks the same queries, and compares
//! ```
//!
//! `cargo xtask test-joern --text --graphs` makes the graphs in `conformance/joern-text` again.

mod graphs;
mod guide;
mod program;
mod queries;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::java::{self, JoernPaths, JoernVersion};
use crate::process;
use crate::{Failure, Outcome, cannot};

use super::programs::SHELL;
use program::Program;
use queries::Queries;

/// The version whose answers count, with the frontends that made the graphs.
const JOERN: JoernVersion = JoernVersion {
    joern: "4.0.379",
    cpg: "1.7.35",
    scala: "3.6.4",
    parts: &["shell", "c2cpg", "javasrc2cpg", "pysrc2cpg", "rubysrc2cpg"],
};
/// The folder of the tables and graphs.
const FOLDER: &str = "conformance/joern-text";
/// The graphs that are asked: name and path. `crates/varvite-text/tests` knows them by the same names.
const GRAPHS: [(&str, &str); 5] = [
    ("zlib", "examples/data/zlib.cpg.bin"),
    ("c", "conformance/joern-text/asked.cpg.bin"),
    ("java", "conformance/joern-text/asked-java.cpg.bin"),
    ("python", "conformance/joern-text/asked-python.cpg.bin"),
    ("ruby", "conformance/joern-text/asked-ruby.cpg.bin"),
];
/// Options of every Java process: Scala's compiler and Joern recurse deeply.
const JVM: [&str; 2] = ["-Xmx2g", "-Xss16m"];

/// Compares all answers about the graphs in the arguments, or about those in the repository.
pub(super) fn test(root: &Path, words: &[String]) -> Outcome {
    let folder = process::target_dir(root).join("joern/text");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let queries = Queries::read(&root.join(FOLDER))?;
    queries.write(&folder.join("queries.jsonl"))?;
    let paths = java::joern_version(root, &JOERN, &folder)?;
    let program = Program::compile(&paths, &queries, &folder)?;
    if words == ["--graphs"] {
        return graphs::make(root, &program);
    }
    let graphs = graphs_of(root, words)?;
    ask(&program, &graphs)?;
    judge(root, &folder, &graphs)
}

/// The parts with which a benchmark runs the queries of this project in Joern.
pub(crate) struct Measured {
    /// The queries: lines of JSON with `id` and `text`.
    pub(crate) queries: PathBuf,
    /// The class path with a program that answers them, and Joern.
    pub(crate) class_path: String,
    /// Joern's version.
    pub(crate) version: &'static str,
}

/// Compiles a program in `folder` that answers the queries of this project whose ids begin with one of
/// `prefixes`; all if there are none.
pub(crate) fn measured(root: &Path, folder: &Path, prefixes: &[String]) -> Outcome<Measured> {
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    let queries = Queries::own(root, prefixes)?;
    let file = folder.join("queries.jsonl");
    queries.write(&file)?;
    let paths = java::joern_version(root, &JOERN, folder)?;
    let class_path = Program::compile(&paths, &queries, folder)?.class_path();
    Ok(Measured { queries: file, class_path, version: JOERN.joern })
}

/// The command of Joern's shell, put together in `folder`, and Joern's version.
pub(crate) fn shell(root: &Path, folder: &Path) -> Outcome<(Command, &'static str)> {
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    Ok((java::joern_version(root, &JOERN, folder)?.installed(&[], SHELL), JOERN.joern))
}

/// A graph in Joern's format.
struct Graph {
    name: String,
    cpg: PathBuf,
}

fn graphs_of(root: &Path, words: &[String]) -> Outcome<Vec<Graph>> {
    let known = GRAPHS.iter().map(|(name, path)| format!("{name}={}", root.join(path).display()));
    let words: Vec<String> = if words.is_empty() { known.collect() } else { words.to_vec() };
    words.iter().map(|word| graph_of(word)).collect()
}

fn graph_of(word: &str) -> Outcome<Graph> {
    let wrong = || Failure(format!("{word} is no graph: write NAME=PATH, such as net=net.cpg.bin"));
    let (name, path) = word.split_once('=').ok_or_else(wrong)?;
    let cpg = fs::canonicalize(path).map_err(|error| cannot("find", Path::new(path), &error))?;
    Ok(Graph { name: name.to_owned(), cpg })
}

/// Asks Joern all queries. Joern gets copies, because it changes files that it opens.
fn ask(program: &Program<'_>, graphs: &[Graph]) -> Outcome {
    let mut joern = program.run("ask");
    for Graph { name, cpg } in graphs {
        let copy = program.folder.join(format!("{name}.cpg.bin"));
        fs::copy(cpg, &copy).map_err(|error| cannot("copy", cpg, &error))?;
        joern.arg(copy).arg(program.folder.join(format!("{name}.jsonl")));
    }
    // Queries print, too: `sideEffect(println)`.
    process::output(&mut joern, "see cargo xtask jdk").map(drop)
}

/// Asks Varvite the same queries, and compares the answers.
fn judge(root: &Path, folder: &Path, graphs: &[Graph]) -> Outcome {
    let mut judge = process::cargo();
    judge.current_dir(root).args(["run", "--quiet", "-p", "varvite-text", "--example", "judge", "--"]);
    judge.arg(folder);
    judge.args(graphs.iter().map(|graph| format!("{}={}", graph.name, graph.cpg.display())));
    process::run(&mut judge, "see rustup.rs")
}

/// The command that starts Java with Joern's jars.
fn java(paths: &JoernPaths, classes: &Path) -> Command {
    let mut java = paths.java(&[classes.to_owned(), paths.lib().join("*")]);
    java.args(java::REPEATABLE).args(JVM);
    java
}
