//! `varvite joern`: runs Joern's shell or another of Joern's programs, with Varvite's classes in place of
//! some of flatgraph's.
//!
//! The program replaces this process. So the program controls the terminal and receives Ctrl-C, and its exit
//! code is that of the command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use varvite::IfExists;

use crate::arguments::parse_size;
use crate::disk::WriteArgs;
use crate::failure::{Outcome, reported};
use crate::joern::{
    AotCache, CachedJar, Children, Installation, Java, JoernError, Jvm, Needs, OurJar, Purpose, Replacement,
    Training, Verdict, is_of_users, log_option, options_of_scripts, take_options,
};
use crate::output::{Format, Summary, remark};

/// Joern's programs, and their main classes.
const PROGRAMS: [(&str, &str); 7] = [
    ("joern", "io.joern.joerncli.console.ReplBridge"),
    ("joern-export", "io.joern.joerncli.JoernExport"),
    ("joern-flow", "io.joern.joerncli.JoernFlow"),
    ("joern-parse", "io.joern.joerncli.JoernParse"),
    ("joern-scan", "io.joern.joerncli.JoernScan"),
    ("joern-slice", "io.joern.joerncli.JoernSlice"),
    ("joern-vectors", "io.joern.joerncli.JoernVectors"),
];
/// The class that starts another class, after it has checked the class path.
const START: &str = "varvite.joern.start.Start";
/// Arguments with which Joern starts a second Java process, which does not get the options of the first.
const START_ANOTHER: [&str; 3] = ["--script", "--run", "--plugins"];

const MAKING: &str = "creating Java's ahead-of-time cache for Joern, once: later starts take half the \
                      time (--no-aot turns it off)";
const NOT_MADE: &str = "Java's ahead-of-time cache for Joern could not be created and will not be tried again; Joern starts \
     without it";

/// Arguments of `varvite joern`.
#[derive(Debug, Args)]
pub(crate) struct JoernArgs {
    #[command(flatten)]
    installation: InstallationArgs,
    /// Joern program to start, such as joern-export, or the full name of a class with a main method
    #[arg(long, value_name = "NAME", default_value = "joern", conflicts_with = "write_jar")]
    program: String,
    /// Maximum Java heap, such as 4G [default: Java's own]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with = "write_jar")]
    heap: Option<usize>,
    /// Neither create nor use Java's ahead-of-time cache for Joern; same as VARVITE_JOERN_NO_AOT=1
    #[arg(long, conflicts_with = "write_jar")]
    no_aot: bool,
    #[command(flatten)]
    persist: PersistArgs,
    /// Write the jar that replaces flatgraph-core, for a class path of your own, and start nothing
    #[arg(long, value_name = "FILE")]
    write_jar: Option<PathBuf>,
    /// Replace the jar at --write-jar if it exists
    #[arg(long, requires = "write_jar")]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
    /// Arguments for the program; -J-Xmx4g, -DNAME=VALUE and -XX:.. go to Java, as in Joern's own scripts
    #[arg(last = true, value_name = "ARGS", conflicts_with = "write_jar")]
    args: Vec<OsString>,
}

/// How changes to a mapped graph are saved.
#[derive(Debug, Args)]
struct PersistArgs {
    /// When a .varvite graph is closed or saved, write the changes that passes and scripts made to it to its
    /// file, as one commit. Copies in Joern's workspace are also saved without this option
    #[arg(long, conflicts_with = "write_jar")]
    persist: bool,
    /// Save the changes as a layer of this name, which can be dropped. The changes may then only add data,
    /// under names that are new to the graph
    #[arg(long, value_name = "NAME", requires = "persist")]
    layer: Option<String>,
}

