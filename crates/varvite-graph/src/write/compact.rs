//! [`GraphChange::compact`]: writes a file without the remains of earlier commits.
//!
//! A compaction copies all parts of the graph in their stored form, in a fixed order. So the bytes of the new
//! file do not depend on layers and indexes that were added and dropped before. A graph with changes of
//! nodes, edges or values is written anew instead.

use std::path::Path;
use std::sync::Arc;

use varvite_format::Directory;
use varvite_store::{IfExists, Store, StoreWriter, Task, Vfs};

use super::change::{CHECKED, GraphChange};
use super::file_id::file_id_of_fold;
use super::fold::{NewNumbers, fold};
use super::graph_copy::copy_graph;
use super::names::number_names;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;

/// Compacts the graph at `path`, with [`GraphChange::begin`] and [`GraphChange::compact`].
///
/// # Errors
/// The errors of [`GraphChange::begin`] and [`GraphChange::compact`].
pub fn compact(vfs: Arc<dyn Vfs>, path: &Path, task: &Task<'_>) -> Result<u64, ChangeError> {
    GraphChange::begin(vfs, path)?.compact(task)
}

/// Writes the graph at `path` anew to the file `target`. The graph at `path` is not changed, and other
/// programs may commit to it meanwhile. Returns the size of the new file in bytes.
///
/// # Errors
/// Damage; [`GraphError::Cancelled`](crate::GraphError::Cancelled); an error of the file system. In all these
/// cases, no new file is created.
pub fn compact_to(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    target: &Path,
    if_exists: IfExists,
    task: &Task<'_>,
) -> Result<u64, ChangeError> {
    let (writer, directory) = begin_to(vfs, path, target, if_exists, None, task)?;
    Ok(writer.finish(directory)?)
}

/// The same as [`compact`], or as [`compact_to`] if there is a `target`. Before the new file is put in place,
/// the receiver `told` is called with the new numbers of nodes and edges. For a graph without changes it is
/// not called, because all numbers stay the same. Takes as much memory as [`GraphChange::fold`], and in
/// addition, on each thread, four bytes for each edge of one label.
///
/// # Errors
/// The errors of [`compact`] and [`compact_to`], and the errors of `told`.
pub fn compact_telling(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    target: Option<(&Path, IfExists)>,
    told: &dyn NewNumbers,
    task: &Task<'_>,
) -> Result<u64, ChangeError> {
    match target {
        None => GraphChange::begin(vfs, path)?.write_anew(Some(told), task),
        Some((target, if_exists)) => {
            let (writer, directory) = begin_to(vfs, path, target, if_exists, Some(told), task)?;
            Ok(writer.finish(directory)?)
        }
    }
}

fn begin_to(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    target: &Path,
    if_exists: IfExists,
    told: Option<&dyn NewNumbers>,
    task: &Task<'_>,
) -> Result<(StoreWriter, Directory), ChangeError> {
    let graph = Graph::of_store(Store::open(&*vfs, path, CHECKED)?)?;
    let (file_id, profile) = (compacted_id(&graph), graph.store().header().profile);
    let writer = StoreWriter::create(vfs, target, if_exists, file_id, profile)?;
    write_anew(&graph, writer, told, task)
}

impl GraphChange {
    /// Replaces the file by one that holds only the current graph, and returns the size of the new file in
    /// bytes. Programs that have the old file open can still read it. Needs disk space for a second file,
    /// reads every byte that is copied, and checks that all ids are those of nodes of the graph. Progress is
    /// counted in copied columns. A graph with changes of nodes, edges or values is [folded](Self::fold),
    /// which may give nodes other ids.
    ///
    /// # Errors
    /// Damage; [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program changed or
    /// replaced the file; [`GraphError::Cancelled`](crate::GraphError::Cancelled); an error of the file
    /// system. The file is then unchanged.
    pub fn compact(self, task: &Task<'_>) -> Result<u64, ChangeError> {
        self.write_anew(None, task)
    }

    fn write_anew(self, told: Option<&dyn NewNumbers>, task: &Task<'_>) -> Result<u64, ChangeError> {
        // Only a fold (writing the graph anew) needs checked columns: copied blocks are checked in any case.
        let change = if has_changes(self.graph()) { self.checked()? } else { self };
        let graph = change.graph();
        let (writer, directory) = write_anew(graph, change.begin_anew(compacted_id(graph))?, told, task)?;
        change.commit(writer, directory)
    }
}

/// Writes all data of a graph to a file that was started. The caller then writes the directory and puts the
/// file in place.
pub(crate) fn write_anew(
    graph: &Graph,
    mut writer: StoreWriter,
    told: Option<&dyn NewNumbers>,
    task: &Task<'_>,
) -> Result<(StoreWriter, Directory), ChangeError> {
    if has_changes(graph) {
        let (writer, directory, _) = fold(graph, writer, told, task)?;
        told.map_or(Ok(()), |told| told.complete(&compacted_id(graph)))?;
        return Ok((writer, directory));
    }
    let mut directory = graph.store().directory().clone();
    copy_graph(graph.store(), &mut directory, &mut writer, task)?;
    // Copied blocks have valid checksums, but their content may belong to another graph.
    graph.check_ids(task)?;
    number_names(&mut directory);
    Ok((writer, directory))
}

/// The id of the new file: that of the old file, unless the graph has changes of nodes, edges or values.
fn compacted_id(graph: &Graph) -> [u8; 16] {
    match has_changes(graph) {
        true => file_id_of_fold(&graph.identity()),
        false => graph.store().header().file_id,
    }
}

fn has_changes(graph: &Graph) -> bool {
    graph.store().directory().changes.is_some()
}
