//! [`GraphWriter`]: assembles a file from prepared columns and the schema.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use varvite_codec::Codec;
use varvite_format::{
    AdjacencyRow, Directory, EdgeLabelId, EdgeLabelRow, Header, LabelRow, LayerRow, NameId, NamesBuilder,
    Owner, Profile, PropertyId, PropertyRow, check_name,
};
use varvite_store::{IfExists, StagedFile, StoreWriter, Vfs};

use super::adjacency::PreparedAdjacency;
use super::agreement::InputFacts;
use super::encoder::{Encoder, PreparedForest, PreparedLabels};
use super::file_id::new_file_id;
use super::index::PreparedIndex;
use super::input::{LayerSpec, PropertySpec};
use super::property::{PreparedProperty, WrittenProperty};
use super::seen::ListsSeen;
use super::spec::{EdgeLabelSpec, LabelSpec};
use crate::change_error::ChangeError;
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};
use crate::name_kind::NameKind;

/// Options of the file to write.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// The storage profile, which decides how columns are encoded.
    pub profile: Profile,
    /// The codec of the blocks of an archive.
    pub codec: Codec,
    /// Whether an existing file is replaced.
    pub if_exists: IfExists,
}

impl Default for WriteOptions {
    /// The compact profile; an existing file is not replaced.
    fn default() -> Self {
        Self { profile: Profile::Compact, codec: Codec::Zstd, if_exists: IfExists::Refuse }
    }
}

/// A graph file that is being written. Each input is checked when it is added, and the whole file is checked
/// at the end, so [`Graph::verify`](crate::Graph::verify) finds no fault in a finished file. After an error
/// the writer cannot be used any more.
#[derive(Debug)]
pub struct GraphWriter {
    store: StoreWriter,
    given: InputFacts,
    /// Whether the names come from an existing file and must stay unchanged, even if they are invalid.
    keeps_names: bool,
    names: NamesBuilder,
    taken: HashSet<(Kind, NameId)>,
    directory: Directory,
    /// The indexes of added properties, each with the id of its property.
    indexes: Vec<(PropertyId, PreparedIndex)>,
}

/// The kinds of elements whose names must be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Label,
    EdgeLabel,
    PropertyOf(Owner),
}

impl From<Kind> for NameKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Label => Self::Label,
            Kind::EdgeLabel => Self::EdgeLabel,
            Kind::PropertyOf(Owner::Node) => Self::Property,
            Kind::PropertyOf(Owner::Edge(_)) => Self::EdgeProperty,
        }
    }
}

impl GraphWriter {
    /// Starts a file of `nodes` nodes. `identity` must contain everything that determines the content: the
    /// source, every option with an effect, and the tool's version. The id of the file is computed from
    /// `identity`, so files with different content must have different identities. Indexes and layers need
    /// not be included.
    ///
    /// # Errors
    /// An error of the file system; also if the file exists and may not be replaced.
    pub fn create(
        vfs: Arc<dyn Vfs>,
        target: &Path,
        nodes: u32,
        identity: &[u8],
        options: &WriteOptions,
    ) -> Result<Self, ChangeError> {
        let file = StagedFile::create(vfs, target, options.if_exists)?;
        Self::begin(file, nodes, identity, options)
    }

    /// The same as [`GraphWriter::create`], in an empty file that was started elsewhere; `if_exists` of the
    /// options has no effect.
    ///
    /// # Errors
    /// An error of the file system.
    pub fn begin(
        file: StagedFile,
        nodes: u32,
        identity: &[u8],
        options: &WriteOptions,
    ) -> Result<Self, ChangeError> {
        let file_id = new_file_id(identity, options.profile, options.codec);
        let store = StoreWriter::begin(file, Header { file_id, profile: options.profile })?;
        Ok(Self { keeps_names: false, ..Self::over(store, nodes) })
    }

    /// Starts the tables of a graph of `nodes` nodes, in a file that was started elsewhere and will replace a
    /// graph with the same names.
    pub(super) fn over(store: StoreWriter, nodes: u32) -> Self {
        let directory = Directory { nodes, ..Directory::default() };
        let (names, taken, given) = (NamesBuilder::default(), HashSet::new(), InputFacts::default());
        Self { store, given, keeps_names: true, names, taken, directory, indexes: Vec::new() }
    }

    /// An encoder for a file with these options.
    pub fn encoder(options: &WriteOptions) -> Encoder {
        Encoder::new(options.profile, options.codec)
    }

    /// Adds a layer; returns its number. The name is checked at the [end](Self::finish).
    pub fn add_layer(&mut self, layer: &LayerSpec<'_>) -> u32 {
        self.directory.layers.push(LayerRow {
            name: self.names.intern(layer.name),
            tool: self.names.intern(layer.tool),
            version: self.names.intern(layer.version),
            nodes: None,
            time: 0,
            source: layer.source,
        });
        self.directory.layers.len() as u32 - 1
    }

