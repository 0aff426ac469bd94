//! [`ExportSettings`]: what an export writes, where, and within which limits; [`ExportReport`]: its result.

use std::path::Path;
use std::sync::Arc;

use varvite::error::StoreError;
use varvite::{Graph, IfExists, PropertyId, PropertyInfo, Task};
use varvite_store::vfs::RealVfs;
use varvite_store::{StagedFile, Vfs};

/// The settings of an export, the same for every format. By default the whole graph is exported, an existing
/// file causes an error, and all processors are used.
#[derive(Clone, Debug)]
#[must_use]
pub struct ExportSettings<'a> {
    without_layers: Vec<String>,
    without_properties: Vec<String>,
    if_exists: IfExists,
    vfs: Arc<dyn Vfs>,
    pub(crate) task: Task<'a>,
}

/// The result of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportReport {
    /// The number of exported nodes.
    pub nodes: u32,
    /// The number of exported edges.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
}

impl<'a> ExportSettings<'a> {
    /// The settings by default.
    pub fn new() -> Self {
        Self {
            without_layers: Vec::new(),
            without_properties: Vec::new(),
            if_exists: IfExists::Refuse,
            vfs: Arc::new(RealVfs),
            task: Task::new(),
        }
    }

    /// Leaves out a layer of properties, as if it had been dropped; a layer that does not exist is ignored.
    pub fn without_layer(mut self, name: impl Into<String>) -> Self {
        self.without_layers.push(name.into());
        self
    }

    /// Leaves out a property of nodes; a property that does not exist is ignored.
    pub fn without_property(mut self, name: impl Into<String>) -> Self {
        self.without_properties.push(name.into());
        self
    }

    /// Whether an existing file is replaced or causes an error; by default, it causes an error.
    pub fn if_exists(mut self, if_exists: IfExists) -> Self {
        self.if_exists = if_exists;
        self
    }

    /// Writes to `vfs` instead of the operating system's file system.
    pub fn vfs(mut self, vfs: Arc<dyn Vfs>) -> Self {
        self.vfs = vfs;
        self
    }

    /// The threads, cancel flag and progress of the export. Soon after the flag is set, the export ends and
    /// leaves no file. Progress counts steps: first some for nodes and strings, then one for each part that
    /// is written. The memory limit is that of the [graph](varvite::OpenOptions::memory_max).
    pub fn task(self, task: Task<'a>) -> Self {
        Self { task, ..self }
    }

    /// The properties to export, with their ids.
    pub(crate) fn properties(&self, graph: &Graph) -> Vec<(PropertyId, PropertyInfo)> {
        let layers: Vec<&str> = self.without_layers.iter().map(String::as_str).collect();
        let is_out =
            |info: &PropertyInfo| info.edge_label.is_none() && self.without_properties.contains(&info.name);
        let mut properties = graph.properties_without(&layers);
        properties.retain(|(_, info)| !is_out(info));
        properties
    }

    /// The new file, which gets its name at the end of the export.
    pub(crate) fn create(&self, target: &Path) -> Result<StagedFile, StoreError> {
        StagedFile::create(Arc::clone(&self.vfs), target, self.if_exists)
    }

    /// The new folder, which gets its name at the end of the export.
    #[cfg(feature = "parquet")]
    pub(crate) fn create_folder(
        &self,
        target: &Path,
        shape: varvite_store::FolderShape,
    ) -> Result<varvite_store::StagedFolder, StoreError> {
        varvite_store::StagedFolder::create(Arc::clone(&self.vfs), target, shape, self.if_exists)
    }
}

impl Default for ExportSettings<'_> {
    fn default() -> Self {
        Self::new()
    }
}