impl PersistArgs {
    /// The Java options by which these arguments are passed to Varvite's classes.
    fn options(&self, write: &WriteArgs) -> Vec<String> {
        if !self.persist {
            return Vec::new();
        }
        let no_lock = write.goes_without_locks().then(|| "-Dvarvite.joern.nolock=true".to_owned());
        let layer = self.layer.as_ref().map(|name| format!("-Dvarvite.joern.layer={name}"));
        ["-Dvarvite.joern.persist=true".to_owned()].into_iter().chain(layer).chain(no_lock).collect()
    }
}

/// The installation of Joern, and Varvite's jar.
#[derive(Debug, Args)]
pub(crate) struct InstallationArgs {
    /// The folder of Joern, or of its jars [default: JOERN_HOME, else the folder of the joern on PATH]
    #[arg(long, value_name = "DIR")]
    joern: Option<PathBuf>,
    /// Use this Joern even if its classes need members that Varvite's classes do not have
    #[arg(long, alias = "untested")]
    anyway: bool,
    /// The jar of Varvite for Joern [default: VARVITE_JOERN_JAR, else varvite-joern.jar beside this program]
    #[arg(long, value_name = "FILE")]
    jar: Option<PathBuf>,
}

/// An installation of Joern that fits Varvite's classes, or is to be used in any case.
pub(super) struct Fitting {
    pub(super) installation: Installation,
    pub(super) jar: OurJar,
    /// Whether Java can learn from a start.
    can_train: bool,
}

impl InstallationArgs {
    /// Finds the selected installation of Joern and Varvite's jar. Fails if one needs members for this
    /// purpose that the other does not have, unless the user accepts that.
    pub(super) fn find(&self, purpose: Purpose) -> Result<Fitting, JoernError> {
        // On Windows, programs and class paths have other names, with which nothing was ever started.
        if !cfg!(unix) {
            return Err(JoernError::System);
        }
        let installation = Installation::find(self.joern.as_deref())?;
        let jar = OurJar::find(self.jar.as_deref())?;
        if self.anyway {
            return Ok(Fitting { installation, jar, can_train: true });
        }
        let verdict = Needs::of(&installation, &jar).verdict()?;
        check(&installation, &verdict, purpose)?;
        Ok(Fitting { installation, jar, can_train: verdict.lack(Purpose::Training).is_none() })
    }
}

/// Fails if a member is missing. Reports once that a version was not tested.
fn check(installation: &Installation, verdict: &Verdict, purpose: Purpose) -> Result<(), JoernError> {
    if let Some(lack) = verdict.lack(purpose) {
        let (installation, tested) = (installation.description(), Installation::tested());
        return Err(JoernError::Lacks { installation, lack: lack.to_owned(), tested });
    }
    if !verdict.is_cached && !installation.is_tested() {
        remark(&format!(
            "{} has all members that Varvite needs, but was not tested; {} were",
            installation.description(),
            Installation::tested()
        ));
    }
    Ok(())
}

/// Joern's jars, with Varvite's jar in place of flatgraph's, sorted by the bytes of their paths. Joern's
/// second Java process has them in the same order, so both processes can use the same cache.
fn class_path(jar: &CachedJar, installation: &Installation) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        installation.jars_without_flatgraph().cloned().chain([jar.path.clone()]).collect();
    all.sort_by(|a, b| a.as_os_str().cmp(b.as_os_str()));
    all
}

/// Starts the program. Returns only if this fails, or if a jar was written instead.
pub(crate) fn run(args: &JoernArgs) -> Outcome {
    let found = args.installation.find(Purpose::Graphs)?;
    let replacement = Replacement::of(&found.installation, &found.jar)?;
    match &args.write_jar {
        Some(path) => args.write_jar(path, &found.installation, &replacement),
        None => args.start(&found, &replacement),
    }
}

