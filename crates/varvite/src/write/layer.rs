//! [`change_layers`]: a file with other layers of properties than it had.
//!
//! As with indexes, the new file is written beside the old one and takes its name when it is whole. Columns of the graph are copied as they
//! are stored; indexes stay last, so that a file is the same whether an index or a layer came first.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{Directory, LayerRow, NameId, NamesBuilder, Owner, PropertyRow, TextIndexRow};
use varvite_store::{IfExists, OpenMode, StoreWriter, Vfs};

use super::encoder::Encoder;
use super::property::{PropertyInput, ValuesInput};
use super::reindex::codec_of;
use super::writer::LayerSpec;
use crate::error::{GraphError, Result};
use crate::graph::Graph;
use crate::value::{Cardinality, ValueType};

/// What becomes of the layers of a file.
#[derive(Clone, Debug, Default)]
pub struct LayerChange<'a> {
    /// Names of layers that go, if they are there.
    pub drop: &'a [&'a str],
    /// A layer that comes. One of the same name goes.
    pub add: Option<PropertyLayer<'a>>,
}

/// A layer of properties of nodes.
#[derive(Clone, Debug)]
pub struct PropertyLayer<'a> {
    /// Its name, and where it comes from.
    pub layer: LayerSpec<'a>,
    /// Its properties.
    pub properties: &'a [NodeNumbers<'a>],
}

/// A property of some nodes: an integer for each.
#[derive(Clone, Copy, Debug)]
pub struct NodeNumbers<'a> {
    /// Its name.
    pub name: &'a str,
    /// Nodes and their values, rising by node, each node once.
    pub values: &'a [(u32, i64)],
}

/// Gives the graph at `path` other layers; returns the new size of the file in bytes. Needs room for a second file, and reads every byte.
///
/// # Errors
/// [`GraphError::LayerOfMore`] for a layer that is more than properties, [`GraphError::Duplicate`] for a property that another layer has,
/// [`GraphError::NoSuchNode`] for nodes that do not exist or do not rise; damage; what the file system says. The file is then as it was.
pub fn change_layers(vfs: Arc<dyn Vfs>, path: &Path, change: LayerChange<'_>) -> Result<u64> {
    let graph = Graph::open_with(&*vfs, path, OpenMode::Mapped)?;
    let old = graph.store().directory();
    let header = graph.store().header();
    let mut new = Directory { text_indexes: Vec::new(), ..old.clone() };
    let mut indexes = old.text_indexes.clone();
    let mut file_id = header.file_id;
    let added = change.add.iter().map(|added| added.layer.name);
    for name in change.drop.iter().copied().chain(added) {
        drop_layer(&mut new, &mut indexes, &mut file_id, name)?;
    }
    let mut writer = match &change.add {
        None => StoreWriter::create(vfs, path, IfExists::Replace, file_id, header.profile)?,
        Some(added) => {
            check(&new, added)?;
            let file_id = mixed(file_id, added.layer.name, &added.layer.source);
            StoreWriter::create(vfs, path, IfExists::Replace, file_id, header.profile)?
        }
    };
    let copied = writer.copy(graph.store(), new.roots())?;
    new.renumber(|column| copied.number(column).expect("every root was copied"));
    if let Some(added) = change.add {
        let encoder = Encoder::new(header.profile, codec_of(old));
        add_layer(&mut new, &mut writer, encoder, &added)?;
    }
    let copied = writer.copy(graph.store(), indexes.iter().flat_map(TextIndexRow::columns))?;
    for column in indexes.iter_mut().flat_map(TextIndexRow::columns_mut) {
        *column = copied.number(*column).expect("every column of an index was copied");
    }
    new.text_indexes = indexes;
    Ok(writer.finish(new)?)
}

/// Takes a layer, its properties and their indexes out of the tables.
fn drop_layer(
    directory: &mut Directory,
    indexes: &mut Vec<TextIndexRow>,
    file_id: &mut [u8; 16],
    name: &str,
) -> Result<()> {
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
    *file_id = mixed(*file_id, name, &directory.layers[number].source);
    let stays: Vec<bool> = directory.properties.iter().map(|row| !is_of(row.layer)).collect();
    indexes.retain(|row| stays[row.property as usize]);
    for row in indexes {
        row.property = stays[..row.property as usize].iter().filter(|stays| **stays).count() as u32;
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
            return Err(GraphError::Duplicate { kind: "property", name: property.name.to_owned() });
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

fn add_layer(
    directory: &mut Directory,
    writer: &mut StoreWriter,
    encoder: Encoder,
    added: &PropertyLayer<'_>,
) -> Result<()> {
    let mut names = NamesBuilder::from(&directory.names);
    let LayerSpec { name, tool, version, source } = added.layer;
    let layer = directory.layers.len() as u32;
    let [name, tool, version] = [name, tool, version].map(|text| names.intern(text));
    directory.layers.push(LayerRow { name, tool, version, time: 0, source });
    for property in added.properties {
        let row =
            add_property(writer, encoder, directory.nodes, layer, names.intern(property.name), property)?;
        directory.properties.push(row);
    }
    directory.names = names.build();
    Ok(())
}

fn add_property(
    writer: &mut StoreWriter,
    encoder: Encoder,
    nodes: u32,
    layer: u32,
    name: NameId,
    property: &NodeNumbers<'_>,
) -> Result<PropertyRow> {
    let mut offsets = Vec::with_capacity(nodes as usize + 1);
    for (count, (node, _)) in (0u32..).zip(property.values) {
        offsets.resize(*node as usize + 1, count);
    }
    offsets.resize(nodes as usize + 1, property.values.len() as u32);
    let values: Vec<i64> = property.values.iter().map(|(_, value)| *value).collect();
    let input = PropertyInput { offsets: &offsets, values: ValuesInput::Numbers(&values) };
    let columns = encoder.property(input)?;
    Ok(PropertyRow {
        name,
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

/// The id of a file with a layer, from that without it, and the other way round.
fn mixed(file_id: [u8; 16], name: &str, source: &[u8; 32]) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"layer");
    hasher.update(&(name.len() as u64).to_le_bytes());
    hasher.update(name.as_bytes());
    hasher.update(source);
    let mark = hasher.finalize();
    std::array::from_fn(|byte| file_id[byte] ^ mark.as_bytes()[byte])
}
