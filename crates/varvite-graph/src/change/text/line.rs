//! The JSON forms of a diff's lines.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};
use serde_json::{Map, Value as Json};

use crate::json::Once;

/// The JSON form of an operation. A line is an object whose only field has the name of the operation.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line<'a> {
    #[serde(borrow)]
    AddNode(AddNode<'a>),
    #[serde(borrow)]
    AddEdge(AddEdge<'a>),
    RemoveNode(u32),
    #[serde(borrow)]
    RemoveEdge(Edge<'a>),
    #[serde(borrow)]
    Set(PropertyLine<'a>),
    #[serde(borrow)]
    Append(PropertyLine<'a>),
    #[serde(borrow)]
    Clear(Cleared<'a>),
    #[serde(borrow)]
    DeclareLabel(Cow<'a, str>),
    #[serde(borrow)]
    DeclareEdgeLabel(Cow<'a, str>),
    #[serde(borrow)]
    DeclareProperty(Declared<'a>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddNode<'a> {
    #[serde(borrow, default)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) labels: Vec<Cow<'a, str>>,
    #[serde(default)]
    pub(super) properties: Once<Map<String, Json>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddEdge<'a> {
    #[serde(borrow)]
    pub(super) label: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) from: NodeName<'a>,
    #[serde(borrow)]
    pub(super) to: NodeName<'a>,
    #[serde(borrow, default)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) properties: Once<Map<String, Json>>,
}

/// An edge of the graph.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Edge<'a> {
    #[serde(borrow)]
    pub(super) label: Cow<'a, str>,
    pub(super) rank: u32,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PropertyLine<'a> {
    #[serde(borrow, default)]
    pub(super) node: Option<NodeName<'a>>,
    #[serde(borrow, default)]
    pub(super) edge: Option<EdgeName<'a>>,
    #[serde(borrow)]
    pub(super) property: Cow<'a, str>,
    pub(super) value: Once<Json>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cleared<'a> {
    #[serde(borrow, default)]
    pub(super) node: Option<NodeName<'a>>,
    #[serde(borrow, default)]
    pub(super) edge: Option<EdgeName<'a>>,
    #[serde(borrow)]
    pub(super) property: Cow<'a, str>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declared<'a> {
    #[serde(borrow)]
    pub(super) name: Cow<'a, str>,
    /// The label of the edges that have the property; `None` for a property of nodes.
    #[serde(borrow, default)]
    pub(super) edge_label: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "type")]
    pub(super) value_type: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) cardinality: Cow<'a, str>,
}

/// A node: its id, or the name of a node that the diff adds.
#[derive(Debug)]
pub(super) enum NodeName<'a> {
    Id(u32),
    Name(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for NodeName<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Expected;
        impl<'de> Visitor<'de> for Expected {
            type Value = NodeName<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the id of a node or the name of one that the diff adds")
            }

            fn visit_u64<E: Error>(self, id: u64) -> Result<Self::Value, E> {
                let too_large = |_| E::custom(format_args!("there is no node {id}"));
                u32::try_from(id).map(NodeName::Id).map_err(too_large)
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(NodeName::Name(Cow::Borrowed(name)))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(NodeName::Name(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_any(Expected)
    }
}

/// An edge: an edge of the graph, or the name of an edge that the diff adds.
#[derive(Debug)]
pub(super) enum EdgeName<'a> {
    Old(Edge<'a>),
    Name(Cow<'a, str>),
}

impl<'de: 'a, 'a> Deserialize<'de> for EdgeName<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Expected;
        impl<'de> Visitor<'de> for Expected {
            type Value = EdgeName<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the label and rank of an edge or the name of one that the diff adds")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let edge = Edge::deserialize(serde::de::value::MapAccessDeserializer::new(map));
                edge.map(EdgeName::Old)
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(EdgeName::Name(Cow::Borrowed(name)))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(EdgeName::Name(Cow::Owned(name.to_owned())))
            }
        }
        deserializer.deserialize_any(Expected)
    }
}
