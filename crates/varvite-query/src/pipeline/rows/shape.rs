//! [`Shape`]: what rows are, and what the numbers in them mean.

use std::sync::Arc;

use crate::pipeline::fault::RowKind;
use varvite_graph::{Property, ValueType};

/// What rows are.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    Nodes,
    Edges,
    Values(ColumnSpec),
    Table(Arc<[ColumnSpec]>),
}

impl Shape {
    /// In the words of errors.
    pub(crate) fn kind(&self) -> RowKind {
        match self {
            Self::Nodes => RowKind::Nodes,
            Self::Edges => RowKind::Edges,
            Self::Values(_) => RowKind::Values,
            Self::Table(_) => RowKind::Columns,
        }
    }

    /// The columns of such rows.
    pub(crate) fn columns(&self) -> Vec<ColumnSpec> {
        match self {
            Self::Nodes => vec![ColumnSpec::new("node", Meaning::Node)],
            Self::Edges => vec![ColumnSpec::new("edge", Meaning::Edge)],
            Self::Values(column) => vec![column.clone()],
            Self::Table(columns) => columns.to_vec(),
        }
    }
}

/// A column of results.
#[derive(Clone, Debug)]
pub(crate) struct ColumnSpec {
    pub(crate) name: Arc<str>,
    pub(crate) meaning: Meaning,
    pub(crate) is_list: bool,
    /// A row, or an item of a list, may be without a value.
    pub(crate) may_be_null: bool,
}

impl ColumnSpec {
    /// The column of a count.
    pub(crate) fn count() -> Self {
        Self::new("count", Meaning::Plain(ValueType::U64))
    }

    pub(crate) fn new(name: &str, meaning: Meaning) -> Self {
        let may_be_null = matches!(meaning, Meaning::Of(_) | Meaning::Name(_));
        Self { name: name.into(), meaning, is_list: false, may_be_null }
    }

    pub(crate) fn list(name: &str, meaning: Meaning) -> Self {
        Self { is_list: true, ..Self::new(name, meaning) }
    }
}

/// What a number means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// A node's id.
    Node,
    /// An edge, by its index in the batch.
    Edge,
    /// An element of a path: a node's id, or below zero an edge, minus one minus its index in the batch.
    Element,
    /// An index into names: of label sets, or of edge labels.
    Name(Arc<[String]>),
    /// A number of its own.
    Plain(ValueType),
    /// A value of a property.
    Of(Arc<Property>),
}

impl Meaning {
    /// The type of the values; none for nodes, edges and names.
    pub(crate) fn value_type(&self) -> Option<ValueType> {
        match self {
            Self::Plain(value_type) => Some(*value_type),
            Self::Of(property) => Some(property.value_type()),
            _ => None,
        }
    }

    /// One more than the greatest number, where that is known.
    pub(crate) fn bound(&self, nodes: u32) -> Option<u64> {
        match self {
            Self::Node => Some(u64::from(nodes)),
            Self::Name(names) => Some(names.len() as u64),
            Self::Of(property) => property.strings().map(|strings| u64::from(strings.len()) + 1),
            Self::Edge | Self::Element | Self::Plain(_) => None,
        }
    }
}
