//! [`NewGraph`]: a graph that is being built.

use varvite_format::{Fault, InputError};
use varvite_store::StagedFile;

use super::added::{Added, AddedEdge};
use super::call_digest::CallDigest;
use super::stored::{Stored, type_of};
use crate::change::{NewValue, PropertyOwner};
use crate::change_error::ChangeError;
use crate::cursor::value::{Cardinality, ValueType};
use crate::draft::{Draft, DraftOptions, Element, Kind, Source, Written};
use crate::error::{GraphError, Result};

/// A new graph with a custom schema. Nodes, edges and values are added one by one, in any order in which both
/// ends of an edge are added before the edge. [`NewGraph::finish`] writes the file, whole or not at all.
///
/// Labels, edge labels and properties need not be declared: each exists from its first use on, and a property
/// has the type of its first value. Declare names that may remain unused, so that readers still find them,
/// and properties whose type does not follow from the first value.
///
/// # Cost
/// A call looks up each of its names, and writes its data. Memory while elements are added: 4 bytes for each
/// node, temporarily up to twice that, and 16 kB for each edge label and each property. Edges and values go
/// to a temporary file beside the graph (8 bytes for an edge, 12 for a number, 8 plus its bytes for a text).
/// Memory of [`NewGraph::finish`]: 8 bytes for each node; for the edges of one label, 16 bytes for each node
/// and 24 for each edge (48 if the edges have a property); for one property, 16 bytes for each owner (node,
/// or edge of its label), and 32 for each number, or 64 for each text plus 3 for each of its bytes. These
/// figures are for one thread; further threads are used if memory is left. If [`NewGraph::finish`] would need
/// more than [the memory of the task](crate::NewGraphOptions::task), then edges without properties, and
/// values of nodes, are sorted on disk instead, and their columns are packed, whatever the profile.
/// Properties of edges, properties with an index, and edges of the [`tree`](crate::NewGraphOptions::tree)
/// must fit in memory; otherwise [`GraphError::OverBudget`] reports the memory that they need.
///
/// # Errors
/// A call with a node or edge that does not exist, a value that does not fit, or an invalid name changes
/// nothing, and a later call may succeed. After any other error every call fails with that error, and no file
/// is created.
///
/// # Example
/// ```
/// use varvite::{Graph, NewGraph};
///
/// # let folder = std::env::temp_dir().join(format!("varvite-new-graph-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("crates.varvite");
/// let mut new = NewGraph::create(&path)?;
/// let app = new.add_node(&["CRATE"])?;
/// new.set(app, "NAME", "app")?;
/// let serde = new.add_node(&["CRATE"])?;
/// new.set(serde, "NAME", "serde")?;
/// let edge = new.add_edge("DEPENDS_ON", app, serde)?;
/// new.set(edge, "REQUIREMENT", "^1.0")?;
/// new.finish()?;
///
/// let graph = Graph::open(&path)?;
/// assert!(graph.out("DEPENDS_ON")?.neighbors(app).eq([serde]));
/// # drop(graph);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "there is no file before `finish`"]
pub struct NewGraph<'a> {
    draft: Draft,
    file: StagedFile,
    options: DraftOptions<'a>,
    said: CallDigest,
    /// A buffer for the label numbers of the node that is being added.
    labels: Vec<u32>,
    /// The number of calls, modulo 2^32.
    calls: u32,
    /// The number of finished operations that were passed as bytes.
    pub(super) operations: u64,
    /// The error after which no file can be written.
    failure: Option<ChangeError>,
}

/// Counts of the written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewGraphReport {
    /// The number of nodes.
    pub nodes: u32,
    /// The number of edges.
    pub edges: u64,
    /// The size of the new file in bytes.
    pub file_len: u64,
    /// BLAKE3 of all successful calls: equal for equal calls, in every language. It is stored as the source
    /// of the graph's layer.
    pub digest: [u8; 32],
}

/// The name of the tool in the graph's layer.
const TOOL: &str = "NewGraph";
/// The number of calls between two checks for cancellation.
const CALLS: u32 = 4096;

/// The numbers that stand for the kinds of calls in the hash.
const NODE: u32 = 0;
const EDGE: u32 = 1;
const NUMBER: u32 = 2;
const TEXT: u32 = 3;
const NULL_TEXT: u32 = 4;

