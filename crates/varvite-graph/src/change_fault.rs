//! [`ChangeFault`]: the reason why an operation of a diff is refused.

use std::fmt;

use varvite_format::{ErrorCode, Fault, InputError};

use crate::name_kind::NameKind;
use crate::nearest::Nearest;

/// The reason why an operation of a diff is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeFault {
    /// The graph has no element of this name, and the diff does not declare one.
    Unknown {
        /// The kind of element.
        kind: NameKind,
        /// The unknown name.
        name: String,
        /// The most similar name in the graph.
        nearest: Option<String>,
    },
    /// The graph has no node with this id.
    NoSuchNode {
        /// The id that was given.
        node: u32,
        /// The number of nodes of the graph.
        nodes: u32,
    },
    /// The node was removed, by this diff or before it.
    RemovedNode {
        /// Id of the node.
        node: u32,
    },
    /// The edge label has no edge with this rank.
    NoSuchEdge {
        /// Label of the edge.
        edge_label: String,
        /// The rank that was given.
        rank: u32,
        /// The upper limit: every valid rank is below this number.
        edges: u32,
    },
    /// The edge was removed, by this diff or before it.
    RemovedEdge {
        /// Label of the edge.
        edge_label: String,
        /// Rank of the edge.
        rank: u32,
    },
    /// An operation refers to a new node or edge by a number that this diff has not assigned. The node or
    /// edge belongs to another diff.
    NoSuchNew {
        /// Number of the new node or edge.
        number: u32,
        /// The number of nodes or edges that this diff adds.
        count: u32,
    },
    /// A value does not have the type of the property, or does not fit in that type.
    WrongType {
        /// Name of the property.
        property: String,
        /// Type of the property.
        expected: &'static str,
        /// The value in the diff, or its type, as text.
        found: String,
    },
    /// An operation gives several values to an owner, but the property holds at most one value for each
    /// owner.
    NotAList {
        /// Name of the property.
        property: String,
    },
    /// The diff declares a property that exists already with another type or cardinality.
    Declared {
        /// Name of the property.
        property: String,
        /// Type and cardinality of the existing property, in words.
        found: String,
    },
    /// The diff declares an invalid name: it is empty, or contains a NUL.
    NotAName {
        /// The kind of the declared element.
        kind: NameKind,
        /// The invalid name.
        name: String,
        /// The reason why the name is invalid.
        fault: Box<Fault>,
    },
    /// The diff gives a property to the edges of the forest label. These edges are not stored, but computed
    /// from the order of nodes; they have no ranks, so they cannot have properties.
    WithoutRanks {
        /// Name of the edge label.
        edge_label: String,
    },
    /// The diff of a layer uses a name that another layer declared; it may only use names that it declares
    /// itself.
    NotOfLayer {
        /// The kind of the name.
        kind: NameKind,
        /// The name that the graph already has.
        name: String,
        /// The layer that declared the name.
        layer: String,
    },
    /// The diff of a layer adds a node without labels. Labels are the only link from a node to its layer, so
    /// each node of a layer needs one.
    NoLabel,
    /// The diff of a layer removes a node, an edge or a value.
    RemovedByLayer,
    /// A node has a label of a layer that can be dropped, and also a label of another layer.
    MixedLabels {
        /// The label that belongs to `layer`.
        label: String,
        /// The layer that can be dropped.
        layer: String,
        /// The label of another layer.
        other: String,
    },
    /// An operation removes an element or clears a value in a new graph whose file is not finished.
    NotAnAddition,
    /// An operation has an invalid argument in a new graph whose file is not finished.
    Input(Box<InputError>),
    /// The graph would have more nodes, edges or values than a graph can have.
    TooMany {
        /// The kind of elements that were counted, in words.
        what: &'static str,
        /// The largest number that a graph can have.
        most: u64,
    },
}

impl ChangeFault {
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Unknown { .. } => ErrorCode::Unknown,
            Self::NoSuchNode { .. } => ErrorCode::NoSuchNode,
            Self::WrongType { .. } => ErrorCode::WrongType,
            Self::TooMany { .. } => ErrorCode::TooLarge,
            Self::RemovedNode { .. }
            | Self::NoSuchEdge { .. }
            | Self::RemovedEdge { .. }
            | Self::NoSuchNew { .. }
            | Self::NotAList { .. }
            | Self::Declared { .. }
            | Self::NotAName { .. }
            | Self::NotOfLayer { .. }
            | Self::NoLabel
            | Self::RemovedByLayer
            | Self::MixedLabels { .. }
            | Self::NotAnAddition
            | Self::Input(_)
            | Self::WithoutRanks { .. } => ErrorCode::Argument,
        }
    }
}

impl fmt::Display for ChangeFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { kind, name, nearest } => {
                write!(formatter, "there is no {kind} {name:?} in this graph{}", Nearest(nearest))?;
                formatter.write_str("; a diff can declare it")
            }
            Self::NoSuchNode { node, nodes } => {
                write!(formatter, "there is no node {node}: ids are below {nodes}")
            }
            Self::RemovedNode { node } => write!(formatter, "node {node} is removed"),
            Self::NoSuchEdge { edge_label, rank, edges } => {
                write!(formatter, "there is no edge {edge_label} of rank {rank}: ranks are below {edges}")
            }
            Self::RemovedEdge { edge_label, rank } => {
                write!(formatter, "edge {edge_label} of rank {rank} is removed")
            }
            Self::NoSuchNew { number, count } => {
                write!(formatter, "new number {number} belongs to another diff: this one adds only {count}")
            }
            Self::WrongType { property, expected, found } => {
                write!(formatter, "property {property} holds {expected}, {found} does not fit")
            }
            Self::NotAList { property } => {
                write!(formatter, "property {property} is not a list and holds at most one value")
            }
            Self::Declared { property, found } => {
                write!(formatter, "property {property} exists already and is {found}")
            }
            Self::NotAName { kind, name, fault } => {
                write!(formatter, "{kind} {name:?} can't be declared: {fault}")
            }
            Self::WithoutRanks { edge_label } => write!(
                formatter,
                "edges {edge_label} are implied by the order of nodes; without ranks they cannot have \
                 properties"
            ),
            Self::NotOfLayer { kind, name, layer } => write!(
                formatter,
                "{kind} {name} belongs to layer {layer}: a layer may only use names that it declares itself"
            ),
            Self::NoLabel => {
                write!(formatter, "a node of a layer needs a label of the layer, this one has none")
            }
            Self::RemovedByLayer => {
                write!(formatter, "a layer can only add: apply removals without a layer")
            }
            Self::MixedLabels { label, layer, other } => write!(
                formatter,
                "label {label} belongs to layer {layer}, whose nodes cannot have other labels, such as \
                 {other}"
            ),
            Self::NotAnAddition => {
                write!(
                    formatter,
                    "a new graph accepts only additions: remove or clear after its file is finished"
                )
            }
            Self::Input(error) => write!(formatter, "{error}"),
            Self::TooMany { what, most } => {
                write!(formatter, "too many {what}: a graph can have {most}")
            }
        }
    }
}
