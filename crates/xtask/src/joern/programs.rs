//! Runs Joern's programs through `varvite joern` and `varvite frontend`. Their output for a mapped file must
//! equal their output for the `cpg.bin`.
//!
//! The jars that Maven downloaded are used as Joern's installation. Each program first runs without Varvite's
//! classes, on the `cpg.bin`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::Profile;
use crate::java::{self, JoernPaths};
use crate::process;
use crate::{Failure, Outcome, cannot};

/// A script that opens a graph, runs queries that need every part of the shell, and changes the graph.
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
/// A script that changes the copy in the workspace with the shell's own commands, saves it, and repeats the
/// queries.
const SAVE: &str = r#"
@main def exec(graph: String) = {
  importCpg(graph, "saved")
  opts.commit.diffGraphBuilder.addEdge(cpg.method.nameExact("inflate").head, NewTag().name("seen"), EdgeTypes.TAGGED_BY)
  run.commit
  save
  println("answer " + cpg.method.where(_.tag.nameExact("seen")).name.l)
}
"#;
/// The path of the copy, relative to the folder in which Joern runs.
const SAVED: &str = "workspace/saved/cpg.bin";
/// A Java option that keeps Varvite from finding its native library.
const NO_LIBRARY: &str = "-Dvarvite.library=/nowhere";
/// The main class of the shell.
pub(super) const SHELL: &str = "io.joern.joerncli.console.ReplBridge";
/// Placeholders in arguments: for the graph that a program reads, and for the path to which it may write.
const CPG: &str = "CPG";
const OUT: &str = "OUT";
/// Runs of programs other than the shell: name, class and arguments. The files that they write must be the
/// same on both engines, and so must the output of [`FLOW`].
const QUESTIONS: [(&str, &str, &[&str]); 4] = [
    ("joern-export", EXPORT, &[CPG, "--repr", "cfg", "--out", OUT]),
    ("joern-export", EXPORT, &[CPG, "--repr", "all", "--format", "neo4jcsv", "--out", OUT]),
    ("joern-slice", SLICE, &["usages", CPG, "--out", OUT]),
    (FLOW, "io.joern.joerncli.JoernFlow", &["deflate.*", "mem.*", CPG]),
];
const EXPORT: &str = "io.joern.joerncli.JoernExport";
const SLICE: &str = "io.joern.joerncli.JoernSlice";
/// The only program of [`QUESTIONS`] that prints its answer.
const FLOW: &str = "joern-flow";
/// The first Java version with an ahead-of-time cache, and a class that both Java processes of a script load
/// from the cache.
const OLDEST_THAT_LEARNS: u32 = 25;
const LEARNED: &str = "dotty.tools.dotc.Compiler";
/// A folder with C sources.
const SOURCE: &str = "examples/c";

/// The paths that are needed to run the programs.
pub(crate) struct Programs<'a> {
    /// The command `varvite`.
    pub(super) varvite: &'a Path,
    /// Joern's jars.
    pub(super) paths: &'a JoernPaths,
    /// Varvite's jar.
    pub(super) jar: PathBuf,
    /// The folder for files.
    pub(super) folder: &'a Path,
}

impl<'a> Programs<'a> {
    /// Makes Varvite's jar.
    pub(crate) fn build(
        root: &Path,
        varvite: &'a Path,
        paths: &'a JoernPaths,
        folder: &'a Path,
    ) -> Outcome<Self> {
        Ok(Self { varvite, paths, jar: java::joern_jar(root, Profile::Dev)?, folder })
    }

    /// Compares the programs' output for both graphs, and makes a graph from source code.
    pub(crate) fn check(&self, root: &Path, cpg: &Path, mapped: &Path) -> Outcome {
        self.script(cpg, mapped)?;
        QUESTIONS.iter().try_for_each(|question| self.ask(*question, cpg, mapped))?;
        self.order()?;
        self.learned(cpg, mapped)?;
        self.save(cpg)?;
        self.without_library(mapped)?;
        self.frontend(&root.join(SOURCE))?;
        println!(
            "joern --script, joern-export, joern-slice, joern-flow and a frontend: the same by varvite joern"
        );
        Ok(())
    }

