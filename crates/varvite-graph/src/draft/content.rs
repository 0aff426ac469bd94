//! [`Draft`]: the part of a graph that was read or added so far.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use varvite_format::Quantity;
use varvite_store::{Scratch, Vfs};

use super::fault::DraftFault;
use super::keys::Keys;
use super::label_sets::LabelSets;
use super::names::{Names, check_count, check_name};
use super::values::{DefaultValue, Kind, TAPE_ROOM, Values};
use crate::budget::Reserved;
use crate::budget::{Budget, OverBudget};
use crate::change::Ends;
use crate::change_error::ChangeError;
use crate::cursor::value::Cardinality;
use crate::error::Result;

/// The possible owners of a property: all nodes, or the edges of one label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// All nodes.
    Node,
    /// The edges of the edge label with this number.
    Edge(u32),
}

/// A graph that is being read or built.
#[derive(Debug)]
pub struct Draft {
    pub(super) labels: Names,
    pub(super) edge_labels: Names,
    pub(super) label_sets: LabelSets,
    /// For each node, the code (the number) of its label set.
    pub(super) codes: Vec<u32>,
    /// The edges of each edge label.
    pub(super) edges: Vec<Ends>,
    pub(super) properties: Vec<(Element, Values)>,
    by_name: HashMap<Element, HashMap<String, usize>>,
    keys: Keys,
    pub(super) scratch: Option<Arc<Scratch>>,
    room: Reserved,
    budget: Budget,
}

/// The largest factor by which a source may grow in memory: a value that takes two bytes in the source, its
/// separator included, becomes a 12-byte item on a tape (an append-only buffer).
const GROWTH: u64 = 6;
/// The largest number of nodes of a graph: the number of ids that the format has.
const NODES_MAX: usize = u32::MAX as usize - 1;

impl Draft {
    /// Creates an empty draft for a graph that will be written to `target`. The draft may take `memory_max`
    /// bytes of memory. `source_bytes` is the size of the sources, if it is known.
    ///
    /// # Errors
    /// A target that has no file name.
    pub fn new(
        vfs: Arc<dyn Vfs>,
        target: &Path,
        memory_max: usize,
        source_bytes: Option<u64>,
    ) -> Result<Self, ChangeError> {
        let budget = Budget::new(memory_max);
        let mut room = Reserved::nothing_of(&budget);
        let grown = source_bytes.and_then(|bytes| usize::try_from(bytes.saturating_mul(GROWTH)).ok());
        let fits = grown.is_some_and(|bytes| bytes <= memory_max / 2 && room.take(bytes).is_ok());
        let scratch = match fits {
            true => None,
            false => Some(Arc::new(Scratch::beside(vfs, target, memory_max)?)),
        };
        Ok(Self {
            labels: Names::of("node labels"),
            edge_labels: Names::of("edge labels"),
            label_sets: LabelSets::within(&budget),
            codes: Vec::new(),
            edges: Vec::new(),
            properties: Vec::new(),
            by_name: HashMap::new(),
            keys: Keys::within(&budget),
            scratch,
            room,
            budget,
        })
    }

    /// The memory budget of the draft.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the number of a node label; adds the label if it is new.
    pub fn label(&mut self, name: &str) -> Result<u32, DraftFault> {
        self.labels.number(name)
    }

    /// Returns the number of an edge label; adds the label if it is new.
    pub fn edge_label(&mut self, name: &str) -> Result<u32, DraftFault> {
        let number = self.edge_labels.number(name)?;
        if number as usize == self.edges.len() {
            self.take_tape()?;
            self.edges.push(Ends::with_room(self.scratch.as_ref(), TAPE_ROOM));
        }
        Ok(number)
    }

    /// The number of an edge label; `None` if there is none of this name.
    pub(crate) fn find_edge_label(&self, name: &str) -> Option<u32> {
        self.edge_labels.find(name)
    }

