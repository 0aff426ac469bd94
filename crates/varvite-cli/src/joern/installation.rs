//! [`Installation`]: an installation of Joern on this machine, identified by the names of its jars.
//!
//! Joern's installer makes a folder `joern-cli`, with jars in `lib`, and the jars of each frontend in
//! `frontends/NAME/lib`. The installer's jars have names such as `io.joern.joern-cli-4.0.379.jar`. If Maven
//! collected the jars, they have names such as `joern-cli_3-4.0.379.jar`, and all jars may be in one folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::JoernError;
use super::jar_file::JarFile;
use super::places::{from_home, on_path};

/// The tested versions of Joern, newest first, each with the version of flatgraph that it was tested with.
const TESTED: [(&str, &str); 6] = [
    ("4.0.384", "0.1.15"),
    ("4.0.383", "0.1.15"),
    ("4.0.379", "0.1.15"),
    ("4.0.369", "0.1.15"),
    ("4.0.242", "0.1.9"),
    ("4.0.8", "0.0.81"),
];

/// The default folders in which Joern is installed. `~` is the user's home folder.
const USUAL_FOLDERS: [&str; 2] = ["~/bin/joern/joern-cli", "/opt/joern/joern-cli"];

const JOERN: &str = "joern-cli";
/// The part of Joern that is on the class path of every program that queries graphs.
const LIBRARY: &str = "semanticcpg";
const FLATGRAPH: &str = "flatgraph-core";

/// The names that the main class of a frontend may have.
const MAIN_CLASSES: [&str; 2] = ["Main", "NewMain"];

/// A folder with Joern's jars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Installation {
    root: PathBuf,
    version: String,
    flatgraph_version: String,
    flatgraph: PathBuf,
    jars: Vec<PathBuf>,
}

/// A program that makes a graph from source code.
#[derive(Debug)]
pub(crate) struct Frontend {
    /// The jars of the frontend, sorted by name.
    pub(crate) jars: Vec<PathBuf>,
    /// The name of the main class.
    pub(crate) class: String,
}

