//! [`Graph`]: an open file, and the way to its columns.

use std::path::Path;
use std::sync::Arc;

use varvite_format::{
    AdjacencyRow, ColumnId, EdgeLabelId, Fault, FormatError, Ints, LabelId, NodeSet, Owner, PropertyId,
    Source, Strings,
};
use varvite_store::vfs::RealVfs;
use varvite_store::{AccountId, Charge, Identity, Ledger, MemoryState, OpenMode, Pinned, Store};

use crate::adjacency::{Adjacency, Direction, StoredLists};
use crate::bounds::Bounds;
use crate::damage::Damage;
use crate::error::{GraphError, Result};
use crate::labels::{LabelNodes, Labels};
use crate::name_kind::NameKind;
use crate::property::Property;
use crate::schema::{EdgeLabel, Label, Layer, PropertyInfo, Schema, nearest};
use crate::subtree::Subtree;
use crate::texts::Texts;
use crate::value::{Cardinality, ValueType};

/// An open graph. All methods may be called from any thread; columns stay usable after the graph is dropped.
#[derive(Debug)]
pub struct Graph {
    store: Store,
    schema: Schema,
    damage: Damage,
    _tables: Charge,
}

impl Graph {
    /// Opens a graph with a map of the file. Reads header and directory only: well under a millisecond at any size.
    /// Nobody may truncate the file while it is open; replacing it by renaming is fine, the old content stays.
    /// [`OpenOptions`](crate::OpenOptions) has the other ways.
    ///
    /// # Errors
    /// [`GraphError::Store`], with what is wrong with the file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Ok(Self::of_store(Store::open(&RealVfs, path.as_ref(), OpenMode::Mapped)?))
    }

    /// The graph in a store that is open.
    pub(crate) fn of_store(store: Store) -> Self {
        let schema = Schema::of(store.directory());
        let damage = Damage::of(store.failures(), schema.properties.len());
        let bytes = schema.heap_bytes() as u64;
        let _tables = store.ledger().charge(AccountId::DIRECTORY, MemoryState::Tables, bytes);
        Self { store, schema, damage, _tables }
    }

    /// Which state of which file this is. What was found in one graph holds for another of the same identity, and for no other.
    pub fn identity(&self) -> Identity {
        self.store.identity()
    }

    /// How many nodes there are; ids are below it.
    pub fn node_count(&self) -> u32 {
        self.store.directory().nodes
    }

    /// How many edges there are, all labels together.
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

    /// Who holds how many bytes of this graph.
    pub fn ledger(&self) -> &Ledger {
        self.store.ledger()
    }

    /// Gives back all memory that no cursor of this graph holds. Later reads load it again.
    pub fn release(&self) {
        self.store.release();
    }

    /// Lets the graph hold at most so many bytes of memory beside its map from now on: columns that are decoded, and what
    /// facts, digests and checks remember. Whoever would take more gets an error of the code `OVER_BUDGET`. Until this is
    /// called, columns have no limit.
    pub fn limit_memory(&self, bytes: u64) {
        self.store.limit_memory(bytes);
    }

    /// Takes memory for whoever reads the whole graph, until the result is dropped. Where it would be too much, what nobody
    /// reads is given back first.
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

    /// An error if anything that was read of this graph since it was opened made no sense: a value that can't be, a block that
    /// failed its checksum. Ask when an answer is complete; runs of pipelines ask at their end.
    ///
    /// It stays: work that comes after the damage is told of it too, whoever met it, until the graph is opened again.
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
        let directory = self.store.directory();
        let codes = self.ints(directory.codes, "labels", self.node_count() as usize)?;
        Ok(Labels::new(codes, self.masks(), directory.mask_words(), self.damage.clone()))
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
        Ok(LabelNodes { set: self.set(row.nodes, self.node_count())? })
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
        let (nodes, damage) = (self.node_count(), self.damage.clone());
        if side.nodes.is_some() {
            return Ok(Adjacency::lists(self.lists(side, row.edges)?, row.edges, nodes, damage));
        }
        if directory.tree_label != Some(edge_label) {
            return Err(self.missing("adjacency", "column or a forest"));
        }
        if direction == Direction::In {
            let distances = self.ints(directory.parents, "parents", nodes as usize)?;
            return Ok(Adjacency::parents(distances, row.edges, nodes, damage));
        }
        let subtree = self.subtree()?.ok_or_else(|| self.missing("adjacency", "subtree index"))?;
        Ok(Adjacency::forest(subtree, row.edges, nodes, damage))
    }

    /// Which of the out-edges of its source each entry of the in-lists of an edge label is, by number of the label: the way
    /// from an in-list to edge properties. None for a label without properties.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn places(&self, edge_label: EdgeLabelId) -> Result<Option<Places>> {
        let row = self.store.directory().edge_labels.get(edge_label.index());
        let row =
            row.ok_or_else(|| unknown(NameKind::EdgeLabel, &edge_label.0.to_string(), std::iter::empty()))?;
        let Some(column) = row.places else { return Ok(None) };
        let places = self.ints(Some(column), "places", row.edges as usize)?;
        Ok(Some(Places { places, damage: self.damage.clone() }))
    }

    /// The subtree index, if an edge label of this graph is a forest.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn subtree(&self) -> Result<Option<Subtree>> {
        let directory = self.store.directory();
        if directory.subtree.is_none() {
            return Ok(None);
        }
        let sizes = self.ints(directory.subtree, "subtree", self.node_count() as usize)?;
        Ok(Some(Subtree::new(sizes, self.node_count(), self.damage.clone())))
    }

    /// The edge label that the subtree index follows: the [tree label](Self::tree_label), if its edges are a forest.
    pub fn forest_label(&self) -> Option<&str> {
        self.tree_label().filter(|_| self.store.directory().subtree.is_some())
    }

    /// The edge label of the tree: in its pre-order nodes are numbered, and steps such as `descendants` go along it. A node may
    /// have several parents where it is no [forest](Self::forest_label).
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
        let unknown_type =
            |what, found: u8| self.damaged("property", Fault::Unknown { what, found: found.into() });
        if self.store.row(row.values)?.relative {
            return Err(self.damaged("property", Fault::Relative));
        }
        let owners = match row.owner {
            Owner::Node => self.node_count(),
            Owner::Edge(label) => {
                let edges = directory.edge_labels[label.index()].edges;
                u32::try_from(edges).map_err(|_| {
                    let fault = Fault::TooMany { what: "edges", most: u32::MAX.into(), found: edges };
                    self.damaged("edge property", fault)
                })?
            }
        };
        let value_type = ValueType::from_number(row.value_type);
        let value_type = value_type.ok_or_else(|| unknown_type("value type", row.value_type))?;
        let texts = row.strings.map(|column| Strings::open(&self.store, column)).transpose()?;
        let texts = texts.map(|strings| self.texts(strings, id));
        let property = Property {
            value_type,
            cardinality: Cardinality::from_number(row.cardinality)
                .ok_or_else(|| unknown_type("cardinality", row.cardinality))?,
            present: self.set(row.present, owners)?,
            offsets: row.offsets.map(|column| Ints::open(&self.store, column)).transpose()?,
            values: Ints::open(&self.store, row.values)?,
            bounds: Bounds::of(value_type, self.node_count(), texts.as_ref().map_or(0, Texts::len)),
            texts,
            damage: self.damage.clone(),
            id,
        };
        self.check_lists("property", &property.present, property.offsets.as_ref(), property.values.len())?;
        match (property.value_type.is_text(), &property.texts) {
            (true, None) => Err(self.missing("property", "string table")),
            (false, Some(_)) => {
                Err(self.damaged("property", Fault::Unexpected { what: "string table of numbers" }))
            }
            _ => Ok(property),
        }
    }

    /// The number that each node of a label had among the nodes of the label in the file it came from, by its rank now.
    /// None: numbers are ranks.
    ///
    /// # Errors
    /// [`GraphError::Store`].
    pub fn origin(&self, label: LabelId) -> Result<Option<Origin>> {
        let Some(row) = self.store.directory().labels.get(label.index()) else { return Ok(None) };
        let Some(column) = row.origin else { return Ok(None) };
        let count = self.nodes_of(label)?.len();
        Ok(Some(Origin { numbers: self.ints(Some(column), "origin", count as usize)? }))
    }

    /// What `read` gives, or an error if it met damage: for a few values, where [`Graph::check`] would tell of all that was read
    /// before. What is read on other threads is not told.
    ///
    /// # Errors
    /// The first damage that was met since the graph was opened.
    pub fn watch<T>(&self, read: impl FnOnce() -> T) -> Result<T> {
        self.damage.watch(read)
    }

    /// The texts of a property, by its number.
    pub(crate) fn texts(&self, strings: Strings<Pinned>, property: PropertyId) -> Texts {
        Texts::new(strings, property, self.store.superblock().file_len, self.damage.clone())
    }

    /// Where cursors of this graph leave notes.
    pub(crate) fn damage(&self) -> &Damage {
        &self.damage
    }

    fn lists(&self, row: AdjacencyRow, edges: u64) -> Result<StoredLists> {
        let missing = |what| self.missing("adjacency", what);
        let owners = self.set(row.nodes.ok_or_else(|| missing("set of nodes"))?, self.node_count())?;
        let offsets = row.offsets.ok_or_else(|| missing("column of offsets"))?;
        let offsets: Ints<Pinned> = Ints::open(&self.store, offsets)?;
        let neighbors = self.ints(row.neighbors, "neighbours", edges as usize)?;
        let offsets = (!offsets.is_identity()).then_some(offsets);
        self.check_lists("adjacency", &owners, offsets.as_ref(), neighbors.len())?;
        Ok(StoredLists::new(owners, offsets, neighbors, self.node_count(), self.damage.clone()))
    }

    /// Lengths fit: one offset more than there are lists, or as many values as owners.
    fn check_lists(
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

    fn set(&self, column: ColumnId, universe: u32) -> Result<NodeSet<Pinned>> {
        Ok(NodeSet::open(&self.store, column, universe)?)
    }

    /// Integers that must have `count` values.
    fn ints(&self, column: Option<ColumnId>, part: &'static str, count: usize) -> Result<Ints<Pinned>> {
        let column = column.ok_or_else(|| self.missing(part, "column"))?;
        let ints = Ints::open(&self.store, column)?;
        self.check_count(part, "values", count, ints.len())?;
        Ok(ints)
    }

    fn check_count(&self, part: &str, what: &'static str, expected: usize, found: usize) -> Result<()> {
        if expected == found {
            return Ok(());
        }
        let (expected, found) = (expected as u64, found as u64);
        Err(self.damaged(part, Fault::Count { what, expected, found }))
    }

    fn missing(&self, part: &str, what: &'static str) -> GraphError {
        self.damaged(part, Fault::Missing { what, number: None })
    }

    fn damaged(&self, part: &str, fault: Fault) -> GraphError {
        self.store.damaged(FormatError::damaged(part, fault)).into()
    }
}

fn unknown<'a>(kind: NameKind, name: &str, names: impl Iterator<Item = &'a str>) -> GraphError {
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

/// Which edge each entry of the in-lists of an edge label is.
#[derive(Clone, Debug)]
pub struct Places {
    places: Ints<Pinned>,
    damage: Damage,
}

impl Places {
    /// The place that the edge at `position` of the in-lists has among the out-edges of its source, from 0. Positions
    /// count from [`Adjacency::first_rank`] of the target in the in direction; `first_rank` of the source in the out
    /// direction plus the place is the rank that edge properties are stored under.
    #[inline]
    pub fn place(&self, position: usize) -> Option<u32> {
        let place = self.places.get_u32(position, 0);
        if place.is_none() {
            self.damage.note("places", position as u32);
        }
        place
    }
}
