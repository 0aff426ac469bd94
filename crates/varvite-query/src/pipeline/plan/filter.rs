//! [`Filter`]: a condition on one row, made of tests of labels, values and neighbours.
//!
//! An inner pipeline of a step such as `where` becomes a tree of filters if possible. A test of such a tree
//! stops at the first node that decides the answer, stores no rows and allocates nothing. Other inner
//! pipelines, such as those with `order`, `limit` or `choose`, are run for one row at a time.

use std::sync::Arc;

use varvite_format::EdgeLabelId;

use super::reach::Reach;
use super::test::Test;
use super::{ComputedTest, Physical, PropertyPlan};
use varvite_graph::Labels;

/// A condition on one row.
#[derive(Clone, Debug)]
pub(crate) enum Filter {
    Labels(LabelFilter),
    /// The node's id is one of these ids, which are sorted.
    Ids(Arc<[u32]>),
    /// The edge has one of these labels.
    EdgeLabels(Arc<[EdgeLabelId]>),
    /// The node or edge has a value of a property.
    Present(PropertyPlan),
    /// The node or edge has a value that passes the test.
    Value(ValueFilter),
    /// The row, which is a value, passes the test.
    Number(Test),
    /// The row, which is a text that the run has computed, passes the test.
    Computed(ComputedTest),
    All(Vec<Filter>),
    Any(Vec<Filter>),
    Not(Box<Filter>),
    /// At least one reached node passes the filter.
    Some(Reach, Box<Filter>),
    /// The test accepts the number of reached nodes that pass the filter.
    Count(Reach, Box<Filter>, Test),
    /// The inner pipeline gives any row.
    Inner(Vec<Physical>),
}

/// A property, and the test of its value.
#[derive(Clone, Debug)]
pub(crate) struct ValueFilter {
    pub(crate) plan: PropertyPlan,
    pub(crate) test: Test,
}

/// A filter of nodes by labels. It tests the code of the node's label set.
#[derive(Clone, Debug)]
pub(crate) struct LabelFilter {
    pub(crate) labels: Arc<Labels>,
    pub(crate) wanted: Arc<[bool]>,
    pub(crate) names: Arc<str>,
}

impl LabelFilter {
    #[inline]
    pub(crate) fn passes(&self, node: u32) -> bool {
        self.wanted.get(self.labels.code(node) as usize) == Some(&true)
    }
}

impl Filter {
    /// The filter that accepts every row.
    pub(crate) fn always() -> Self {
        Self::All(Vec::new())
    }

    pub(crate) fn is_always(&self) -> bool {
        matches!(self, Self::All(filters) if filters.is_empty())
    }

    /// Whether every row that passes this filter is known to pass the other. Compares tests of labels only.
    pub(crate) fn implies(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Labels(one), Self::Labels(other)) => {
                one.wanted.iter().zip(&*other.wanted).all(|(one, other)| !one || *other)
            }
            _ => false,
        }
    }

    /// A rough rank of the filter's cost: lowest if it reads one byte, higher for some look-ups, higher still
    /// for texts, and highest if it visits other nodes.
    pub(crate) fn cost_rank(&self) -> u8 {
        match self {
            Self::Labels(_) | Self::Ids(_) | Self::EdgeLabels(_) => 0,
            Self::Value(ValueFilter { test, .. }) | Self::Number(test) if test.asks_texts() => 2,
            Self::Computed(_) => 2,
            Self::Present(_) | Self::Value(..) | Self::Number(_) => 1,
            Self::Not(filter) => filter.cost_rank(),
            Self::All(filters) | Self::Any(filters) => filters.iter().map(Self::cost_rank).max().unwrap_or(0),
            Self::Some(..) | Self::Count(..) | Self::Inner(_) => 3,
        }
    }

    /// The filter as a test of a value. `None` if it is another kind of filter.
    pub(crate) fn value(&self) -> Option<&ValueFilter> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }

    /// The filter as a test of a node's value that threads can run independently. `None` if it is another
    /// kind of filter.
    pub(crate) fn searchable(&self) -> Option<&ValueFilter> {
        match self {
            Self::Value(value) if value.plan.edge_label.is_none() && value.test.is_shared() => Some(value),
            _ => None,
        }
    }

    /// A rough estimate of the share of rows that pass.
    pub(crate) fn share(&self) -> f64 {
        let share_of = |plan: &PropertyPlan| {
            let owners = f64::from(plan.property.present.universe().max(1));
            f64::from(plan.property.len()) / owners
        };
        match self {
            Self::Labels(filter) => {
                let wanted = filter.wanted.iter().filter(|wanted| **wanted).count();
                wanted as f64 / filter.wanted.len().max(1) as f64
            }
            Self::Ids(_) | Self::EdgeLabels(_) => 0.5,
            Self::Present(plan) => share_of(plan),
            Self::Value(value) => {
                value.test.share(value.plan.property.strings().map(|strings| f64::from(strings.len())))
            }
            Self::Number(test) => test.share(None),
            Self::Computed(_) => 0.1,
            Self::All(filters) => filters.iter().map(Self::share).product(),
            Self::Any(filters) => filters.iter().map(Self::share).sum::<f64>().min(1.0),
            Self::Not(filter) => 1.0 - filter.share(),
            Self::Some(..) | Self::Count(..) | Self::Inner(_) => 0.5,
        }
    }
}
