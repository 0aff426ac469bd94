//! [`NewLayer`]: a layer of properties that is written piece by piece.
//!
//! [`GraphChange::set_layers`] takes all values at once, and only numbers. The values of a new layer may also
//! be texts, such as the sources of a program, which together do not fit in memory: each text is compressed
//! and written as it arrives. A property of the graph may have the name of one of the layer's; the layer then
//! [covers](super::covered) it.

use std::collections::HashMap;

use varvite_format::{
    ColumnId, ColumnRow, Directory, Encoding, Keys, NamesBuilder, Owner, PropertyChangeRow, PropertyId,
    PropertyRow, Purpose, Quantity, check_name,
};
use varvite_store::{CodedSegment, StoreWriter, Task};

use super::change::GraphChange;
use super::covered::cover;
use super::encoder::{Encoder, TEXT_CODING};
use super::input::LayerSpec;
use super::layer::{DroppedLayers, add_layer_row, drop_layers_of};
use super::names::number_names;
use super::reindex::codec_of;
use crate::change_error::ChangeError;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::{GraphError, Result};
use crate::graph::Graph;

/// An unfinished layer. If it is dropped before [`NewLayer::commit`], the graph is unchanged.
#[derive(Debug)]
pub struct NewLayer {
    change: GraphChange,
    directory: Directory,
    writer: StoreWriter,
    encoder: Encoder,
    /// The number of the layer.
    layer: u32,
    /// The hash of the layer's values.
    digest: blake3::Hasher,
}

impl GraphChange {
    /// Begins a layer of properties. An existing layer of the same name is replaced.
    ///
    /// # Errors
    /// [`ChangeError::LayerOfMore`], [`ChangeError::LayerInUse`] or [`ChangeError::Input`], as in
    /// [`GraphChange::set_layers`]; an error of the file system.
    pub fn begin_layer(self, spec: LayerSpec<'_>, task: &Task<'_>) -> Result<NewLayer, ChangeError> {
        spec.check()?;
        let DroppedLayers { change, mut directory } = drop_layers_of(self, &[spec.name], task)?;
        let layer = directory.layers.len() as u32;
        add_layer_row(&mut directory, &spec);
        let writer = change.begin_commit(&mut directory, task)?;
        let store = change.graph().store();
        let encoder = Encoder::new(store.header().profile, codec_of(store.directory())).until(task.flag());
        let mut digest = blake3::Hasher::new();
        digest.update(b"layer").update(&spec.source);
        Ok(NewLayer { change, directory, writer, encoder, layer, digest })
    }
}

impl NewLayer {
    /// The graph before the change.
    pub fn graph(&self) -> &Graph {
        self.change.graph()
    }

