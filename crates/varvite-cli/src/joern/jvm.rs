//! [`Jvm`]: builds the command that runs a Java class, with its jars and the options of the virtual machine.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Java;
use super::error::JoernError;

/// The environment variable with options for all Java processes. Through it, options also reach the Java
/// processes that a program starts.
const OPTIONS_OF_ALL: &str = "JDK_JAVA_OPTIONS";
/// The environment variables with a user's options for all Java processes.
pub(super) const OPTIONS_OF_USERS: [&str; 3] = ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"];
/// The environment variable with options that Joern's own scripts read.
const OPTIONS_OF_SCRIPTS: &str = "JAVA_OPTS";

/// The settings of a virtual machine that will be started.
#[derive(Debug)]
pub(crate) struct Jvm<'a> {
    java: &'a Java,
    class_path: Vec<PathBuf>,
    options: Vec<OsString>,
    are_options_of_all: bool,
}

impl<'a> Jvm<'a> {
    /// A virtual machine with these jars and folders as its class path, in this order.
    pub(crate) fn new(java: &'a Java, class_path: impl IntoIterator<Item = PathBuf>) -> Self {
        Self::without_options_of_users(java, class_path).options(options_of_scripts())
    }

    /// A virtual machine for a program of Varvite, without the options of [`options_of_scripts`].
    pub(crate) fn without_options_of_users(
        java: &'a Java,
        class_path: impl IntoIterator<Item = PathBuf>,
    ) -> Self {
        let options = java.flags().map(OsString::from).collect();
        Self { java, class_path: class_path.into_iter().collect(), options, are_options_of_all: false }
    }

    /// Adds options.
    #[must_use]
    pub(crate) fn options<O: Into<OsString>>(mut self, options: impl IntoIterator<Item = O>) -> Self {
        self.options.extend(options.into_iter().map(Into::into));
        self
    }

    /// Limits the heap to `bytes`.
    #[must_use]
    pub(crate) fn heap(self, bytes: Option<usize>) -> Self {
        self.options(bytes.map(|bytes| format!("-Xmx{}k", bytes.div_ceil(1024))))
    }

    /// If `are_they` is true, the options also apply to virtual machines that this one starts. Java then
    /// reports at each start that it has found these options.
    #[must_use]
    pub(crate) fn options_of_all(self, are_they: bool) -> Self {
        Self { are_options_of_all: are_they, ..self }
    }

    /// The command that runs a class, still without arguments. Programs that the class starts find the same
    /// Java.
    ///
    /// # Errors
    /// [`JoernError::ClassPath`] if a path can't be part of a class path.
    pub(crate) fn command(&self, class: &str) -> Result<Command, JoernError> {
        let class_path = env::join_paths(&self.class_path).map_err(|_| JoernError::ClassPath {
            path: self
                .class_path
                .iter()
                .find(|path| env::join_paths([path]).is_err())
                .cloned()
                .unwrap_or_default(),
        })?;
        let mut command = Command::new(self.java.program());
        match self.are_options_of_all {
            true => command.env(OPTIONS_OF_ALL, self.in_environment()),
            false => command.args(&self.options),
        };
        command.arg("-cp").arg(class_path).arg(class);
        command.env("JAVA_HOME", self.java.home()).env("PATH", self.path()?);
        Ok(command)
    }

    /// The options as one text, preceded by those that are already in the environment variable.
    fn in_environment(&self) -> OsString {
        let mut all = env::var_os(OPTIONS_OF_ALL).unwrap_or_default();
        for option in &self.options {
            if !all.is_empty() {
                all.push(" ");
            }
            all.push(quoted(option));
        }
        all
    }

    /// The search path for programs, with the folder of this Java first.
    fn path(&self) -> Result<OsString, JoernError> {
        path_with(&self.java.home().join("bin"))
    }
}

/// The search path for programs: this folder, followed by the folders of `PATH`.
pub(super) fn path_with(folder: &Path) -> Result<OsString, JoernError> {
    let others = env::var_os("PATH").unwrap_or_default();
    let folders = [folder.to_owned()].into_iter().chain(env::split_paths(&others));
    env::join_paths(folders).map_err(|_| JoernError::ClassPath { path: folder.to_owned() })
}

/// An option, quoted so that Java's launcher reads it as one option.
fn quoted(option: &OsStr) -> OsString {
    let has_blank = option.to_string_lossy().contains(char::is_whitespace);
    if !has_blank {
        return option.to_owned();
    }
    let mut quoted = OsString::from("\"");
    quoted.push(option);
    quoted.push("\"");
    quoted
}

/// The options that Joern's own scripts would also pass.
pub(crate) fn options_of_scripts() -> Vec<OsString> {
    let options = env::var(OPTIONS_OF_SCRIPTS).unwrap_or_default();
    options.split_whitespace().map(OsString::from).collect()
}

/// Separates options of the virtual machine (`-J-Xmx8g`, `-Dname=value`, `-XX:..`) from the arguments of a
/// program, as Joern's own scripts do.
pub(crate) fn take_options(words: &[OsString]) -> (Vec<OsString>, Vec<OsString>) {
    let mut options = Vec::new();
    let mut rest = Vec::new();
    for word in words {
        let text = word.to_string_lossy();
        match text.strip_prefix("-J") {
            Some(option) => options.push(OsString::from(option)),
            None if text.starts_with("-D") || text.starts_with("-XX") => options.push(word.clone()),
            None => rest.push(word.clone()),
        }
    }
    (options, rest)
}

/// The option with the path of Joern's log configuration; `None` if the installation has no such file.
pub(crate) fn log_option(root: &Path) -> Option<OsString> {
    let file = root.join("conf/log4j2.xml");
    let mut option = OsString::from("-Dlog4j.configurationFile=");
    option.push(&file);
    file.is_file().then_some(option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_virtual_machine_are_told_from_words_of_the_program() {
        let words =
            ["-J-Xmx8g", "--script", "q.sc", "-Dx=y", "-XX:+UseSerialGC", "-d", "dep"].map(OsString::from);
        let (options, rest) = take_options(&words);
        assert_eq!(options, ["-Xmx8g", "-Dx=y", "-XX:+UseSerialGC"]);
        assert_eq!(rest, ["--script", "q.sc", "-d", "dep"]);
    }

    #[test]
    fn an_option_with_blanks_is_quoted() {
        assert_eq!(quoted(OsStr::new("-Da=b c")), "\"-Da=b c\"");
        assert_eq!(quoted(OsStr::new("-Xmx8g")), "-Xmx8g");
    }
}
