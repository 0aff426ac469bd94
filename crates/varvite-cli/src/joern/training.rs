//! [`Training`]: runs Joern on a small graph so that Java can make its cache.
//!
//! The class `varvite.joern.start.Training` in Varvite's jar does the same work as a script, but in one Java
//! process instead of Joern's two. The queries of the class use the most common steps.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use varvite::Task;

use varvite_import::Import;
use varvite_store::Vfs;
use varvite_store::vfs::RealVfs;

use super::error::JoernError;
use super::jvm::{OPTIONS_OF_USERS, path_with};
use super::{Children, Installation, Java, Jvm};

const CLASS: &str = "varvite.joern.start.Training";
/// A graph of three small C files, which includes their text.
const GRAPH: &[u8] = include_bytes!("training.cpg.bin");

/// The settings of a training run.
pub(crate) struct Training<'a> {
    installation: &'a Installation,
    java: &'a Java,
    class_path: &'a [PathBuf],
}

impl<'a> Training<'a> {
    /// A training run of an installation, with a class path that contains Varvite's jar.
    pub(crate) fn of(installation: &'a Installation, java: &'a Java, class_path: &'a [PathBuf]) -> Self {
        Self { installation, java, class_path }
    }

    /// Makes Java write its cache to the file `output`. `folder` must be empty; the program may leave files
    /// in it.
    ///
    /// # Errors
    /// [`JoernError::Failed`] and [`JoernError::Start`] if the program does not run;
    /// [`JoernError::NothingLearned`] if Java wrote no cache; an error if a file can't be written.
    pub(crate) fn run(&self, children: &Children, folder: &Path, output: &Path) -> Result<(), JoernError> {
        let graph = graph(folder)?;
        let mut option = OsString::from("-XX:AOTCacheOutput=");
        option.push(output);
        let jvm = Jvm::without_options_of_users(self.java, self.class_path.iter().cloned()).options([option]);
        let mut command = jvm.command(CLASS)?;
        // The class starts another `java` from `PATH`, which must have the same version.
        command.arg(folder).arg(&graph).current_dir(folder).env("PATH", path_with(folder)?);
        for name in OPTIONS_OF_USERS {
            command.env_remove(name);
        }
        if let Some((name, value)) = self.installation.variable() {
            command.env(name, value);
        }
        children.run("the start that Java learns from", command, false)?;
        match output.exists() {
            true => Ok(()),
            false => Err(JoernError::NothingLearned),
        }
    }
}

/// Imports the training graph into a `.varvite` file in the folder.
fn graph(folder: &Path) -> Result<PathBuf, JoernError> {
    let (source, graph) = (folder.join("training.cpg.bin"), folder.join("training.varvite"));
    RealVfs.create_new(&source)?.write_all_at(0, GRAPH)?;
    Import::new(&source).task(Task::new().threads(1)).write_to(&graph)?;
    Ok(graph)
}