    /// Begins a property of nodes with one text for each of some nodes.
    ///
    /// If the graph has a property of this name, with at most one text for each node, the new property has
    /// its name and its default until the layer is dropped. The caller adds those of its values that are to
    /// stay visible.
    ///
    /// # Errors
    /// [`ChangeError::Duplicate`] if the graph has another property of this name; [`ChangeError::Input`] for
    /// a name that is empty or contains NUL.
    pub fn begin_texts(&mut self, name: &str) -> Result<NewTexts<'_>, ChangeError> {
        self.take_name(name)?;
        let layer = self.layer;
        let is_text = |row: &PropertyRow| {
            let is_list = row.cardinality == Cardinality::List as u8;
            row.layer != layer && row.value_type == ValueType::String as u8 && !is_list
        };
        let covered = cover(&mut self.directory, name, is_text)?;
        let table = self.writer.begin_coded(TEXT_CODING);
        Ok(NewTexts {
            name: name.to_owned(),
            covered,
            known: HashMap::new(),
            hashes: Vec::new(),
            codes: [Vec::new(), Vec::new()],
            starts: vec![0],
            table,
            base_table: None,
            layer: self,
        })
    }

    /// Adds a property of nodes with a list of numbers for each of some nodes, in ascending order of nodes.
    ///
    /// # Errors
    /// [`ChangeError::Duplicate`], [`ChangeError::Input`]; [`GraphError::NoSuchNode`] for nodes that do not
    /// exist or do not ascend; an error of the file system.
    pub fn add_lists(&mut self, name: &str, lists: &[(u32, Vec<u32>)]) -> Result<(), ChangeError> {
        self.take_name(name)?;
        cover(&mut self.directory, name, |_| false)?;
        let mut least = 0;
        for (node, list) in lists {
            least = self.check_node(*node, least)? + 1;
            self.digest.update(&node.to_le_bytes()).update(&(list.len() as u64).to_le_bytes());
            list.iter().for_each(|number| _ = self.digest.update(&number.to_le_bytes()));
        }
        let of_base = lists.partition_point(|(node, _)| *node < self.directory.base_nodes());
        let (base, added) = lists.split_at(of_base);
        let base = self.list_columns(self.directory.base_nodes(), base)?;
        let added = match added.is_empty() {
            true => None,
            false => Some(self.list_columns(self.directory.nodes, added)?),
        };
        self.put(self.row(name, ValueType::U32, Cardinality::List, base), added);
        Ok(())
    }

    fn list_columns(&mut self, nodes: u32, lists: &[(u32, Vec<u32>)]) -> Result<Columns, ChangeError> {
        let owners: Vec<u32> = lists.iter().map(|(node, _)| *node).collect();
        let numbers: Vec<u32> = lists.iter().flat_map(|(_, list)| list.iter().copied()).collect();
        let mut ends = vec![0];
        for (_, list) in lists {
            ends.push(ends[ends.len() - 1] + list.len() as u32);
        }
        Ok(Columns {
            present: self.writer.add(self.encoder.members(&owners, nodes)?)?,
            offsets: Some(self.writer.add(self.encoder.offsets(&ends)?)?),
            values: self.writer.add(self.encoder.numbers(&numbers)?)?,
            strings: None,
        })
    }

    /// Commits the layer, and returns the new size of the file in bytes.
    ///
    /// # Errors
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if another program changed or replaced
    /// the file; [`GraphError::Cancelled`]; an error of the file system. The file is then unchanged.
    pub fn commit(mut self, task: &Task<'_>) -> Result<u64, ChangeError> {
        task.check()?;
        self.directory.layers[self.layer as usize].source = *self.digest.finalize().as_bytes();
        number_names(&mut self.directory);
        self.change.commit(self.writer, self.directory)
    }

    /// Checks the name of a property, and adds it to the hash and to the names of the file.
    fn take_name(&mut self, name: &str) -> Result<(), ChangeError> {
        check_name("name of property", name)?;
        self.digest.update(&(name.len() as u64).to_le_bytes()).update(name.as_bytes());
        let mut names = NamesBuilder::from(&self.directory.names);
        names.intern(name);
        self.directory.names = names.build();
        Ok(())
    }

    /// Returns the node, if it exists and is not below `least`.
    fn check_node(&self, node: u32, least: u32) -> Result<u32, ChangeError> {
        let graph = self.change.graph();
        match node >= least && node < self.directory.nodes && !graph.is_removed(node)? {
            true => Ok(node),
            false => Err(GraphError::NoSuchNode { node: node.into(), nodes: self.directory.nodes }.into()),
        }
    }

    /// The row of a property without a default.
    fn row(
        &self,
        name: &str,
        value_type: ValueType,
        cardinality: Cardinality,
        columns: Columns,
    ) -> PropertyRow {
        let Columns { present, offsets, values, strings } = columns;
        PropertyRow {
            name: NamesBuilder::from(&self.directory.names).intern(name),
            layer: self.layer,
            owner: Owner::Node,
            value_type: value_type as u8,
            cardinality: cardinality as u8,
            default_kind: 0,
            default: 0,
            present,
            offsets,
            values,
            strings,
        }
    }

    /// Adds a property. `added` are the columns of nodes that are not in the base.
    fn put(&mut self, row: PropertyRow, added: Option<Columns>) {
        let property = PropertyId::from_index(self.directory.properties.len());
        self.directory.properties.push(row);
        if let (Some(changes), Some(added)) = (&mut self.directory.changes, added) {
            let Columns { present, offsets, values, strings } = added;
            let owners = present;
            let row = PropertyChangeRow { property, owners, present, offsets, values, strings };
            changes.properties.push(row);
        }
    }
}

/// The columns of a property that were written.
struct Columns {
    present: ColumnId,
    offsets: Option<ColumnId>,
    values: ColumnId,
    strings: Option<ColumnId>,
}

/// An unfinished property of a layer with one text for each of some nodes.
#[derive(Debug)]
pub struct NewTexts<'l> {
    layer: &'l mut NewLayer,
    name: String,
    /// The property of the graph that has the same name.
    covered: Option<PropertyRow>,
    /// The codes of the texts so far, by their hashes.
    known: HashMap<[u8; 32], u32>,
    /// The hash of each text.
    hashes: Vec<[u8; 32]>,
    /// The nodes of the base, and those that are not in the base, with the codes of their texts.
    codes: [Vec<(u32, u32)>; 2],
    /// The start of each text in the present table, and the end of the last.
    starts: Vec<u32>,
    table: CodedSegment,
    /// The complete table of the base, once there is a node that is not in the base.
    base_table: Option<ColumnId>,
}