    /// Returns the number of a property; adds the property if it is new. From now on, its values may also
    /// have this kind.
    pub fn property(&mut self, of: Element, name: &str, kind: Kind) -> Result<usize, DraftFault> {
        if let Some(number) = self.find_property(of, name) {
            self.properties[number].1.widen(kind)?;
            return Ok(number);
        }
        check_name("properties", name)?;
        check_count("properties", self.properties.len())?;
        self.take_tape()?;
        self.properties.push((of, Values::new(name, kind, self.scratch.as_ref())));
        let number = self.properties.len() - 1;
        self.by_name.entry(of).or_default().insert(name.to_owned(), number);
        Ok(number)
    }

    /// The number of a property; `None` if there is none of this name.
    pub(crate) fn find_property(&self, of: Element, name: &str) -> Option<usize> {
        self.by_name.get(&of)?.get(name).copied()
    }

    /// Checks that a new property can have this name.
    ///
    /// # Errors
    /// An invalid name, or too many properties.
    pub(crate) fn check_property(&self, name: &str) -> Result<(), DraftFault> {
        check_name("properties", name)?;
        check_count("properties", self.properties.len())
    }

    /// The type of a property's values, and whether owners have lists.
    pub(crate) fn kind(&self, property: usize) -> Kind {
        self.properties[property].1.kind
    }

    /// The declared cardinality of a property; `None` if it is not declared.
    pub(crate) fn declared(&self, property: usize) -> Option<Cardinality> {
        self.properties[property].1.declared
    }

    /// Makes each owner keep a single value of a property, not a list. If several values are added, the last
    /// one is kept.
    pub(crate) fn set_single(&mut self, property: usize) {
        self.properties[property].1.is_single = true;
    }

    /// Sets the cardinality of a property in the schema.
    pub(crate) fn set_declared(&mut self, property: usize, cardinality: Cardinality) {
        self.properties[property].1.declared = Some(cardinality);
    }

    /// Checks that node labels of these names exist or can be added.
    ///
    /// # Errors
    /// The first invalid name.
    pub(crate) fn check_labels(&self, names: &[&str]) -> Result<(), DraftFault> {
        names.iter().try_for_each(|name| self.labels.check(name))
    }

    /// Calls `say` with all names and property descriptions, encoded as bytes. Different schemas give
    /// different sequences of bytes.
    pub(crate) fn say_schema(&self, mut say: impl FnMut(&[u8])) {
        let mut text = |name: &str| {
            say(&(name.len() as u32).to_le_bytes());
            say(name.as_bytes());
        };
        for names in [self.labels.list(), self.edge_labels.list()] {
            names.iter().for_each(|name| text(name));
            text("");
        }
        for (of, values) in &self.properties {
            text(&values.name);
            text(&format!("{of:?} {:?} {:?}", values.kind, values.declared));
        }
    }

    /// The number of edges of a label; 0 if the label does not exist.
    pub(crate) fn edge_count(&self, label: u32) -> u32 {
        self.edges.get(label as usize).map_or(0, Ends::len)
    }

    /// Sets the default value of a property, in its stored form, for owners to which no value is added.
    pub fn set_default(&mut self, property: usize, default: DefaultValue) {
        self.properties[property].1.default = Some(default);
    }

    fn take_tape(&mut self) -> Result<(), DraftFault> {
        if self.scratch.is_some() {
            self.room.take(TAPE_ROOM)?;
        }
        Ok(())
    }

    /// Adds a node with some labels. Edges refer to the node by `key`. Returns `None` if another node has
    /// this key.
    pub fn add_node(&mut self, key: &[u8], labels: &[u32]) -> Result<Option<u32>, DraftFault> {
        self.check_nodes()?;
        let (node, is_new) = self.keys.insert(key)?;
        if is_new {
            self.push_node(labels)?;
        }
        Ok(is_new.then_some(node))
    }

    /// Adds a node without a key, to which no edge can refer.
    pub fn add_nameless_node(&mut self, labels: &[u32]) -> Result<u32, DraftFault> {
        self.check_nodes()?;
        let node = self.keys.skip()?;
        self.push_node(labels)?;
        Ok(node)
    }

