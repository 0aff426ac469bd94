//! Runs the tests written in C.
//!
//! The suite runs linked to the shared library, linked to the static library, under the address sanitizer,
//! and under valgrind if it is installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::staged::{ADVICE, FOLDER, SYSTEM, Staged, WARNINGS, make_folder};
use super::symbols;
use crate::process;
use crate::{Outcome, cannot};

const SOURCE: &str = "examples/data/zlib.cpg.bin";
/// The command line of valgrind. Threads of the standard library keep memory until the process ends. Valgrind
/// calls such memory "possibly" lost, which these options ignore.
const VALGRIND: [&str; 6] = [
    "valgrind",
    "-q",
    "--error-exitcode=9",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite",
    "--show-leak-kinds=definite",
];

/// Builds the libraries, and runs all tests written in C.
pub(crate) fn test(root: &Path) -> Outcome {
    let staged = Staged::build(root)?;
    symbols::check(&staged)?;
    check_header(root, &staged)?;
    let graphs = staged.folder.join("graphs");
    let _ = fs::remove_dir_all(&graphs);
    make_folder(&graphs)?;
    let suite = Suite { root, staged: &staged, graphs };
    suite.run("shared library", &[], &[])?;
    suite.run_static()?;
    suite.run("address sanitizer", &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"], &[])?;
    if process::is_installed("valgrind") {
        return suite.run("valgrind", &[], &VALGRIND);
    }
    eprintln!("varvite: not run under valgrind: apt install valgrind");
    Ok(())
}

/// Checks that each header compiles without warnings when it is included first, in every supported language
/// version.
fn check_header(root: &Path, staged: &Staged) -> Outcome {
    let source = root.join(FOLDER).join("tests/header.c");
    let c = ["-x", "c"];
    let cpp = ["-x", "c++"];
    for (compiler, language, standard) in
        [("gcc", c, "-std=c99"), ("gcc", c, "-std=c11"), ("g++", cpp, "-std=c++17")]
    {
        for first in &staged.headers {
            let mut compile = Command::new(compiler);
            compile.args(WARNINGS).args(language).args([standard, "-fsyntax-only", "-I"]);
            compile.arg(staged.include()).args(["-include", first]).arg(&source);
            process::run(&mut compile, ADVICE)?;
        }
    }
    Ok(())
}

/// The test suite in C: its program, and the graphs that it opens.
struct Suite<'a> {
    root: &'a Path,
    staged: &'a Staged,
    graphs: PathBuf,
}

impl Suite<'_> {
    /// Compiles the suite with the shared library, and runs it under `runner`.
    fn run(&self, name: &str, flags: &[&str], runner: &[&str]) -> Outcome {
        println!("c: {name}");
        let program = self.staged.folder.join("suite");
        let mut compile = self.compile(&program)?;
        compile.args(flags).arg("-L").arg(self.staged.lib()).arg("-lvarvite");
        process::run(&mut compile, ADVICE)?;
        let mut command = match runner {
            [] => Command::new(&program),
            [first, rest @ ..] => {
                let mut command = Command::new(first);
                command.args(rest).arg(&program);
                command
            }
        };
        command.env("LD_LIBRARY_PATH", self.staged.lib());
        self.start(&mut command)
    }

    /// Compiles the suite with the static library, and runs it.
    fn run_static(&self) -> Outcome {
        println!("c: static library");
        let program = self.staged.folder.join("suite-static");
        let mut compile = self.compile(&program)?;
        compile.arg(self.staged.lib().join("libvarvite.a")).args(SYSTEM);
        process::run(&mut compile, ADVICE)?;
        self.start(&mut Command::new(&program))
    }

    fn compile(&self, program: &Path) -> Outcome<Command> {
        let mut compile = Command::new("gcc");
        compile.args(WARNINGS).args(["-std=c99", "-g", "-O1", "-I"]).arg(self.staged.include());
        compile.args(self.sources()?).arg("-o").arg(program);
        Ok(compile)
    }

    fn sources(&self) -> Outcome<Vec<PathBuf>> {
        let folder = self.root.join(FOLDER).join("tests");
        let entries = fs::read_dir(&folder).map_err(|error| cannot("read", &folder, &error))?;
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut sources: Vec<PathBuf> =
            paths.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
        sources.sort();
        Ok(sources)
    }

    fn start(&self, command: &mut Command) -> Outcome {
        process::run(command.arg(&self.graphs).arg(self.root.join(SOURCE)), "apt install valgrind")
    }
}
