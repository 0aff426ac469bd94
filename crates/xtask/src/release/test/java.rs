//! Projects of Maven and of Gradle that find the jars in the repository of the release. The program that they
//! build makes a graph with the native library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::holds_in_order;
use super::sandbox::{Sandbox, entries};
use crate::jdk::{self, Jdk};
use crate::release::target::Target;
use crate::release::{Release, maven, packed};
use crate::{Failure, Outcome, cannot, java, process};

const PROJECT: &str = "packaging/tests/java";
const SOURCE: &str = "examples/data/zlib.cpg.bin";
const ANSWER: &str = "14910 CALLs";
/// The folder of our artefacts in a user's own repository of Maven.
const OURS: [&str; 3] = ["io", "github", "varvite"];
/// Files that the jar of the native library must have beside the library.
const NOTICES: [&str; 2] = ["META-INF/LICENSE", "META-INF/THIRD-PARTY-LICENCES.txt"];
/// Libraries that the licences in that jar must name.
const NAMED: [&str; 3] = ["zstd-sys", "lz4-sys", "blake3"];

/// A copy of the user's project, and the repository in which it finds the jars.
struct Project<'a> {
    jdk: Jdk,
    folder: PathBuf,
    repository: PathBuf,
    sandbox: &'a Sandbox,
    source: PathBuf,
    version: &'static str,
    platform: &'static str,
}

/// Builds and runs the project by Maven, and by Gradle if it is installed.
pub(super) fn test(release: &Release<'_>, sandbox: &Sandbox, host: Target) -> Outcome {
    let folder = sandbox.empty("java")?;
    for name in ["pom.xml", "build.gradle", "settings.gradle", "src/main/java/org/example/Calls.java"] {
        packed::copy(&release.root.join(PROJECT).join(name), &folder.join(name))?;
    }
    let project = Project {
        jdk: jdk::find()?,
        folder,
        repository: maven::repository(release),
        sandbox,
        source: release.root.join(SOURCE),
        version: release.version(),
        platform: host.name,
    };
    project.check_native_jar(host)?;
    project.by_maven()?;
    project.by_gradle()
}

impl Project<'_> {
    /// The jar of the native library has the library and the licences of its parts.
    fn check_native_jar(&self, host: Target) -> Outcome {
        let name = format!("varvite-native-{0}-{1}.jar", self.version, self.platform);
        let jar = self.repository.join("io/github/varvite/varvite-native").join(self.version).join(name);
        let mut list = Command::new(self.jdk.program("jar"));
        let files = process::output(list.arg("--list").arg("--file").arg(&jar), "see cargo xtask jdk")?;
        let library = format!("varvite/natives/{}/{}", host.name, host.java_library());
        for wanted in NOTICES.into_iter().chain([library.as_str()]) {
            if !files.lines().any(|file| file == wanted) {
                return Err(Failure(format!("{} has no {wanted}", jar.display())));
            }
        }
        let mut unpack = Command::new(self.jdk.program("jar"));
        unpack.current_dir(&self.folder).arg("--extract").arg("--file").arg(&jar).arg(NOTICES[1]);
        process::run(&mut unpack, "see cargo xtask jdk")?;
        let path = self.folder.join(NOTICES[1]);
        let text = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
        match NAMED.iter().find(|name| !text.contains(*name)) {
            Some(name) => Err(Failure(format!("{} does not name the licence of {name}", jar.display()))),
            None => Ok(()),
        }
    }

    /// Maven compiles the program, and copies the jars beside it.
    fn by_maven(&self) -> Outcome {
        let own = self.folder.join("m2");
        link_all_but(&user_repository()?, &own, &OURS)?;
        let settings = [
            format!("-Dmaven.repo.local={}", own.display()),
            format!("-Dvarvite.repository=file://{}", self.repository.display()),
            format!("-Dvarvite.version={}", self.version),
            format!("-Dvarvite.platform={}", self.platform),
        ];
        let words: Vec<&str> =
            ["process-classes"].into_iter().chain(settings.iter().map(String::as_str)).collect();
        java::maven(&self.jdk, &self.folder, &words)?;
        self.answers("by-maven", &self.folder.join("target/lib"))
    }

    /// Gradle finds and copies the jars. The classes are those that Maven compiled.
    fn by_gradle(&self) -> Outcome {
        if !process::is_installed("gradle") {
            println!("varvite: the jars were not tried with Gradle: apt install gradle");
            return Ok(());
        }
        let mut gradle = Command::new("gradle");
        gradle.current_dir(&self.folder).args(["--quiet", "--no-daemon", "--offline", "jars"]);
        gradle.arg(format!("-Prepository=file://{}", self.repository.display()));
        gradle.arg(format!("-Pversion={}", self.version)).arg(format!("-Pplatform={}", self.platform));
        process::output(
            gradle.env("GRADLE_USER_HOME", self.folder.join("gradle-home")),
            "apt install gradle",
        )?;
        self.answers("by-gradle", &self.folder.join("build/lib"))
    }

    /// Runs the program with the jars in a folder, and an empty environment.
    fn answers(&self, name: &str, lib: &Path) -> Outcome {
        let found = entries(lib);
        if found.len() != 3 {
            return Err(Failure(format!("{} has other jars than three: {found:?}", lib.display())));
        }
        let class_path = format!("{}:{}/*", self.folder.join("target/classes").display(), lib.display());
        let mut java = self.sandbox.command(&self.jdk.program("java"));
        java.arg("--enable-native-access=ALL-UNNAMED").args(["-cp", &class_path, "org.example.Calls"]);
        let graph = self.folder.join(name).with_extension("varvite");
        holds_in_order(&process::output(java.arg(&self.source).arg(graph), "see cargo xtask jdk")?, ANSWER)
    }
}

/// Maven's own repository of this user, with the plugins that the project needs.
fn user_repository() -> Outcome<PathBuf> {
    let home = std::env::var_os("HOME").ok_or_else(|| Failure("HOME is not set".to_owned()))?;
    Ok(PathBuf::from(home).join(".m2/repository"))
}

/// Makes a folder with links to all that another contains, apart from one path in it. So Maven finds plugins,
/// but no jars of ours from earlier builds.
fn link_all_but(from: &Path, to: &Path, path: &[&str]) -> Outcome {
    packed::make_folder(to)?;
    let Some((first, rest)) = path.split_first() else { return Ok(()) };
    for name in entries(from) {
        let (from, to) = (from.join(&name), to.join(&name));
        if name == *first {
            link_all_but(&from, &to, rest)?;
        } else {
            std::os::unix::fs::symlink(&from, &to).map_err(|error| cannot("create", &to, &error))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linked_repository_lacks_one_path() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for name in ["org/apache", "io/github/other", "io/github/varvite/varvite"] {
            fs::create_dir_all(from.join(name)).unwrap();
        }
        link_all_but(&from, &to, &OURS).unwrap();
        assert!(to.join("org/apache").exists() && to.join("io/github/other").exists());
        assert!(entries(&to.join("io/github/varvite")).is_empty());
    }
}
