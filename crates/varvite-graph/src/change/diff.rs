//! [`Diff`]: operations on a graph, collected to be applied together.
//!
//! Operations are stored in the order in which they are added, in two lists of numbers: one for the kind and
//! the name of each operation, one for the operands. An edge takes twelve bytes, so ten million edges take a
//! little over a hundred megabytes. Each name is stored once. Nothing is looked up in a graph until the diff
//! is applied. A diff with a memory limit writes chunks of operations to disk, and reads them back one by one
//! when it is applied.

use std::path::Path;
use std::sync::Arc;

use varvite_store::{Scratch, StoreError, Vfs};

use super::chunk::{Chunk, SavedChunk};
use super::element::{ElementRef, NewEdge, NewNode, NodeRef};
use super::new_value::NewValue;
use super::number_lists::NumberLists;
use super::operation::{Kind, Kinds, Word};
use super::words::Words;
use crate::change_error::ChangeError;
use crate::cursor::value::{Cardinality, ValueType};
use crate::error::Result;
use crate::graph::Graph;

/// A list of operations on a graph.
///
/// All operations refer to the graph as it is before the diff is applied. Their order matters only in two
/// cases: edges are appended in the order in which they were added, and if several operations set the values
/// of one owner, the last one wins. Removals are applied first. An invalid diff changes nothing.
///
/// # Example
/// ```
/// use varvite::change::Diff;
///
/// let mut diff = Diff::new();
/// let call = diff.add_node(&["CALL"]);
/// diff.set(call, "NAME", ["memcpy"]);
/// diff.add_edge("AST", 7, call);
/// diff.remove_node(12);
/// assert_eq!(diff.len(), 4);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// The last operations: those that are not on disk.
    pub(super) chunk: Chunk,
    /// The earlier chunks, on disk.
    pub(super) saved: Vec<SavedChunk>,
    /// The number of operations on disk.
    saved_len: usize,
    /// The temporary file for operations that do not fit in memory.
    pub(super) scratch: Option<Arc<Scratch>>,
    /// The first failure to store operations on disk; after it, operations are missing.
    pub(super) failure: Option<StoreError>,
    pub(super) names: Words<String>,
    pub(super) label_sets: Words<Vec<u32>>,
    pub(super) declared: Vec<(ValueType, Cardinality)>,
    /// The kinds of the diff's operations.
    pub(super) kinds: Kinds,
    new_nodes: u32,
    new_edges: u32,
    /// The id of the file to which the diff's ids and ranks belong.
    made_for: Option<[u8; 16]>,
}

/// The memory for the operations that are not on disk yet is the memory limit of the diff divided by this;
/// while vectors grow, up to twice as much.
const SHARE: usize = 16;

/// The owners of a property that a diff declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyOwner<'a> {
    /// The property belongs to nodes.
    Nodes,
    /// The property belongs to the edges of this label.
    Edges(&'a str),
}

/// Maps the new nodes and edges of an absorbed diff to their numbers in the absorbing diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absorbed {
    nodes: u32,
    edges: u32,
}

impl Absorbed {
    /// The number that a new node of the absorbed diff has in the absorbing diff.
    pub fn node(&self, node: NewNode) -> NewNode {
        NewNode(node.0 + self.nodes)
    }

    /// The number that a new edge of the absorbed diff has in the absorbing diff.
    pub fn edge(&self, edge: NewEdge) -> NewEdge {
        NewEdge(edge.0 + self.edges)
    }
}

impl Diff {
    /// Creates an empty diff.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty diff that may use about `bytes` bytes of memory, now and while it is applied.
    /// Operations that do not fit in memory are written to a temporary file beside the file at `beside`,
    /// usually the graph that is to be changed. The same holds for new nodes, edges and values while they are
    /// sorted: those of this diff, and those of all earlier diffs since the columns were written.
    ///
    /// Some data always stays in memory: names; a bit for each node if nodes are removed; for removed edges,
    /// two bits for each edge of their label or four bytes for each removed edge, whichever is less; and a
    /// byte or two for each new edge if new edges have several labels. If this data needs more than the
    /// limit, applying the diff fails with [`StoreError::OverBudget`]. Whatever the limit, about 30 MB more
    /// may be used, because up to 2^18 values of one property and up to 2^20 edges of one label are encoded
    /// in memory.
    ///
    /// If writing to disk fails, [`GraphChange::apply`](crate::write::GraphChange::apply) returns the error
    /// and applies nothing.
    ///
    /// # Errors
    /// [`StoreError::NotAFile`] for a path that does not end in a name.
    pub fn with_memory(bytes: usize, vfs: Arc<dyn Vfs>, beside: &Path) -> Result<Self, ChangeError> {
        let scratch = Some(Arc::new(Scratch::beside(vfs, beside, bytes)?));
        Ok(Self { scratch, ..Self::default() })
    }

