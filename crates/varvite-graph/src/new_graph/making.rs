//! [`NewGraph`]: a graph in the making.

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

/// A new graph of a schema of one's own. Nodes, edges and values come one by one, in any order in which the
/// ends of an edge come before it; [`NewGraph::finish`] writes the file, whole or not at all.
///
/// Labels, edge labels and properties need not be declared: each is there from its first use, and a property
/// has the type of its first value. Declare names that the graph may have no use of, so that readers find
/// them, and types that the first value does not decide.
///
/// # Cost
/// A call costs a look-up of each name, and the writing of its data. Memory: 4 bytes for each node, up to
/// twice that while they come, and 16 kB for each edge label and each property; edges and values go to a
/// temporary file beside the graph (8 bytes for an edge, 12 for a number, 8 and its bytes for a text).
/// [`NewGraph::finish`] takes 8 bytes for each node, and for the edges of one label 16 bytes for each node
/// and 24 for each edge (48 if they have a property); for one property 16 bytes for each node (or edge of its
/// label), 32 for each value, or 64 for each text and 3 for each of its bytes. These figures are for one
/// thread: others work where there is memory left. Where that is more than [the memory of its
/// task](crate::NewGraphOptions::task) leaves, edges without properties and values of nodes are sorted on the
/// disk instead, and their columns are packed, whatever the profile. The rest has to have room:
/// [`GraphError::OverBudget`] has the memory needed for properties of edges, those with an index, and edges
/// of the [`tree`](crate::NewGraphOptions::tree).
///
/// # Errors
/// A call with a missing node or edge, an unfit value or an invalid name changes nothing, and a later call
/// may succeed. After any other error every call ends with it, and there is no file.
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
    /// The numbers of the labels of a node, while it is added.
    labels: Vec<u32>,
    /// The number of calls, modulo 2^32.
    calls: u32,
    /// The number of finished operations from bytes.
    pub(super) operations: u64,
    /// The reason why there will be no file.
    failure: Option<ChangeError>,
}

/// Counts of the written file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NewGraphReport {
    /// Nodes of the graph.
    pub nodes: u32,
    /// Its edges.
    pub edges: u64,
    /// Size of the new file in bytes.
    pub file_len: u64,
    /// BLAKE3 of all successful calls: equal for equal calls, from every language. It is the source of the
    /// graph's layer.
    pub digest: [u8; 32],
}

/// The name of the tool in the graph's layer.
const TOOL: &str = "NewGraph";
/// Calls between two checks of the cancel flag.
const CALLS: u32 = 4096;