impl Installation {
    /// Finds the installation that an option or `JOERN_HOME` names. If neither is set, finds the installation
    /// to which the program `joern` on `PATH` belongs, or one in a usual folder.
    ///
    /// # Errors
    /// [`JoernError::NotJoern`] if the folder that the user named has no Joern; [`JoernError::Missing`],
    /// [`JoernError::Several`], [`JoernError::Unreadable`].
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, JoernError> {
        let home = env::var_os("JOERN_HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
        if let Some(folder) = named.map(Path::to_owned).or(home) {
            return Self::at(&folder)?.ok_or(JoernError::NotJoern { folder });
        }
        let usual = USUAL_FOLDERS.iter().filter_map(|folder| from_home(folder));
        for folder in of_path().into_iter().chain(usual) {
            if let Some(found) = Self::at(&folder)? {
                return Ok(found);
            }
        }
        Err(JoernError::Missing)
    }

    /// The installation in a folder or in its subfolder `joern-cli`. The jars may be in the subfolder `lib`
    /// of either, or directly in it.
    fn at(folder: &Path) -> Result<Option<Self>, JoernError> {
        for root in [folder.to_owned(), folder.join(JOERN)] {
            for lib in [root.join("lib"), root.clone()] {
                if let Some(found) = Self::of_jars(&root, &lib)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    fn of_jars(root: &Path, lib: &Path) -> Result<Option<Self>, JoernError> {
        let jars = jars_in(lib)?;
        let only = |artifact| only_jar(&jars, artifact, lib);
        let Some((_, version)) = only(JOERN)?.map_or_else(|| only(LIBRARY), |jar| Ok(Some(jar)))? else {
            return Ok(None);
        };
        let root = root.to_owned();
        let Some((flatgraph, flatgraph_version)) = only(FLATGRAPH)? else {
            return Err(JoernError::NoFlatgraph { folder: root, version });
        };
        Ok(Some(Self { root, version, flatgraph_version, flatgraph: flatgraph.clone(), jars }))
    }

    /// The folder of the installation.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The version of Joern.
    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// The jar of `flatgraph-core`.
    pub(crate) fn flatgraph(&self) -> &Path {
        &self.flatgraph
    }

    /// The version of the jar of `flatgraph-core`.
    pub(crate) fn flatgraph_version(&self) -> &str {
        &self.flatgraph_version
    }

    /// Fails if the installation is only the library for queries.
    pub(crate) fn check_programs(&self) -> Result<(), JoernError> {
        match self.jars.iter().any(|jar| version_of(jar, JOERN).is_some()) {
            true => Ok(()),
            false => Err(JoernError::NoPrograms { folder: self.root.clone() }),
        }
    }

    /// All jars of Joern's own programs, sorted by name.
    pub(crate) fn jars(&self) -> &[PathBuf] {
        &self.jars
    }

    /// All jars of Joern's own programs except `flatgraph-core`.
    pub(crate) fn jars_without_flatgraph(&self) -> impl Iterator<Item = &PathBuf> {
        self.jars.iter().filter(|jar| **jar != self.flatgraph)
    }

    /// The environment variable that passes Joern the path of its own folder. `None` if the folder has the
    /// marker file by which Joern finds the folder itself.
    pub(crate) fn variable(&self) -> Option<(&'static str, &Path)> {
        let marker = self.root.join(".installation_root");
        (!marker.exists()).then_some(("SHIFTLEFT_OCULAR_INSTALL_DIR", &*self.root))
    }

    /// A description of the installation, in words.
    pub(crate) fn description(&self) -> String {
        let Self { version, flatgraph_version, .. } = self;
        format!("Joern {version} with flatgraph {flatgraph_version} in {}", self.root.display())
    }

    /// Whether this version was tested.
    pub(crate) fn is_tested(&self) -> bool {
        TESTED.contains(&(&*self.version, &*self.flatgraph_version))
    }

    /// The tested versions of Joern, in words.
    pub(crate) fn tested() -> String {
        let [others @ .., last] = TESTED.map(|(joern, _)| joern);
        format!("Joern {} and {last}", others.join(", "))
    }

    /// The frontend named `name`.
    ///
    /// # Errors
    /// [`JoernError::NoFrontend`] with the existing names, [`JoernError::Unreadable`], or [`JoernError::Jar`]
    /// if the frontend's jar is not valid.
    pub(crate) fn frontend(&self, name: &str) -> Result<Frontend, JoernError> {
        let own = jars_in(&self.root.join("frontends").join(name).join("lib"))?;
        for jars in [own, self.jars.clone()] {
            let Some(jar) = jars.iter().find(|jar| version_of(jar, name).is_some()) else { continue };
            let class = main_class(jar, name)?;
            return Ok(Frontend { jars, class });
        }
        let known = in_words(&self.frontends()?);
        Err(JoernError::NoFrontend { folder: self.root.clone(), name: name.to_owned(), known })
    }

    /// The names of the installed frontends, sorted.
    fn frontends(&self) -> Result<Vec<String>, JoernError> {
        let mut names: Vec<String> = self.jars.iter().filter_map(|jar| frontend_of(jar)).collect();
        let folders = entries_of(&self.root.join("frontends"))?;
        names.extend(folders.iter().filter_map(|folder| folder.file_name()?.to_str().map(str::to_owned)));
        names.sort();
        names.dedup();
        Ok(names)
    }
}

fn in_words(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The main class of a frontend.
fn main_class(jar: &Path, name: &str) -> Result<String, JoernError> {
    let file = JarFile::read(jar)?;
    let archive = file.archive()?;
    let has = |class: &str| {
        let entry = format!("io/joern/{name}/{class}.class");
        archive.entries.iter().any(|found| found.name == entry.as_bytes())
    };
    match MAIN_CLASSES.into_iter().find(|class| has(class)) {
        Some(class) => Ok(format!("io.joern.{name}.{class}")),
        None => Err(file.failure("this jar has no frontend that can be started")),
    }
}

/// The name of the frontend in a jar; `None` if it has none. Frontends are named after their language, such
/// as `c2cpg`. `x2cpg` is not a frontend, but the library that all frontends share.
fn frontend_of(jar: &Path) -> Option<String> {
    let name = jar.file_name()?.to_str()?;
    let name = name.strip_prefix("io.joern.").unwrap_or(name);
    let name = name.split(['-', '_']).next()?;
    (name.ends_with("2cpg") && name != "x2cpg").then(|| name.to_owned())
}

/// The folder of the `joern` that a shell would start, with links resolved.
fn of_path() -> Option<PathBuf> {
    Some(on_path("joern")?.parent()?.to_owned())
}

/// The jars in a folder, sorted by name; empty if the folder does not exist.
fn jars_in(folder: &Path) -> Result<Vec<PathBuf>, JoernError> {
    let mut jars = entries_of(folder)?;
    jars.retain(|path| path.extension().is_some_and(|ending| ending == "jar"));
    Ok(jars)
}

fn entries_of(folder: &Path) -> Result<Vec<PathBuf>, JoernError> {
    let unreadable = |source| JoernError::Unreadable { path: folder.to_owned(), source };
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

/// The jar of an artifact, and its version. Fails if there are several such jars.
fn only_jar<'a>(
    jars: &'a [PathBuf],
    artifact: &'static str,
    folder: &Path,
) -> Result<Option<(&'a PathBuf, String)>, JoernError> {
    let mut found = jars.iter().filter_map(|jar| Some((jar, version_of(jar, artifact)?.to_owned())));
    match (found.next(), found.next()) {
        (Some(_), Some(_)) => Err(JoernError::Several { folder: folder.to_owned(), artifact }),
        (first, _) => Ok(first),
    }
}

/// The version in the name of a jar; `None` if it is not a jar of this artifact.
fn version_of<'a>(jar: &'a Path, artifact: &str) -> Option<&'a str> {
    let name = jar.file_name()?.to_str()?.strip_suffix(".jar")?;
    let name = name.strip_prefix("io.joern.").unwrap_or(name).strip_prefix(artifact)?;
    let version = name.strip_prefix("_3").unwrap_or(name).strip_prefix('-')?;
    version.starts_with(|char: char| char.is_ascii_digit()).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::super::archive::tests::archive_of;
    use super::*;

    fn folder_with(jars: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for jar in jars {
            let jar = folder.path().join(jar);
            fs::create_dir_all(jar.parent().unwrap()).unwrap();
            fs::write(jar, "").unwrap();
        }
        folder
    }

    #[test]
    fn jars_are_known_by_the_names_of_either_build() {
        let version = |name, artifact| version_of(Path::new(name), artifact).map(str::to_owned);
        let either = ["lib/io.joern.flatgraph-core_3-0.1.15.jar", "flatgraph-core_3-0.1.15.jar"];
        for name in either {
            assert_eq!(version(name, FLATGRAPH).as_deref(), Some("0.1.15"), "{name}");
        }
        assert_eq!(version("io.joern.joern-cli-4.0.379.jar", JOERN).as_deref(), Some("4.0.379"));
        assert_eq!(version("io.joern.joern-cli-4.0.379.jar.old", JOERN), None);
        assert_eq!(version("joern-cli-tests-4.0.379.jar", JOERN), None);
    }

    #[test]
    fn an_installation_is_found_in_its_folder_above_it_and_in_a_folder_of_jars() {
        let jars = ["io.joern.joern-cli-4.0.379.jar", "io.joern.flatgraph-core_3-0.1.15.jar", "other-1.jar"];
        for prefix in ["", "lib/", "joern-cli/lib/"] {
            let folder = folder_with(&jars.map(|jar| format!("{prefix}{jar}")).each_ref().map(|jar| &**jar));
            let found = Installation::at(folder.path()).unwrap().unwrap();
            assert_eq!((&*found.version, found.flatgraph_version()), ("4.0.379", "0.1.15"), "{prefix}");
            assert_eq!((found.jars().len(), found.jars_without_flatgraph().count()), (3, 2));
            assert!(found.is_tested());
        }
        assert_eq!(Installation::at(folder_with(&["other-1.jar"]).path()).unwrap(), None);
    }

    #[test]
    fn a_version_that_nobody_tried_is_known_as_such() {
        let folder = folder_with(&["joern-cli_3-4.0.500.jar", "flatgraph-core_3-0.1.32.jar"]);
        assert!(!Installation::at(folder.path()).unwrap().unwrap().is_tested());
        assert_eq!(Installation::tested(), "Joern 4.0.384, 4.0.383, 4.0.379, 4.0.369, 4.0.242 and 4.0.8");
    }

    #[test]
    fn joern_as_a_library_has_no_shell() {
        let folder = folder_with(&["semanticcpg_3-4.0.8.jar", "flatgraph-core_3-0.0.81.jar"]);
        let found = Installation::at(folder.path()).unwrap().unwrap();
        assert_eq!((found.version(), found.is_tested()), ("4.0.8", true));
        let message = found.check_programs().unwrap_err().to_string();
        assert!(message.contains("only its library: name a class of your own"), "{message}");
    }

    #[test]
    fn a_joern_without_flatgraph_is_too_old() {
        let folder =
            folder_with(&["io.joern.joern-cli-2.0.392.jar", "io.shiftleft.overflowdb-core-1.192.jar"]);
        let message = Installation::at(folder.path()).unwrap_err().to_string();
        assert!(message.contains("Joern 2.0.392 has no flatgraph-core-VERSION.jar"), "{message}");
    }

    #[test]
    fn two_versions_of_a_jar_are_refused() {
        let folder =
            folder_with(&["joern-cli_3-1.jar", "flatgraph-core_3-0.1.15.jar", "flatgraph-core_3-0.1.16.jar"]);
        let error = Installation::at(folder.path()).unwrap_err();
        assert!(matches!(error, JoernError::Several { artifact: FLATGRAPH, .. }), "{error}");
    }

    #[test]
    fn frontends_have_a_folder_of_their_own_or_are_among_the_jars() {
        let folder = folder_with(&[
            "lib/io.joern.joern-cli-4.0.379.jar",
            "lib/io.joern.flatgraph-core_3-0.1.15.jar",
            "lib/io.joern.x2cpg-4.0.379.jar",
            "lib/c2cpg_3-4.0.379.jar",
            "lib/rubysrc2cpg_3-4.0.379.jar",
            "frontends/pysrc2cpg/lib/io.joern.pysrc2cpg-4.0.379.jar",
        ]);
        let write =
            |jar: &str, class| fs::write(folder.path().join(jar), archive_of(&[(class, "")])).unwrap();
        write("lib/c2cpg_3-4.0.379.jar", "io/joern/c2cpg/Main.class");
        write("frontends/pysrc2cpg/lib/io.joern.pysrc2cpg-4.0.379.jar", "io/joern/pysrc2cpg/NewMain.class");
        write("lib/rubysrc2cpg_3-4.0.379.jar", "io/joern/rubysrc2cpg/Other.class");
        let found = Installation::at(folder.path()).unwrap().unwrap();
        let [c, python] = ["c2cpg", "pysrc2cpg"].map(|name| found.frontend(name).unwrap());
        assert_eq!((&*c.class, c.jars.len()), ("io.joern.c2cpg.Main", found.jars().len()));
        assert_eq!((&*python.class, python.jars.len()), ("io.joern.pysrc2cpg.NewMain", 1));
        assert!(found.frontend("rubysrc2cpg").unwrap_err().to_string().contains("this jar has no frontend"));
        let message = found.frontend("php2cpg").unwrap_err().to_string();
        assert!(message.contains("it has c2cpg, pysrc2cpg, rubysrc2cpg"), "{message}");
    }
}
