//! [`Graph`]: an open graph file, with methods that open cursors over its columns.

use std::any::Any;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use varvite_format::{
    AdjacencyRow, ColumnId, EdgeLabelId, Fault, FormatError, Ints, LabelId, NodeSet, PropertyId, Strings,
};
use varvite_store::vfs::RealVfs;
use varvite_store::{AccountId, Charge, Identity, Ledger, MemoryState, OpenMode, Pinned, Store};

use crate::cursor::adjacency::{Adjacency, Direction, Places, Ranks, StoredLists};
use crate::cursor::damage::Damage;
use crate::cursor::labels::{LabelNodes, Labels};
use crate::cursor::property::Property;
use crate::cursor::subtree::Subtree;
use crate::cursor::texts::Texts;
use crate::cursor::value::ValueType;
use crate::error::{GraphError, Result};
use crate::name_kind::NameKind;
use crate::overlay::graph_changes::GraphChanges;
use crate::schema::{EdgeLabel, Label, Layer, PropertyInfo, Schema, name_before_cover, nearest};

/// An open graph. All methods may be called from any thread. Cursors opened from the graph stay usable after
/// the graph is dropped.
#[derive(Debug)]
pub struct Graph {
    store: Store,
    schema: Schema,
    damage: Damage,
    changes: Option<Box<GraphChanges>>,
    /// The replayed log. If the log has grown, [`Graph::refresh`] moves this field to the new graph, which
    /// replays only the rest.
    taken: Mutex<Option<Box<dyn Any + Send>>>,
    _tables: Charge,
}

