//! Keys: the ways to read the number by which a row is sorted or grouped, or the number that a column shows.

use std::sync::Arc;

use super::PropertyPlan;
use crate::pipeline::rows::{Batch, ColumnSpec, Meaning, Refers};
use varvite_graph::{Labels, Property, ValueType};

/// How to read the key of a row.
#[derive(Clone, Debug)]
pub(crate) enum KeyPlan {
    /// A node's id.
    Node,
    /// An edge, as its label and rank in one number.
    Edge,
    /// The row itself, which is a value.
    Value(Meaning),
    /// A node's label set. The strings are the names of all label sets.
    Labels(Arc<Labels>, Arc<[String]>),
    /// An edge's label. The strings are the names of all edge labels.
    EdgeLabel(Arc<[String]>),
    Depth,
    Property(PropertyPlan),
    /// A column of a table: the column's index, and the description of the column that shows the key.
    Column(usize, ColumnSpec),
    /// A key that the operator `compute` before this one computed and stored in the batch: its index there,
    /// and the description of the column that shows the key.
    Computed(usize, ColumnSpec),
    /// A property of the node that a computed key of this index found.
    Found(usize, PropertyPlan),
}

impl KeyPlan {
    /// The column that shows the key.
    pub(crate) fn column(&self) -> ColumnSpec {
        match self {
            Self::Node => ColumnSpec::new("node", Meaning::Node),
            Self::Edge => ColumnSpec::new("edge", Meaning::Edge),
            Self::Value(meaning) => ColumnSpec::new("value", meaning.clone()),
            Self::Labels(_, names) | Self::EdgeLabel(names) => {
                ColumnSpec::new("label", Meaning::Name(names.clone()))
            }
            Self::Depth => ColumnSpec::new("depth", Meaning::Plain(ValueType::U32)),
            Self::Property(plan) | Self::Found(_, plan) => ColumnSpec::new(&plan.name, plan.meaning()),
            Self::Column(_, column) | Self::Computed(_, column) => column.clone(),
        }
    }

    /// The property whose values are the keys. `None` for other keys.
    pub(crate) fn property(&self) -> Option<&Property> {
        match self {
            Self::Property(plan) | Self::Found(_, plan) => Some(&plan.property),
            Self::Value(Meaning::Of(property))
            | Self::Column(_, ColumnSpec { meaning: Meaning::Of(property), .. })
            | Self::Computed(_, ColumnSpec { meaning: Meaning::Of(property), .. }) => Some(property),
            _ => None,
        }
    }

    /// The kind of elements to which the numbers in the key's column refer.
    pub(crate) fn refers(&self) -> Refers {
        if matches!(self, Self::Edge) { Refers::Edges } else { Refers::Nothing }
    }

    /// The key of a row. `None` if the row has none.
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
            Self::Computed(index, _) => batch.computed.get(*index)?.key(row, &batch.edges),
            Self::Found(index, plan) => {
                let node = batch.computed.get(*index)?.key(row, &batch.edges)?;
                plan.property.number(u32::try_from(node).ok()?)
            }
        }
    }
}

impl PropertyPlan {
    /// The meaning of the property's numbers.
    pub(crate) fn meaning(&self) -> Meaning {
        Meaning::Of(self.property.clone())
    }

    /// The owner of a row's value: a node, or the rank of an edge. `None` for an edge of another label.
    #[inline]
    pub(crate) fn owner(&self, batch: &Batch, row: usize) -> Option<u32> {
        match self.edge_label {
            None => batch.nodes.get(row).copied(),
            Some(label) => batch.edges.get(row).filter(|edge| edge.label == label).map(|edge| edge.rank),
        }
    }
}
