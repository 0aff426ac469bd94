//! [`GraphChange::fold`]: writes a graph anew, with all changes merged into its columns.
//!
//! - `renumbering`: the new id of each node: its rank in the pre-order of the tree label, without removed
//!   nodes.
//! - `labels`, `edges`, `properties`: the columns of each label, edge label and property. Their values are
//!   read through the same cursors as elsewhere, so nothing here depends on whether a value is stored in the
//!   base or in the changes.
//! - `values`: the values of one property, in the order of the owners' new ids.
//! - `packed`: a layer's property with many numbers, which are never all in memory.
//! - `maps`: the receiver of the new numbers of nodes and edges.
//! - `texts`: the texts of a property in the order in which they are used, and the properties that share
//!   texts.
//!
//! A fold preserves the meaning of the graph, including its layers, its indexes, the order of lists, and the
//! origins of nodes.

mod edges;
mod labels;
mod maps;
mod packed;
mod properties;
mod renumbering;
mod texts;
mod values;

use varvite_format::{Directory, EdgeLabelId, PropertyId};
use varvite_store::{StoreWriter, Task};

use self::properties::FoldedProperty;
use self::renumbering::Renumbering;
use self::texts::{Shared, TextSharing};
use super::change::GraphChange;
use super::edges::PreparedEdges;
use super::encoder::Encoder;
use super::file_id::file_id_of_fold;
use super::input::LayerSpec;
use super::reindex::{as_damage, codec_of};
use super::writer::GraphWriter;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;
use crate::scan::parallel::in_order;

pub use self::maps::{NewNumbers, REMOVED};
pub(crate) use self::packed::MANY_OF_LAYER;

/// Counts of the file that a fold wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folded {
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// The number of nodes.
    pub nodes: u32,
    /// The new id of each node, by its old id; [`NodeOrder::NONE`](crate::NodeOrder::NONE) for removed nodes.
    pub new_of_old: Vec<u32>,
}

/// A job of parallel work.
enum Job {
    Edges(EdgeLabelId),
    /// Node properties that are written together, because they share texts.
    Properties(Shared, Vec<PropertyId>),
}

enum Done {
    Edges(EdgeLabelId, Box<PreparedEdges>),
    Properties(Vec<FoldedProperty>),
}

/// The data that all jobs share.
struct Fold<'a> {
    graph: &'a Graph,
    encoder: Encoder,
    renumbering: Renumbering,
    /// The code of the label set of each node, by its new id.
    label_sets: Vec<u32>,
    /// The receiver of the new numbers of edges, if there is one.
    told: Option<&'a dyn NewNumbers>,
}

impl GraphChange {
    /// Writes the graph anew, in pre-order and without removed elements, and replaces the old file. Programs
    /// that have the old file open can still read it. Needs disk space for a second file. Takes 12 bytes of
    /// memory for each node, and for each thread the memory of one edge label or property as plain numbers; a
    /// layer's property of two million numbers or more is held in its packed form instead. Progress is
    /// counted in edge labels and properties.
    ///
    /// # Errors
    /// Damage; [`ChangeError::TooLarge`]; [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if
    /// another program changed or replaced the file; [`GraphError::Cancelled`](crate::GraphError::Cancelled);
    /// an error of the file system. The file is then unchanged.
    pub fn fold(self, task: &Task<'_>) -> Result<Folded, ChangeError> {
        let change = self.checked()?;
        let graph = change.graph();
        let store = change.begin_anew(file_id_of_fold(&graph.identity()))?;
        let (store, directory, renumbering) = fold(graph, store, None, task)?;
        let file_len = change.commit(store, directory)?;
        Ok(Folded { file_len, nodes: renumbering.node_count(), new_of_old: renumbering.into_new_of_old() })
    }
}

/// Writes the graph anew to a file that was started. The caller then writes the directory and puts the file
/// in place. Input that [`GraphWriter`] refuses is reported as damage, because it was read from the graph.
pub(super) fn fold(
    graph: &Graph,
    store: StoreWriter,
    told: Option<&dyn NewNumbers>,
    task: &Task<'_>,
) -> Result<(StoreWriter, Directory, Renumbering), ChangeError> {
    fold_columns(graph, store, told, task).map_err(|error| as_damage(graph, error))
}

fn fold_columns(
    graph: &Graph,
    store: StoreWriter,
    told: Option<&dyn NewNumbers>,
    task: &Task<'_>,
) -> Result<(StoreWriter, Directory, Renumbering), ChangeError> {
    let encoder = Encoder::new(graph.store().header().profile, codec_of(graph.store().directory()));
    let renumbering = Renumbering::of(graph)?;
    told.map_or(Ok(()), |told| told.nodes(renumbering.new_of_old()))?;
    let labels = graph.label_sets()?;
    let label_sets = renumbering.old_of_new().iter().map(|node| labels.code(*node)).collect();
    let fold = Fold { graph, encoder: encoder.until(task.flag()), renumbering, label_sets, told };
    let mut writer = GraphWriter::over(store, fold.renumbering.node_count());
    for layer in graph.layers() {
        let (name, tool, version) = (&layer.name, &layer.tool, &layer.version);
        let number = writer.add_layer(&LayerSpec { name, tool, version, source: layer.source });
        if graph.store().directory().layers[number as usize].nodes.is_some() {
            writer.set_layer_apart(number);
        }
    }
    fold.write_labels(&mut writer)?;
    let jobs = fold.jobs();
    let (mut done, total) = (0, jobs.len());
    let take = |result: Done| {
        task.check()?;
        done += 1;
        match result {
            Done::Edges(label, columns) => {
                let info = &graph.edge_labels()[label.index()];
                task.step(&info.name, done, total);
                columns.write(label, (&info.name, info.layer), &mut writer)
            }
            Done::Properties(properties) => properties.into_iter().try_for_each(|(spec, columns)| {
                task.step(&spec.name, done, total);
                writer.add_property(&spec, columns)
            }),
        }
    };
    in_order(&jobs, task.thread_count(), |job| fold.work(job), take)?;
    task.check()?;
    graph.check()?;
    let (store, directory) = writer.complete()?;
    Ok((store, directory, fold.renumbering))
}

impl Fold<'_> {
    /// Edge labels come first, because properties of edges refer to their label.
    fn jobs(&self) -> Vec<Job> {
        let edges = self.graph.edge_label_ids().map(Job::Edges);
        let groups = TextSharing::of(self.graph).into_groups().into_iter();
        edges.chain(groups.map(|(shared, group)| Job::Properties(shared, group))).collect()
    }

    fn work(&self, job: &Job) -> Result<Done, ChangeError> {
        match job {
            Job::Edges(label) => Ok(Done::Edges(*label, Box::new(self.edges(*label)?))),
            Job::Properties(shared, group) => {
                let properties = match *shared {
                    Shared::Nothing => vec![self.property(group[0])?],
                    Shared::Table => self.properties_of_table(group)?,
                    Shared::Pool { source, parts } => self.source_and_parts(source, parts)?.into(),
                };
                Ok(Done::Properties(properties))
            }
        }
    }
}
