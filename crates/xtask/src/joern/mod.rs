//! `cargo xtask test-joern [GRAPH ...]`: checks that Joern gives the same answers about a graph in flatgraph
//! and about the same graph in a mapped file.
//!
//! A program, the judge (`bindings/java/joern/judge`), prints digests of the whole content of a graph, in its
//! order, and of the answers to twelve queries. It runs in three ways, and must print the same lines each
//! time. The first way uses flatgraph alone. The other two have Varvite's classes before flatgraph's on the
//! class path: one reads the same `cpg.bin`, the other reads the graph that `varvite import` made from it.
//! Each graph is also compared after flatgraph has changed it, so that it has deleted nodes, lists and
//! references; and it is compared after changes in memory, by diffs and by Joern's passes. Finally, several
//! such changes are stored, each by closing a mapped graph. The answers must then equal those about
//! flatgraph's file.

mod persist;
mod programs;
mod refusals;
mod server;
mod suites;
pub(crate) mod text;
mod versions;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::java::{self, JoernPaths};
use crate::process;
use crate::{Failure, Outcome, cannot};

use programs::Programs;

const GRAPH: &str = "examples/data/zlib.cpg.bin";
const PROFILES: [&str; 2] = ["direct", "compact"];
/// The judge's commands whose answers are compared, each with the arguments that follow the file. A further
/// command tests threads.
const QUESTIONS: [(&str, &[&str]); 6] = [
    ("digest", &[]),
    ("queries", &[]),
    ("changed", &[]),
    ("passes", &[]),
    ("random", &["1"]),
    ("random", &["2"]),
];
/// Changes that are stored in a file one after the other. Passes come before random edges, which Joern's data
/// flow cannot process.
const KEPT: [&[&str]; 4] = [&["changed"], &["passes"], &["random", "1"], &["random", "2"]];
/// How many commands of [`QUESTIONS`], from the first on, are compared after each stored change.
const QUESTIONS_OF_KEPT: usize = 2;
/// The environment variable that passes an option to the JVM, and the option that makes Varvite's classes
/// store changes.
const PERSIST: (&str, &str) = ("JDK_JAVA_OPTIONS", "-Dvarvite.joern.persist=true");
/// The maximum number of differences that are printed; further differences are only counted.
const SHOWN_MAX: usize = 10;

/// Compares the graphs in the arguments; without arguments, the graph in the repository.
pub(crate) fn test(root: &Path, graphs: &[String]) -> Outcome {
    match graphs.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("--suites", parts)) => return suites::test(root, parts),
        Some(("--versions", versions)) => return versions::test(root, versions),
        Some(("--text", graphs)) => return text::test(root, graphs),
        Some(("--server", [])) => return test_server(root),
        _ => {}
    }
    let judge = Judge { varvite: built::varvite(root, Profile::Dev)?, paths: java::joern(root)? };
    let folder = process::target_dir(root).join("joern");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    if graphs.is_empty() {
        judge.check(&root.join(GRAPH), &folder)?;
        judge.keep(&root.join(GRAPH), &folder)?;
        let programs = Programs::build(root, &judge.varvite, &judge.paths, &folder)?;
        let mapped = folder.join("zlib.varvite");
        judge.import(&root.join(GRAPH), &mapped, PROFILES[1])?;
        refusals::check(&judge.varvite, &judge.paths, &mapped, &folder)?;
        persist::check(&judge.varvite, &judge.paths, &mapped, &folder)?;
        return programs.check(root, &root.join(GRAPH), &mapped);
    }
    graphs.iter().map(Path::new).try_for_each(|graph| {
        judge.check(graph, &folder)?;
        judge.keep(graph, &folder)
    })
}

/// Compares the answers of Joern's server about the graph in the repository.
fn test_server(root: &Path) -> Outcome {
    let judge = Judge { varvite: built::varvite(root, Profile::Dev)?, paths: java::joern(root)? };
    let folder = process::target_dir(root).join("joern");
    fs::create_dir_all(&folder).map_err(|error| cannot("create", &folder, &error))?;
    let (cpg, mapped) = (root.join(GRAPH), folder.join("served.varvite"));
    judge.import(&cpg, &mapped, PROFILES[1])?;
    let programs = Programs::build(root, &judge.varvite, &judge.paths, &folder)?;
    server::check(root, &programs, &cpg, &mapped)
}

/// Makes the jar that users of Joern install, and prints its path.
pub(crate) fn jar(root: &Path) -> Outcome {
    println!("{}", java::joern_jar(root, Profile::Release)?.display());
    Ok(())
}

/// The programs that a comparison of both engines needs.
struct Judge {
    varvite: PathBuf,
    paths: JoernPaths,
}

impl Judge {
    fn check(&self, graph: &Path, folder: &Path) -> Outcome {
        self.compare(graph, folder)?;
        let changed = folder.join("changed.cpg.bin");
        process::run(self.paths.flatgraph().arg("change").arg(graph).arg(&changed), "")?;
        self.write(&folder.join(format!("{}.varvite", PROFILES[0])), &changed)?;
        self.compare(&changed, folder)
    }

