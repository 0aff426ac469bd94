//! [`GraphChange::set_layers`]: adds and drops layers.
//!
//! As with indexes, only new data is written. A dropped layer is removed from the directory; its bytes are
//! garbage until the file is compacted. This module adds and drops layers of properties, which leave no trace
//! in the graph when they are dropped. [`GraphChange::add_layer`] adds and replaces layers with nodes and
//! edges; the ids of dropped nodes are not used again.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{
    ColumnId, Directory, LayerRow, NamesBuilder, Owner, PropertyChangeRow, PropertyId, PropertyRow,
    check_name,
};
use varvite_store::{StoreWriter, Task, Vfs};

use super::change::GraphChange;
use super::covered::uncover;
use super::encoder::Encoder;
use super::file_id::source_of;
use super::input::{LayerChange, LayerSpec, NodeNumbers, PropertyLayer};
use super::names::number_names;
use super::reindex::codec_of;
use crate::change_error::ChangeError;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::{GraphError, Result};
use crate::graph::{Graph, unknown};
use crate::name_kind::NameKind;

/// Changes the layers of the graph at `path`, with [`GraphChange::begin`] and [`GraphChange::set_layers`].
///
/// # Errors
/// The errors of [`GraphChange::begin`] and [`GraphChange::set_layers`].
pub fn change_layers(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    change: LayerChange<'_>,
    task: &Task<'_>,
) -> Result<u64, ChangeError> {
    GraphChange::begin(vfs, path)?.set_layers(change, task)
}

impl GraphChange {
    /// Changes the layers of the graph; returns the new size of the file in bytes. Writes the added layer and
    /// a directory. The cost of dropping a layer with nodes is proportional to the size of the layer and of
    /// the set of changes. Progress is counted in properties.
    ///
    /// # Errors
    /// [`ChangeError::LayerOfMore`] for a layer that is part of the graph itself; [`ChangeError::LayerInUse`]
    /// for a layer to whose nodes other elements refer; [`ChangeError::Duplicate`] for a property that
    /// another layer has; [`GraphError::NoSuchNode`] for nodes that do not exist, were removed or do not
    /// ascend; [`ChangeError::Input`] for a name that is empty or contains NUL;
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program changed or replaced
    /// the file; [`GraphError::Cancelled`]; an error of the file system. The file is then unchanged.
    pub fn set_layers(self, change: LayerChange<'_>, task: &Task<'_>) -> Result<u64, ChangeError> {
        let names = change.add.iter().map(|added| added.layer.name);
        let names: Vec<&str> = change.drop.iter().copied().chain(names).collect();
        drop_layers_of(self, &names, task)?.set_property_layer(change, task)
    }
}

/// A graph without some of its layers, before the next commit.
pub(super) struct DroppedLayers {
    pub(super) change: GraphChange,
    /// The directory of the next commit.
    pub(super) directory: Directory,
}

/// Takes layers out of a graph; unknown names are ignored.
pub(super) fn drop_layers_of(
    change: GraphChange,
    names: &[&str],
    task: &Task<'_>,
) -> Result<DroppedLayers, ChangeError> {
    let apart = layers_apart(change.graph(), names);
    let change = change.without_layers(&apart, task)?;
    let mut directory = change.graph().store().directory().clone();
    names.iter().try_for_each(|name| drop_layer(&mut directory, name))?;
    Ok(DroppedLayers { change, directory })
}

impl DroppedLayers {
    fn set_property_layer(self, change: LayerChange<'_>, task: &Task<'_>) -> Result<u64, ChangeError> {
        let Self { change: opened, directory: mut new } = self;
        let store = opened.graph().store();
        let layer = new.layers.len() as u32;
        if let Some(added) = &change.add {
            added.layer.check()?;
            check(opened.graph(), &new, added)?;
            add_row(&mut new, added);
        }
        let mut writer = opened.begin_commit(&mut new, task)?;
        let encoder = Encoder::new(store.header().profile, codec_of(store.directory())).until(task.flag());
        let properties = change.add.as_ref().map_or(&[][..], |added| added.properties);
        let mut writing = LayerWriter { writer: &mut writer, encoder, last_set: None };
        for (done, property) in (1..).zip(properties) {
            writing.add(&mut new, layer, property)?;
            task.step(property.name, done, properties.len());
        }
        task.check()?;
        number_names(&mut new);
        opened.commit(writer, new)
    }
}

