//! [`Diff`]: operations on a graph, gathered to be applied at once.
//!
//! Operations are kept as they come, in two lists of numbers: what to do with which name, and with what. An edge takes
//! twelve bytes, so that ten million of them are gathered in a little over a hundred megabytes. Names are kept once.
//! Nothing is looked up in a graph before the diff is applied to one.

use super::element::{ElementRef, NewEdge, NewNode, NodeRef};
use super::new_value::NewValue;
use super::operation::{Kind, StoredValue, Word};
use super::words::Words;
use crate::value::{Cardinality, ValueType};

/// Operations on a graph.
///
/// All of them refer to the graph as it is before the diff, so their order counts only where it says so: edges are appended
/// in the order in which they come, and of several values the last one wins. Removals come first. A diff that makes no
/// sense changes nothing.
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
    /// What is done, with which name.
    pub(super) operations: Vec<Word>,
    /// With what: as many numbers for each operation as its kind says.
    pub(super) operands: Vec<u32>,
    pub(super) values: Vec<StoredValue>,
    pub(super) texts: Texts,
    pub(super) names: Words<String>,
    pub(super) label_sets: Words<Vec<u32>>,
    pub(super) declared: Vec<(ValueType, Cardinality)>,
    new_nodes: u32,
    new_edges: u32,
}

/// Texts, end to end.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pool: Vec<u8>,
    ends: Vec<usize>,
}

/// What has a property that a diff declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertyOwner<'a> {
    /// Nodes.
    Nodes,
    /// The edges of a label.
    Edges(&'a str),
}

/// Where the nodes and edges of a diff went that was taken up by another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Absorbed {
    nodes: u32,
    edges: u32,
}

impl Absorbed {
    /// What a new node of the diff that was taken up is now.
    pub fn node(&self, node: NewNode) -> NewNode {
        NewNode(node.0 + self.nodes)
    }

    /// What a new edge of the diff that was taken up is now.
    pub fn edge(&self, edge: NewEdge) -> NewEdge {
        NewEdge(edge.0 + self.edges)
    }
}

impl Diff {
    /// A diff that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many operations there are; errors count them from 0.
    pub fn len(&self) -> usize {
        self.operations.len()
    }

    /// True if there is no operation.
    pub fn is_empty(&self) -> bool {
        self.operations.is_empty()
    }

    /// How many nodes are added.
    pub fn new_nodes(&self) -> usize {
        self.new_nodes as usize
    }

    /// How many edges are added.
    pub fn new_edges(&self) -> usize {
        self.new_edges as usize
    }

    /// Bytes of memory that its operations take.
    pub fn heap_bytes(&self) -> usize {
        size_of_val(&*self.operations)
            + size_of_val(&*self.operands)
            + size_of_val(&*self.values)
            + self.texts.pool.len()
            + size_of_val(&*self.texts.ends)
    }

    /// Adds a node with these labels, of which there may be none.
    pub fn add_node(&mut self, labels: &[&str]) -> NewNode {
        let labels: Vec<u32> = labels.iter().map(|label| self.names.number(*label)).collect();
        let set = self.label_sets.number(&labels[..]);
        self.push(Kind::AddNode, set, [false; 2], &[]);
        self.new_nodes += 1;
        NewNode(self.new_nodes - 1)
    }

    /// Adds an edge behind those of its label that both nodes have.
    pub fn add_edge(&mut self, label: &str, from: impl Into<NodeRef>, to: impl Into<NodeRef>) -> NewEdge {
        let label = self.names.number(label);
        let [(from, from_is_new), (to, to_is_new)] = [from.into(), to.into()].map(number_of);
        self.push(Kind::AddEdge, label, [from_is_new, to_is_new], &[from, to]);
        self.new_edges += 1;
        NewEdge(self.new_edges - 1)
    }

    /// Removes a node with its edges and values.
    pub fn remove_node(&mut self, node: u32) {
        self.push(Kind::RemoveNode, 0, [false; 2], &[node]);
    }

    /// Removes the edge of a label that has this rank. Where the edges of the tree label follow from the order of nodes, those
    /// that were there when the columns were written are named by their targets instead.
    pub fn remove_edge(&mut self, label: &str, rank: u32) {
        let label = self.names.number(label);
        self.push(Kind::RemoveEdge, label, [false; 2], &[rank]);
    }

