//! [`HostileFile`]: a file with a name that states its effect.

/// The kind of file that a file claims to be. The kind decides which commands open the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `.varvite` file.
    Graph,
    /// A `.vtrace` file.
    Trace,
    /// The output of valgrind's lackey.
    Lackey,
    /// The output of perf script with samples of memory accesses.
    PerfMem,
    /// A profile written by heaptrack.
    Heaptrack,
    /// A profile written by another tool.
    Profile,
    /// A trace written by DynamoRIO.
    Drmemtrace,
    /// A binary of a recorded program.
    Binary,
    /// A flatgraph file.
    Flatgraph,
    /// A pipeline.
    Plan,
    /// The digest of a graph.
    Digest,
    /// A diff.
    Diff,
    /// A patch of source files.
    Patch,
    /// A table of nodes.
    Table,
    /// A GraphML document.
    Graphml,
    /// A SCIP index.
    Scip,
}

impl Kind {
    /// The extension of files of this kind.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Graph => "varvite",
            Self::Trace => "vtrace",
            Self::Lackey => "lackey",
            Self::PerfMem => "perfmem",
            Self::Heaptrack => "heaptrack",
            Self::Profile => "profile",
            Self::Drmemtrace => "drmemtrace",
            Self::Binary => "elf",
            Self::Flatgraph => "fg",
            Self::Plan => "json",
            Self::Digest => "digest",
            Self::Diff => "jsonl",
            Self::Patch => "patch",
            Self::Table => "csv",
            Self::Graphml => "graphml",
            Self::Scip => "scip",
        }
    }
}

/// A file from an untrusted source.
#[derive(Clone, Debug)]
pub struct HostileFile {
    /// The effect of the file, as words joined by hyphens.
    pub name: String,
    /// The kind of file that these bytes claim to be.
    pub kind: Kind,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// The name of a file, and the function that makes it.
pub(crate) type Made<T> = (&'static str, fn() -> T);

impl HostileFile {
    pub(crate) fn graph(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), kind: Kind::Graph, bytes }
    }

    /// Makes files of one kind.
    pub(crate) fn made(kind: Kind, files: &[Made<Vec<u8>>]) -> Vec<Self> {
        files.iter().map(|(name, make)| Self { name: (*name).into(), kind, bytes: make() }).collect()
    }
}