impl<'a> NewGraph<'a> {
    pub(super) fn of(draft: Draft, file: StagedFile, options: DraftOptions<'a>) -> Self {
        let (said, labels) = (CallDigest::default(), Vec::new());
        Self { draft, file, options, said, labels, calls: 0, operations: 0, failure: None }
    }

    /// The number of nodes; the next node gets this number.
    pub fn node_count(&self) -> u32 {
        self.draft.node_count()
    }

    /// Adds a node with these labels, possibly none. Returns the number of the node, counted from 0. The
    /// number is the id in the file, unless the graph has a [`tree`](crate::NewGraphOptions::tree).
    ///
    /// # Errors
    /// [`ChangeError::Input`] for a label that is empty, longer than 4096 bytes or contains NUL, and for more
    /// than 16,384 labels; [`ChangeError::TooLarge`] for more nodes than ids; [`GraphError::OverBudget`];
    /// cancellation.
    pub fn add_node(&mut self, labels: &[&str]) -> Result<u32, ChangeError> {
        self.call(|new| {
            new.draft.check_labels(labels)?;
            new.labels.clear();
            for label in labels {
                let number = new.draft.label(label)?;
                new.labels.push(number);
            }
            let node = new.draft.add_counted_node(&new.labels)?;
            [NODE, new.labels.len() as u32].into_iter().for_each(|number| new.said.number(number));
            new.labels.iter().for_each(|label| new.said.number(*label));
            Ok(node)
        })
    }

    /// Adds an edge. In the lists of both nodes it follows the existing edges of its label.
    ///
    /// # Errors
    /// [`GraphError::NoSuchNode`]; the errors of [`NewGraph::add_node`] for the label; an error of the
    /// temporary file.
    pub fn add_edge(&mut self, label: &str, from: u32, to: u32) -> Result<AddedEdge, ChangeError> {
        self.call(|new| {
            [from, to].into_iter().try_for_each(|node| new.check_node(node))?;
            let label = new.draft.edge_label(label)?;
            let number = new.draft.add_edge(label, from, to)?;
            [EDGE, label, from, to].into_iter().for_each(|number| new.said.number(number));
            Ok(AddedEdge { label, number })
        })
    }

    /// The edge with this number among the edges of its label, counted from 0 in the order in which they were
    /// added. This method is for programs that store only the number ([`AddedEdge::number`]).
    ///
    /// # Errors
    /// [`ChangeError::Input`] if the label has no edge with this number.
    pub fn edge(&self, label: &str, number: u32) -> Result<AddedEdge, ChangeError> {
        let Some(label) = self.draft.find_edge_label(label) else { return Err(no_such_edge(number, 0)) };
        let edge = AddedEdge { label, number };
        self.element(edge.into()).map(|_| edge)
    }