    /// Declares that a layer has its own nodes and edges, and can be dropped together with them.
    pub(super) fn set_layer_apart(&mut self, layer: u32) {
        self.directory.layers[layer as usize].nodes = Some(self.directory.nodes);
    }

    /// Sets the label set of each node: a code for each node, and the mask of each code. A mask has `labels /
    /// 64` words, rounded up, and at least one.
    ///
    /// # Errors
    /// [`ChangeError::Input`] if the number of codes differs from that of nodes; an error of the file system,
    /// as in all methods that add data.
    pub fn set_label_codes(&mut self, codes: PreparedLabels, masks: Vec<u64>) -> Result<(), ChangeError> {
        self.given.take_codes(&codes, self.directory.nodes)?;
        self.directory.codes = Some(self.store.add(codes.column)?);
        self.directory.label_sets = masks;
        Ok(())
    }

    /// Declares that nodes are numbered in pre-order along the edge label `edge_label`. The label may be
    /// added later.
    pub fn set_tree_label(&mut self, edge_label: EdgeLabelId) {
        self.directory.tree_label = Some(edge_label);
    }

    /// Sets the shape of the forest of the edge label `edge_label`, which must be the tree label. The label
    /// may be added later.
    ///
    /// # Errors
    /// [`ChangeError::Input`] if the number of sizes differs from that of nodes; an error of the file system.
    pub fn set_forest(&mut self, forest: PreparedForest, edge_label: EdgeLabelId) -> Result<(), ChangeError> {
        self.given.take_forest(&forest, edge_label, self.directory.nodes)?;
        self.directory.subtree = Some(self.store.add(forest.sizes)?);
        self.directory.parents = Some(self.store.add(forest.parents)?);
        self.set_tree_label(edge_label);
        Ok(())
    }

    /// Adds a node label. Labels are numbered in the order in which they are added.
    ///
    /// # Errors
    /// [`ChangeError::Duplicate`]; [`ChangeError::Input`] for a name that is empty or contains NUL, a set for
    /// another number of nodes, or a number of origins that differs from that of the label's nodes; an error
    /// of the file system.
    pub fn add_label(&mut self, label: LabelSpec<'_>) -> Result<(), ChangeError> {
        self.given.take_label(&label, self.directory.nodes)?;
        let row = LabelRow {
            name: self.take_name(Kind::Label, label.name)?,
            layer: label.layer,
            nodes: self.store.add(label.nodes.column)?,
            origin_count: label.origin_count,
            origin: label.origin.map(|origin| self.store.add(origin.column)).transpose()?,
        };
        self.directory.labels.push(row);
        Ok(())
    }

    /// Adds an edge label. Edge labels are numbered in the order in which they are added.
    ///
    /// # Errors
    /// [`ChangeError::Duplicate`]; [`ChangeError::Input`] for a name that is empty or contains NUL,
    /// directions that do not hold the same edges, or a wrong number of edges; an error of the file system.
    pub fn add_edge_label(&mut self, label: EdgeLabelSpec<'_>) -> Result<(), ChangeError> {
        self.given.take_edge_label(&label, self.directory.nodes)?;
        let row = EdgeLabelRow {
            name: self.take_name(Kind::EdgeLabel, label.name)?,
            layer: label.layer,
            edges: label.edges,
            out: self.add_adjacency(label.out)?,
            in_: self.add_adjacency(label.in_)?,
            places: label.places.map(|places| self.store.add(places.column)).transpose()?,
        };
        self.directory.edge_labels.push(row);
        Ok(())
    }

    /// Adds an edge label whose lists `write` writes to the file itself, entry by entry, so that they are
    /// never all in memory.
    ///
    /// # Errors
    /// The errors of [`GraphWriter::add_edge_label`]; the errors of `write`.
    pub(crate) fn add_streamed_edge_label(
        &mut self,
        name: &str,
        layer: u32,
        edges: u64,
        write: impl FnOnce(&mut StoreWriter) -> Result<[(AdjacencyRow, ListsSeen); 2], ChangeError>,
    ) -> Result<(), ChangeError> {
        let [(out, out_seen), (in_, in_seen)] = write(&mut self.store)?;
        self.given.take_streamed_lists(name, edges, self.directory.nodes, [&out_seen, &in_seen])?;
        let name = self.take_name(Kind::EdgeLabel, name)?;
        self.directory.edge_labels.push(EdgeLabelRow { name, layer, edges, out, in_, places: None });
        Ok(())
    }

    fn add_adjacency(&mut self, side: Option<PreparedAdjacency>) -> Result<AdjacencyRow, ChangeError> {
        let Some(side) = side else {
            return Ok(AdjacencyRow { nodes: None, offsets: None, neighbors: None });
        };
        Ok(AdjacencyRow {
            nodes: Some(self.store.add(side.nodes)?),
            offsets: Some(self.store.add(side.offsets)?),
            neighbors: Some(self.store.add(side.neighbors)?),
        })
    }