    /// Gives a node or an edge these values of a property, instead of all that it has.
    pub fn set<'a, 'v, V: Into<NewValue<'v>>>(
        &mut self,
        owner: impl Into<ElementRef<'a>>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) {
        self.push_values([Kind::SetOfNode, Kind::SetOfEdge], owner.into(), property, values);
    }

    /// Gives a node or an edge these values of a property in addition, behind those that it has.
    pub fn append<'a, 'v, V: Into<NewValue<'v>>>(
        &mut self,
        owner: impl Into<ElementRef<'a>>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) {
        self.push_values([Kind::AppendToNode, Kind::AppendToEdge], owner.into(), property, values);
    }

    /// Takes all values of a property from a node or an edge.
    pub fn clear<'a>(&mut self, owner: impl Into<ElementRef<'a>>, property: &str) {
        self.set(owner, property, std::iter::empty::<bool>());
    }

    /// Says that there is a label of this name; one that is there already stays as it is.
    pub fn declare_label(&mut self, name: &str) {
        let name = self.names.number(name);
        self.push(Kind::DeclareLabel, name, [false; 2], &[]);
    }

    /// Says that there is an edge label of this name; one that is there already stays as it is.
    pub fn declare_edge_label(&mut self, name: &str) {
        let name = self.names.number(name);
        self.push(Kind::DeclareEdgeLabel, name, [false; 2], &[]);
    }

    /// Says that there is a property of this name, type and cardinality; one that is there already has to be the same.
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

    /// Takes up that so many nodes and edges were added by operations that were pushed otherwise.
    pub(super) fn count_new(&mut self, other: &Self) -> Absorbed {
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
        let first = self.values.len();
        for value in values {
            let value = self.store(value.into());
            self.values.push(value);
        }
        let count = (self.values.len() - first) as u32;
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

    /// Gives `take` the bytes of everything that it says. Equal diffs give equal bytes.
    pub(super) fn hash(&self, mut take: impl FnMut(&[u8])) {
        let mut number = |number: u64| take(&number.to_le_bytes());
        number(self.operations.len() as u64);
        self.operations.iter().for_each(|word| number(word.to_number().into()));
        self.operands.iter().for_each(|operand| number((*operand).into()));
        for value in &self.values {
            let (kind, bits) = value.to_numbers();
            number(kind);
            number(bits);
        }
        for labels in self.label_sets.all() {
            number(labels.len() as u64);
            labels.iter().for_each(|label| number((*label).into()));
        }
        for (value_type, cardinality) in &self.declared {
            number(*value_type as u64);
            number(*cardinality as u64);
        }
        number(self.texts.ends.len() as u64);
        self.texts.ends.iter().for_each(|end| number(*end as u64));
        take(&self.texts.pool);
        for name in self.names.all() {
            take(&(name.len() as u64).to_le_bytes());
            take(name.as_bytes());
        }
    }

    fn push(&mut self, kind: Kind, name: u32, are_new: [bool; 2], operands: &[u32]) {
        debug_assert_eq!(operands.len(), kind.operands());
        self.operations.push(Word::new(kind, name, are_new));
        self.operands.extend_from_slice(operands);
    }

    fn store(&mut self, value: NewValue<'_>) -> StoredValue {
        match value {
            NewValue::Null => StoredValue::Null,
            NewValue::Bool(value) => StoredValue::Bool(value),
            NewValue::Int(value) => StoredValue::Int(value),
            NewValue::Uint(value) => StoredValue::Uint(value),
            NewValue::F32(value) => StoredValue::F32(value),
            NewValue::F64(value) => StoredValue::F64(value),
            NewValue::Str(text) => StoredValue::Str(self.texts.push(text.as_bytes())),
            NewValue::Bytes(bytes) => StoredValue::Bytes(self.texts.push(&bytes)),
            NewValue::Ref(node) => StoredValue::Ref(node),
        }
    }

    /// The bytes of a value that is text.
    pub(super) fn text_of(&self, stored: StoredValue) -> Option<&[u8]> {
        match stored {
            StoredValue::Str(text) | StoredValue::Bytes(text) => Some(self.texts.get(text)),
            _ => None,
        }
    }

    /// A value that was stored.
    pub(super) fn value(&self, stored: StoredValue) -> NewValue<'_> {
        match stored {
            StoredValue::Null => NewValue::Null,
            StoredValue::Bool(value) => NewValue::Bool(value),
            StoredValue::Int(value) => NewValue::Int(value),
            StoredValue::Uint(value) => NewValue::Uint(value),
            StoredValue::F32(value) => NewValue::F32(value),
            StoredValue::F64(value) => NewValue::F64(value),
            StoredValue::Str(text) => {
                let text = std::str::from_utf8(self.texts.get(text));
                NewValue::Str(text.expect("it came as text"))
            }
            StoredValue::Bytes(bytes) => NewValue::from(self.texts.get(bytes)),
            StoredValue::Ref(node) => NewValue::Ref(node),
        }
    }
}

impl Texts {
    pub(super) fn push(&mut self, text: &[u8]) -> u32 {
        self.pool.extend_from_slice(text);
        self.ends.push(self.pool.len());
        self.ends.len() as u32 - 1
    }

    pub(super) fn get(&self, number: u32) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before as usize]);
        &self.pool[start..self.ends[number as usize]]
    }
}

/// The id of a node or the number of a new one, and whether it is new.
fn number_of(node: NodeRef) -> (u32, bool) {
    match node {
        NodeRef::Node(node) => (node, false),
        NodeRef::New(NewNode(number)) => (number, true),
    }
}
