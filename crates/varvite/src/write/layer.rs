//! [`GraphChange::set_layers`]: a file with other layers of properties than it had.
//!
//! As with indexes, the new file is written beside the old one and takes its name when it is whole. Columns of the graph are copied as they
//! are stored; indexes stay last, so that a file is the same whether an index or a layer came first.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{Directory, LayerRow, NamesBuilder, Owner, PropertyId, PropertyRow, TextIndexRow};
use varvite_store::{StoreWriter, Task, Vfs};

use super::change::GraphChange;
use super::encoder::Encoder;
use super::file_id::{file_id_of_layers, source_of};
use super::input::{LayerChange, LayerSpec, NodeNumbers, PropertyInput, PropertyLayer, ValuesInput};
use super::names::number_names;
use super::reindex::codec_of;
use crate::error::{GraphError, Result};
use crate::name_kind::NameKind;
use crate::value::{Cardinality, ValueType};

/// Gives the graph at `path` other layers: [`GraphChange::begin`] and [`GraphChange::set_layers`].
///
/// # Errors
/// Theirs.
pub fn change_layers(
    vfs: Arc<dyn Vfs>,
    path: &Path,
    change: LayerChange<'_>,
    task: &Task<'_>,
) -> Result<u64> {
    GraphChange::begin(vfs, path)?.set_layers(change, task)
}

impl GraphChange {
    /// Gives the graph other layers; returns the new size of the file in bytes. Needs room for a second file, and reads every byte.
    /// Progress counts columns that are copied.
    ///
    /// # Errors
    /// [`GraphError::LayerOfMore`] for a layer that is more than properties, [`GraphError::Duplicate`] for a property that another layer has,
    /// [`GraphError::NoSuchNode`] for nodes that do not exist or do not rise; damage;
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program was at the file; [`GraphError::Cancelled`]; what the file system says.
    /// The file is then as it was.
    pub fn set_layers(self, change: LayerChange<'_>, task: &Task<'_>) -> Result<u64> {
        let store = self.graph().store();
        let (header, old) = (store.header(), store.directory());
        let mut new = Directory { text_indexes: Vec::new(), ..old.clone() };
        let mut indexes = old.text_indexes.clone();
        let names = change.add.iter().map(|added| added.layer.name);
        change
            .drop
            .iter()
            .copied()
            .chain(names)
            .try_for_each(|name| drop_layer(&mut new, &mut indexes, name))?;
        let layer = new.layers.len() as u32;
        if let Some(added) = &change.add {
            check(&new, added)?;
            add_row(&mut new, added);
        }
        let mut writer = self.successor(file_id_of_layers(header.file_id, old, &new))?;
        let copied = writer.copy(store, new.roots(), task)?;
        new.renumber(|column| copied.number(column).expect("every root was copied"));
        let encoder = Encoder::new(header.profile, codec_of(old));
        for property in change.add.iter().flat_map(|added| added.properties) {
            let row = add_property(&mut writer, &encoder, &new, layer, property)?;
            new.properties.push(row);
        }
        let copied = writer.copy(store, indexes.iter().flat_map(TextIndexRow::columns), task)?;
        for column in indexes.iter_mut().flat_map(TextIndexRow::columns_mut) {
            *column = copied.number(*column).expect("every column of an index was copied");
        }
        new.text_indexes = indexes;
        number_names(&mut new);
        self.publish(writer, new)
    }
}

/// Takes a layer, its properties and their indexes out of the tables.
fn drop_layer(directory: &mut Directory, indexes: &mut Vec<TextIndexRow>, name: &str) -> Result<()> {
    let names = &directory.names;
    let Some(number) = directory.layers.iter().position(|row| names.get(row.name) == name) else {
        return Ok(());
    };
    let is_of = |layer: u32| layer as usize == number;
    let has_more = directory.labels.iter().any(|row| is_of(row.layer))
        || directory.edge_labels.iter().any(|row| is_of(row.layer));
    if has_more {
        return Err(GraphError::LayerOfMore { name: name.to_owned() });
    }
    let stays: Vec<bool> = directory.properties.iter().map(|row| !is_of(row.layer)).collect();
    indexes.retain(|row| stays[row.property.index()]);
    for row in indexes {
        let before = stays[..row.property.index()].iter().filter(|stays| **stays).count();
        row.property = PropertyId::from_index(before);
    }
    directory.properties.retain(|row| !is_of(row.layer));
    directory.layers.remove(number);
    let layers = directory.labels.iter_mut().map(|row| &mut row.layer);
    let layers = layers.chain(directory.edge_labels.iter_mut().map(|row| &mut row.layer));
    let layers = layers.chain(directory.properties.iter_mut().map(|row| &mut row.layer));
    layers.filter(|layer| **layer as usize > number).for_each(|layer| *layer -= 1);
    Ok(())
}

/// Nothing of the layer is in the way of what there is, and its nodes exist.
fn check(directory: &Directory, added: &PropertyLayer<'_>) -> Result<()> {
    let of_nodes = directory.properties.iter().filter(|row| row.owner == Owner::Node);
    let mut taken: Vec<&str> = of_nodes.map(|row| directory.names.get(row.name)).collect();
    for property in added.properties {
        if taken.contains(&property.name) {
            return Err(GraphError::Duplicate { kind: NameKind::Property, name: property.name.to_owned() });
        }
        taken.push(property.name);
        let mut expected = 0;
        for (node, _) in property.values {
            if *node < expected || *node >= directory.nodes {
                return Err(GraphError::NoSuchNode { node: (*node).into(), nodes: directory.nodes });
            }
            expected = node + 1;
        }
    }
    Ok(())
}

/// The row of a layer, and its names.
fn add_row(directory: &mut Directory, added: &PropertyLayer<'_>) {
    let mut names = NamesBuilder::from(&directory.names);
    let LayerSpec { name, tool, version, .. } = added.layer;
    let [name, tool, version] = [name, tool, version].map(|text| names.intern(text));
    directory.layers.push(LayerRow { name, tool, version, time: 0, source: source_of(added) });
    added.properties.iter().for_each(|property| _ = names.intern(property.name));
    directory.names = names.build();
}

fn add_property(
    writer: &mut StoreWriter,
    encoder: &Encoder,
    directory: &Directory,
    layer: u32,
    property: &NodeNumbers<'_>,
) -> Result<PropertyRow> {
    let nodes = directory.nodes;
    let mut offsets = Vec::with_capacity(nodes as usize + 1);
    for (count, (node, _)) in (0u32..).zip(property.values) {
        offsets.resize(*node as usize + 1, count);
    }
    offsets.resize(nodes as usize + 1, property.values.len() as u32);
    let values: Vec<i64> = property.values.iter().map(|(_, value)| *value).collect();
    let input = PropertyInput { offsets: &offsets, values: ValuesInput::Numbers(&values) };
    let columns = encoder.property(input)?;
    Ok(PropertyRow {
        name: NamesBuilder::from(&directory.names).intern(property.name),
        layer,
        owner: Owner::Node,
        value_type: ValueType::I64 as u8,
        cardinality: Cardinality::Optional as u8,
        default_kind: 0,
        default: 0,
        present: writer.add(columns.present)?,
        offsets: columns.offsets.map(|offsets| writer.add(offsets)).transpose()?,
        values: writer.add(columns.values)?,
        strings: None,
    })
}
