//! Finds a JDK that is new enough. Looks at `JAVA_HOME`, then at the `java` on `PATH`, then in the folders of
//! package managers.
//!
//! A folder is a JDK if it contains a compiler and a file `release` that states a version; no program is
//! started to find out. Of several JDKs in the usual folders, the newest is used.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Failure, Outcome};

/// The oldest JDK whose foreign-memory API is final.
pub(crate) const OLDEST: u32 = 22;

/// Folders in which installers put JDKs: each entry of these folders may be a JDK. `~` stands for the user's
/// home folder.
const USUAL_FOLDERS: [&str; 11] = [
    "/usr/lib/jvm",
    "/usr/lib64/jvm",
    "/usr/local/lib/jvm",
    "/usr/local",
    "/opt",
    "/opt/java",
    "~/.sdkman/candidates/java",
    "~/.jdks",
    "~/.asdf/installs/java",
    "~/.local/share/mise/installs/java",
    "/Library/Java/JavaVirtualMachines",
];

/// A JDK: its folder and its major version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Jdk {
    pub(crate) home: PathBuf,
    pub(crate) version: u32,
}

impl Jdk {
    /// The JDK in a folder, or in its subfolder `Contents/Home`, as on macOS.
    fn at(home: &Path) -> Option<Self> {
        let homes = [home.to_path_buf(), home.join("Contents/Home")];
        homes.into_iter().filter(|home| home.join("bin/javac").is_file()).find_map(|home| {
            let release = fs::read_to_string(home.join("release")).ok()?;
            Some(Self { version: version_of(&release)?, home })
        })
    }

    /// The path of a program of this JDK.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// The Scala library still uses old functions, about which the JVM warns at each start. This flag stops
    /// the warnings; `None` for versions that do not warn.
    pub(crate) fn quiet_flag(&self) -> Option<&'static str> {
        (self.version >= 24).then_some("--sun-misc-unsafe-memory-access=allow")
    }
}

/// Prints the folder of the JDK.
pub(crate) fn run() -> Outcome {
    println!("{}", find()?.home.display());
    Ok(())
}

/// Finds the JDK to use; the failure says how to get one.
pub(crate) fn find() -> Outcome<Jdk> {
    let chosen = [java_home(), java_of_path()].into_iter().flatten().filter_map(|home| Jdk::at(&home));
    let mut found: Vec<Jdk> = chosen.collect();
    if let Some(jdk) = found.iter().find(|jdk| jdk.version >= OLDEST) {
        return Ok(jdk.clone());
    }
    found.extend(newest_first(&USUAL_FOLDERS.map(from_home)));
    found.iter().find(|jdk| jdk.version >= OLDEST).cloned().ok_or_else(|| missing(&found))
}

fn java_home() -> Option<PathBuf> {
    std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// The JDK folder of the `java` that a shell would start, with links resolved.
fn java_of_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let java = std::env::split_paths(&path).map(|folder| folder.join("java")).find(|java| java.is_file())?;
    Some(fs::canonicalize(java).ok()?.parent()?.parent()?.to_path_buf())
}

fn newest_first(folders: &[PathBuf]) -> Vec<Jdk> {
    let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut jdks: Vec<Jdk> = entries.filter_map(|entry| Jdk::at(&entry.path())).collect();
    jdks.sort_by(|a, b| b.version.cmp(&a.version).then_with(|| a.home.cmp(&b.home)));
    jdks
}

fn from_home(folder: &str) -> PathBuf {
    match (folder.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => Path::new(&home).join(rest),
        _ => PathBuf::from(folder),
    }
}

/// The major version in a line such as `JAVA_VERSION="25.0.3"`; in the old scheme, version 8 is written as
/// `1.8.0`.
fn version_of(release: &str) -> Option<u32> {
    let quoted = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let version = quoted.trim().trim_matches('"');
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn missing(found: &[Jdk]) -> Failure {
    let seen = match found.iter().max_by_key(|jdk| jdk.version) {
        Some(jdk) => format!(" (the newest found is {}, in {})", jdk.version, jdk.home.display()),
        None => String::new(),
    };
    Failure(format!(
        "needs a JDK {OLDEST} or later{seen}: apt install openjdk-25-jdk-headless where Debian has it, \
         else take one from adoptium.net; or set JAVA_HOME"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a folder that looks like a JDK of this version.
    fn install(home: &Path, version: &str) {
        fs::create_dir_all(home.join("bin")).unwrap();
        fs::write(home.join("bin/javac"), "").unwrap();
        fs::write(home.join("release"), format!("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"{version}\"\n")).unwrap();
    }

    #[test]
    fn the_version_is_the_first_number_of_either_scheme() {
        assert_eq!(version_of("JAVA_VERSION=\"25.0.3\"\n"), Some(25));
        assert_eq!(version_of("JAVA_VERSION=\"26-ea\"\n"), Some(26));
        assert_eq!(version_of("JAVA_VERSION=\"1.8.0_392\"\n"), Some(8));
        assert_eq!(version_of("IMPLEMENTOR=\"x\"\n"), None);
    }

    #[test]
    fn the_newest_jdk_of_the_usual_folders_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        install(&folder.path().join("a-17"), "17.0.15");
        install(&folder.path().join("b-25"), "25.0.3");
        install(&folder.path().join("c-22"), "22.0.1");
        let versions: Vec<u32> =
            newest_first(&[folder.path().to_path_buf()]).iter().map(|jdk| jdk.version).collect();
        assert_eq!(versions, [25, 22, 17]);
    }

    #[test]
    fn a_folder_without_a_compiler_is_no_jdk() {
        let folder = tempfile::tempdir().unwrap();
        install(folder.path(), "25");
        fs::remove_file(folder.path().join("bin/javac")).unwrap();
        assert_eq!(Jdk::at(folder.path()), None);
    }

    #[test]
    fn a_macos_bundle_is_entered() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("Contents/Home");
        install(&home, "24");
        assert_eq!(Jdk::at(folder.path()), Some(Jdk { home, version: 24 }));
    }

    #[test]
    fn the_message_names_the_newest_that_was_found() {
        let old = Jdk { home: PathBuf::from("/opt/old"), version: 17 };
        assert!(missing(&[old]).0.contains("the newest found is 17, in /opt/old"));
        assert!(missing(&[]).0.starts_with("needs a JDK 22 or later: "));
    }
}
