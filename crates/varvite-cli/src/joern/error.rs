//! [`JoernError`]: why one of Joern's programs was not started, or failed.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use thiserror::Error;
use varvite_import::ImportError;
use varvite_store::StoreError;

/// The reason why one of Joern's programs was not started, or failed.
#[derive(Debug, Error)]
pub(crate) enum JoernError {
    /// No installation was named, and none is in the usual places.
    #[error(
        "Joern not found: name its folder with --joern DIR or JOERN_HOME, or install it (joern.io/install)"
    )]
    Missing,
    /// A folder has no Joern.
    #[error("{}: not a folder of Joern, whose lib has joern-cli-VERSION.jar and flatgraph-core-VERSION.jar", folder.display())]
    NotJoern {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder has a jar in two versions, so that it is not known which one runs.
    #[error("{}: the folder has several versions of {artifact}; remove the jars that you do not use", folder.display())]
    Several {
        /// The folder.
        folder: PathBuf,
        /// The name of the jar without its version.
        artifact: &'static str,
    },
    /// Varvite was not tested with this version.
    #[error(
        "{}: Joern {joern} with flatgraph {flatgraph} was not tested with this Varvite; {tested} works, \
         and --untested accepts yours",
        folder.display()
    )]
    Untested {
        /// The folder.
        folder: PathBuf,
        /// The version of Joern.
        joern: String,
        /// The version of flatgraph in it.
        flatgraph: String,
        /// The tested version.
        tested: String,
    },
    /// There is no Java that is new enough.
    #[error("needs Java {oldest} or later{}: install one, from adoptium.net for example, or set JAVA_HOME to it", seen(newest.as_ref()))]
    NoJava {
        /// The oldest that is new enough.
        oldest: u32,
        /// The newest that was found: its version and folder.
        newest: Option<(u32, PathBuf)>,
    },
    /// The jar with our classes is nowhere.
    #[error(
        "varvite-joern.jar is not beside this program: `make joern-jar` in a clone of Varvite builds it; name it with --jar or VARVITE_JOERN_JAR"
    )]
    NoJar,
    /// A jar can't be read, or is none.
    #[error("{}: {what}", jar.display())]
    Jar {
        /// The jar.
        jar: PathBuf,
        /// The reason.
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
    /// A path can't be part of a class path.
    #[error("{}: Java's class path cannot contain a folder with this name; rename it", path.display())]
    ClassPath {
        /// The path.
        path: PathBuf,
    },
    /// There is no folder for the cache between runs.
    #[error("no cache folder for the jar: set HOME or XDG_CACHE_HOME")]
    NoCache,
    /// Joern has no such program.
    #[error("Joern has no program {name:?}; it has {known}. Name a class of your own with its package")]
    NoProgram {
        /// The wanted name.
        name: String,
        /// The existing programs.
        known: String,
    },
    /// The installation has no such frontend.
    #[error("{}: there is no frontend {name:?} in this Joern; it has {known}", folder.display())]
    NoFrontend {
        /// The folder of the installation.
        folder: PathBuf,
        /// The wanted name.
        name: String,
        /// The existing frontends.
        known: String,
    },
    /// A jar could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The graph that Java learns from could not be written.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// Java ended well and left no cache.
    #[error("Java wrote none")]
    NothingLearned,
    /// A program was not started.
    #[error("cannot start {}: {source}", program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The reason.
        r#source: io::Error,
    },
    /// A program failed. The end of its output was shown.
    #[error("{name} failed with {status}{}", if *is_out_of_heap { ": it ran out of heap; raise the limit, \
        as with --heap 16G" } else { "" })]
    Failed {
        /// The name of the program.
        name: String,
        /// Its exit status.
        status: ExitStatus,
        /// Whether it had too little heap.
        is_out_of_heap: bool,
    },
    /// A program reported success, and left nothing.
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
