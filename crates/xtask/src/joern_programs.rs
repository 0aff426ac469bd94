//! Joern's programs as `varvite joern` and `varvite frontend` start them: what they say of a mapped file, they say of the `cpg.bin`.
//!
//! The jars that Maven put together are the installation. Joern is first started without us, on the `cpg.bin`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::Profile;
use crate::java::{self, JoernPaths};
use crate::process;
use crate::{Failure, Outcome};

/// Opens a graph, asks for what every mechanism of the shell takes part in, and changes something.
const SCRIPT: &str = r#"
@main def exec(graph: String) = {
  val cpg = Cpg.withStorage(java.nio.file.Path.of(graph), false)
  println("answer " + cpg.method.name("(deflate|inflate).*").callIn.map(c => (c.id, c.code, c.location.lineNumber)).l)
  println("answer " + cpg.graph.nodes("METHOD", "LOCAL").size)
  val diff = Cpg.newDiffGraphBuilder
  diff.addEdge(cpg.method.head, NewTag().name("seen"), EdgeTypes.TAGGED_BY)
  flatgraph.DiffGraphApplier.applyDiff(cpg.graph, diff)
  println("answer " + cpg.method.where(_.tag.nameExact("seen")).fullName.l)
}
"#;
const SHELL: &str = "io.joern.joerncli.console.ReplBridge";
const EXPORT: &str = "io.joern.joerncli.JoernExport";
/// Where there is some C.
const SOURCE: &str = "examples/c";

/// What it takes to start them.
pub(crate) struct Programs<'a> {
    varvite: &'a Path,
    paths: &'a JoernPaths,
    jar: PathBuf,
    folder: &'a Path,
}

impl<'a> Programs<'a> {
    /// Puts our jar together.
    pub(crate) fn build(
        root: &Path,
        varvite: &'a Path,
        paths: &'a JoernPaths,
        folder: &'a Path,
    ) -> Outcome<Self> {
        Ok(Self { varvite, paths, jar: java::joern_jar(root, Profile::Dev)?, folder })
    }

    /// Asks both of the same graph, and makes one of source code.
    pub(crate) fn check(&self, root: &Path, cpg: &Path, mapped: &Path) -> Outcome {
        self.script(cpg, mapped)?;
        self.export(cpg, mapped)?;
        self.order()?;
        self.frontend(&root.join(SOURCE))?;
        println!("joern --script, joern-export and a frontend: the same by varvite joern");
        Ok(())
    }

    /// One of the commands that start Joern; still without further words.
    fn varvite(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.varvite);
        command.args(words).arg("--joern").arg(self.paths.lib()).arg("--jar").arg(&self.jar);
        command.env("JAVA_HOME", self.paths.java_home()).env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.current_dir(self.folder);
        command
    }

    fn script(&self, cpg: &Path, mapped: &Path) -> Outcome {
        let script = self.folder.join("question.sc");
        fs::write(&script, SCRIPT).map_err(|error| Failure(format!("cannot write the script: {error}")))?;
        let words = |graph: &Path| {
            ["--script".into(), script.clone(), "--param".into(), format!("graph={}", graph.display()).into()]
        };
        let mut theirs = self.paths.installed(SHELL);
        theirs.args(words(cpg)).current_dir(self.folder);
        let expected = answers(&process::output(&mut theirs, "")?);
        let mut ours = self.varvite(&["joern"]);
        let found = answers(&process::output(ours.arg("--").args(words(mapped)), "")?);
        match expected.len() == 3 && expected == found {
            true => Ok(()),
            false => {
                Err(Failure(format!("joern --script answers {expected:?} by itself, and {found:?} by us")))
            }
        }
    }

    fn export(&self, cpg: &Path, mapped: &Path) -> Outcome {
        let words = |graph: &Path, out: &Path| {
            [graph.into(), "--repr".into(), "cfg".into(), "--out".into(), out.to_owned()]
        };
        let [theirs, ours] = ["theirs", "ours"].map(|name| self.folder.join(name));
        for out in [&theirs, &ours] {
            let _ = fs::remove_dir_all(out);
        }
        // It changes what it opens.
        let copy = self.folder.join("copy.cpg.bin");
        fs::copy(cpg, &copy).map_err(|error| Failure(format!("cannot copy {}: {error}", cpg.display())))?;
        process::output(self.paths.installed(EXPORT).args(words(&copy, &theirs)), "")?;
        let mut export = self.varvite(&["joern", "--program", "joern-export"]);
        process::output(export.arg("--").args(words(mapped, &ours)), "")?;
        let (expected, found) = (files(&theirs)?, files(&ours)?);
        match !expected.is_empty() && expected == found {
            true => Ok(()),
            false => Err(Failure(format!(
                "joern-export writes {} files by itself, and not the same by us",
                expected.len()
            ))),
        }
    }

    /// Jars in the wrong order are told.
    fn order(&self) -> Outcome {
        let start = "varvite.joern.start.Start";
        for (class_path, is_right) in [
            ([self.jar.clone(), self.paths.lib().join("*")], true),
            ([self.paths.lib().join("*"), self.jar.clone()], false),
        ] {
            let said = self.paths.java(&class_path).arg(start).output();
            let said = said.map_err(|error| Failure(format!("cannot run Java: {error}")))?;
            let message = String::from_utf8_lossy(&said.stderr);
            if said.status.success() != is_right
                || !is_right && !message.contains("put varvite-joern.jar first")
            {
                return Err(Failure(format!(
                    "{start} says of a class path that is right: {is_right}: {message}"
                )));
            }
        }
        Ok(())
    }

    fn frontend(&self, source: &Path) -> Outcome {
        let output = self.folder.join("source.varvite");
        let mut frontend = self.varvite(&["frontend", "c2cpg"]);
        process::output(frontend.arg(source).arg("-o").arg(&output).args(["--force", "--heap", "1G"]), "")?;
        let mut find = Command::new(self.varvite);
        let found = process::output(
            find.arg("find").arg(&output).args(["METHOD", "NAME=main", "--format", "csv"]),
            "",
        )?;
        match found.lines().count() > 1 {
            true => Ok(()),
            false => Err(Failure(format!("{} has no main", output.display()))),
        }
    }
}

/// The lines that a script prints as answers.
fn answers(output: &str) -> Vec<String> {
    output.lines().filter(|line| line.starts_with("answer ")).map(str::to_owned).collect()
}

/// What is in the files of a folder, by name.
fn files(folder: &Path) -> Outcome<BTreeMap<PathBuf, Vec<u8>>> {
    let cannot = |error: std::io::Error| Failure(format!("cannot read {}: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(cannot)?;
    entries
        .map(|entry| {
            let path = entry.map_err(cannot)?.path();
            Ok((PathBuf::from(path.file_name().unwrap_or_default()), fs::read(&path).map_err(cannot)?))
        })
        .collect()
}
