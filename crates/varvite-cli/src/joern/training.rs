//! [`Training`]: a start of Joern by which Java learns its classes, on a graph of ours.
//!
//! The class `varvite.joern.start.Training` of our jar does the work of a script, in one Java instead of
//! Joern's two. Its questions use the most common steps.

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
/// Three small files in C, with the text of them.
const GRAPH: &[u8] = include_bytes!("training.cpg.bin");

/// The inputs of a training run.
pub(crate) struct Training<'a> {
    installation: &'a Installation,
    java: &'a Java,
    class_path: &'a [PathBuf],
}

impl<'a> Training<'a> {
    /// One of a Joern on a class path that has our jar in it.
    pub(crate) fn of(installation: &'a Installation, java: &'a Java, class_path: &'a [PathBuf]) -> Self {
        Self { installation, java, class_path }
    }

    /// Makes Java write its cache to a file. The folder is empty, and gets the files that the program leaves.
    ///
    /// # Errors
    /// [`JoernError::Failed`] and [`JoernError::Start`] if the program does not run,
    /// [`JoernError::NothingLearned`] if Java wrote nothing; else that a file can't be written.
    pub(crate) fn run(&self, children: &Children, folder: &Path, output: &Path) -> Result<(), JoernError> {
        let graph = graph(folder)?;
        let mut option = OsString::from("-XX:AOTCacheOutput=");
        option.push(output);
        let jvm = Jvm::without_options_of_users(self.java, self.class_path.iter().cloned()).options([option]);
        let mut command = jvm.command(CLASS)?;
        // The `java` that the class starts is one of its own.
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

/// A mapped graph in the folder.
fn graph(folder: &Path) -> Result<PathBuf, JoernError> {
    let (source, graph) = (folder.join("training.cpg.bin"), folder.join("training.varvite"));
    RealVfs.create_new(&source)?.write_all_at(0, GRAPH)?;
    Import::new(&source).task(Task::new().threads(1)).write_to(&graph)?;
    Ok(graph)
}