/// Kinds of calls, as they are hashed.
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

    /// The number of nodes; the next one gets this number.
    pub fn node_count(&self) -> u32 {
        self.draft.node_count()
    }

    /// Adds a node with these labels; there may be none. Returns its number: nodes are counted from 0, and
    /// the number is the id in the file, unless this has a [`tree`](crate::NewGraphOptions::tree).
    ///
    /// # Errors
    /// [`ChangeError::Input`] for a label that is empty, longer than 4096 bytes or has a NUL, and for more
    /// than 16,384 of them; [`ChangeError::TooLarge`] for more nodes than ids; [`GraphError::OverBudget`];
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

    /// Adds an edge behind those of its label that both nodes have.
    ///
    /// # Errors
    /// [`GraphError::NoSuchNode`]; as [`NewGraph::add_node`] for the label; an error of the temporary file.
    pub fn add_edge(&mut self, label: &str, from: u32, to: u32) -> Result<AddedEdge, ChangeError> {
        self.call(|new| {
            [from, to].into_iter().try_for_each(|node| new.check_node(node))?;
            let label = new.draft.edge_label(label)?;
            let number = new.draft.add_edge(label, from, to)?;
            [EDGE, label, from, to].into_iter().for_each(|number| new.said.number(number));
            Ok(AddedEdge { label, number })
        })
    }

    /// The edge that was added as this one of its label, counted from 0: for programs that keep the number
    /// alone ([`AddedEdge::number`]).
    ///
    /// # Errors
    /// [`ChangeError::Input`] if there are fewer edges of the label.
    pub fn edge(&self, label: &str, number: u32) -> Result<AddedEdge, ChangeError> {
        let Some(label) = self.draft.find_edge_label(label) else { return Err(no_such_edge(number, 0)) };
        let edge = AddedEdge { label, number };
        self.element(edge.into()).map(|_| edge)
    }

    /// Gives a node or an edge the value of a property, instead of the one that it has. A property that is
    /// not declared and has no value yet gets the type of this one: `i64` for integers that it holds.
    ///
    /// # Errors
    /// [`GraphError::WrongType`] or [`ChangeError::Input`] for a value that the property can't hold, and for
    /// a property of lists; [`GraphError::NoSuchNode`], or [`ChangeError::Input`] for an edge of another
    /// graph; as [`NewGraph::add_edge`] for the name; [`GraphError::OverBudget`] if all values of the
    /// property are too many to be encoded.
    pub fn set<'v>(
        &mut self,
        owner: impl Into<Added>,
        property: &str,
        value: impl Into<NewValue<'v>>,
    ) -> Result<(), ChangeError> {
        self.put(owner.into(), property, &[value.into()], false)
    }

    /// Gives a node or an edge these values of a property of lists in addition, behind those that it has. A
    /// property that is not declared gets the type of the first value, as by [`NewGraph::set`]. No values are
    /// no call.
    ///
    /// # Errors
    /// As [`NewGraph::set`]; [`ChangeError::Input`] for a property that has one value. Then none of them was
    /// added.
    pub fn append<'v, V: Into<NewValue<'v>>>(
        &mut self,
        owner: impl Into<Added>,
        property: &str,
        values: impl IntoIterator<Item = V>,
    ) -> Result<(), ChangeError> {
        let values: Vec<NewValue<'v>> = values.into_iter().map(Into::into).collect();
        self.put(owner.into(), property, &values, true)
    }

    /// Declares a label of this name; an existing one stays as it is.
    ///
    /// # Errors
    /// As [`NewGraph::add_node`].
    pub fn declare_label(&mut self, name: &str) -> Result<(), ChangeError> {
        self.call(|new| Ok(new.draft.label(name).map(drop)?))
    }

    /// Declares an edge label of this name; an existing one stays as it is.
    ///
    /// # Errors
    /// As [`NewGraph::add_node`].
    pub fn declare_edge_label(&mut self, name: &str) -> Result<(), ChangeError> {
        self.call(|new| Ok(new.draft.edge_label(name).map(drop)?))
    }

    /// Declares a property of this name, type and cardinality; an existing one has to be the same. A property
    /// without a declaration has [`Cardinality::One`] if all nodes of the label sets that use it have a
    /// value, and else [`Cardinality::Optional`].
    ///
    /// # Errors
    /// [`GraphError::WrongType`] if the property has another type, [`ChangeError::Input`] if it has another
    /// cardinality; as [`NewGraph::add_node`] for names.
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

    /// Writes the file: it appears whole at its path, durable, or not at all. Equal calls make equal files.
    /// Costs a pass over all additions for each column, on as many threads as there is memory for; see
    /// [`NewGraph`] for the memory.
    ///
    /// # Errors
    /// [`ChangeError::Input`] if there is no node; [`GraphError::Unknown`] and [`GraphError::WrongType`] for
    /// a tree or an index of a label or property that the graph does not have; [`ChangeError::TooLarge`] for
    /// more texts or values of a property than a column holds; [`GraphError::OverBudget`]; cancellation; an
    /// error of the file system; any earlier error. There is no new file then, and an old one is as it was.
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

    /// Runs the work of a call, unless an earlier failure has ended the graph.
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
            // All are checked before the first is stored.
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

    /// The owner of a value, and its number among its kind.
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

    /// The type of a property that has lists, or none.
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

    /// Passes if a property may be declared as this.
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

/// Whether an error is one of the call alone: nothing was changed.
fn is_of_call(error: &ChangeError) -> bool {
    matches!(
        error,
        ChangeError::Input(_)
            | ChangeError::Graph(GraphError::WrongType { .. } | GraphError::NoSuchNode { .. })
    )
}