    /// Gives a node or an edge the value of a property, and replaces an existing value. A property that is
    /// not declared and has no value yet gets the type of this value. For an integer this is `i64`, if the
    /// integer fits.
    ///
    /// # Errors
    /// [`GraphError::WrongType`] or [`ChangeError::Input`] for a value that the property cannot hold, and for
    /// a property of lists; [`GraphError::NoSuchNode`], or [`ChangeError::Input`] for an edge of another
    /// graph; the errors of [`NewGraph::add_edge`] for the name; [`GraphError::OverBudget`] if the property
    /// has more values than can be encoded in memory.
    pub fn set<'v>(
        &mut self,
        owner: impl Into<Added>,
        property: &str,
        value: impl Into<NewValue<'v>>,
    ) -> Result<(), ChangeError> {
        self.put(owner.into(), property, &[value.into()], false)
    }

    /// Appends values to a list property of a node or an edge, after the values that it already has. A
    /// property that is not declared gets the type of the first value, as with [`NewGraph::set`]. A call
    /// without values does nothing.
    ///
    /// # Errors
    /// The errors of [`NewGraph::set`]; [`ChangeError::Input`] for a property that holds a single value.
    /// After an error, none of the values was added.
    pub fn append<'v, V: Into<NewValue<'v>>>(
        &mut self,
        owner: impl Into<Added>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), ChangeError> {
        let values: Vec<NewValue<'v>> = values.into_iter().map(Into::into).collect();
        self.put(owner.into(), property, &values, true)
    }

    /// Declares a label of this name; an existing label stays unchanged.
    ///
    /// # Errors
    /// The errors of [`NewGraph::add_node`].
    pub fn declare_label(&mut self, name: &str) -> Result<(), ChangeError> {
        self.call(|new| Ok(new.draft.label(name).map(drop)?))
    }

    /// Declares an edge label of this name; an existing edge label stays unchanged.
    ///
    /// # Errors
    /// The errors of [`NewGraph::add_node`].
    pub fn declare_edge_label(&mut self, name: &str) -> Result<(), ChangeError> {
        self.call(|new| Ok(new.draft.edge_label(name).map(drop)?))
    }

    /// Declares a property of this name, type and cardinality; an existing property must have the same type
    /// and cardinality. A property without a declaration has [`Cardinality::One`] if all nodes of the label
    /// sets that use it have a value, and [`Cardinality::Optional`] otherwise.
    ///
    /// # Errors
    /// [`GraphError::WrongType`] if the property has another type; [`ChangeError::Input`] if it has another
    /// cardinality; the errors of [`NewGraph::add_node`] for names.
    pub fn declare_property(
        &mut self,
        name: &str,
        owner: PropertyOwner<'_>,
        value_type: ValueType,
        cardinality: Cardinality,
    ) -> Result<(), ChangeError> {
        self.call(|new| {
            new.draft.check_property(name)?;
            let of = match owner {
                PropertyOwner::Nodes => Element::Node,
                PropertyOwner::Edges(label) => Element::Edge(new.draft.edge_label(label)?),
            };
            let kind = Kind { value_type, is_list: cardinality == Cardinality::List };
            let property = match new.draft.find_property(of, name) {
                Some(known) => new.check_declared(known, name, kind, cardinality).map(|()| known)?,
                None => new.add_property(of, name, kind)?,
            };
            new.draft.set_declared(property, cardinality);
            Ok(())
        })
    }

    /// Writes the file: it appears whole and durable at its path, or not at all. Equal calls give equal
    /// files. Reads the additions of each column a few times, on as many threads as memory allows; see
    /// [`NewGraph`] for the memory.
    ///
    /// # Errors
    /// [`ChangeError::Input`] if there is no node; [`GraphError::Unknown`] and [`GraphError::WrongType`] for
    /// a tree or an index of a label or property that the graph does not have; [`ChangeError::TooLarge`] for
    /// more texts or values of a property than a column holds; [`GraphError::OverBudget`]; cancellation; an
    /// error of the file system; any earlier error. In all these cases, no new file is created, and an old
    /// file is unchanged.
    pub fn finish(self) -> Result<NewGraphReport, ChangeError> {
        let Self { draft, file, options, mut said, failure, .. } = self;
        failure.map_or(Ok(()), Err)?;
        if draft.node_count() == 0 {
            let fault = Fault::TooFew { what: "nodes", least: 1, found: 0 };
            return Err(InputError::new("graph", fault).into());
        }
        draft.say_schema(|bytes| said.bytes(bytes));
        let digest = said.digest();
        let Written { nodes, edges, file_len } =
            draft.write_into(|| Ok(file), Source { tool: TOOL, digest }, &options)?;
        Ok(NewGraphReport { nodes, edges, file_len, digest })
    }

    /// Runs the work of a call, unless an earlier error has made the graph unusable.
    fn call<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, ChangeError>) -> Result<T, ChangeError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.calls = self.calls.wrapping_add(1);
        let checked = if self.calls.is_multiple_of(CALLS) { self.options.task.check() } else { Ok(()) };
        let done = checked.map_err(ChangeError::from).and_then(|()| work(self));
        if let Err(error) = &done
            && !is_of_call(error)
        {
            self.failure = Some(error.clone());
        }
        done
    }

    fn put(
        &mut self,
        owner: Added,
        property: &str,
        values: &[NewValue<'_>],
        is_list: bool,
    ) -> Result<(), ChangeError> {
        let Some(first) = values.first() else { return Ok(()) };
        self.call(|new| {
            let (of, number) = new.element(owner)?;
            let known = new.draft.find_property(of, property);
            let value_type = match known {
                Some(known) => new.check_list(known, property, is_list)?.value_type,
                None => type_of(first, property)?,
            };
            let nodes = new.node_count();
            let stored = |value| Stored::of(value, value_type, property, nodes);
            // All values are checked before the first is stored.
            values.iter().try_for_each(|value| stored(value).map(drop))?;
            let place = match known {
                Some(known) => known,
                None => new.add_property(of, property, Kind { value_type, is_list })?,
            };
            values.iter().try_for_each(|value| new.put_stored(place, number, stored(value)?))
        })
    }

    fn put_stored(&mut self, property: usize, owner: u32, value: Stored<'_>) -> Result<(), ChangeError> {
        let kind = match value {
            Stored::Number(_) => NUMBER,
            Stored::Bytes(Some(_)) => TEXT,
            Stored::Bytes(None) => NULL_TEXT,
        };
        [kind, property as u32, owner].into_iter().for_each(|number| self.said.number(number));
        match value {
            Stored::Number(number) => {
                self.said.bytes(&number.to_le_bytes());
                self.draft.put_number(property, owner, number)?;
            }
            Stored::Bytes(bytes) => {
                let text = bytes.unwrap_or_default();
                self.said.bytes(&(text.len() as u64).to_le_bytes());
                self.said.bytes(text);
                self.draft.put_bytes(property, owner, bytes)?;
            }
        }
        Ok(())
    }

    fn add_property(&mut self, of: Element, name: &str, kind: Kind) -> Result<usize, ChangeError> {
        let property = self.draft.property(of, name, kind)?;
        if !kind.is_list {
            self.draft.set_single(property);
        }
        Ok(property)
    }

    fn check_node(&self, node: u32) -> Result<(), ChangeError> {
        let nodes = self.node_count();
        if node < nodes { Ok(()) } else { Err(GraphError::NoSuchNode { node: node.into(), nodes }.into()) }
    }

    /// The kind of an owner, and its number among owners of its kind.
    fn element(&self, owner: Added) -> Result<(Element, u32), ChangeError> {
        match owner {
            Added::Node(node) => self.check_node(node).map(|()| (Element::Node, node)),
            Added::Edge(AddedEdge { label, number }) => {
                let count = self.draft.edge_count(label);
                if number < count {
                    Ok((Element::Edge(label), number))
                } else {
                    Err(no_such_edge(number, count))
                }
            }
        }
    }

    /// The kind of a property. Fails if `is_list` is true and the property has no lists, or if `is_list` is
    /// false and it has lists.
    fn check_list(&self, property: usize, name: &str, is_list: bool) -> Result<Kind, ChangeError> {
        let kind = self.draft.kind(property);
        if kind.is_list == is_list {
            return Ok(kind);
        }
        let what = match kind.is_list {
            true => "values that are appended, as the property has lists",
            false => "one value that is set, as the property has no lists",
        };
        Err(InputError::new(format!("property {name}"), Fault::Others { what }).into())
    }

    /// Checks that a property may be declared with this kind and cardinality.
    fn check_declared(
        &self,
        property: usize,
        name: &str,
        kind: Kind,
        cardinality: Cardinality,
    ) -> Result<(), ChangeError> {
        let known = self.check_list(property, name, kind.is_list)?.value_type;
        if known != kind.value_type {
            let (expected, found) = (kind.value_type.name(), known.name());
            return Err(GraphError::WrongType { name: name.to_owned(), expected, found }.into());
        }
        match self.draft.declared(property) {
            Some(declared) if declared != cardinality => {
                let what = "the cardinality that was declared before";
                Err(InputError::new(format!("property {name}"), Fault::Others { what }).into())
            }
            _ => Ok(()),
        }
    }
}

fn no_such_edge(number: u32, count: u32) -> ChangeError {
    let fault = Fault::NoSuch { what: "edge of the label", number: number.into(), count: count.into() };
    InputError::new("owner", fault).into()
}

/// Whether an error concerns only the call that failed, which then changed nothing.
fn is_of_call(error: &ChangeError) -> bool {
    matches!(
        error,
        ChangeError::Input(_)
            | ChangeError::Graph(GraphError::WrongType { .. } | GraphError::NoSuchNode { .. })
    )
}