impl NewTexts<'_> {
    /// Adds the text of the next node. Nodes ascend. Equal texts are stored once. Returns whether the text is
    /// a new one.
    ///
    /// # Errors
    /// [`GraphError::NoSuchNode`] for a node that does not exist, was removed or does not ascend;
    /// [`ChangeError::TooLarge`] beyond 4 GiB of texts; an error of the file system. After an error, the
    /// layer can't be committed.
    pub fn push(&mut self, node: u32, text: &str) -> Result<bool, ChangeError> {
        self.begin_node(node)?;
        let hash = *blake3::hash(text.as_bytes()).as_bytes();
        let known = self.known.get(&hash).copied();
        let code = match known {
            Some(code) => code,
            None => self.add(hash, text)?,
        };
        self.give(node, code);
        Ok(known.is_none())
    }

    /// Gives the next node the text of an earlier one. Costs the search for the earlier node, whatever the
    /// length of the text.
    ///
    /// # Errors
    /// As [`NewTexts::push`]; also [`GraphError::NoSuchNode`] if the earlier node has no text here.
    pub fn repeat(&mut self, node: u32, earlier: u32) -> Result<(), ChangeError> {
        let nodes = self.layer.directory.nodes;
        let codes = &self.codes[usize::from(self.is_added(earlier))];
        let found = codes.binary_search_by_key(&earlier, |(node, _)| *node).ok();
        let (_, code) = *found
            .and_then(|index| codes.get(index))
            .ok_or(GraphError::NoSuchNode { node: earlier.into(), nodes })?;
        self.begin_node(node)?;
        self.give(node, code);
        Ok(())
    }

    /// Checks the next node. Before the first one that is not in the base, ends the table of the base.
    fn begin_node(&mut self, node: u32) -> Result<(), ChangeError> {
        let last = self.codes.iter().rev().find_map(|codes| codes.last());
        self.layer.check_node(node, last.map_or(0, |(last, _)| last + 1))?;
        if self.is_added(node) && self.base_table.is_none() {
            self.base_table = Some(self.end_table()?);
        }
        Ok(())
    }

    fn give(&mut self, node: u32, code: u32) {
        self.layer.digest.update(&node.to_le_bytes()).update(&self.hashes[code as usize]);
        let is_added = self.is_added(node);
        self.codes[usize::from(is_added)].push((node, code));
    }

    /// Whether a node is not in the base.
    fn is_added(&self, node: u32) -> bool {
        node >= self.layer.directory.base_nodes()
    }

    fn add(&mut self, hash: [u8; 32], text: &str) -> Result<u32, ChangeError> {
        let (found, limit) = (self.table.plain_len() + text.len() as u64, u64::from(u32::MAX));
        if found > limit {
            let what = Quantity::TextsOf(self.name.clone());
            return Err(ChangeError::TooLarge { what, found, limit });
        }
        self.table.push(&mut self.layer.writer, text.as_bytes())?;
        self.starts.push(found as u32);
        let code = self.hashes.len() as u32;
        self.hashes.push(hash);
        self.known.insert(hash, code);
        Ok(code)
    }

    /// Writes the rest of the present table, and begins the next one after it.
    fn end_table(&mut self) -> Result<ColumnId, ChangeError> {
        let NewLayer { writer, encoder, .. } = &mut *self.layer;
        let segment = self.table.finish(writer)?;
        let starts = std::mem::replace(&mut self.starts, vec![0]);
        let row = ColumnRow::empty(Encoding::Entries, starts.len() as u64 - 1);
        let starts = writer.add(encoder.ints(&starts, Keys::Index, Purpose::Ids)?)?;
        let (children, segments) = ([Some(starts), None, None], [Some(segment), None]);
        let column = writer.push_column(ColumnRow { children, segments, ..row });
        self.table = writer.begin_coded(TEXT_CODING);
        Ok(column)
    }

    /// Completes the property.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn finish(mut self) -> Result<(), ChangeError> {
        let last = self.end_table()?;
        let [base, added] = std::mem::take(&mut self.codes);
        let (base_nodes, nodes) = (self.layer.directory.base_nodes(), self.layer.directory.nodes);
        let base_columns = self.columns(base_nodes, &base, self.base_table.unwrap_or(last))?;
        let added = match self.base_table {
            Some(_) => Some(self.columns(nodes, &added, last)?),
            None => None,
        };
        let row = self.layer.row(&self.name, ValueType::String, Cardinality::Optional, base_columns);
        let row = match self.covered {
            Some(PropertyRow { cardinality, default_kind, default, .. }) => {
                PropertyRow { cardinality, default_kind, default, ..row }
            }
            None => row,
        };
        self.layer.put(row, added);
        Ok(())
    }

    fn columns(
        &mut self,
        nodes: u32,
        codes: &[(u32, u32)],
        strings: ColumnId,
    ) -> Result<Columns, ChangeError> {
        let (owners, codes): (Vec<u32>, Vec<u32>) = codes.iter().copied().unzip();
        let NewLayer { writer, encoder, .. } = &mut *self.layer;
        let present = writer.add(encoder.members(&owners, nodes)?)?;
        let values = writer.add(encoder.numbers(&codes)?)?;
        Ok(Columns { present, offsets: None, values, strings: Some(strings) })
    }
}
