//! [`Java`]: finds an installed Java that is new enough, in `JAVA_HOME`, on `PATH`, or in a usual folder.
//!
//! A folder is accepted as a Java if it has a program `java` and its file `release` states a version. No
//! program is started to find the version. Among the Javas in the usual folders, the newest is used.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::JoernError;
use super::places::{from_home, on_path};

/// The oldest Java that has the functions with which Varvite maps files.
const OLDEST: u32 = 22;

/// Folders in which installers put Java: each entry of such a folder may be a Java. `~` is the user's home
/// folder.
const USUAL_FOLDERS: [&str; 9] = [
    "/usr/lib/jvm",
    "/usr/lib64/jvm",
    "/usr/local/lib/jvm",
    "/opt",
    "/opt/java",
    "~/.sdkman/candidates/java",
    "~/.jdks",
    "~/.local/share/mise/installs/java",
    "/Library/Java/JavaVirtualMachines",
];

/// An installed Java: its folder and its major version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Java {
    home: PathBuf,
    version: u32,
}

impl Java {
    /// Finds the Java to use.
    ///
    /// # Errors
    /// [`JoernError::NoJava`], with the newest Java that was found, if none is new enough.
    pub(crate) fn find() -> Result<Self, JoernError> {
        let chosen = [java_home(), java_of_path()].into_iter().flatten();
        let mut found: Vec<Self> = chosen.filter_map(|home| Self::at(&home)).collect();
        if let Some(java) = found.iter().find(|java| java.version >= OLDEST) {
            return Ok(java.clone());
        }
        found.extend(newest_first(USUAL_FOLDERS.iter().filter_map(|folder| from_home(folder))));
        found.iter().find(|java| java.version >= OLDEST).cloned().ok_or_else(|| {
            let newest = found.into_iter().max_by_key(|java| java.version);
            JoernError::NoJava { oldest: OLDEST, newest: newest.map(|java| (java.version, java.home)) }
        })
    }

    /// The Java in a folder or, as on macOS, in the subfolder `Contents/Home`.
    fn at(home: &Path) -> Option<Self> {
        let homes = [home.to_path_buf(), home.join("Contents/Home")];
        homes.into_iter().filter(|home| home.join("bin/java").is_file()).find_map(|home| {
            let release = fs::read_to_string(home.join("release")).ok()?;
            Some(Self { version: version_of(&release)?, home })
        })
    }

    /// The folder of this Java.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The major version.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// The path of the program `java`.
    pub(crate) fn program(&self) -> PathBuf {
        self.home.join("bin/java")
    }

    /// A description of this Java, in words.
    pub(crate) fn description(&self) -> String {
        format!("Java {} in {}", self.version, self.home.display())
    }

    /// The flags with which Java maps files and calls native code without a warning. From version 24 on, also
    /// the flag that suppresses the warning about old functions that Scala's library uses.
    pub(crate) fn flags(&self) -> impl Iterator<Item = &'static str> {
        let of_scala = (self.version >= 24).then_some("--sun-misc-unsafe-memory-access=allow");
        ["--enable-native-access=ALL-UNNAMED"].into_iter().chain(of_scala)
    }
}

fn java_home() -> Option<PathBuf> {
    env::var_os("JAVA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// The folder of the `java` that a shell would start, with links resolved.
fn java_of_path() -> Option<PathBuf> {
    Some(on_path("java")?.parent()?.parent()?.to_path_buf())
}

fn newest_first(folders: impl Iterator<Item = PathBuf>) -> Vec<Java> {
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut found: Vec<Java> = entries.filter_map(|entry| Java::at(&entry.path())).collect();
    found.sort_by(|a, b| b.version.cmp(&a.version).then_with(|| a.home.cmp(&b.home)));
    found
}

/// The major version in a line such as `JAVA_VERSION="25.0.3"`. In the old scheme, version 8 was written as
/// `1.8.0`.
fn version_of(release: &str) -> Option<u32> {
    let quoted = release.lines().find_map(|line| line.strip_prefix("JAVA_VERSION="))?;
    let version = quoted.trim().trim_matches('"');
    let version = version.strip_prefix("1.").unwrap_or(version);
    version.split(|char: char| !char.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_first_number_of_either_scheme() {
        assert_eq!(version_of("JAVA_VERSION=\"25.0.3\"\n"), Some(25));
        assert_eq!(version_of("IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"26-ea\"\n"), Some(26));
        assert_eq!(version_of("JAVA_VERSION=\"1.8.0_392\"\n"), Some(8));
        assert_eq!(version_of("IMPLEMENTOR=\"x\"\n"), None);
    }

    #[test]
    fn the_message_names_the_newest_that_was_found() {
        let message = |newest| JoernError::NoJava { oldest: OLDEST, newest }.to_string();
        assert!(message(None).starts_with("needs Java 22 or later: install one"));
        let old = message(Some((17, PathBuf::from("/opt/old"))));
        assert!(old.contains("22 or later (the newest found is 17, in /opt/old)"), "{old}");
    }

    #[test]
    fn the_newest_of_the_usual_folders_comes_first_and_needs_no_compiler() {
        let folder = tempfile::tempdir().unwrap();
        for (name, version) in [("a-17", "17.0.15"), ("b-25", "25.0.3"), ("c-22", "22.0.1")] {
            let home = folder.path().join(name);
            fs::create_dir_all(home.join("bin")).unwrap();
            fs::write(home.join("bin/java"), "").unwrap();
            fs::write(home.join("release"), format!("JAVA_VERSION=\"{version}\"\n")).unwrap();
        }
        let found = newest_first([folder.path().to_owned()].into_iter());
        assert_eq!(found.iter().map(|java| java.version).collect::<Vec<_>>(), [25, 22, 17]);
        assert_eq!((found[0].flags().count(), found[1].flags().count()), (2, 1));
    }
}
