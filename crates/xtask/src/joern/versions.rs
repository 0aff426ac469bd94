//! `cargo xtask test-joern --versions [VERSION ...]`: checks that Joern gives the same answers on flatgraph
//! and on mapped files for each version of Joern that Maven Central has.
//!
//! Maven puts an installation of each version together, with a part of the judge that is compiled for this
//! version ([`crate::java::JoernVersion`]). Of some versions Maven Central has only the library for queries;
//! then the shell and the frontend are left out, and a line says so.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::java::{self, JoernVersion};
use crate::process;
use crate::{Failure, Outcome, cannot};

use super::programs::Programs;
use super::{GRAPH, PROFILES, agree, ask_all};

/// The versions on Maven Central, each with the nearest version of `codepropertygraph` there.
const VERSIONS: [JoernVersion; 6] = [
    JoernVersion { joern: "4.0.8", cpg: "1.7.3", scala: "3.4.2", parts: &[] },
    JoernVersion { joern: "4.0.242", cpg: "1.7.25", scala: "3.5.2", parts: &[SHELL] },
    JoernVersion { joern: "4.0.369", cpg: "1.7.35", scala: "3.6.4", parts: &[SHELL, FRONTEND] },
    JoernVersion { joern: "4.0.379", cpg: "1.7.35", scala: "3.6.4", parts: &[SHELL, FRONTEND] },
    JoernVersion { joern: "4.0.383", cpg: "1.7.37", scala: "3.6.4", parts: &[] },
    JoernVersion { joern: "4.0.384", cpg: "1.7.37", scala: "3.6.4", parts: &[] },
];
/// Parts of Joern that Maven Central has only of some versions.
const SHELL: &str = "shell";
const FRONTEND: &str = "c2cpg";
const JUDGE: &str = "varvite.joern.judge.Reading";
/// The command of the judge whose output is compared.
const QUESTIONS: [&str; 1] = ["answers"];
const SOURCE: &str = "examples/c";

/// Checks the versions in the arguments, or all.
pub(super) fn test(root: &Path, words: &[String]) -> Outcome {
    let is_known = |word: &&String| VERSIONS.iter().any(|version| version.joern == **word);
    if let Some(word) = words.iter().find(|word| !is_known(word)) {
        return Err(Failure(format!("Joern {word} is not among the versions that are tested")));
    }
    let (varvite, jar) = (built::varvite(root, Profile::Dev)?, java::joern_jar(root, Profile::Dev)?);
    let is_chosen =
        |version: &&JoernVersion| words.is_empty() || words.iter().any(|word| word == version.joern);
    VERSIONS.iter().filter(is_chosen).try_for_each(|version| {
        let folder = process::target_dir(root).join("joern/versions").join(version.joern);
        let paths = java::joern_version(root, version, &folder)?;
        let programs = Programs { varvite: &varvite, paths: &paths, jar: jar.clone(), folder: &folder };
        Installed { version, programs: &programs, folder: &folder }.check(root)
    })
}

/// An installation of one version.
struct Installed<'a> {
    version: &'a JoernVersion,
    programs: &'a Programs<'a>,
    folder: &'a Path,
}