impl JoernArgs {
    fn start(&self, found: &Fitting, replacement: &Replacement) -> Outcome {
        let installation = &found.installation;
        let class = self.class(installation)?;
        let java = Java::find()?;
        let jar = replacement.keep()?;
        let class_path = class_path(&jar, installation);
        let (options, args) = take_options(&self.args);
        remark(&format!("{}; {}", installation.description(), java.description()));
        let learned = match found.can_train {
            true => self.learned(installation, &java, &jar, &class_path, &options),
            false => Vec::new(),
        };
        let jvm = Jvm::new(&java, class_path)
            .options(learned)
            .options(log_option(installation.root()))
            .options(self.persist.options(&self.write))
            .heap(self.heap)
            .options(options)
            .options_of_all(starts_another(&args));
        let mut command = match self.persist.persist {
            false => jvm.command(class)?,
            // The class [`START`] checks the class path before the shell appears.
            true => {
                let mut start = jvm.command(START)?;
                start.arg(class);
                start
            }
        };
        command.args(args);
        if let Some((name, value)) = installation.variable() {
            command.env(name, value);
        }
        Err(replace_this_process(command, java.program()).into())
    }

    /// The options for using Java's ahead-of-time cache. When Joern is started for the second time, this
    /// function first makes the cache.
    fn learned(
        &self,
        installation: &Installation,
        java: &Java,
        jar: &CachedJar,
        class_path: &[PathBuf],
        options: &[OsString],
    ) -> Vec<OsString> {
        let are_of_users = options.iter().chain(&options_of_scripts()).any(|option| is_of_users(option));
        let folder = jar.path.parent().unwrap_or(Path::new(""));
        let cache = AotCache::of(java, installation, class_path, folder);
        let Some(cache) = cache.filter(|_| !self.no_aot && !are_of_users) else { return Vec::new() };
        if jar.was_there {
            let made = cache.keep(|folder, file| {
                remark(MAKING);
                let children = Children::default();
                let to_stop = children.clone();
                let _disk = self.write.disk_after(move || to_stop.stop());
                Training::of(installation, java, class_path).run(&children, folder, file)
            });
            if let Err(error) = made {
                remark(&format!("{NOT_MADE}: {error}"));
            }
        }
        cache.options()
    }

    /// The main class of the program.
    fn class(&self, installation: &Installation) -> Result<&str, JoernError> {
        if self.program.contains('.') {
            return Ok(&self.program);
        }
        installation.check_programs()?;
        let known = PROGRAMS.iter().find(|(name, _)| *name == self.program);
        known.map(|(_, class)| *class).ok_or_else(|| JoernError::NoProgram {
            name: self.program.clone(),
            known: PROGRAMS.map(|(name, _)| name).join(", "),
        })
    }

    fn write_jar(&self, path: &Path, installation: &Installation, replacement: &Replacement) -> Outcome {
        let if_exists = if self.force { IfExists::Replace } else { IfExists::Refuse };
        replacement.write_to(self.write.disk(), path, if_exists)?;
        let version = installation.flatgraph_version();
        let sentence =
            format!("{}: put it on a class path in place of flatgraph-core {version}", path.display());
        reported(path, Summary { sentence, fields: Vec::new() }.write(Format::default()))
    }
}

/// Whether Joern starts another Java process for these arguments.
fn starts_another(args: &[OsString]) -> bool {
    let is_one = |arg: &str, word: &str| {
        arg.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    args.iter().any(|arg| START_ANOTHER.iter().any(|word| is_one(&arg.to_string_lossy(), word)))
}

/// Replaces this process with the program. Returns only if that fails; the result is the error.
#[cfg(unix)]
fn replace_this_process(mut command: std::process::Command, program: PathBuf) -> JoernError {
    use std::os::unix::process::CommandExt;
    JoernError::Start { program, source: command.exec() }
}

/// A process cannot be replaced here. [`InstallationArgs::find`] refuses this system before.
#[cfg(not(unix))]
fn replace_this_process(_: std::process::Command, program: PathBuf) -> JoernError {
    JoernError::Start { program, source: std::io::ErrorKind::Unsupported.into() }
}