/// The layers among these names that hold nodes or edges and can be dropped.
fn layers_apart<'n>(graph: &Graph, names: &[&'n str]) -> Vec<&'n str> {
    let rows = graph.layers().iter().zip(&graph.store().directory().layers);
    let apart: Vec<&str> =
        rows.filter(|(_, row)| row.nodes.is_some()).map(|(layer, _)| layer.name.as_str()).collect();
    names.iter().copied().filter(|name| apart.contains(name)).collect()
}

/// Removes a layer of properties from the tables: its own row, and the rows of its properties and their
/// indexes.
fn drop_layer(directory: &mut Directory, name: &str) -> Result<(), ChangeError> {
    let names = &directory.names;
    let Some(number) = directory.layers.iter().position(|row| names.get(row.name) == name) else {
        return Ok(());
    };
    let is_of = |layer: u32| layer as usize == number;
    let has_more = directory.labels.iter().any(|row| is_of(row.layer))
        || directory.edge_labels.iter().any(|row| is_of(row.layer));
    if has_more {
        return Err(ChangeError::LayerOfMore { name: name.to_owned() });
    }
    uncover(directory, number as u32);
    let stays: Vec<bool> = directory.properties.iter().map(|row| !is_of(row.layer)).collect();
    directory.text_indexes.retain(|row| stays[row.property.index()]);
    for row in &mut directory.text_indexes {
        let before = stays[..row.property.index()].iter().filter(|stays| **stays).count();
        row.property = PropertyId::from_index(before);
    }
    if let Some(changes) = &mut directory.changes {
        changes.properties.retain(|row| stays[row.property.index()]);
        for row in &mut changes.properties {
            let before = stays[..row.property.index()].iter().filter(|stays| **stays).count();
            row.property = PropertyId::from_index(before);
        }
    }
    directory.properties.retain(|row| !is_of(row.layer));
    directory.layers.remove(number);
    let layers = directory.labels.iter_mut().map(|row| &mut row.layer);
    let layers = layers.chain(directory.edge_labels.iter_mut().map(|row| &mut row.layer));
    let layers = layers.chain(directory.properties.iter_mut().map(|row| &mut row.layer));
    layers.filter(|layer| **layer as usize > number).for_each(|layer| *layer -= 1);
    Ok(())
}

/// Checks that no part of the layer already exists, and that its nodes exist.
fn check(graph: &Graph, directory: &Directory, added: &PropertyLayer<'_>) -> Result<(), ChangeError> {
    let of_nodes = directory.properties.iter().filter(|row| row.owner == Owner::Node);
    let removed = graph.removed_nodes()?;
    let is_removed = |node: u32| removed.as_ref().is_some_and(|removed| removed.contains(node));
    let mut taken: Vec<&str> = of_nodes.map(|row| directory.names.get(row.name)).collect();
    for property in added.properties {
        if taken.contains(&property.name) {
            return Err(ChangeError::Duplicate { kind: NameKind::Property, name: property.name.to_owned() });
        }
        check_name("name of property", property.name)?;
        taken.push(property.name);
        let mut expected = 0;
        for (node, _) in property.values {
            if *node < expected || *node >= directory.nodes || is_removed(*node) {
                return Err(GraphError::NoSuchNode { node: (*node).into(), nodes: directory.nodes }.into());
            }
            expected = node + 1;
        }
    }
    Ok(())
}

/// Adds the row of a layer, and its names.
fn add_row(directory: &mut Directory, added: &PropertyLayer<'_>) {
    add_layer_row(directory, &LayerSpec { source: source_of(added), ..added.layer.clone() });
    let mut names = NamesBuilder::from(&directory.names);
    added.properties.iter().for_each(|property| _ = names.intern(property.name));
    directory.names = names.build();
}