impl Graph {
    /// Opens a graph by mapping its file into memory. Reads only header and directory, which takes well under
    /// a millisecond at any file size. No program may truncate the file while the graph is open. Replacing
    /// the file by renaming another file over it is safe: the open graph keeps the old content.
    /// [`OpenOptions`](crate::OpenOptions) has other modes of opening.
    ///
    /// # Errors
    /// [`GraphError::Store`] with the fault that was found in the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::of_store(Store::open(&RealVfs, path.as_ref(), OpenMode::Mapped)?)
    }

    /// The graph in an open store, without the changes in the store's log.
    pub(crate) fn without_log(store: Store) -> Self {
        let schema = Schema::of(store.directory());
        let damage = Damage::of(store.failures(), schema.properties.len());
        let bytes = schema.heap_bytes() as u64;
        let _tables = store.ledger().charge(AccountId::DIRECTORY, MemoryState::Tables, bytes);
        let changes = GraphChanges::of(store.directory());
        Self { store, schema, damage, changes, taken: Mutex::default(), _tables }
    }

    /// Keeps the replayed log for the next [`Graph::refresh`].
    pub(crate) fn keep_log(&self, taken: Box<dyn Any + Send>) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = Some(taken);
    }

    fn take_log(&self) -> Option<Box<dyn Any + Send>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the store of the graph; everything else is dropped.
    pub(crate) fn into_store(self) -> Store {
        self.store
    }

    /// Opens the graph of the file's newest commit with the options of this graph; `None` if this graph is
    /// already at that commit. This graph keeps its snapshot.
    ///
    /// If nothing has changed, reads two pages and the length of the file. If only records were appended to
    /// the log, reads and replays only the new records; if the memory of the graph is limited or
    /// [`Graph::release`] was called, replays the whole log. Makes new change columns for the edge labels and
    /// properties that the new records change. This takes a few nanoseconds for each change that was made to
    /// these labels and properties since the columns of the file were written. Both graphs share all other
    /// columns.
    ///
    /// # Errors
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if the path now names another file, as
    /// after [`compact`](crate::write::compact): open that file with [`Graph::open`]. All other errors are
    /// those of [`Graph::open`].
    pub fn refresh(&self) -> Result<Option<Self>> {
        let Some(taken) = self.take_log() else {
            let newest = self.store.reopen()?;
            return newest.map(|store| Self::of_longer_log(store, None)).transpose();
        };
        match self.store.reopen_behind() {
            Ok(Some(store)) => Self::of_longer_log(store, Some((&self.store, taken))).map(Some),
            other => {
                self.keep_log(taken);
                Ok(other.map(|_| None)?)
            }
        }
    }

    /// Whether the file has changed since this graph was opened: it has another commit, or a longer log. The
    /// end of a log that is still being written counts too.
    ///
    /// **Cost**: reads two pages and the length of the file, and no records.
    ///
    /// # Errors
    /// As [`Graph::refresh`].
    pub fn is_behind(&self) -> Result<bool> {
        Ok(self.store.is_behind()?)
    }

    /// The identity of the file and its commit. Two graphs with equal identities have equal content, so
    /// results computed for one graph are valid for the other.
    pub fn identity(&self) -> Identity {
        self.store.identity()
    }

    /// The number of nodes, [removed](Self::is_removed) nodes included. Every node id is below this number.
    pub fn node_count(&self) -> u32 {
        self.store.directory().nodes
    }

    /// The number of edges of all labels together.
    pub fn edge_count(&self) -> u64 {
        self.schema.edge_labels.iter().map(|label| label.edges).sum()
    }

    /// The node labels, indexed by [`LabelId`].
    pub fn labels(&self) -> &[Label] {
        &self.schema.labels
    }

    /// The edge labels, indexed by [`EdgeLabelId`].
    pub fn edge_labels(&self) -> &[EdgeLabel] {
        &self.schema.edge_labels
    }

    /// The properties of nodes and edges, indexed by [`PropertyId`].
    pub fn properties(&self) -> &[PropertyInfo] {
        &self.schema.properties
    }

    /// The properties that the graph has without some layers of properties, with their ids. If a layer has a
    /// property of the same name as an older one, the older one is called `NAME/LAYER` until the layer is
    /// dropped: it gets its name back here if the layer is left out, and is itself left out otherwise.
    pub fn properties_without(&self, layers: &[&str]) -> Vec<(PropertyId, PropertyInfo)> {
        let layer_of = |info: &PropertyInfo| self.layers().get(info.layer as usize).map_or("", |it| &it.name);
        let is_out = |info: &PropertyInfo| layers.contains(&layer_of(info));
        let of_nodes = self.properties().iter().filter(|info| info.edge_label.is_none());
        let by_name: HashMap<&str, &PropertyInfo> = of_nodes.map(|info| (&*info.name, info)).collect();
        let cover_of = |older: &PropertyInfo| match older.edge_label {
            None => by_name
                .get(name_before_cover(&older.name, layer_of(older))?)
                .filter(|newer| newer.layer != older.layer),
            Some(_) => None,
        };
        let visible = |(id, info): (PropertyId, &PropertyInfo)| match cover_of(info) {
            _ if is_out(info) => None,
            None => Some((id, info.clone())),
            Some(cover) => {
                is_out(cover).then(|| (id, PropertyInfo { name: cover.name.clone(), ..info.clone() }))
            }
        };
        self.property_ids().zip(self.properties()).filter_map(visible).collect()
    }

    /// The ids of all node labels, ascending.
    pub fn label_ids(&self) -> impl ExactSizeIterator<Item = LabelId> + use<> {
        (0..self.schema.labels.len() as u32).map(LabelId)
    }

    /// The ids of all edge labels, ascending.
    pub fn edge_label_ids(&self) -> impl ExactSizeIterator<Item = EdgeLabelId> + use<> {
        (0..self.schema.edge_labels.len() as u32).map(EdgeLabelId)
    }

    /// The ids of all properties, ascending.
    pub fn property_ids(&self) -> impl ExactSizeIterator<Item = PropertyId> + use<> {
        (0..self.schema.properties.len() as u32).map(PropertyId)
    }

    /// The layers of the graph, indexed by the `layer` fields of labels and properties.
    pub fn layers(&self) -> &[Layer] {
        &self.schema.layers
    }

    /// The bytes that this graph holds in memory, by segment and state.
    pub fn ledger(&self) -> &Ledger {
        self.store.ledger()
    }

    /// Frees all memory that no cursor of this graph holds. Later reads load the freed columns again.
    pub fn release(&self) {
        drop(self.take_log());
        self.changes.iter().for_each(|changes| changes.release());
        self.store.release();
    }

    /// From now on, limits the memory of the graph, apart from the mapped file, to `bytes` bytes. The limit
    /// covers decoded columns and the cached results of facts, digests and checks. A call that needs more
    /// fails with the code `OVER_BUDGET`. Until this method is called, there is no limit.
    pub fn limit_memory(&self, bytes: u64) {
        drop(self.take_log());
        self.store.limit_memory(bytes);
    }

    /// Keeps the memory of the process below `bytes` bytes while the graph is open. The limit covers all
    /// private memory of the process, and the mapped pages of all watched graphs, but not the code of the
    /// program and its libraries, a few megabytes. With several watched graphs, the smallest limit applies.
    /// One thread for all watched graphs checks the memory every ten milliseconds, or sooner if the limit
    /// could be reached before then. Near the limit this thread first releases mapped pages, and then frees
    /// unused buffers. The next read of a released page maps it again at the same address. Readers notice
    /// only the time that this takes.
    ///
    /// Does nothing if the operating system does not report the memory of the process.
    pub fn watch_memory(&self, bytes: u64) {
        self.store.watch_memory(bytes);
    }

    /// Charges `bytes` bytes for a scan of the whole graph, until the result is dropped. If this charge would
    /// exceed the limit, unused buffers are freed first.
    ///
    /// # Errors
    /// [`GraphError::Store`], if the graph would hold more than [`Graph::limit_memory`] allows.
    pub fn scratch(&self, bytes: u64) -> Result<Charge> {
        let account = self.ledger().account(AccountId::ENGINE);
        Ok(self.store.charge(&account, MemoryState::Scratch, bytes)?)
    }

    /// True if the newest commit of the file was damaged, so that the previous commit was opened.
    pub fn is_recovered(&self) -> bool {
        self.store.is_recovered()
    }

    /// The store: the open file that holds the graph.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Fails if any read of this graph since it was opened found damage: an impossible value, or a block that
    /// failed its checksum. Call this method after the last read of a result. A pipeline run calls it at its
    /// end.
    ///
    /// Once a read has found damage, every later call fails, on all threads, until the graph is opened again.
    ///
    /// # Errors
    /// The damage that was found first.
    pub fn check(&self) -> Result<()> {
        self.damage.check()
    }

    /// The id of a label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name.
    pub fn label(&self, name: &str) -> Result<LabelId> {
        let names = || self.schema.labels.iter().map(|label| label.name.as_str());
        let index = names().position(|known| known == name);
        index.map(LabelId::from_index).ok_or_else(|| unknown(NameKind::Label, name, names()))
    }

    /// The label sets of all nodes.
    ///
    /// # Errors
    /// [`GraphError::Store`], if the column is damaged.
    pub fn label_sets(&self) -> Result<Labels> {
        self.with_label_change(self.base_label_sets()?)
    }

    /// The label sets of the nodes of the base.
    pub(crate) fn base_label_sets(&self) -> Result<Labels> {
        let directory = self.store.directory();
        let codes = self.ints(directory.codes, "labels", directory.base_nodes() as usize)?;
        Ok(Labels::new(codes, self.masks(), directory.mask_words(), self.damage.clone()))
    }

    /// The masks of all label sets, one after the other. A mask has one bit for each label of the graph, in
    /// the least number of words that holds these bits.
    pub fn label_masks(&self) -> &[u64] {
        &self.schema.masks
    }

    /// The masks of all label sets, as in [`Graph::label_masks`], but with shared ownership.
    pub(crate) fn masks(&self) -> Arc<[u64]> {
        Arc::clone(&self.schema.masks)
    }

    /// The nodes of a label, given by its name.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn nodes(&self, label: &str) -> Result<LabelNodes> {
        self.nodes_of(self.label(label)?)
    }

    /// The nodes of a label, given by its id.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn nodes_of(&self, label: LabelId) -> Result<LabelNodes> {
        let row = self.store.directory().labels.get(label.index());
        let row =
            row.ok_or_else(|| unknown(NameKind::Label, &format!("number {}", label.0), std::iter::empty()))?;
        let set = self.set(row.nodes, self.store.directory().base_nodes())?;
        let change = self.label_change(label, &set)?;
        Ok(LabelNodes { set, change })
    }

    /// The out-edges of an edge label: for each source, its targets.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn out(&self, edge_label: &str) -> Result<Adjacency> {
        self.adjacency(self.edge_label(edge_label)?, Direction::Out)
    }

    /// The in-edges of an edge label: for each target, its sources.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn in_(&self, edge_label: &str) -> Result<Adjacency> {
        self.adjacency(self.edge_label(edge_label)?, Direction::In)
    }

    /// The id of an edge label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name.
    pub fn edge_label(&self, name: &str) -> Result<EdgeLabelId> {
        let names = || self.schema.edge_labels.iter().map(|label| label.name.as_str());
        let index = names().position(|known| known == name);
        index.map(EdgeLabelId::from_index).ok_or_else(|| unknown(NameKind::EdgeLabel, name, names()))
    }

    /// The neighbours along an edge label, given by its id, in one direction.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn adjacency(&self, edge_label: EdgeLabelId, direction: Direction) -> Result<Adjacency> {
        let directory = self.store.directory();
        let row = directory.edge_labels.get(edge_label.index());
        let row =
            row.ok_or_else(|| unknown(NameKind::EdgeLabel, &edge_label.0.to_string(), std::iter::empty()))?;
        let side = match direction {
            Direction::Out => row.out,
            Direction::In => row.in_,
        };
        let (nodes, damage) = (directory.nodes_of_layer(row.layer), self.damage.clone());
        let base = if side.nodes.is_some() {
            Adjacency::lists(self.lists(side, row.edges, nodes)?, row.edges, nodes, damage)
        } else if directory.tree_label != Some(edge_label) {
            return Err(self.missing("adjacency", "column or a forest"));
        } else if direction == Direction::In {
            let distances = self.ints(directory.parents, "parents", nodes as usize)?;
            Adjacency::parents(distances, row.edges, nodes, damage)
        } else {
            let missing = || self.missing("adjacency", "subtree index");
            let sizes = self.ints(Some(directory.subtree.ok_or_else(missing)?), "subtree", nodes as usize)?;
            let subtree = Subtree::new(sizes, nodes, damage.clone());
            Adjacency::forest(subtree, row.edges, nodes, damage)
        };
        let changes = directory.changes.as_ref().and_then(|changes| changes.of_edges(edge_label));
        match changes {
            None => Ok(base),
            Some(changes) => self.changed_adjacency(base, changes, direction),
        }
    }

    /// The neighbours along an edge label, given by its id, with the ranks of the edges. Returns `None` for
    /// the in direction if the label has no properties, because its in-lists then store no ranks.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn ranks(&self, edge_label: EdgeLabelId, direction: Direction) -> Result<Option<Ranks>> {
        let adjacency = self.adjacency(edge_label, direction)?;
        let row = &self.store.directory().edge_labels[edge_label.index()];
        if direction == Direction::Out || row.in_.nodes.is_none() {
            return Ok(Some(Ranks::new(adjacency, None)));
        }
        let Some(places) = self.places(edge_label)? else { return Ok(None) };
        Ok(Some(Ranks::new(adjacency, Some((self.adjacency(edge_label, Direction::Out)?, places)))))
    }

    /// For each entry in the in-lists of an edge label, given by its id, the place of the edge in its
    /// source's out-list. With the place, the caller can find the properties of an edge that it read from an
    /// in-list. `None` for a label without properties. In a graph with changes, places cover only the edges
    /// of the base; [`Graph::ranks`] covers all edges.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn places(&self, edge_label: EdgeLabelId) -> Result<Option<Places>> {
        let row = self.store.directory().edge_labels.get(edge_label.index());
        let row =
            row.ok_or_else(|| unknown(NameKind::EdgeLabel, &edge_label.0.to_string(), std::iter::empty()))?;
        let Some(column) = row.places else { return Ok(None) };
        let places = self.ints(Some(column), "places", row.edges as usize)?;
        Ok(Some(Places::new(places, self.damage.clone())))
    }

    /// The subtree index; `None` if no edge label of this graph is a forest.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn subtree(&self) -> Result<Option<Subtree>> {
        if self.forest_label().is_none() { Ok(None) } else { self.base_subtree() }
    }

    /// The subtree index of the base; `None` if the base has none.
    pub(crate) fn base_subtree(&self) -> Result<Option<Subtree>> {
        let directory = self.store.directory();
        if directory.subtree.is_none() {
            return Ok(None);
        }
        let sizes = self.ints(directory.subtree, "subtree", directory.base_nodes() as usize)?;
        Ok(Some(Subtree::new(sizes, directory.base_nodes(), self.damage.clone())))
    }

    /// The edge label of the subtree index: the [tree label](Self::tree_label), if its edges form a forest
    /// and none of them was appended or removed since the base was written.
    pub fn forest_label(&self) -> Option<&str> {
        let directory = self.store.directory();
        let changes = directory.changes.as_ref().zip(directory.tree_label);
        let has_changed = changes.is_some_and(|(changes, label)| changes.of_edges(label).is_some());
        self.tree_label().filter(|_| directory.subtree.is_some() && !has_changed)
    }

    /// The tree label: the edge label whose pre-order gives the node ids, and which steps such as
    /// `descendants` follow. If its edges do not form a [forest](Self::forest_label), a node may have several
    /// parents.
    pub fn tree_label(&self) -> Option<&str> {
        let label = self.store.directory().tree_label?;
        self.schema.edge_labels.get(label.index()).map(|label| label.name.as_str())
    }

    /// A property of nodes, given by its name.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn property(&self, name: &str) -> Result<Property> {
        self.property_at(self.property_id(name)?)
    }

    /// A property of nodes whose values are texts. Use this method before [`Property::str`], which returns
    /// `None` for properties of other types.
    ///
    /// # Errors
    /// The errors of [`Graph::property`]; [`GraphError::WrongType`] if the values have another type.
    pub fn texts(&self, name: &str) -> Result<Property> {
        self.property_of(name, "string", |value_type| value_type == ValueType::String)
    }

    /// A property of nodes whose values are truth values or integers. Use this method before
    /// [`Property::number`] and [`Property::numbers`], which also read other types: they return codes for
    /// texts, and bit patterns for floating-point numbers.
    ///
    /// # Errors
    /// The errors of [`Graph::property`]; [`GraphError::WrongType`] if the values have another type.
    pub fn numbers(&self, name: &str) -> Result<Property> {
        self.property_of(name, "bool or an integer", |value_type| {
            use ValueType::{F32, F64, Ref};
            !value_type.is_text() && !matches!(value_type, F32 | F64 | Ref)
        })
    }

    fn property_of(
        &self,
        name: &str,
        expected: &'static str,
        is_expected: impl Fn(ValueType) -> bool,
    ) -> Result<Property> {
        let id = self.property_id(name)?;
        let value_type = self.schema.properties[id.index()].value_type;
        if !is_expected(value_type) {
            let found = value_type.name();
            return Err(GraphError::WrongType { name: name.to_owned(), expected, found });
        }
        self.property_at(id)
    }

    /// The id of a property of nodes.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name.
    pub fn property_id(&self, name: &str) -> Result<PropertyId> {
        let of_nodes = |info: &&PropertyInfo| info.edge_label.is_none();
        let names = || self.schema.properties.iter().filter(of_nodes).map(|info| info.name.as_str());
        let index =
            self.schema.properties.iter().position(|info| info.edge_label.is_none() && info.name == name);
        index.map(PropertyId::from_index).ok_or_else(|| unknown(NameKind::Property, name, names()))
    }

    /// A property of the edges of a label. Its owners are edges; an edge is given by its rank in the out
    /// direction. If `name` is `None`, opens the label's first property.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn edge_property(&self, edge_label: &str, name: Option<&str>) -> Result<Property> {
        let first = || self.edge_property_ids(edge_label).first().copied();
        match name {
            Some(name) => self.property_at(self.edge_property_id(edge_label, name)?),
            None => {
                self.edge_label(edge_label)?;
                let id =
                    first().ok_or_else(|| unknown(NameKind::EdgeProperty, edge_label, std::iter::empty()))?;
                self.property_at(id)
            }
        }
    }

    /// The id of a property of the edges of a label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name.
    pub fn edge_property_id(&self, edge_label: &str, name: &str) -> Result<PropertyId> {
        self.edge_label(edge_label)?;
        let ids = self.edge_property_ids(edge_label);
        let name_of = |id: &PropertyId| self.schema.properties[id.index()].name.as_str();
        let found = ids.iter().copied().find(|id| name_of(id) == name);
        found.ok_or_else(|| unknown(NameKind::EdgeProperty, name, ids.iter().map(name_of)))
    }

    /// The ids of all properties of the edges of a label; none if there is no such label.
    pub fn edge_property_ids(&self, edge_label: &str) -> Vec<PropertyId> {
        let is_of_label =
            |id: &PropertyId| self.schema.properties[id.index()].edge_label.as_deref() == Some(edge_label);
        self.property_ids().filter(is_of_label).collect()
    }

    /// A property of nodes or of edges, given by its id.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn property_at(&self, id: PropertyId) -> Result<Property> {
        let directory = self.store.directory();
        let row = directory.properties.get(id.index());
        let row = *row.ok_or_else(|| unknown(NameKind::Property, &id.0.to_string(), std::iter::empty()))?;
        self.open_property(id, &row)
    }

    /// The origins of the nodes of a label: the number that each node had among the nodes of the label in the
    /// imported file, indexed by the node's present rank. `None` if each origin equals the rank, which is
    /// always so once nodes of the label were appended or removed.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn origin(&self, label: LabelId) -> Result<Option<Origin>> {
        let Some(row) = self.store.directory().labels.get(label.index()) else { return Ok(None) };
        let Some(column) = row.origin else { return Ok(None) };
        let nodes = self.nodes_of(label)?;
        if nodes.change.is_some() {
            return Ok(None);
        }
        let count = nodes.len();
        Ok(Some(Origin { numbers: self.ints(Some(column), "origin", count as usize)? }))
    }

    /// Whether edges of a label were appended or removed since its columns were written.
    #[doc(hidden)]
    #[inline]
    pub fn has_changed_edges(&self, label: EdgeLabelId) -> bool {
        self.store.directory().changes.as_ref().is_some_and(|changes| changes.of_edges(label).is_some())
    }

    /// The result of `read`, or an error if `read` found damage. Use this method to read a few values: unlike
    /// [`Graph::check`], it does not fail because of damage that earlier reads or other threads found.
    ///
    /// # Errors
    /// The first damage that was found since the graph was opened.
    pub fn watch<T>(&self, read: impl FnOnce() -> T) -> Result<T> {
        self.damage.watch(read)
    }

    /// The texts of a property, given by its id.
    pub(crate) fn table_of_texts(&self, strings: Strings<Pinned>, property: PropertyId) -> Texts {
        Texts::new(strings, property, self.store.file_len(), self.damage.clone())
    }

    /// The values computed on first use from the changes of the graph; `None` if it has no changes.
    pub(crate) fn known_changes(&self) -> Option<&GraphChanges> {
        self.changes.as_deref()
    }

    /// The damage that cursors of this graph have noted.
    #[doc(hidden)]
    #[inline]
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Opens adjacency lists with `edges` entries, which are ids below `nodes`.
    pub(crate) fn lists(&self, row: AdjacencyRow, edges: u64, nodes: u32) -> Result<StoredLists> {
        let missing = |what| self.missing("adjacency", what);
        let owners = self.set(row.nodes.ok_or_else(|| missing("set of nodes"))?, nodes)?;
        let offsets = row.offsets.ok_or_else(|| missing("column of offsets"))?;
        let offsets: Ints<Pinned> = Ints::open(&self.store, offsets)?;
        let neighbors = self.ints(row.neighbors, "neighbours", edges as usize)?;
        let offsets = (!offsets.is_identity()).then_some(offsets);
        self.check_lists("adjacency", &owners, offsets.as_ref(), neighbors.len())?;
        Ok(StoredLists::new(owners, offsets, neighbors, nodes, self.damage.clone()))
    }

    /// Checks the lengths of a list column: there must be one more offset than owners or, if the column has
    /// no offsets, as many values as owners.
    pub(crate) fn check_lists(
        &self,
        part: &'static str,
        owners: &NodeSet<Pinned>,
        offsets: Option<&Ints<Pinned>>,
        values: usize,
    ) -> Result<()> {
        let owners = owners.len() as usize;
        match offsets {
            Some(offsets) => self.check_count(part, "offsets", owners + 1, offsets.len()),
            None => self.check_count(part, "values", owners, values),
        }
    }

    pub(crate) fn set(&self, column: ColumnId, universe: u32) -> Result<NodeSet<Pinned>> {
        Ok(NodeSet::open(&self.store, column, universe)?)
    }

    /// Opens an integer column that must have `count` values.
    pub(crate) fn ints(
        &self,
        column: Option<ColumnId>,
        part: &'static str,
        count: usize,
    ) -> Result<Ints<Pinned>> {
        let column = column.ok_or_else(|| self.missing(part, "column"))?;
        let ints = Ints::open(&self.store, column)?;
        self.check_count(part, "values", count, ints.len())?;
        Ok(ints)
    }

    pub(crate) fn check_count(
        &self,
        part: &str,
        what: &'static str,
        expected: usize,
        found: usize,
    ) -> Result<()> {
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (expected as u64, found as u64);
        Err(self.damaged(part, Fault::Count { what, expected, found }))
    }

    #[doc(hidden)]
    #[inline]
    pub fn missing(&self, part: &str, what: &'static str) -> GraphError {
        self.damaged(part, Fault::Missing { what, number: None })
    }

    #[doc(hidden)]
    #[inline]
    pub fn damaged(&self, part: &str, fault: Fault) -> GraphError {
        self.store.damaged(FormatError::damaged(part, fault)).into()
    }
}

pub(crate) fn unknown<'a>(kind: NameKind, name: &str, names: impl Iterator<Item = &'a str>) -> GraphError {
    GraphError::Unknown { kind, name: name.to_owned(), nearest: nearest(name, names) }
}

/// The origins of the nodes of a label: for each node, its number among the nodes of the label in the
/// imported file.
#[derive(Clone, Debug)]
pub struct Origin {
    numbers: Ints<Pinned>,
}

impl Origin {
    /// The origin of the node with rank `rank` among the nodes of its label.
    pub fn number(&self, rank: u32) -> Option<u32> {
        let number = self.numbers.get(rank as usize, u64::from(rank))?;
        u32::try_from(number).ok()
    }
}