    /// Adds a node to a draft in which no node has a key. The node is identified by its number alone.
    pub(crate) fn add_counted_node(&mut self, labels: &[u32]) -> Result<u32, DraftFault> {
        self.check_nodes()?;
        self.push_node(labels)?;
        Ok(self.node_count() - 1)
    }

    fn check_nodes(&self) -> Result<(), ChangeError> {
        let (what, found, limit) = (Quantity::Nodes, self.codes.len() as u64 + 1, NODES_MAX as u64);
        if found > limit { Err(ChangeError::TooLarge { what, found, limit }) } else { Ok(()) }
    }

    fn push_node(&mut self, labels: &[u32]) -> Result<(), DraftFault> {
        self.room.make_room(&mut self.codes, 1)?;
        self.codes.push(self.label_sets.code(labels)?);
        Ok(())
    }

    /// Replaces the labels of a node.
    pub fn set_labels(&mut self, node: u32, labels: &[u32]) -> Result<(), DraftFault> {
        self.codes[node as usize] = self.label_sets.code(labels)?;
        Ok(())
    }

    /// The node with this key.
    pub fn node(&self, key: &[u8]) -> Option<u32> {
        self.keys.find(key)
    }

    /// The number of nodes.
    pub fn node_count(&self) -> u32 {
        self.codes.len() as u32
    }

    /// Adds an edge, and returns its number among the edges of its label.
    pub fn add_edge(&mut self, label: u32, source: u32, target: u32) -> Result<u32, DraftFault> {
        let edges = &mut self.edges[label as usize];
        let number = edges.len();
        if number == u32::MAX {
            let (what, found, limit) = (Quantity::Edges, u64::from(u32::MAX) + 1, u64::from(u32::MAX));
            return Err(ChangeError::TooLarge { what, found, limit }.into());
        }
        edges.push(source, target)?;
        Ok(number)
    }

    /// Gives an owner an integer, a Boolean (0 or 1) or the bits of an `f64`, depending on the type of the
    /// property.
    pub fn put_number(&mut self, property: usize, owner: u32, number: i64) -> Result<(), DraftFault> {
        self.properties[property].1.put_number(owner, number)?;
        self.check_encodable(property)
    }

    /// Gives an owner a text value.
    ///
    /// # Errors
    /// The errors of [`Draft::put_number`]; a text that no column can hold.
    pub fn put_text(&mut self, property: usize, owner: u32, text: &str) -> Result<(), DraftFault> {
        self.put_bytes(property, owner, Some(text.as_bytes()))
    }

    /// Gives an owner a text or bytes; `None` is null.
    pub(crate) fn put_bytes(
        &mut self,
        property: usize,
        owner: u32,
        bytes: Option<&[u8]>,
    ) -> Result<(), DraftFault> {
        self.properties[property].1.put_text(owner, bytes)?;
        self.check_encodable(property)
    }

    /// Refuses a property as soon as its values can no longer be encoded within the budget, instead of first
    /// filling the disk with them.
    #[inline]
    fn check_encodable(&self, property: usize) -> Result<(), DraftFault> {
        let (needed, limit) = (self.properties[property].1.bytes_to_encode(), self.budget.limit());
        if needed <= limit as u64 || self.may_stream(property) {
            return Ok(());
        }
        let needed = usize::try_from(needed).unwrap_or(usize::MAX);
        Err(OverBudget { limit, needed }.into())
    }

    /// Whether the values of a property can be sorted on disk if they do not fit in memory.
    pub(super) fn may_stream(&self, property: usize) -> bool {
        let (of, values) = &self.properties[property];
        self.scratch.is_some() && *of == Element::Node && values.default.is_none()
    }

    /// Frees the keys of nodes and the names of properties, which are not needed after reading.
    pub(super) fn forget_keys(&mut self) {
        self.keys = Keys::within(&self.budget);
        self.by_name = HashMap::new();
    }
}
