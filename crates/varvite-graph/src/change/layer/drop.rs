//! Makes a graph without some of its layers, in the form in which the next commit writes it.

use varvite_format::{Directory, Owner, PropertyId};
use varvite_store::{Store, StoreWriter, Task};

use super::super::base::Reader;
use super::super::change_set::ChangeSet;
use super::super::decode::decode;
use super::super::encode::encode;
use super::super::number_set::NumberSet;
use super::super::removal::clear;
use super::extent::Extent;
use super::usage::usage;
use crate::change_error::ChangeError;
use crate::error::Result;
use crate::graph::Graph;
use crate::write::{Encoder, GraphChange, codec_of, number_names};

impl GraphChange {
    /// The same graph without the layers of these names; unknown names are ignored. Nothing is written yet;
    /// the next commit writes the changes, as it does for a graph with a log.
    ///
    /// Costs in proportion to the layers and to the set of changes.
    ///
    /// # Errors
    /// [`ChangeError::LayerOfMore`], [`ChangeError::LayerInUse`], damage.
    pub(crate) fn without_layers(self, names: &[&str], task: &Task<'_>) -> Result<Self, ChangeError> {
        match Extent::of(self.graph(), names)? {
            None => Ok(self),
            Some(extent) => {
                let changes = changes_without(&extent, self.graph(), task)?;
                self.map(|graph| Ok(Graph::without_log(store_without(&extent, changes, graph, task)?)))
            }
        }
    }
}

/// The changes of a graph without the dropped layers. Labels and properties have the numbers that they get
/// when the layers are dropped.
fn changes_without(extent: &Extent, graph: &Graph, task: &Task<'_>) -> Result<ChangeSet, ChangeError> {
    let (reader, mut changes) = (Reader { graph }, decode(graph)?);
    if let Some(used_by) = usage(extent, &changes, reader)? {
        let label = graph.label_sets()?.of(used_by.node()).next();
        let layer = label.and_then(|label| graph.layers().get(graph.labels()[label.index()].layer as usize));
        let name = layer.map_or_else(String::new, |layer| layer.name.clone());
        return Err(ChangeError::LayerInUse { name, used_by });
    }
    let (directory, first) = (graph.store().directory(), extent.ends().map_or(u32::MAX, |(first, _)| first));
    // Columns that were written before the dropped nodes existed have no values of these nodes.
    let may_have_values = |id: &PropertyId| {
        let row = &directory.properties[id.index()];
        let has_changes = changes.properties.contains_key(id);
        row.owner == Owner::Node && (has_changes || directory.nodes_of_layer(row.layer) > first)
    };
    let stay = graph.property_ids().filter(|id| !extent.properties.goes(id.index()));
    let properties: Vec<PropertyId> = stay.filter(may_have_values).collect();
    let nodes = NumberSet::of(extent.nodes.clone());
    clear(&properties, &nodes, &mut changes, reader)?;
    changes.removed.insert(nodes.iter());
    changes.settle(reader, task)?;
    extent.take_out_changes(&mut changes);
    Ok(changes)
}

fn store_without(
    extent: &Extent,
    changes: ChangeSet,
    graph: Graph,
    task: &Task<'_>,
) -> Result<Store, ChangeError> {
    let store = graph.into_store();
    let mut directory = Directory { changes: None, ..store.directory().clone() };
    extent.take_out(&mut directory);
    number_names(&mut directory);
    directory.nodes = changes.nodes();
    let mut writer = StoreWriter::in_memory(&store);
    if !changes.is_empty() {
        let encoder = Encoder::new(store.header().profile, codec_of(store.directory()));
        directory.changes = Some(encode(&changes, &directory, &encoder, &mut writer, None, task)?);
    }
    Ok(writer.finish_in_memory(directory, store)?)
}