/// Adds the row of a layer.
pub(super) fn add_layer_row(directory: &mut Directory, layer: &LayerSpec<'_>) {
    let mut names = NamesBuilder::from(&directory.names);
    let LayerSpec { name, tool, version, source } = *layer;
    let [name, tool, version] = [name, tool, version].map(|text| names.intern(text));
    directory.layers.push(LayerRow { name, tool, version, nodes: None, time: 0, source });
    directory.names = names.build();
}

/// Drops layers of the graph at `path`; returns the new size of the file in bytes.
///
/// # Errors
/// [`GraphError::Unknown`] for a layer that does not exist; the errors of [`GraphChange::begin`] and
/// [`GraphChange::set_layers`].
pub fn drop_layers(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    names: &[&str],
    task: &Task<'_>,
) -> Result<u64, ChangeError> {
    let change = GraphChange::begin(vfs, path)?;
    let layers = change.graph().layers();
    let is_there = |name: &str| layers.iter().any(|layer| layer.name == name);
    if let Some(name) = names.iter().find(|name| !is_there(name)) {
        return Err(unknown(NameKind::Layer, name, layers.iter().map(|layer| layer.name.as_str())).into());
    }
    change.set_layers(LayerChange { add: None, drop: names }, task)
}

/// Writes the properties of a layer.
struct LayerWriter<'w> {
    writer: &'w mut StoreWriter,
    encoder: Encoder,
    /// The owners of the last property, as a count and a list of members. They are kept because the next
    /// property often has the same owners.
    last_set: Option<((u32, Vec<u32>), ColumnId)>,
}

impl LayerWriter<'_> {
    /// Adds a property to the tables. Values of nodes that are not in the base are stored as changes.
    fn add(
        &mut self,
        directory: &mut Directory,
        layer: u32,
        property: &NodeNumbers<'_>,
    ) -> Result<(), ChangeError> {
        let (base_nodes, nodes) = (directory.base_nodes(), directory.nodes);
        let of_base = property.values.partition_point(|(node, _)| *node < base_nodes);
        let (of_base, appended) = property.values.split_at(of_base);
        let row = PropertyRow {
            name: NamesBuilder::from(&directory.names).intern(property.name),
            layer,
            owner: Owner::Node,
            value_type: ValueType::I64 as u8,
            cardinality: Cardinality::Optional as u8,
            default_kind: 0,
            default: 0,
            present: self.add_set(base_nodes, of_base)?,
            offsets: None,
            values: self.add_values(of_base)?,
            strings: None,
        };
        let number = PropertyId::from_index(directory.properties.len());
        directory.properties.push(row);
        if let Some(changes) = directory.changes.as_mut().filter(|_| !appended.is_empty()) {
            let owners = self.add_set(nodes, appended)?;
            let values = self.add_values(appended)?;
            let (present, offsets, strings) = (owners, None, None);
            let row = PropertyChangeRow { property: number, owners, present, offsets, values, strings };
            changes.properties.push(row);
        }
        Ok(())
    }

    fn add_values(&mut self, values: &[(u32, i64)]) -> Result<ColumnId, ChangeError> {
        let values: Vec<i64> = values.iter().map(|(_, value)| *value).collect();
        Ok(self.writer.add(self.encoder.numbers(&values)?)?)
    }

    fn add_set(&mut self, nodes: u32, values: &[(u32, i64)]) -> Result<ColumnId, ChangeError> {
        let owners: Vec<u32> = values.iter().map(|(node, _)| *node).collect();
        if let Some((_, set)) =
            self.last_set.as_ref().filter(|((limit, last), _)| *limit == nodes && *last == owners)
        {
            return Ok(*set);
        }
        let set = self.writer.add(self.encoder.members(&owners, nodes)?)?;
        self.last_set = Some(((nodes, owners), set));
        Ok(set)
    }
}
