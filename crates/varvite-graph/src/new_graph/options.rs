//! [`NewGraphOptions`]: the kind of a new graph's file, and the limits of making it.

use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::Profile;
use varvite_store::{IfExists, StagedFile, Task, Vfs};

use super::making::NewGraph;
use crate::change_error::ChangeError;
use crate::draft::{Draft, DraftOptions, TreeLabel};
use crate::error::Result;

/// Options of a [`NewGraph`]. By default the file is compact and has no index, all processors encode, and ids
/// are in the order in which nodes are added.
///
/// ```no_run
/// use varvite::write::NewGraphOptions;
/// use varvite::{IfExists, Task};
///
/// let options = NewGraphOptions::new().index("NAME").task(Task::new().memory(512 << 20)).if_exists(IfExists::Replace);
/// let graph = options.create("crates.varvite")?;
/// # Ok::<(), varvite::change::ChangeError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a graph begins with `create`"]
pub struct NewGraphOptions<'a> {
    options: DraftOptions<'a>,
}

impl NewGraph<'_> {
    /// Begins a graph that will be at `path`, where no file may be. [`NewGraphOptions`] has more to say.
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
    /// The defaults.
    pub fn new() -> Self {
        Self { options: DraftOptions::default() }
    }

    /// Numbers nodes anew, in pre-order of the edges of this label, so that the descendants of a node are a
    /// range of ids ([`Subtree`](crate::Subtree)). The numbers that [`NewGraph::add_node`] returned are not
    /// the ids of the file then.
    pub fn tree(mut self, edge_label: impl Into<String>) -> Self {
        self.options.tree = TreeLabel::Named(edge_label.into());
        self
    }

    /// Keeps an index of the property of nodes of this name, which must hold texts. May be called for
    /// several.
    pub fn index(mut self, property: impl Into<String>) -> Self {
        self.options.indexes.push(property.into());
        self
    }

    /// Storage profile of the file, by default compact.
    pub fn profile(mut self, profile: Profile) -> Self {
        self.options.write.profile = profile;
        self
    }

    /// Codec of the blocks of an archive, by default zstd. Other profiles have none.
    pub fn codec(mut self, codec: Codec) -> Self {
        self.options.write.codec = codec;
        self
    }

    /// Whether an existing file is replaced. By default it is refused.
    pub fn if_exists(mut self, if_exists: IfExists) -> Self {
        self.options.write.if_exists = if_exists;
        self
    }

    /// The limits of making the graph: threads that encode, memory until the graph is written ([`NewGraph`]
    /// lists its uses), a flag that cancels every call soon after it is set, and progress of
    /// [`NewGraph::finish`]: a step for each edge label and each property.
    pub fn task(mut self, task: Task<'a>) -> Self {
        self.options.task = task;
        self
    }

    /// Writes to another file system than that of the operating system.
    pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
        self.options.vfs = vfs;
        self
    }

    /// Begins a graph that will be at `path`. Until it is finished no other program can begin one there, and
    /// nothing is at `path` that was not before.
    ///
    /// # Errors
    /// [`StoreError::Exists`](crate::StoreError::Exists) if the file exists and is not to be replaced;
    /// [`StoreError::Busy`](crate::StoreError::Busy) if another writer has it; an error of the file system.
    pub fn create(self, path: impl AsRef<Path>) -> Result<NewGraph<'a>, ChangeError> {
        let (options, path) = (self.options, path.as_ref());
        let file = StagedFile::create(Arc::clone(&options.vfs), path, options.write.if_exists)?;
        let draft = Draft::new(Arc::clone(&options.vfs), path, options.task.memory_bytes(), None)?;
        Ok(NewGraph::of(draft, file, options))
    }
}
