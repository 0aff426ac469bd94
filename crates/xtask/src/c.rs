//! The C interface: installs header and libraries into a folder as users get them, and runs the tests written
//! in C.
//!
//! The suite runs linked to the shared library, linked to the static library, under the address sanitizer,
//! and under valgrind if it is installed. A test in `bindings/c/src/header.rs` compares the header with the
//! library's source; this module compares the header with the symbols that a linker sees.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Failure, Outcome, cannot};

const FOLDER: &str = "bindings/c";
const SOURCE: &str = "examples/data/zlib.cpg.bin";
const ADVICE: &str = "apt install gcc g++ binutils";
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// The name of the shared library, as recorded in programs that are linked to it. The number in it is the
/// major version of the interface.
const SONAME: &str = "libvarvite.so.1";
/// The system libraries that the static library needs, as `rustc --print native-static-libs` lists them.
const SYSTEM: [&str; 7] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

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

/// The folder with the headers and libraries with which C programs are compiled and linked.
pub(crate) struct Staged {
    folder: PathBuf,
    /// The names of the headers, sorted.
    headers: Vec<String>,
}

impl Staged {
    /// Builds the libraries and lays out `include` and `lib`.
    pub(crate) fn build(root: &Path) -> Outcome<Self> {
        let built = built::build(root, Profile::Dev, &["--lib"])?;
        let include = root.join(FOLDER).join("include");
        let staged = Self { folder: target_dir(root).join("c"), headers: names(&include)? };
        make_folder(&staged.include())?;
        make_folder(&staged.lib())?;
        for header in &staged.headers {
            copy(&include.join(header), &staged.include().join(header))?;
        }
        copy(&built.join("libvarvite_c.so"), &staged.lib().join("libvarvite.so"))?;
        copy(&built.join("libvarvite_c.so"), &staged.lib().join(SONAME))?;
        staged.archive(&built.join("libvarvite_c.a"))?;
        Ok(staged)
    }

    /// Makes the static library, from one object file with the interface's functions and everything that they
    /// need. Only the interface's functions are visible to other code, so that a program can also link
    /// another zstd or lz4.
    fn archive(&self, built: &Path) -> Outcome {
        let functions = self.functions()?;
        let (object, names) = (self.folder.join("varvite.o"), self.folder.join("functions.txt"));
        let lines: String = functions.iter().map(|name| format!("{name}\n")).collect();
        fs::write(&names, lines).map_err(|error| cannot("write", &names, &error))?;
        let mut link = Command::new("ld");
        link.args(["-r", "-o"]).arg(&object).args(functions.iter().map(|name| format!("--undefined={name}")));
        process::run(link.arg(built), ADVICE)?;
        let mut localize = Command::new("objcopy");
        localize.arg(format!("--keep-global-symbols={}", names.display()));
        // Rust's standard library has these sections for optimisation across compilation units. The
        // concatenated sections would be invalid.
        localize.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
        process::run(localize.arg(&object), ADVICE)?;
        let library = self.lib().join("libvarvite.a");
        let _ = fs::remove_file(&library);
        process::run(Command::new("ar").arg("rcs").arg(&library).arg(&object), ADVICE)
    }

    /// The functions that the headers declare.
    fn functions(&self) -> Outcome<BTreeSet<String>> {
        let headers: Outcome<Vec<String>> =
            self.headers.iter().map(|header| read(&self.include().join(header))).collect();
        Ok(functions(&headers?.concat()).into_iter().map(str::to_owned).collect())
    }

    /// Compiles a program of one source file and links it to the shared library, whose path is recorded in
    /// the program.
    pub(crate) fn compile(&self, source: &Path, program: &Path) -> Outcome {
        let lib = self.lib();
        let mut compile = Command::new("gcc");
        compile.args(WARNINGS).args(["-std=c99", "-g", "-O1", "-I"]).arg(self.include()).arg(source);
        compile.arg("-o").arg(program).arg("-L").arg(&lib).arg("-lvarvite");
        process::run(compile.arg(format!("-Wl,-rpath,{}", lib.display())), ADVICE)
    }

    fn include(&self) -> PathBuf {
        self.folder.join("include")
    }

    fn lib(&self) -> PathBuf {
        self.folder.join("lib")
    }

    /// The path of the shared library.
    pub(crate) fn library(&self) -> PathBuf {
        self.lib().join("libvarvite.so")
    }
}

/// Builds the libraries, and runs all tests written in C.
pub(crate) fn test(root: &Path) -> Outcome {
    let staged = Staged::build(root)?;
    check_symbols(&staged)?;
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

/// Checks that both libraries have exactly the functions of the headers as symbols.
fn check_symbols(staged: &Staged) -> Outcome {
    let declared = staged.functions()?;
    for (library, kind) in [("libvarvite.so", "--dynamic"), ("libvarvite.a", "--extern-only")] {
        let mut nm = Command::new("nm");
        nm.args([kind, "--defined-only", "--format=posix"]).arg(staged.lib().join(library));
        let found = symbols(&process::output(&mut nm, ADVICE)?);
        if found != declared {
            let odd: Vec<&String> = found.symmetric_difference(&declared).collect();
            return Err(Failure(format!(
                "header and {library} differ in {odd:?}: mend bindings/c/include/varvite.h or the exports"
            )));
        }
    }
    Ok(())
}

/// The names in the output of `nm`. A line without a blank is the name of a file in an archive.
fn symbols(told: &str) -> BTreeSet<String> {
    told.lines().filter_map(|line| line.split_once(' ')).map(|(name, _)| name.to_owned()).collect()
}

/// The names in a header that begin with `varvite_` and are followed by an opening parenthesis, outside of
/// comments.
fn functions(header: &str) -> BTreeSet<&str> {
    let code = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code));
    let calls = code.flat_map(|code| code.split('(').rev().skip(1));
    let names = calls.filter_map(|before| before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
    names.filter(|name| name.starts_with("varvite_")).collect()
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

fn make_folder(path: &Path) -> Outcome {
    fs::create_dir_all(path).map_err(|error| cannot("create", path, &error))
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Outcome<Vec<String>> {
    let entries = fs::read_dir(folder).map_err(|error| cannot("read", folder, &error))?;
    let mut names: Vec<String> =
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(|error| cannot("read", path, &error))
}

/// Replaces a file by renaming a new copy over it, so that a program that has mapped the old file keeps the
/// old content.
fn copy(from: &Path, to: &Path) -> Outcome {
    let beside = to.with_extension("new");
    fs::copy(from, &beside).map_err(|error| cannot("copy", from, &error))?;
    fs::rename(&beside, to).map_err(|error| cannot("create", to, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_an_archive_are_told_below_its_files() {
        let told = "libvarvite.a[varvite.o]:\nvarvite_a T 10 8\nZSTD_x T 18 8\n";
        assert_eq!(symbols(told), BTreeSet::from(["varvite_a".to_owned(), "ZSTD_x".to_owned()]));
    }

    #[test]
    fn functions_are_names_before_a_bracket() {
        let header = "/* like varvite_no(x) */\nint32_t varvite_a(const x *y,\n  z *w);\nvoid varvite_b(void);\n\
                      #define VARVITE_E_IO (-10)\ntypedef struct varvite_c { int a; } varvite_c;\n";
        assert_eq!(functions(header), BTreeSet::from(["varvite_a", "varvite_b"]));
    }
}