    /// Declares that the diff refers to nodes and edges by the numbers that they have in this graph. If the
    /// file has been compacted since, by this program or another, the numbers may belong to other nodes and
    /// edges, and applying the diff fails with [`StoreError::Replaced`].
    pub fn made_for(&mut self, graph: &Graph) {
        self.made_for = Some(graph.store().header().file_id);
    }

    /// Fails if the diff was made for another file, because its ids and ranks then do not belong to this
    /// graph.
    pub(super) fn check_made_for(&self, graph: &Graph) -> Result<()> {
        let store = graph.store();
        match self.made_for {
            Some(file_id) if file_id != store.header().file_id => {
                Err(StoreError::Replaced { path: store.path().to_owned() }.into())
            }
            _ => Ok(()),
        }
    }

    /// The number of operations. Errors identify an operation by its number, from 0.
    pub fn len(&self) -> usize {
        self.saved_len + self.chunk.operations.len()
    }

    /// Whether the diff has no operations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of nodes that the diff adds.
    pub fn new_nodes(&self) -> usize {
        self.new_nodes as usize
    }

    /// The number of edges that the diff adds.
    pub fn new_edges(&self) -> usize {
        self.new_edges as usize
    }

    /// Bytes of memory that the operations take.
    pub fn heap_bytes(&self) -> usize {
        self.chunk.heap_bytes()
    }

    /// Bytes of the operations on disk.
    pub fn saved_bytes(&self) -> u64 {
        self.saved.iter().map(SavedChunk::bytes).sum()
    }

    /// Whether some operations are on disk.
    pub(super) fn is_saved(&self) -> bool {
        !self.saved.is_empty()
    }

    /// Adds a node with these labels, possibly none.
    pub fn add_node(&mut self, labels: &[&str]) -> NewNode {
        let labels: Vec<u32> = labels.iter().map(|label| self.names.number(*label)).collect();
        let set = self.label_sets.number(&labels[..]);
        self.push(Kind::AddNode, set, [false; 2], &[]);
        self.new_nodes += 1;
        NewNode(self.new_nodes - 1)
    }

    /// Adds an edge. In the lists of both nodes, it comes after the existing edges of its label.
    pub fn add_edge(&mut self, label: &str, from: impl Into<NodeRef>, to: impl Into<NodeRef>) -> NewEdge {
        let label = self.names.number(label);
        let [(from, from_is_new), (to, to_is_new)] = [from.into(), to.into()].map(number_of);
        self.push(Kind::AddEdge, label, [from_is_new, to_is_new], &[from, to]);
        self.new_edges += 1;
        NewEdge(self.new_edges - 1)
    }

    /// Removes a node with its edges and values. A node that this diff adds and removes still uses up an id.
    pub fn remove_node(&mut self, node: u32) {
        self.push(Kind::RemoveNode, 0, [false; 2], &[node]);
    }

    /// Removes the edge of a label by its rank. If the graph stores the tree label's edges by the order of
    /// nodes, an edge of the base has no rank, and `rank` is the id of its target.
    pub fn remove_edge(&mut self, label: &str, rank: u32) {
        let label = self.names.number(label);
        self.push(Kind::RemoveEdge, label, [false; 2], &[rank]);
    }