    /// Adds a property. Nodes, and the edges of each label, may have a property of the same name. An edge
    /// label must be added before its properties.
    ///
    /// # Errors
    /// An error of the file system; [`ChangeError::Duplicate`]; [`GraphError::WrongType`] for an index of
    /// anything other than a string property of nodes; [`ChangeError::Input`] for a name that is empty or
    /// contains NUL, a number of owners that differs from that of nodes or edges, values of another type, or
    /// more values than one owner may have.
    pub fn add_property(
        &mut self,
        spec: &PropertySpec,
        columns: PreparedProperty,
    ) -> Result<(), ChangeError> {
        self.given.take_property(spec, &columns.seen, self.directory.nodes)?;
        let (default_kind, default) = match &spec.default {
            None => (0, 0),
            Some(text) => (2, i64::from(self.names.intern(text).0)),
        };
        if let Some(index) = columns.index {
            self.indexes.push((PropertyId::from_index(self.directory.properties.len()), index));
            check_indexable(&spec.name, spec.owner, spec.value_type)?;
        }
        let row = PropertyRow {
            name: self.take_name(Kind::PropertyOf(spec.owner), &spec.name)?,
            layer: spec.layer,
            owner: spec.owner,
            value_type: spec.value_type as u8,
            cardinality: spec.cardinality as u8,
            default_kind,
            default,
            present: self.store.add(columns.present)?,
            offsets: columns.offsets.map(|offsets| self.store.add(offsets)).transpose()?,
            values: self.store.add(columns.values)?,
            strings: columns.strings.map(|strings| self.store.add(strings)).transpose()?,
        };
        self.directory.properties.push(row);
        Ok(())
    }

    /// The writer of the file, with which callers write columns that do not fit in memory.
    pub(crate) fn store(&mut self) -> &mut StoreWriter {
        &mut self.store
    }

    /// Adds a property whose columns are already in the file.
    ///
    /// # Errors
    /// The errors of [`GraphWriter::add_property`].
    pub(crate) fn add_written_property(
        &mut self,
        spec: &PropertySpec,
        columns: &WrittenProperty,
    ) -> Result<(), ChangeError> {
        self.given.take_property(spec, &columns.seen(), self.directory.nodes)?;
        let row = PropertyRow {
            name: self.take_name(Kind::PropertyOf(spec.owner), &spec.name)?,
            layer: spec.layer,
            owner: spec.owner,
            value_type: spec.value_type as u8,
            cardinality: spec.cardinality as u8,
            default_kind: 0,
            default: 0,
            present: columns.present,
            offsets: columns.offsets,
            values: columns.values,
            strings: columns.strings,
        };
        self.directory.properties.push(row);
        Ok(())
    }

    fn take_name(&mut self, kind: Kind, text: &str) -> Result<NameId, ChangeError> {
        if !self.keeps_names {
            check_name(format!("name of {}", NameKind::from(kind)), text)?;
        }
        let name = self.names.intern(text);
        if !self.taken.insert((kind, name)) {
            return Err(ChangeError::Duplicate { kind: kind.into(), name: text.to_owned() });
        }
        Ok(name)
    }

    /// Writes the directory and puts the file in place. Returns the size of the file in bytes.
    ///
    /// # Errors
    /// [`ChangeError::Input`] for a file that [`Graph::verify`](crate::Graph::verify) would refuse: label
    /// codes that are missing or do not match the nodes of labels; subtree sizes that do not match the lists;
    /// edges without lists; layers that do not exist or have no name; an index that was built from other
    /// label sets. An error of the file system. In all these cases, no new file is created.
    pub fn finish(self) -> Result<u64, ChangeError> {
        let (store, directory) = self.complete()?;
        Ok(store.finish(directory)?)
    }

    /// Checks that all inputs agree, and writes the last columns. The caller then writes the directory and
    /// puts the file in place.
    pub(super) fn complete(mut self) -> Result<(StoreWriter, Directory), ChangeError> {
        self.directory.names = self.names.build();
        self.given.check(&self.directory, self.keeps_names)?;
        for (property, index) in self.indexes {
            self.directory.text_indexes.push(index.write(property, &mut self.store)?);
        }
        Ok((self.store, self.directory))
    }
}

/// Fails unless this is a string property of nodes; only such a property can have an index.
pub(super) fn check_indexable(name: &str, owner: Owner, value_type: ValueType) -> Result<(), ChangeError> {
    let found = match owner {
        Owner::Node if value_type == ValueType::String => return Ok(()),
        Owner::Node => value_type.name(),
        Owner::Edge(_) => "values of edges",
    };
    Err(GraphError::WrongType { name: name.to_owned(), expected: "string", found }.into())
}
