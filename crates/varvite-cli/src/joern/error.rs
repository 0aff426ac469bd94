//! [`JoernError`]: the reasons why one of Joern's programs was not started, or failed.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use thiserror::Error;
use varvite_import::ImportError;
use varvite_store::StoreError;

/// The reason why one of Joern's programs was not started, or failed.
#[derive(Debug, Error)]
pub(crate) enum JoernError {
    /// Joern's programs were never started on this system.
    #[error(
        "Joern's programs are started on Linux and macOS alone: on Windows, use the Windows Subsystem for \
         Linux; `varvite import` reads a cpg.bin on every system"
    )]
    System,
    /// The user named no installation, and there is none in the usual folders.
    #[error(
        "Joern not found: name its folder with --joern DIR or JOERN_HOME, or install it (joern.io/install)"
    )]
    Missing,
    /// There is no Joern in the folder that the user named.
    #[error("{}: not a folder of Joern, whose lib has joern-cli-VERSION.jar and flatgraph-core-VERSION.jar", folder.display())]
    NotJoern {
        /// The path of the folder.
        folder: PathBuf,
    },
    /// A folder has several versions of a jar, so it is unknown which one to use.
    #[error("{}: the folder has several versions of {artifact}; remove the jars that you do not use", folder.display())]
    Several {
        /// The path of the folder.
        folder: PathBuf,
        /// The name of the jar without its version.
        artifact: &'static str,
    },
    /// This Joern stores graphs in another library than flatgraph.
    #[error(
        "{}: Joern {version} has no flatgraph-core-VERSION.jar: Joern has used flatgraph since version 4; \
         install a newer Joern (joern.io/install)",
        folder.display()
    )]
    NoFlatgraph {
        /// The folder of the installation.
        folder: PathBuf,
        /// The version of Joern.
        version: String,
    },
    /// A member is missing that Joern needs of Varvite's classes, or these of Joern.
    #[error(
        "{installation} does not fit this Varvite: {lack}; --anyway goes on, and fails where it is needed, \
         and {tested} were tested"
    )]
    Lacks {
        /// The installation, in words.
        installation: String,
        /// A sentence about the missing member.
        lack: String,
        /// The versions of Joern that were tested.
        tested: String,
    },
    /// No installed Java is new enough.
    #[error("needs Java {oldest} or later{}: install one, from adoptium.net for example, or set JAVA_HOME to it", seen(newest.as_ref()))]
    NoJava {
        /// The oldest version that is new enough.
        oldest: u32,
        /// The version and the folder of the newest Java that was found; `None` if none was found.
        newest: Option<(u32, PathBuf)>,
    },
    /// The jar with Varvite's classes was not found.
    #[error(
        "varvite-joern.jar is not beside this program: `make joern-jar` in a clone of Varvite builds it; name it with --jar or VARVITE_JOERN_JAR"
    )]
    NoJar,
    /// A jar can't be read, or is not a jar.
    #[error("{}: {what}", jar.display())]
    Jar {
        /// The path of the jar.
        jar: PathBuf,
        /// A description of the error.
        what: &'static str,
    },
    /// A file can't be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        r#source: io::Error,
    },
    /// A path can't be put on a class path, since it contains the separator of class paths.
    #[error("{}: Java's class path cannot contain a folder with this name; rename it", path.display())]
    ClassPath {
        /// The path.
        path: PathBuf,
    },
    /// The user's cache folder is unknown.
    #[error("no cache folder for the jar: set HOME or XDG_CACHE_HOME")]
    NoCache,
    /// Joern has no program of this name.
    #[error("Joern has no program {name:?}; it has {known}. Name a class of your own with its package")]
    NoProgram {
        /// The requested name.
        name: String,
        /// The names of the existing programs.
        known: String,
    },
    /// The installation is only the library for queries.
    #[error(
        "{}: this Joern has no shell and no programs (joern-cli-VERSION.jar), only its library: name a class \
         of your own with --program",
        folder.display()
    )]
    NoPrograms {
        /// The folder of the installation.
        folder: PathBuf,
    },
    /// The installation has no frontend of this name.
    #[error("{}: there is no frontend {name:?} in this Joern; it has {known}", folder.display())]
    NoFrontend {
        /// The folder of the installation.
        folder: PathBuf,
        /// The requested name.
        name: String,
        /// The names of the existing frontends.
        known: String,
    },
    /// A jar could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The graph for Java's training run could not be written.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Java reported success, but wrote no cache.
    #[error("Java wrote none")]
    NothingLearned,
    /// A program could not be started.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The path of the program.
        program: PathBuf,
        /// The reason.
        r#source: io::Error,
    },
    /// A program failed. The end of its output was already shown.
    #[error("{name} failed with {status}{}", if *is_out_of_heap { ": it ran out of heap; raise the limit, \
        as with --heap 16G" } else { "" })]
    Failed {
        /// The name of the program.
        name: String,
        /// The program's exit status.
        status: ExitStatus,
        /// Whether the program's Java heap was too small.
        is_out_of_heap: bool,
    },
    /// A program reported success, but wrote no output.
    #[error("{name} succeeded but wrote no graph; --verbose shows its output")]
    NothingWritten {
        /// The name of the program.
        name: String,
    },
}

fn seen(newest: Option<&(u32, PathBuf)>) -> String {
    newest.map_or_else(String::new, |(version, home)| {
        format!(" (the newest found is {version}, in {})", home.display())
    })
}