    /// Sets the values of a property of a node or an edge, and replaces all existing values.
    pub fn set<'a, 'v, V: Into<NewValue<'v>>>(
        &mut self,
        owner: impl Into<ElementRef<'a>>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) {
        self.push_values([Kind::SetOfNode, Kind::SetOfEdge], owner.into(), property, values);
    }

    /// Appends values of a property to the existing values of a node or an edge.
    pub fn append<'a, 'v, V: Into<NewValue<'v>>>(
        &mut self,
        owner: impl Into<ElementRef<'a>>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) {
        self.push_values([Kind::AppendToNode, Kind::AppendToEdge], owner.into(), property, values);
    }

    /// Removes all values of a property from a node or an edge.
    pub fn clear<'a>(&mut self, owner: impl Into<ElementRef<'a>>, property: &str) {
        self.set(owner, property, std::iter::empty::<bool>());
    }

    /// Declares a label of this name; an existing label stays unchanged.
    pub fn declare_label(&mut self, name: &str) {
        let name = self.names.number(name);
        self.push(Kind::DeclareLabel, name, [false; 2], &[]);
    }

    /// Declares an edge label of this name; an existing edge label stays unchanged.
    pub fn declare_edge_label(&mut self, name: &str) {
        let name = self.names.number(name);
        self.push(Kind::DeclareEdgeLabel, name, [false; 2], &[]);
    }

    /// Declares a property of this name, type and cardinality; an existing property must have the same type
    /// and cardinality.
    pub fn declare_property(
        &mut self,
        name: &str,
        owner: PropertyOwner<'_>,
        value_type: ValueType,
        cardinality: Cardinality,
    ) {
        let name = self.names.number(name);
        let declared = self.declared.len() as u32;
        self.declared.push((value_type, cardinality));
        match owner {
            PropertyOwner::Nodes => self.push(Kind::DeclareProperty, name, [false; 2], &[declared, 0]),
            PropertyOwner::Edges(label) => {
                let label = self.names.number(label);
                self.push(Kind::DeclareProperty, name, [true, false], &[declared, label]);
            }
        }
    }

    /// Declares a node property whose values are lists of signed numbers, and returns a collector for the
    /// lists of the diff's new nodes. Use it for long lists: they do not become operations of the diff, and
    /// are passed together with the diff to
    /// [`GraphChange::add_layer_with`](crate::write::GraphChange::add_layer_with).
    pub fn number_lists(&mut self, property: &str) -> NumberLists {
        self.declare_property(property, PropertyOwner::Nodes, ValueType::I64, Cardinality::List);
        NumberLists::new(property, self.scratch.as_ref())
    }

    /// Adds the counts of new nodes and new edges of an absorbed diff to those of this diff. The caller
    /// appends the operations of the absorbed diff without [`Self::push`].
    pub(super) fn count_new(&mut self, other: &Self) -> Absorbed {
        self.made_for = self.made_for.or(other.made_for);
        let absorbed = Absorbed { nodes: self.new_nodes, edges: self.new_edges };
        self.new_nodes += other.new_nodes;
        self.new_edges += other.new_edges;
        absorbed
    }

    fn push_values<'v, V: Into<NewValue<'v>>>(
        &mut self,
        [of_node, of_edge]: [Kind; 2],
        owner: ElementRef<'_>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) {
        let property = self.names.number(property);
        let first = self.chunk.values.len();
        for value in values {
            let value = self.chunk.store(value.into());
            self.chunk.values.push(value);
        }
        let count = (self.chunk.values.len() - first) as u32;
        match owner {
            ElementRef::Node(node) => {
                let (node, is_new) = number_of(node);
                self.push(of_node, property, [is_new, false], &[node, 0, count]);
            }
            ElementRef::Edge(label, rank) => {
                let label = self.names.number(label);
                self.push(of_edge, property, [false; 2], &[rank, label, count]);
            }
            ElementRef::NewEdge(edge) => self.push(of_edge, property, [true, false], &[edge.0, 0, count]),
        }
    }

    fn push(&mut self, kind: Kind, name: u32, are_new: [bool; 2], operands: &[u32]) {
        debug_assert_eq!(operands.len(), kind.operands());
        self.chunk.operations.push(Word::new(kind, name, are_new));
        self.chunk.operands.extend_from_slice(operands);
        self.kinds.insert(kind);
        self.make_room();
    }

    /// Moves the operations in memory to disk if they take more memory than they may.
    pub(super) fn make_room(&mut self) {
        let Some(scratch) = &self.scratch else { return };
        if self.chunk.heap_bytes() <= scratch.memory() / SHARE {
            return;
        }
        // After a failure, the diff cannot be applied, so its further operations are not stored.
        if self.failure.is_none() {
            match self.chunk.save(scratch) {
                Ok(saved) => self.saved.push(saved),
                Err(error) => self.failure = Some(error),
            }
        }
        self.saved_len += self.chunk.operations.len();
        self.chunk.clear();
    }
}

/// The id of an existing node or the number of a new node, and whether the node is new.
fn number_of(node: NodeRef) -> (u32, bool) {
    match node {
        NodeRef::Node(node) => (node, false),
        NodeRef::New(NewNode(number)) => (number, true),
    }
}
