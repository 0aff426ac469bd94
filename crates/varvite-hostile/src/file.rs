//! [`HostileFile`]: bytes with a name for their effect.

/// The form that a file claims, which decides the commands that open it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A `.varvite` file.
    Graph,
    /// A `.vtrace` file.
    Trace,
    /// A text of valgrind's lackey.
    Lackey,
    /// A profile of heaptrack.
    Heaptrack,
    /// A profile of another tool.
    Profile,
    /// A trace of DynamoRIO.
    Drmemtrace,
    /// A binary that ran.
    Binary,
    /// A graph of flatgraph.
    Flatgraph,
    /// A pipeline.
    Plan,
    /// The digest of a graph.
    Digest,
    /// A diff.
    Diff,
    /// A table of nodes.
    Table,
    /// A GraphML document.
    Graphml,
}

impl Kind {
    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Graph => "varvite",
            Self::Trace => "vtrace",
            Self::Lackey => "lackey",
            Self::Heaptrack => "heaptrack",
            Self::Profile => "profile",
            Self::Drmemtrace => "drmemtrace",
            Self::Binary => "elf",
            Self::Flatgraph => "fg",
            Self::Plan => "json",
            Self::Digest => "digest",
            Self::Diff => "jsonl",
            Self::Table => "csv",
            Self::Graphml => "graphml",
        }
    }
}

/// A file from a stranger.
#[derive(Clone, Debug)]
pub struct HostileFile {
    /// Its effect, in words joined by hyphens.
    pub name: String,
    /// The form that it claims.
    pub kind: Kind,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The name of a file and the function that makes it.
pub(crate) type Made<T> = (&'static str, fn() -> T);

impl HostileFile {
    pub(crate) fn graph(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), kind: Kind::Graph, bytes }
    }

    /// Files of one kind from their names and makers.
    pub(crate) fn made(kind: Kind, files: &[Made<Vec<u8>>]) -> Vec<Self> {
        files.iter().map(|(name, make)| Self { name: (*name).into(), kind, bytes: make() }).collect()
    }
}