impl Installed<'_> {
    fn check(&self, root: &Path) -> Outcome {
        self.fits()?;
        let graph = root.join(GRAPH);
        let mapped = PROFILES.map(|profile| self.folder.join(format!("{profile}.varvite")));
        for (file, profile) in mapped.iter().zip(PROFILES) {
            self.varvite(&["import", &text(&graph), "-o", &text(file), "--force", "--profile", profile])?;
        }
        let mut answers = self.compare(&graph, &mapped)?;
        let has = |part| self.version.parts.contains(&part);
        if has(SHELL) {
            self.programs.script(&graph, &mapped[0])?;
        }
        answers += self.keep(&graph, &mapped)?;
        if has(FRONTEND) {
            answers += self.frontend(&root.join(SOURCE))?;
        }
        let left_out: Vec<&str> = [SHELL, FRONTEND].into_iter().filter(|part| !has(part)).collect();
        let left_out = match left_out.is_empty() {
            true => String::new(),
            false => format!("; not on Maven Central: {}", left_out.join(", ")),
        };
        println!("{}: the same {answers} lines on flatgraph and on mapped files{left_out}", self.name()?);
        Ok(())
    }

    /// The version of Joern, and the versions of its libraries in this installation.
    fn name(&self) -> Outcome<String> {
        let JoernVersion { joern, cpg, .. } = self.version;
        let jars = self.programs.paths.jars()?;
        let names = jars.iter().filter_map(|jar| jar.file_name()?.to_str());
        let flatgraph = names.filter_map(|name| name.strip_prefix("flatgraph-core_3-")?.strip_suffix(".jar"));
        let flatgraph = flatgraph.collect::<Vec<_>>().join(" ");
        Ok(format!("Joern {joern} with codepropertygraph {cpg} and flatgraph {flatgraph}"))
    }

    /// Checks that the command accepts the version as one that was tested.
    fn fits(&self) -> Outcome {
        let cache = self.folder.join("cache");
        let _ = fs::remove_dir_all(&cache);
        let jar = self.folder.join("flatgraph-core-varvite.jar");
        let mut write = self.programs.varvite(&["joern"]);
        let said = write.arg("--write-jar").arg(&jar).arg("--force").output();
        let said = said.map_err(|error| Failure(format!("cannot run varvite: {error}")))?;
        let errors = String::from_utf8_lossy(&said.stderr);
        match said.status.success() && errors.is_empty() {
            true => Ok(()),
            false => Err(Failure(format!("varvite says of Joern {}: {errors}", self.version.joern))),
        }
    }

    /// Compares the answers about a graph in flatgraph with those about the mapped files; returns how many
    /// lines they have.
    fn compare(&self, graph: &Path, mapped: &[PathBuf]) -> Outcome<usize> {
        let expected = ask_all(&QUESTIONS, graph, || self.flatgraph())?;
        for file in mapped {
            let found = ask_all(&QUESTIONS, file, || self.ours(&[]))?;
            agree(&format!("Joern {}, {}", self.version.joern, file.display()), &expected, &found)?;
        }
        Ok(expected.len())
    }

    /// Stores a change in a `cpg.bin` and in the mapped files, and compares the answers.
    fn keep(&self, graph: &Path, mapped: &[PathBuf]) -> Outcome<usize> {
        let kept = self.folder.join("kept.cpg.bin");
        fs::copy(graph, &kept).map_err(|error| cannot("copy", graph, &error))?;
        process::output(self.flatgraph().arg("keep").arg(&kept), "")?;
        for file in mapped {
            process::output(self.ours(&["--persist"]).arg("keep").arg(file), "")?;
        }
        self.compare(&kept, mapped)
    }

    /// Makes a graph by the frontend of this version, and compares the answers about it.
    fn frontend(&self, source: &Path) -> Outcome<usize> {
        let (file, exported) = (self.folder.join("source.varvite"), self.folder.join("source.cpg.bin"));
        let mut frontend = self.programs.varvite(&["frontend", FRONTEND]);
        process::output(frontend.arg(source).arg("-o").arg(&file).args(["--force", "--heap", "1G"]), "")?;
        self.varvite(&["export", &text(&file), "-o", &text(&exported), "--format", "flatgraph", "--force"])?;
        self.compare(&exported, &[file])
    }

    /// The command that runs the judge on flatgraph.
    fn flatgraph(&self) -> Command {
        let paths = self.programs.paths;
        let mut java = paths.java(&[paths.lib().join("*")]);
        java.args(java::REPEATABLE).arg("-Xmx1g").arg(JUDGE);
        java
    }

    /// The command that runs the judge on Varvite's classes.
    fn ours(&self, more: &[&str]) -> Command {
        let mut joern = self.programs.varvite(&["joern", "--no-aot", "--program", JUDGE]);
        joern.args(more).arg("--").args(java::REPEATABLE).arg("-J-Xmx1g");
        joern
    }

    fn varvite(&self, words: &[&str]) -> Outcome {
        process::output(Command::new(self.programs.varvite).args(words), "").map(drop)
    }
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