    /// The command for one of Varvite's subcommands that start Joern. The caller adds further arguments.
    pub(super) fn varvite(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.varvite);
        command.args(words).arg("--joern").arg(self.paths.lib()).arg("--jar").arg(&self.jar);
        command.env("JAVA_HOME", self.paths.java_home()).env("XDG_CACHE_HOME", self.folder.join("cache"));
        command.current_dir(self.folder);
        command
    }

    /// Runs a script on both graphs, and compares the answers.
    pub(super) fn script(&self, cpg: &Path, mapped: &Path) -> Outcome {
        self.script_with(&[], cpg, mapped)
    }

    /// Runs the script on both graphs, with additional options for Varvite, and compares the answers.
    fn script_with(&self, more: &[&str], cpg: &Path, mapped: &Path) -> Outcome {
        let script = self.folder.join("question.sc");
        fs::write(&script, SCRIPT).map_err(|error| Failure(format!("cannot write the script: {error}")))?;
        let words = |graph: &Path| {
            ["--script".into(), script.clone(), "--param".into(), format!("graph={}", graph.display()).into()]
        };
        let mut theirs = self.paths.installed(&[], SHELL);
        theirs.args(words(cpg)).current_dir(self.folder);
        let expected = answers(&process::output(&mut theirs, "")?);
        let mut ours = self.varvite(&["joern"]);
        let found = answers(&process::output(ours.arg("--").args(more).args(words(mapped)), "")?);
        match expected.len() == 3 && expected == found {
            true => Ok(()),
            false => {
                Err(Failure(format!("joern --script answers {expected:?} by itself, and {found:?} by us")))
            }
        }
    }

    /// Checks that `run.commit` and `save` store changes in the workspace, even for a file with the archive
    /// profile, and leave the imported file unchanged.
    fn save(&self, cpg: &Path) -> Outcome {
        let file = self.folder.join("archive.varvite");
        let mut import = Command::new(self.varvite);
        import.arg("import").arg(cpg).arg("-o").arg(&file).args(["--force", "--profile", "archive"]);
        process::output(&mut import, "")?;
        let read = |path: &Path| fs::read(path).map_err(|error| cannot("read", path, &error));
        let before = read(&file)?;
        let said = answers(&process::output(&mut self.saving(&[], &file)?, "")?);
        let saved = self.folder.join(SAVED);
        let mut find = Command::new(self.varvite);
        let found = process::output(find.arg("find").arg(&saved).args(["TAG", "NAME=seen"]), "")?;
        match said == ["answer List(inflate)"] && found.contains("seen") && read(&file)? == before {
            true => Ok(()),
            false => Err(Failure(format!(
                "what save keeps of a commit: {said:?}, and {} has {found}",
                saved.display()
            ))),
        }
    }

    /// The command that runs Joern with the script [`SAVE`].
    fn saving(&self, options: &[&str], file: &Path) -> Outcome<Command> {
        let script = self.folder.join("save.sc");
        fs::write(&script, SAVE).map_err(|error| cannot("write", &script, &error))?;
        let _ = fs::remove_dir_all(self.folder.join("workspace"));
        let mut joern = self.varvite(&["joern"]);
        joern.arg("--").args(options).arg("--script").arg(&script);
        joern.arg("--param").arg(format!("graph={}", file.display()));
        Ok(joern)
    }

    /// Checks that no changes are lost if the native library is missing: `--persist` fails before the shell
    /// appears, and a copy in the workspace refuses the first change.
    fn without_library(&self, mapped: &Path) -> Outcome {
        let mut persist = self.varvite(&["joern", "--persist"]);
        refuses(persist.args(["--", NO_LIBRARY]), "no changes can be kept", &["joern>"])?;
        let says = "-Dvarvite.joern.persist=false changes it in memory alone";
        refuses(&mut self.saving(&[NO_LIBRARY], mapped)?, says, &["answer"])
    }

    /// Checks that both Java processes of a script load classes from Java's ahead-of-time cache, which an
    /// earlier start made.
    fn learned(&self, cpg: &Path, mapped: &Path) -> Outcome {
        if self.paths.java_version() < OLDEST_THAT_LEARNS {
            return Ok(());
        }
        let logs = self.folder.join("classes");
        let _ = fs::remove_dir_all(&logs);
        fs::create_dir_all(&logs).map_err(|error| cannot("create", &logs, &error))?;
        let log = format!("-J-Xlog:class+load:file={}/%p", logs.display());
        self.script_with(&[&log], cpg, mapped)?;
        let mut classes = BTreeMap::new();
        files(&logs, &logs, &mut classes)?;
        let line = format!("{LEARNED} source: shared objects file");
        let takes = |log: &&Vec<u8>| String::from_utf8_lossy(log).contains(&line);
        match classes.values().filter(takes).count() {
            2 => Ok(()),
            other => Err(Failure(format!(
                "{other} of a script's two Javas take their classes from an AOT cache: see {}",
                logs.display()
            ))),
        }
    }

    /// Runs a program directly, and through `varvite joern`, and compares the answers.
    fn ask(&self, question: (&str, &str, &[&str]), cpg: &Path, mapped: &Path) -> Outcome {
        let (program, class, words) = question;
        // Joern gets a copy, because it changes files that it opens.
        let copy = self.folder.join("copy.cpg.bin");
        fs::copy(cpg, &copy).map_err(|error| cannot("copy", cpg, &error))?;
        let [theirs, ours] = ["theirs", "ours"].map(|name| self.folder.join(name));
        let mut by_itself = self.paths.installed(&java::REPEATABLE, class);
        let expected = answer(by_itself.args(put_in(words, &copy, &theirs)), program, &theirs)?;
        // `joern-slice` treats a file with any other extension as source code.
        let link = self.link(mapped, "mapped.bin")?;
        let mapped = if class == SLICE { link.as_path() } else { mapped };
        let mut by_us = self.varvite(&["joern", "--program", program]);
        by_us.arg("--").args(java::REPEATABLE);
        let found = answer(by_us.args(put_in(words, mapped, &ours)), program, &ours)?;
        match !expected.is_empty() && expected == found {
            true => Ok(()),
            false => Err(Failure(format!(
                "{program} {} gives {} files by itself, and {} by us that are not the same",
                words.join(" "),
                expected.len(),
                found.len()
            ))),
        }
    }

    /// Makes a link named `name` to the file.
    fn link(&self, file: &Path, name: &str) -> Outcome<PathBuf> {
        let link = self.folder.join(name);
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(file, &link).map_err(|error| cannot("link", file, &error))?;
        Ok(link)
    }

    /// Checks that programs report a wrong order of the jars on the class path.
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

