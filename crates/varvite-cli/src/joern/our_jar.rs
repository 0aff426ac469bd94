//! [`OurJar`]: `varvite-joern.jar`, which has the classes of Varvite that replace some of flatgraph's, and
//! the dependencies of these classes.

use std::env;
use std::path::{Path, PathBuf};

use super::error::JoernError;

/// The file name of the jar.
const NAME: &str = "varvite-joern.jar";
/// The environment variable with the path of the jar.
const VARIABLE: &str = "VARVITE_JOERN_JAR";
/// Folders that may contain the jar, relative to the folder of this program.
const BESIDE: [&str; 3] = ["", "../lib/varvite", "../share/varvite"];

/// The path of the jar with Varvite's classes.
#[derive(Debug, Clone)]
pub(crate) struct OurJar(PathBuf);

impl OurJar {
    /// Finds the jar that an option or `VARVITE_JOERN_JAR` names. If neither is set, finds the jar beside
    /// this program.
    ///
    /// # Errors
    /// [`JoernError::NoJar`].
    pub(crate) fn find(named: Option<&Path>) -> Result<Self, JoernError> {
        let of_variable = env::var_os(VARIABLE).filter(|jar| !jar.is_empty()).map(PathBuf::from);
        match named.map(Path::to_owned).or(of_variable) {
            Some(jar) => Ok(Self(jar)),
            None => beside_program().map(Self).ok_or(JoernError::NoJar),
        }
    }

    /// The path of the jar.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

fn beside_program() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let folder = program.parent()?;
    BESIDE.iter().map(|beside| folder.join(beside).join(NAME)).find(|jar| jar.is_file())
}
