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
        /// The id that no node has.
        node: u32,
        /// The number of ids: valid ids are below it.
        nodes: u32,
    },
    /// The node was removed, by this diff or before it.
    RemovedNode {
        /// The id of the removed node.
        node: u32,
    },
    /// The label has no edge of this rank.
    NoSuchEdge {
        /// The label of the edge.
        edge_label: String,
        /// The rank that no edge has.
        rank: u32,
        /// The number of ranks: valid ranks are below it.
        edges: u32,
    },
    /// The edge was removed, by this diff or before it.
    RemovedEdge {
        /// The label of the edge.
        edge_label: String,
        /// The rank of the edge.
        rank: u32,
    },
    /// The diff adds no node or edge with this number: the new element belongs to another diff.
    NoSuchNew {
        /// The number of the new element.
        number: u32,
        /// The number of nodes or edges that the diff adds.
        count: u32,
    },
    /// A value does not have the type of the property, or does not fit in that type.
    WrongType {
        /// The name of the property.
        property: String,
        /// The type of the property.
        expected: &'static str,
        /// The value of the diff.
        found: String,
    },
    /// A diff gives more than one value to a property with at most one value.
    NotAList {
        /// The name of the property.
        property: String,
    },
    /// A diff declares a property that already exists with another type or cardinality.
    Declared {
        /// The name of the property.
        property: String,
        /// The type and cardinality of the existing property.
        found: String,
    },
    /// A diff declares an invalid name, which is empty or contains NUL.
    NotAName {
        /// The kind of the declared element.
        kind: NameKind,
        /// The invalid name.
        name: String,
        /// The reason why the name is invalid.
        fault: Box<Fault>,
    },
    /// Edges that are stored by the order of nodes have no ranks, and so no properties.
    WithoutRanks {
        /// The label of the edges.
        edge_label: String,
    },
    /// A layer adds elements only under names of its own, but the graph already has this name.
    NotOfLayer {
        /// The kind of the name.
        kind: NameKind,
        /// The name that the graph already has.
        name: String,
        /// The layer that the name belongs to.
        layer: String,
    },
    /// A layer adds a node without labels. This is invalid because labels are the only link from a node to
    /// its layer.
    NoLabel,
    /// The diff of a layer removes an element or values.
    RemovedByLayer,
    /// A node has a label of a layer that can be dropped, and a label outside of this layer.
    MixedLabels {
        /// The label of the layer.
        label: String,
        /// The name of the layer.
        layer: String,
        /// The label outside of the layer.
        other: String,
    },
    /// An operation of a graph that is being built removes an element or values.
    NotAnAddition,
    /// An operation of a graph that is being built has an invalid argument.
    Input(Box<InputError>),
    /// The graph would have more nodes, edges or values than the limit.
    TooMany {
        /// The name of the counted elements, in words.
        what: &'static str,
        /// The most elements that a graph can have.
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