/// Fails unless the command itself fails, and its output contains the text `says` and none of the texts
/// `never`.
fn refuses(command: &mut Command, says: &str, never: &[&str]) -> Outcome {
    command.stdin(std::process::Stdio::null());
    let said = command.output().map_err(|error| Failure(format!("cannot run Joern: {error}")))?;
    let words = format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    match !said.status.success() && words.contains(says) && !never.iter().any(|word| words.contains(word)) {
        true => Ok(()),
        false => {
            Err(Failure(format!("{command:?} ends with {}, and not with {says:?}: {words}", said.status)))
        }
    }
}

/// The lines that a script printed as answers.
fn answers(output: &str) -> Vec<String> {
    output.lines().filter(|line| line.starts_with("answer ")).map(str::to_owned).collect()
}

/// The arguments with paths in place of placeholders.
fn put_in(words: &[&str], graph: &Path, folder: &Path) -> Vec<PathBuf> {
    let path = |word: &&str| match *word {
        CPG => graph.to_owned(),
        OUT => folder.join("out"),
        word => word.into(),
    };
    words.iter().map(path).collect()
}

/// Runs a program. Returns the content of the files that it writes to a new folder, by path; and also its
/// output, if the program prints its answer.
fn answer(command: &mut Command, program: &str, folder: &Path) -> Outcome<BTreeMap<PathBuf, Vec<u8>>> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(|error| cannot("create", folder, &error))?;
    let printed = process::output(command, "")?;
    let mut answer = BTreeMap::new();
    files(folder, folder, &mut answer)?;
    if program == FLOW {
        answer.insert("printed".into(), printed.into_bytes());
    }
    Ok(answer)
}

/// Collects the content of all files in a folder and its subfolders, by path.
fn files(root: &Path, folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) -> Outcome {
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| cannot("read", folder, &error))?.path();
        if path.is_dir() {
            files(root, &path, found)?;
        } else {
            let bytes = fs::read(&path).map_err(|error| cannot("read", &path, &error))?;
            found.insert(path.strip_prefix(root).unwrap_or(&path).to_owned(), bytes);
        }
    }
    Ok(())
}
