//! [`Stored`]: the column whose stored values a fold reads directly, in plans that aggregate the values of
//! scanned nodes.

use std::ops::Range;
use std::sync::Arc;

use crate::pipeline::plan::{KeyPlan, Operator, Physical, Project, PropertyPlan, SummaryPlan};
use varvite_graph::{Labels, Property};

/// The column to fold.
#[derive(Clone, Debug)]
pub(super) enum Stored {
    /// No column: nodes are only counted.
    Nodes,
    /// The values of a property.
    Values(Arc<Property>),
    /// The values of a property as keys of groups, and null for nodes without a value.
    Keys(Arc<Property>),
    /// The label set of each node.
    Labels(Arc<Labels>),
}

impl Stored {
    /// The column that a fold reads for the nodes of a scan. `None` if there are other steps before the fold,
    /// or if the fold does not read a stored column.
    pub(super) fn of(steps: &[Physical]) -> Option<Self> {
        let (_, rest) = steps.split_first()?;
        let operators: Vec<&Operator> = rest.iter().map(|step| &step.operator).collect();
        match operators[..] {
            [Operator::Count] => Some(Self::Nodes),
            [
                Operator::Project(Project::Values(KeyPlan::Property(values))),
                Operator::Aggregate(..) | Operator::GroupCount(_),
            ] => of_nodes(values).map(Self::Values),
            [Operator::GroupCount(KeyPlan::Property(keys))] if !keys.property.is_list() => {
                of_nodes(keys).map(Self::Keys)
            }
            [Operator::Summarize(by, columns)] if columns.iter().all(SummaryPlan::has_one_value) => {
                match by {
                    KeyPlan::Property(keys) if !keys.property.is_list() => of_nodes(keys).map(Self::Keys),
                    KeyPlan::Labels(labels, _) => Some(Self::Labels(labels.clone())),
                    _ => None,
                }
            }
            [Operator::Order { by: KeyPlan::Property(keys), .. }] => of_nodes(keys).map(Self::Keys),
            [Operator::GroupCount(KeyPlan::Labels(labels, _))] => Some(Self::Labels(labels.clone())),
            _ => None,
        }
    }

    /// The number of values that the nodes of a range have.
    pub(super) fn count(&self, nodes: Range<u32>) -> u64 {
        match self {
            Self::Values(property) => property.count_in(i64::MIN..=i64::MAX, nodes),
            Self::Nodes | Self::Keys(_) | Self::Labels(_) => nodes.len() as u64,
        }
    }

    /// Whether values can be read for the nodes of a [`Selection`](super::selection::Selection), which
    /// requires at most one value per node.
    pub(super) fn takes_selections(&self) -> bool {
        match self {
            Self::Values(property) | Self::Keys(property) => !property.has_lists,
            Self::Nodes | Self::Labels(_) => true,
        }
    }
}

fn of_nodes(plan: &PropertyPlan) -> Option<Arc<Property>> {
    plan.edge_label.is_none().then(|| plan.property.clone())
}
