//! The headers and libraries as users of C get them, in a folder with `include` and `lib`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::built::{self, Profile};
use crate::process::{self, target_dir};
use crate::{Outcome, cannot};

pub(super) const FOLDER: &str = "bindings/c";
pub(super) const ADVICE: &str = "apt install gcc g++ binutils";
pub(super) const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];
/// The system libraries that the static library needs, as `rustc --print native-static-libs` lists them.
pub(crate) const SYSTEM: [&str; 7] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];
/// The name of the shared library, as recorded in programs that are linked to it. The number in it is the
/// major version of the interface.
pub(crate) const SONAME: &str = "libvarvite.so.1";

/// The folder with the headers and libraries with which C programs are compiled and linked.
pub(crate) struct Staged {
    pub(super) folder: PathBuf,
    /// The beginning of the names of linker, `nm` and their siblings: empty for those of this machine.
    pub(super) tools: &'static str,
    /// The names of the headers, sorted.
    pub(super) headers: Vec<String>,
}

impl Staged {
    /// Builds the libraries for tests and lays out `include` and `lib`.
    pub(crate) fn build(root: &Path) -> Outcome<Self> {
        let built = built::build(root, Profile::Dev, &["--lib"])?;
        Self::lay_out(root, &built, target_dir(root).join("c"), "")
    }

    /// Lays out `include` and `lib` in `folder`, from the libraries in the folder `built`. `tools` is the
    /// beginning of the names of the programs that link and change these libraries.
    pub(crate) fn lay_out(root: &Path, built: &Path, folder: PathBuf, tools: &'static str) -> Outcome<Self> {
        let include = root.join(FOLDER).join("include");
        let staged = Self { folder, tools, headers: names(&include)? };
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
        let mut link = self.tool("ld");
        link.args(["-r", "-o"]).arg(&object).args(functions.iter().map(|name| format!("--undefined={name}")));
        process::run(link.arg(built), ADVICE)?;
        let mut localize = self.tool("objcopy");
        localize.arg(format!("--keep-global-symbols={}", names.display()));
        // Rust's standard library has these sections for optimisation across compilation units. The
        // concatenated sections would be invalid.
        localize.args(["--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
        process::run(localize.arg(&object), ADVICE)?;
        let library = self.lib().join("libvarvite.a");
        let _ = fs::remove_file(&library);
        process::run(self.tool("ar").arg("rcs").arg(&library).arg(&object), ADVICE)
    }

    /// A program of binutils for the system of the libraries.
    pub(super) fn tool(&self, name: &str) -> Command {
        Command::new(format!("{}{name}", self.tools))
    }

    /// The functions that the headers declare.
    pub(super) fn functions(&self) -> Outcome<BTreeSet<String>> {
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

    pub(super) fn include(&self) -> PathBuf {
        self.folder.join("include")
    }

    pub(super) fn lib(&self) -> PathBuf {
        self.folder.join("lib")
    }

    /// The path of the shared library.
    pub(crate) fn library(&self) -> PathBuf {
        self.lib().join("libvarvite.so")
    }
}

/// The names in a header that begin with `varvite_` and are followed by an opening parenthesis, outside of
/// comments.
fn functions(header: &str) -> BTreeSet<&str> {
    let code = header.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, code)| code));
    let calls = code.flat_map(|code| code.split('(').rev().skip(1));
    let names = calls.filter_map(|before| before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
    names.filter(|name| name.starts_with("varvite_")).collect()
}

pub(super) fn make_folder(path: &Path) -> Outcome {
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
    fn functions_are_names_before_a_bracket() {
        let header = "/* like varvite_no(x) */\nint32_t varvite_a(const x *y,\n  z *w);\nvoid varvite_b(void);\n\
                      #define VARVITE_E_IO (-10)\ntypedef struct varvite_c { int a; } varvite_c;\n";
        assert_eq!(functions(header), BTreeSet::from(["varvite_a", "varvite_b"]));
    }
}
