//! [`Graph`]: an open file, and the way to its columns.

use std::any::Any;
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
use crate::schema::{EdgeLabel, Label, Layer, PropertyInfo, Schema, nearest};

/// An open graph. All methods may be called from any thread; columns stay usable after the graph is dropped.
#[derive(Debug)]
pub struct Graph {
    store: Store,
    schema: Schema,
    damage: Damage,
    changes: Option<Box<GraphChanges>>,
    /// The replayed log, until the graph of a longer log takes it over.
    taken: Mutex<Option<Box<dyn Any + Send>>>,
    _tables: Charge,
}

impl Graph {
    /// Opens a graph with a map of the file. Reads header and directory only: well under a millisecond at any
    /// size. No program may truncate the file while it is open; replacing it by renaming is fine, the old
    /// content stays. [`OpenOptions`](crate::OpenOptions) has the other ways.
    ///
    /// # Errors
    /// [`GraphError::Store`] with the fault of the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::of_store(Store::open(&RealVfs, path.as_ref(), OpenMode::Mapped)?)
    }

    /// The graph in an open store, without its log.
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

    /// The store that the graph is in.
    pub(crate) fn into_store(self) -> Store {
        self.store
    }

    /// The graph of the file's newest commit, opened with the same options; none if this graph is that
    /// commit. This graph keeps its snapshot.
    ///
    /// Reads two pages and the length of the file if nothing has changed. Of a log that only got longer it
    /// reads and takes up the new records, unless memory is limited or was released. Columns are made of the
    /// edge labels and properties that these change, a few nanoseconds for each of their changes since the
    /// columns of the file were written; both graphs share the others.
    ///
    /// # Errors
    /// [`StoreError::Replaced`](varvite_store::StoreError::Replaced) if the name leads to another file by
    /// now, as after [`compact`](crate::write::compact): that is to be opened by its name. Else as
    /// [`Graph::open`].
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

    /// The identity of the file and its commit. Two graphs of equal identity have equal content, so that
    /// results for one hold for the other.
    pub fn identity(&self) -> Identity {
        self.store.identity()
    }

    /// The number of nodes, [removed](Self::is_removed) ones included; ids are below it.
    pub fn node_count(&self) -> u32 {
        self.store.directory().nodes
    }

    /// The number of edges, all labels together.
    pub fn edge_count(&self) -> u64 {
        self.schema.edge_labels.iter().map(|label| label.edges).sum()
    }

    /// The node labels, by [`LabelId`].
    pub fn labels(&self) -> &[Label] {
        &self.schema.labels
    }

    /// The edge labels, by [`EdgeLabelId`].
    pub fn edge_labels(&self) -> &[EdgeLabel] {
        &self.schema.edge_labels
    }

    /// The properties of nodes and edges, by [`PropertyId`].
    pub fn properties(&self) -> &[PropertyInfo] {
        &self.schema.properties
    }

    /// The numbers of all node labels, rising.
    pub fn label_ids(&self) -> impl ExactSizeIterator<Item = LabelId> + use<> {
        (0..self.schema.labels.len() as u32).map(LabelId)
    }

    /// The numbers of all edge labels, rising.
    pub fn edge_label_ids(&self) -> impl ExactSizeIterator<Item = EdgeLabelId> + use<> {
        (0..self.schema.edge_labels.len() as u32).map(EdgeLabelId)
    }

    /// The numbers of all properties, rising.
    pub fn property_ids(&self) -> impl ExactSizeIterator<Item = PropertyId> + use<> {
        (0..self.schema.properties.len() as u32).map(PropertyId)
    }

    /// The layers.
    pub fn layers(&self) -> &[Layer] {
        &self.schema.layers
    }

    /// The bytes that this graph holds in memory, by segment and state.
    pub fn ledger(&self) -> &Ledger {
        self.store.ledger()
    }

    /// Gives back all memory that no cursor of this graph holds. Later reads load it again.
    pub fn release(&self) {
        drop(self.take_log());
        self.changes.iter().for_each(|changes| changes.release());
        self.store.release();
    }

    /// Lets the graph hold at most so many bytes of memory beside its map from now on: decoded columns, and
    /// the results that facts, digests and checks keep. A call that needs more fails with the code
    /// `OVER_BUDGET`. Until this is called, columns have no limit.
    pub fn limit_memory(&self, bytes: u64) {
        drop(self.take_log());
        self.store.limit_memory(bytes);
    }

    /// Keeps the process within so many bytes while the graph is open: all private memory of the process, and
    /// mapped pages of all graphs that are watched. With several watched graphs the least limit holds. One
    /// thread for all of them looks every ten milliseconds, or sooner where the limit could be reached
    /// before, and gives back first mapped pages, which the next read maps again at the same addresses, and
    /// then buffers without a user. Readers notice only the time that this takes. The program and its
    /// libraries, a few megabytes, do not count.
    ///
    /// Does nothing where the operating system does not report the memory of the process.
    pub fn watch_memory(&self, bytes: u64) {
        self.store.watch_memory(bytes);
    }

    /// Charges memory for a scan of the whole graph, until the result is dropped. If it would exceed the
    /// limit, unused buffers are given back first.
    ///
    /// # Errors
    /// [`GraphError::Store`], if the graph would hold more than [`Graph::limit_memory`] allows.
    pub fn scratch(&self, bytes: u64) -> Result<Charge> {
        let account = self.ledger().account(AccountId::ENGINE);
        Ok(self.store.charge(&account, MemoryState::Scratch, bytes)?)
    }

    /// True if the newest commit of the file was damaged, and the one before it was opened.
    pub fn is_recovered(&self) -> bool {
        self.store.is_recovered()
    }

    /// The file behind the graph.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Fails if any read of this graph since it was opened found damage: an impossible value, or a block that
    /// failed its checksum. Call it when an answer is complete; runs of pipelines call it at their end.
    ///
    /// The failure stays until the graph is opened again: once one read has found damage, every later call
    /// fails, on all threads.
    ///
    /// # Errors
    /// The first damage.
    pub fn check(&self) -> Result<()> {
        self.damage.check()
    }

    /// The number of a label.
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

    /// The masks of all label sets, one after the other: a bit for each label, in as many words as these
    /// take.
    pub fn label_masks(&self) -> &[u64] {
        &self.schema.masks
    }

    /// The masks that label sets stand for.
    pub(crate) fn masks(&self) -> Arc<[u64]> {
        Arc::clone(&self.schema.masks)
    }

    /// The nodes of a label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn nodes(&self, label: &str) -> Result<LabelNodes> {
        self.nodes_of(self.label(label)?)
    }

    /// The nodes of a label, by its number.
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

    /// The targets of the edges with a label, by their source.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn out(&self, edge_label: &str) -> Result<Adjacency> {
        self.adjacency(self.edge_label(edge_label)?, Direction::Out)
    }

    /// The sources of the edges with a label, by their target.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn in_(&self, edge_label: &str) -> Result<Adjacency> {
        self.adjacency(self.edge_label(edge_label)?, Direction::In)
    }

    /// The number of an edge label.
    ///
    /// # Errors
    /// [`GraphError::Unknown`], with the nearest name.
    pub fn edge_label(&self, name: &str) -> Result<EdgeLabelId> {
        let names = || self.schema.edge_labels.iter().map(|label| label.name.as_str());
        let index = names().position(|known| known == name);
        index.map(EdgeLabelId::from_index).ok_or_else(|| unknown(NameKind::EdgeLabel, name, names()))
    }

    /// The neighbours along an edge label, by its number, in one direction.
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

    /// The neighbours along an edge label, by its number, with the ranks of the edges; none in the in
    /// direction of a label without properties: its in-lists store no ranks.
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

    /// For each entry in the in-lists of an edge label, given by its number, the place in its source's
    /// out-list: the way from an in-list to edge properties. None for a label without properties. In a graph
    /// with changes these cover the edges of the base alone; [`Graph::ranks`] covers all.
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

    /// The subtree index, if an edge label of this graph is a forest.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn subtree(&self) -> Result<Option<Subtree>> {
        if self.forest_label().is_none() { Ok(None) } else { self.base_subtree() }
    }

    /// The subtree index of the base.
    pub(crate) fn base_subtree(&self) -> Result<Option<Subtree>> {
        let directory = self.store.directory();
        if directory.subtree.is_none() {
            return Ok(None);
        }
        let sizes = self.ints(directory.subtree, "subtree", directory.base_nodes() as usize)?;
        Ok(Some(Subtree::new(sizes, directory.base_nodes(), self.damage.clone())))
    }

    /// The edge label that the subtree index follows: the [tree label](Self::tree_label), if its edges are a
    /// forest, and none of them was appended or removed.
    pub fn forest_label(&self) -> Option<&str> {
        let directory = self.store.directory();
        let changes = directory.changes.as_ref().zip(directory.tree_label);
        let has_changed = changes.is_some_and(|(changes, label)| changes.of_edges(label).is_some());
        self.tree_label().filter(|_| directory.subtree.is_some() && !has_changed)
    }

    /// The edge label of the tree: in its pre-order nodes are numbered, and steps such as `descendants` go
    /// along it. A node may have several parents where it is no [forest](Self::forest_label).
    pub fn tree_label(&self) -> Option<&str> {
        let label = self.store.directory().tree_label?;
        self.schema.edge_labels.get(label.index()).map(|label| label.name.as_str())
    }

    /// A property of nodes.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn property(&self, name: &str) -> Result<Property> {
        self.property_at(self.property_id(name)?)
    }

    /// A property of nodes whose values are texts, for [`Property::str`], which returns none for other
    /// properties.
    ///
    /// # Errors
    /// As [`Graph::property`]; [`GraphError::WrongType`] for values of another type.
    pub fn texts(&self, name: &str) -> Result<Property> {
        self.property_of(name, "string", |value_type| value_type == ValueType::String)
    }

    /// A property of nodes whose values are truth values or integers, for [`Property::number`] and
    /// [`Property::numbers`], which return codes of texts and bits of floating-point numbers for other
    /// properties.
    ///
    /// # Errors
    /// As [`Graph::property`]; [`GraphError::WrongType`] for values of another type.
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

    /// The number of a property of nodes.
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

    /// A property of the edges of a label, by rank in the out direction; the only one if `name` is none.
    ///
    /// # Errors
    /// [`GraphError::Unknown`] or [`GraphError::Store`].
    pub fn edge_property(&self, edge_label: &str, name: Option<&str>) -> Result<Property> {
        self.edge_label(edge_label)?;
        let of_label = |info: &PropertyInfo| info.edge_label.as_deref() == Some(edge_label);
        let properties = &self.schema.properties;
        let index =
            properties.iter().position(|info| of_label(info) && name.is_none_or(|name| name == info.name));
        let names = properties.iter().filter(|info| of_label(info)).map(|info| info.name.as_str());
        let index =
            index.ok_or_else(|| unknown(NameKind::EdgeProperty, name.unwrap_or(edge_label), names))?;
        self.property_at(PropertyId::from_index(index))
    }

    /// A property of nodes or of edges, by its number.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn property_at(&self, id: PropertyId) -> Result<Property> {
        let directory = self.store.directory();
        let row = directory.properties.get(id.index());
        let row = *row.ok_or_else(|| unknown(NameKind::Property, &id.0.to_string(), std::iter::empty()))?;
        self.open_property(id, &row)
    }

    /// The number that each node of a label had among the nodes of the label in the file it came from, by its
    /// rank now. None: numbers are ranks, as they are where nodes of the label were appended or removed.
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

    /// The result of `read`, or an error if it found damage. For a few values: [`Graph::check`] would fail
    /// for damage of earlier reads too. Damage found on other threads does not count.
    ///
    /// # Errors
    /// The first damage that was met since the graph was opened.
    pub fn watch<T>(&self, read: impl FnOnce() -> T) -> Result<T> {
        self.damage.watch(read)
    }

    /// The texts of a property, by its number.
    pub(crate) fn table_of_texts(&self, strings: Strings<Pinned>, property: PropertyId) -> Texts {
        Texts::new(strings, property, self.store.file_len(), self.damage.clone())
    }

    /// Lists from its changes, if it has any.
    pub(crate) fn known_changes(&self) -> Option<&GraphChanges> {
        self.changes.as_deref()
    }

    /// The notes that cursors of this graph leave.
    #[doc(hidden)]
    #[inline]
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Lists with so many edges, of ids below `nodes`.
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

    /// Lengths fit: one offset more than there are lists, or as many values as owners.
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

    /// Integers that must have `count` values.
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

/// The numbers that the nodes of a label had in the file they came from.
#[derive(Clone, Debug)]
pub struct Origin {
    numbers: Ints<Pinned>,
}

impl Origin {
    /// The number of the node that has rank `rank` among the nodes of its label.
    pub fn number(&self, rank: u32) -> Option<u32> {
        let number = self.numbers.get(rank as usize, u64::from(rank))?;
        u32::try_from(number).ok()
    }
}
