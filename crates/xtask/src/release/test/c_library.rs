//! Compiles programs of C and C++ that find the library by `pkg-config` and by CMake, and runs them. Each
//! program has its own functions of zstd, lz4 and BLAKE3, which end it if Varvite calls them.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::holds_in_order;
use super::sandbox::Sandbox;
use crate::process;
use crate::release::Release;
use crate::release::c_library;
use crate::release::target::Target;
use crate::{Failure, Outcome};

const ADVICE: &str = "apt install gcc g++ cmake pkgconf";
const PROJECT: &str = "packaging/tests/c";
const SOURCE: &str = "examples/data/zlib.cpg.bin";
const ANSWER: &str = "14910 CALLs with Varvite beside zstd 7";
const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// A folder in which the archive is unpacked, and in which programs are compiled.
struct Unpacked<'a> {
    project: PathBuf,
    source: PathBuf,
    sandbox: &'a Sandbox,
    prefix: PathBuf,
    folder: PathBuf,
}

/// Unpacks the archive, and compiles and runs the programs.
pub(super) fn test(release: &Release<'_>, sandbox: &Sandbox, host: Target) -> Outcome {
    let folder = sandbox.empty("c")?;
    let name = c_library::name(release, host.name);
    let archive = release.folder.join(format!("{name}.tar.gz"));
    process::run(
        Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&folder),
        "apt install tar gzip",
    )?;
    let (project, source) = (release.root.join(PROJECT), release.root.join(SOURCE));
    let unpacked = Unpacked { project, source, sandbox, prefix: folder.join(name), folder };
    unpacked.by_pkg_config()?;
    unpacked.by_cmake()
}

impl Unpacked<'_> {
    /// Programs of C whose flags are those that `pkg-config` prints.
    fn by_pkg_config(&self) -> Outcome {
        let lib = self.prefix.join("lib");
        let library = lib.join("libvarvite.a");
        let shared = self.flags(&["--cflags", "--libs"])?;
        self.compile("by-pkg-config-shared", &shared)?;
        let mut private = self.flags(&["--static", "--cflags", "--libs"])?;
        // With `-lvarvite`, the linker would take the shared library.
        private
            .iter_mut()
            .filter(|flag| *flag == "-lvarvite")
            .for_each(|f| *f = library.display().to_string());
        self.compile("by-pkg-config-static", &private)
    }

    fn flags(&self, words: &[&str]) -> Outcome<Vec<String>> {
        let mut flags = Command::new("pkg-config");
        flags.env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig")).args(words).arg("varvite");
        let flags = process::output(&mut flags, ADVICE)?;
        Ok(flags.split_whitespace().map(str::to_owned).collect())
    }

    fn compile(&self, name: &str, flags: &[String]) -> Outcome {
        let program = self.folder.join(name);
        let mut compile = Command::new("gcc");
        compile.args(WARNINGS).args(["-std=c99", "-o"]).arg(&program);
        compile.args(["beside_codecs.c", "own_codecs.c"].map(|file| self.project.join(file)));
        process::run(compile.args(flags), ADVICE)?;
        self.answers(&program)
    }

    /// Programs of C and of C++ in a project of CMake.
    fn by_cmake(&self) -> Outcome {
        let build = self.folder.join("by-cmake");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(&self.project).arg("-B").arg(&build);
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display()));
        process::output(&mut configure, ADVICE)?;
        process::output(Command::new("cmake").arg("--build").arg(&build), ADVICE)?;
        self.answers(&build.join("shared"))?;
        self.answers(&build.join("static"))?;
        self.refuses_a_newer_version()
    }

    /// A project that needs a version of another series does not find this one.
    fn refuses_a_newer_version(&self) -> Outcome {
        let version = self.prefix.join("lib/cmake/Varvite/VarviteConfigVersion.cmake");
        for (wanted, fits) in [("0.1", "TRUE"), ("0.1.0", "TRUE"), ("0.2", "FALSE"), ("1.0", "FALSE")] {
            let script = self.folder.join("version.cmake");
            let text = format!(
                "set(PACKAGE_FIND_VERSION {wanted})\ninclude({})\nmessage(\"${{PACKAGE_VERSION_COMPATIBLE}}\")\n",
                version.display()
            );
            crate::release::packed::write(&script, &text)?;
            let mut cmake = Command::new("sh");
            cmake.args(["-c", "cmake -P \"$0\" 2>&1"]).arg(&script);
            let said = process::output(&mut cmake, ADVICE)?;
            if said.trim() != fits {
                return Err(Failure(format!("CMake finds Varvite for version {wanted}: {said}")));
            }
        }
        Ok(())
    }

    fn answers(&self, program: &Path) -> Outcome {
        let mut run = self.sandbox.command(program);
        run.env("LD_LIBRARY_PATH", self.prefix.join("lib")).arg(&self.source);
        holds_in_order(&process::output(run.arg(program.with_extension("varvite")), "")?, ANSWER)
    }
}