    /// Checks that a mapped graph, changed in memory and then written, has the same content as the graph that
    /// flatgraph writes after the same changes.
    fn write(&self, mapped: &Path, changed: &Path) -> Outcome {
        let written = changed.with_file_name("written.cpg.bin");
        process::run(self.paths.ours().arg("change").arg(mapped).arg(&written), "")?;
        let digest = |graph: &Path| process::output(self.paths.flatgraph().arg("digest").arg(graph), "");
        let lines = |said: String| said.lines().map(str::to_owned).collect::<Vec<_>>();
        agree(
            "a cpg.bin that was written of a mapped graph",
            &lines(digest(changed)?),
            &lines(digest(&written)?),
        )
    }

    /// Applies and stores changes in the files of both engines, and compares the answers.
    fn keep(&self, graph: &Path, folder: &Path) -> Outcome {
        let theirs = folder.join("kept.cpg.bin");
        fs::copy(graph, &theirs).map_err(|error| cannot("copy", graph, &error))?;
        let files = PROFILES.map(|profile| folder.join(format!("kept-{profile}.varvite")));
        for (file, profile) in files.iter().zip(PROFILES) {
            self.import(graph, file, profile)?;
        }
        let questions = &QUESTIONS[..QUESTIONS_OF_KEPT];
        for change in KEPT {
            process::output(self.paths.flatgraph().arg("keep").arg(&theirs).args(change), "")?;
            let expected = ask(&theirs, questions, || self.paths.flatgraph())?;
            for file in &files {
                let mut keep = self.paths.ours();
                process::output(keep.arg("keep").arg(file).args(change).env(PERSIST.0, PERSIST.1), "")?;
                let name = format!("{} after {change:?} was kept", file.display());
                agree(&name, &expected, &ask(file, questions, || self.paths.ours())?)?;
            }
        }
        for file in &files {
            process::output(Command::new(&self.varvite).arg("verify").arg(file), "")?;
        }
        println!("Joern's changes of a graph are kept in a mapped file as in a cpg.bin");
        Ok(())
    }

    fn import(&self, graph: &Path, file: &Path, profile: &str) -> Outcome {
        let mut import = Command::new(&self.varvite);
        import.arg("import").arg(graph).arg("-o").arg(file).args(["--force", "--profile", profile]);
        process::output(&mut import, "").map(drop)
    }

    /// Compares flatgraph's answers about a graph with those of Varvite's classes about the same file and
    /// about the imported files.
    fn compare(&self, graph: &Path, folder: &Path) -> Outcome {
        let name = graph.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let expected = ask(graph, &QUESTIONS, || self.paths.flatgraph())?;
        agree(&format!("{name} on the heap"), &expected, &ask(graph, &QUESTIONS, || self.paths.ours())?)?;
        for profile in PROFILES {
            let file = folder.join(format!("{profile}.varvite"));
            self.import(graph, &file, profile)?;
            agree(&format!("{name}, {profile}"), &expected, &ask(&file, &QUESTIONS, || self.paths.ours())?)?;
            process::output(self.paths.ours().arg("threads").arg(&file), "")?;
        }
        println!(
            "{name}: Joern gives the same answers, {} lines, on flatgraph and on mapped files",
            expected.len()
        );
        Ok(())
    }
}

/// The answers of one engine to all questions.
fn ask(graph: &Path, questions: &[(&str, &[&str])], java: impl Fn() -> Command) -> Outcome<Vec<String>> {
    let mut lines = Vec::new();
    for &(question, words) in questions {
        let said = process::output(java().arg(question).arg(graph).args(words), "see cargo xtask jdk")?;
        lines.extend(said.lines().map(|line| format!("{question} {line}")));
    }
    Ok(lines)
}

/// The answers of one engine to questions without arguments.
fn ask_all(questions: &[&str], graph: &Path, java: impl Fn() -> Command) -> Outcome<Vec<String>> {
    let questions: Vec<(&str, &[&str])> = questions.iter().map(|question| (*question, &[][..])).collect();
    let mut lines = ask(graph, &questions, java)?;
    // Some versions print this line when they load a file.
    lines.retain(|line| !line.contains("initialising from existing storage"));
    Ok(lines)
}

/// Fails if lines differ, and prints these lines.
fn agree(what: &str, expected: &[String], found: &[String]) -> Outcome {
    let longest = expected.len().max(found.len());
    let line = |lines: &[String], index: usize| lines.get(index).map_or("nothing", |line| line).to_owned();
    let pairs = (0..longest).map(|index| (line(expected, index), line(found, index)));
    let differing: Vec<_> = pairs.filter(|(expected, found)| expected != found).collect();
    if differing.is_empty() {
        return Ok(());
    }
    for (expected, found) in differing.iter().take(SHOWN_MAX) {
        eprintln!("{what}: flatgraph says {expected}\n{what}: we say        {found}");
    }
    Err(Failure(format!("{what}: {} of {longest} lines differ", differing.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_missing_differs() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        agree("a", &lines("1\n2"), &lines("1\n2")).unwrap();
        let failure = agree("a", &lines("1\n2"), &lines("1")).unwrap_err();
        assert_eq!(failure.0, "a: 1 of 2 lines differ");
    }
}
