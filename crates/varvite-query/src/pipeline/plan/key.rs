//! Keys: the number that a row is sorted, grouped or shown by.

use std::sync::Arc;

use super::PropertyPlan;
use crate::pipeline::rows::{Batch, ColumnSpec, Meaning, Refers};
use varvite_graph::{Labels, Property};

/// The way to the key of a row.
#[derive(Clone, Debug)]
pub(crate) enum KeyPlan {
    /// A node's id.
    Node,
    /// An edge: its label and rank in one number.
    Edge,
    /// A value.
    Value(Meaning),
    /// A node's label set, and the names of all.
    Labels(Arc<Labels>, Arc<[String]>),
    /// An edge's label.
    EdgeLabel(Arc<[String]>),
    Depth,
    Property(PropertyPlan),
    /// A column of rows of columns, by its index, and its key.
    Column(usize, ColumnSpec),
}

impl KeyPlan {
    /// The column that shows it.
    pub(crate) fn column(&self) -> ColumnSpec {
        match self {
            Self::Node => ColumnSpec::new("node", Meaning::Node),
            Self::Edge => ColumnSpec::new("edge", Meaning::Edge),
            Self::Value(meaning) => ColumnSpec::new("value", meaning.clone()),
            Self::Labels(_, names) | Self::EdgeLabel(names) => {
                ColumnSpec::new("label", Meaning::Name(names.clone()))
            }
            Self::Depth => ColumnSpec::new("depth", Meaning::Plain(varvite_graph::ValueType::U32)),
            Self::Property(plan) => ColumnSpec::new(&plan.name, plan.meaning()),
            Self::Column(_, column) => column.clone(),
        }
    }

    /// The property behind it.
    pub(crate) fn property(&self) -> Option<&Property> {
        match self {
            Self::Property(plan) => Some(&plan.property),
            Self::Value(Meaning::Of(property))
            | Self::Column(_, ColumnSpec { meaning: Meaning::Of(property), .. }) => Some(property),
            _ => None,
        }
    }

    /// The meaning of its column's numbers.
    pub(crate) fn refers(&self) -> Refers {
        if matches!(self, Self::Edge) { Refers::Edges } else { Refers::Nothing }
    }

    /// The key of a row.
    #[inline]
    pub(crate) fn number(&self, batch: &Batch, row: usize) -> Option<i64> {
        match self {
            Self::Node => batch.nodes.get(row).map(|node| i64::from(*node)),
            Self::Edge => {
                let edge = batch.edges.get(row)?;
                Some(edge.number())
            }
            Self::Value(_) => batch.numbers.get(row).copied(),
            Self::Labels(labels, _) => {
                batch.nodes.get(row).and_then(|node| labels.known_code(*node)).map(i64::from)
            }
            Self::EdgeLabel(_) => batch.edges.get(row).map(|edge| i64::from(edge.label.0)),
            Self::Depth => batch.depth.get(row).map(|depth| i64::from(*depth)),
            Self::Property(plan) => plan.property.number(plan.owner(batch, row)?),
            Self::Column(index, _) => batch.table.get(*index)?.key(row, &batch.edges),
        }
    }
}

impl PropertyPlan {
    /// The meaning of its numbers.
    pub(crate) fn meaning(&self) -> Meaning {
        Meaning::Of(self.property.clone())
    }

    /// The owner of a row's value: a node, or the rank of an edge.
    #[inline]
    pub(crate) fn owner(&self, batch: &Batch, row: usize) -> Option<u32> {
        match self.edge_label {
            None => batch.nodes.get(row).copied(),
            Some(label) => batch.edges.get(row).filter(|edge| edge.label == label).map(|edge| edge.rank),
        }
    }
}
