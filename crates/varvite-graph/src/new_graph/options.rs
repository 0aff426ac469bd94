//! [`NewGraphOptions`]: options of a new graph's file, and limits for building the graph.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::Profile;
use varvite_store::{IfExists, StagedFile, Task, Vfs};

use super::making::NewGraph;
use crate::change_error::ChangeError;
use crate::draft::{Draft, DraftOptions, TreeLabel};
use crate::error::Result;

/// Options of a [`NewGraph`]. By default the file is compact and has no index, all processors take part in
/// the encoding, and ids follow the order in which nodes are added.
///
/// ```no_run
/// use varvite::write::NewGraphOptions;
/// use varvite::{IfExists, Task};
///
/// let options = NewGraphOptions::new()
///     .index("NAME")
///     .task(Task::new().memory(512 << 20))
///     .if_exists(IfExists::Replace);
/// let graph = options.create("crates.varvite")?;
/// # Ok::<(), varvite::change::ChangeError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a graph begins with `create`"]
pub struct NewGraphOptions<'a> {
    options: DraftOptions<'a>,
}

impl NewGraph<'_> {
    /// Starts a graph for a new file at `path`; fails if a file exists there. [`NewGraphOptions`] has further
    /// options.
    ///
    /// # Errors
    /// The errors of [`NewGraphOptions::create`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, ChangeError> {
        NewGraphOptions::new().create(path)
    }
}

impl Default for NewGraphOptions<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> NewGraphOptions<'a> {
    /// The default options.
    pub fn new() -> Self {
        Self { options: DraftOptions::default() }
    }

    /// Gives nodes ids in pre-order along the edges of this label, so that the descendants of a node are a
    /// range of ids ([`Subtree`](crate::Subtree)). The numbers that [`NewGraph::add_node`] returns then
    /// differ from the ids in the file.
    pub fn tree(mut self, edge_label: impl Into<String>) -> Self {
        self.options.tree = TreeLabel::Named(edge_label.into());
        self
    }

    /// Creates an index of the node property of this name, which must hold texts. Call this method once for
    /// each property to index.
    pub fn index(mut self, property: impl Into<String>) -> Self {
        self.options.indexes.push(property.into());
        self
    }

    /// Sets the storage profile of the file; by default compact.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.write.profile = profile;
        self
    }

    /// Sets the codec of the blocks in a file of the archive profile; by default zstd. Other profiles use no
    /// codec.
    pub fn codec(mut self, codec: Codec) -> Self {
        self.options.write.codec = codec;
        self
    }

    /// Sets whether an existing file is replaced. By default, an existing file is an error.
    pub fn if_exists(mut self, if_exists: IfExists) -> Self {
        self.options.write.if_exists = if_exists;
        self
    }

    /// Sets the limits for building the graph: the number of threads that encode, and the memory that may be
    /// used until the graph is written ([`NewGraph`] lists the uses of memory). Also sets a flag that cancels
    /// any call soon after the flag is set, and the receiver of progress. [`NewGraph::finish`] reports
    /// progress in edge labels and properties.
    pub fn task(mut self, task: Task<'a>) -> Self {
        self.options.task = task;
        self
    }

    /// Sets the file system to write to; by default that of the operating system.
    pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
        self.options.vfs = vfs;
        self
    }

    /// Starts a graph for a new file at `path`. Until the graph is finished, no other program can start a
    /// graph for the same path, and any file at `path` is unchanged.
    ///
    /// # Errors
    /// [`StoreError::Exists`](crate::StoreError::Exists) if the file exists and may not be replaced;
    /// [`StoreError::Busy`](crate::StoreError::Busy) if another writer holds it; an error of the file system.
    pub fn create(self, path: impl AsRef<Path>) -> Result<NewGraph<'a>, ChangeError> {
        let (options, path) = (self.options, path.as_ref());
        let file = StagedFile::create(Arc::clone(&options.vfs), path, options.write.if_exists)?;
        let draft = Draft::new(Arc::clone(&options.vfs), path, options.task.memory_bytes(), None)?;
        Ok(NewGraph::of(draft, file, options))
    }
}
